#include <rattleback/view/results/measures.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback {
namespace {

/// 1/t of the model's times: Hz for seconds.
std::string frequency_unit(const Measures& all) {
  return all.time_unit == "s" ? "Hz" : all.time_unit.empty() ? "" : "1/" + all.time_unit;
}

std::string spectrum_text(const Measures& all) {
  const PowerSpectrum& s = *all.spectrum;
  const std::string second = all.time_unit.empty() ? "" : " " + all.time_unit,
                    hertz = second.empty() ? "" : " " + frequency_unit(all);
  std::string text = fmt::format("  {} every {:.6g}{} until {:g}{}, {} samples\n", all.observed, all.interval,
                                 second, all.until, second, all.samples);
  text += s.peaks.empty() ? "  power spectrum: no lines; the quantity does not oscillate in this time\n"
                          : "  power spectrum, highest lines:\n";
  for (std::size_t k = 0; k < std::min<std::size_t>(s.peaks.size(), 6); ++k)
    text += fmt::format("    frequency {:<12} period {:<12} {:.3g} of the variance\n",
                        fmt::format("{:.8g}{}", s.peaks[k].frequency, hertz),
                        fmt::format("{:.8g}{}", 1 / s.peaks[k].frequency, second), s.peaks[k].power);
  text += fmt::format("  spectral flatness {:.2e} (0: lines, 1: noise)\n", s.flatness);
  text += std::isnan(all.zero_one.k)
              ? std::string("  0-1 test: no value\n")
              : fmt::format("  0-1 test K = {:.3f} (0: regular, 1: chaotic)\n", all.zero_one.k);
  if (const std::string doubt = all.zero_one.doubt(); !doubt.empty())
    text += fmt::format("    not to be trusted: {}\n", doubt);
  text += std::isnan(all.dimension.dimension)
              ? std::string("  correlation dimension: too few near pairs\n")
              : fmt::format("  correlation dimension {:.2f} ± {:.2f} of the reduced state\n",
                            all.dimension.dimension, all.dimension.error);
  text += fmt::format(
      "  recurrence within {:.3g}: rate {:.4f}, determinism {:.3f}, longest line {:g} samples{}\n",
      all.recurrence.threshold, all.recurrence.rate, all.recurrence.determinism, all.recurrence.longest,
      std::isnan(all.recurrence.mean_return)
          ? ""
          : fmt::format(", mean return after {:.4g}{}", all.recurrence.mean_return * all.interval, second));
  return text;
}

std::string covariant_text(const CovariantVectors& found) {
  if (found.failure) return fmt::format("  covariant vectors: {}\n", *found.failure);
  std::string s = fmt::format("  covariant Lyapunov vectors over a time of {:.4g}\n", found.time);
  s += "    exponent      least angle to the others (degrees)\n";
  for (Eigen::Index i = 0; i < found.least_angle.rows(); ++i) {
    s += fmt::format("    {: .6f}  ", found.exponents[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j < found.least_angle.cols(); ++j)
      s += i == j ? "      -" : fmt::format(" {:6.2f}", found.least_angle(i, j) * 180 / M_PI);
    s += "\n";
  }
  if (found.hyperbolicity)
    s += fmt::format("  least angle between what grows and what shrinks {:.3f} degrees\n",
                     *found.hyperbolicity * 180 / M_PI);
  return s;
}

std::string volume_text(const PhaseVolume& v) {
  std::string s = fmt::format("  phase volume along {} motions{}\n", v.motions,
                              v.failed > 0 ? fmt::format(", {} of which end early", v.failed) : "");
  s += fmt::format("    {:>10} {:>13} {:>13} {:>13}   speeds reversed\n", "t", "mean ln V", "least",
                   "largest");
  const std::size_t every = std::max<std::size_t>(1, v.forward.size() / 5);
  for (std::size_t k = 0; k < v.forward.size(); k += every)
    s += fmt::format("    {:>10.4g} {:>13.6g} {:>13.6g} {:>13.6g}   {:>13.6g}\n", v.forward[k].time,
                     v.forward[k].mean, v.forward[k].least, v.forward[k].largest,
                     k < v.reversed.size() ? v.reversed[k].mean : NAN);
  s += fmt::format("  mean rate of ln V {:.6g} ± {:.2g}; with speeds reversed {:.6g} ± {:.2g}\n", v.rate,
                   v.error, v.reversed_rate, v.reversed_error);
  s += fmt::format("  reversing all speeds changes the rates by {:.2e} of their size: {}\n", v.asymmetry,
                   v.asymmetry < 1e-12 ? "reversible" : "not reversible in this way");
  if (v.violation) s += fmt::format("  the density changes by {:.2e} against the volume\n", *v.violation);
  return s;
}

}  // namespace

std::string as_text(const Measures& all) {
  std::string s = fmt::format("{}\n", all.model);
  if (all.spectrum) s += spectrum_text(all);
  if (all.covariant) s += covariant_text(*all.covariant);
  if (all.volume) s += volume_text(*all.volume);
  return s;
}

std::string as_json(const Measures& all) {
  nlohmann::ordered_json out{{"schema", "rattleback.measure/1"}, {"model", all.model}, {"t", all.until}};
  if (all.spectrum) {
    out["of"] = all.observed;
    out["samples"] = all.samples;
    out["flatness"] = all.spectrum->flatness;
    out["peaks"] = nlohmann::ordered_json::array();
    for (const SpectralPeak& p : all.spectrum->peaks) out["peaks"].push_back({p.frequency, p.power});
    out["zero_one"] = all.zero_one.k;
    out["zero_one_samples"] = all.zero_one.samples;
    out["zero_one_doubt"] = all.zero_one.doubt();
    out["correlation_dimension"] = {{"value", all.dimension.dimension}, {"error", all.dimension.error}};
    out["recurrence"] = {{"rate", all.recurrence.rate},
                         {"determinism", all.recurrence.determinism},
                         {"longest", all.recurrence.longest},
                         {"mean_return", all.recurrence.mean_return * all.interval}};
  }
  if (all.covariant) {
    nlohmann::ordered_json angles = nlohmann::ordered_json::array();
    for (Eigen::Index i = 0; i < all.covariant->least_angle.rows(); ++i) {
      const Eigen::VectorXd row = all.covariant->least_angle.row(i);
      angles.push_back(std::vector<double>(row.begin(), row.end()));
    }
    out["covariant"] = {{"exponents", all.covariant->exponents}, {"least_angles", angles}};
    if (all.covariant->hyperbolicity) out["covariant"]["hyperbolicity"] = *all.covariant->hyperbolicity;
  }
  if (all.volume) {
    const PhaseVolume& v = *all.volume;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < v.forward.size(); ++k)
      rows.push_back({v.forward[k].time, v.forward[k].mean, v.forward[k].least, v.forward[k].largest,
                      v.reversed[k].mean});
    out["volume"] = {{"motions", v.motions},
                     {"failed", v.failed},
                     {"rate", v.rate},
                     {"error", v.error},
                     {"reversed_rate", v.reversed_rate},
                     {"reversed_error", v.reversed_error},
                     {"asymmetry", v.asymmetry},
                     {"rows", rows}};
    if (v.violation) out["volume"]["violation"] = *v.violation;
  }
  return out.dump(1) + "\n";
}

std::vector<Panel> panels_of(const Measures& all) {
  std::vector<Panel> panels;
  if (all.spectrum) {
    const std::string unit = frequency_unit(all),
                      frequency = unit.empty() ? "frequency" : "frequency [" + unit + "]";
    PlotCurve line{.x = all.spectrum->frequency, .y = all.spectrum->power};
    panels.push_back(
        {"power spectrum of " + all.observed, frequency, "part of the variance", {line}, false, true});
    PlotCurve sum{.x = all.dimension.radius, .y = all.dimension.sum, .points = true};
    Panel panel{"correlation sum", "distance", "pairs", {sum}, false, true};
    panel.logarithmic_x = true;
    panels.push_back(std::move(panel));
  }
  if (all.volume && !all.volume->forward.empty()) {
    Panel panel{"phase volume", "t", "ln V", {}};
    PlotCurve mean{.name = "mean", .colour = 0}, low{.name = "extremes", .dashed = true, .colour = 0},
        high{.name = "", .dashed = true, .colour = 0}, back{.name = "speeds reversed", .colour = 1};
    for (const VolumeAt& v : all.volume->forward) {
      for (PlotCurve* c : {&mean, &low, &high}) c->x.push_back(v.time);
      mean.y.push_back(v.mean);
      low.y.push_back(v.least);
      high.y.push_back(v.largest);
    }
    for (const VolumeAt& v : all.volume->reversed) {
      back.x.push_back(v.time);
      back.y.push_back(v.mean);
    }
    panel.curves = {mean, low, high, back};
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::string as_text(const StepVolume& volume) {
  std::string s = fmt::format("  volume under {} steps: ln rho + ln V changes by at most {:.2e}",
                              volume.steps, volume.largest);
  if (!volume.drift.empty()) s += fmt::format(", in the end by {:.2e}", volume.drift.back());
  s += volume.is_exact
           ? "\n  each step is differentiated exactly\n"
           : fmt::format(
                 "\n  steps are differentiated by differences, with an error of some {:.0e} in the sum\n",
                 volume.error);
  if (volume.failure) s += fmt::format("  the steps ended {}\n", *volume.failure);
  return s;
}

std::string as_json(const StepVolume& volume) {
  nlohmann::ordered_json out;
  out["schema"] = "rattleback.step-volume/1";
  out["steps"] = volume.steps;
  out["largest"] = volume.largest;
  out["derivative"] = volume.is_exact ? "exact" : "differences";
  out["error"] = volume.error;
  out["time"] = volume.time;
  out["drift"] = volume.drift;
  if (volume.failure) out["failure"] = *volume.failure;
  return out.dump(2) + "\n";
}

}  // namespace rattleback
