// Declared in view/results/trajectory.hpp. Lyapunov exponents, what they have to be, and indicators of chaos.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/view/results/trajectory.hpp>

namespace rattleback {
namespace {

/// The exponents nearest to zero, as many as have to vanish, where all were computed.
std::vector<std::size_t> vanishing(const LyapunovExponents& found) {
  if (found.exponents.size() < found.directions) return {};
  std::vector<std::size_t> order(found.exponents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::abs(found.exponents[a]) < std::abs(found.exponents[b]);
  });
  order.resize(std::min(order.size(), found.neutral.count));
  std::sort(order.begin(), order.end());
  return order;
}

double largest(const LyapunovExponents& found, const std::vector<std::size_t>& which) {
  double most = 0;
  for (const std::size_t i : which) most = std::max(most, std::abs(found.exponents[i]));
  return most;
}

std::string named(const NeutralDirections& neutral) {
  std::vector<std::string> all = neutral.integrals;
  all.insert(all.end(), neutral.fields.begin(), neutral.fields.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string indicators(const LyapunovExponents& found) {
  std::string s = fmt::format("  MEGNO {:.4g}, mean {:.4g} (2: quasi-periodic; growing with time: chaotic)\n",
                              found.megno, found.mean_megno);
  if (!found.log_gali.empty()) {
    const double ten = std::log(10.0);
    s += fmt::format("  SALI {:.2e}, log10 of GALI_2 … GALI_{}:", *found.sali, found.log_gali.size() + 1);
    for (const double gali : found.log_gali) s += fmt::format(" {:.1f}", gali / ten);
    s += "\n";
  }
  return s;
}

}  // namespace

std::string as_text(const RunHead& head, const LyapunovExponents& found) {
  std::string s = fmt::format("{}, Lyapunov exponents over t = {:g} … {:g}, {} steps\n", head.model,
                              found.aligned, found.time, found.steps);
  if (found.blocks.empty()) return s;
  const std::vector<std::size_t> zeros = vanishing(found);
  for (std::size_t k = 0; k < found.exponents.size(); ++k) {
    const bool neutral = std::find(zeros.begin(), zeros.end(), k) != zeros.end();
    s += fmt::format("  {: .6f} ± {:.6f}  (after half of the time {: .6f}){}\n", found.exponents[k],
                     found.errors[k], found.halfway[k], neutral ? "  neutral" : "");
  }
  if (found.neutral.count > 0) {
    s += fmt::format("  {} must vanish: {}\n", found.neutral.count, named(found.neutral));
    if (!zeros.empty())
      s += fmt::format("  the {} nearest to zero are at most {:.2e}\n", zeros.size(), largest(found, zeros));
  }
  if (found.divergence)
    s += fmt::format("  sum {:.6g}, mean divergence {:.6g}: they differ by {:.1e}\n", found.sum(),
                     *found.divergence, std::abs(found.sum() - *found.divergence));
  if (const auto dimension = found.kaplan_yorke())
    s += fmt::format("  Kaplan–Yorke dimension {:.4f}\n", *dimension);
  return s + indicators(found);
}

std::string as_json(const RunHead& head, const LyapunovExponents& found) {
  nlohmann::ordered_json out{{"schema", "rattleback.lyapunov/1"},
                             {"model", head.model},
                             {"t", found.time},
                             {"counted_from", found.aligned},
                             {"steps", found.steps},
                             {"orthonormalisations", found.orthonormalisations},
                             {"directions", found.directions},
                             {"exponents", found.exponents},
                             {"errors", found.errors},
                             {"halfway", found.halfway},
                             {"blocks", found.blocks},
                             {"neutral",
                              {{"count", found.neutral.count},
                               {"integrals", found.neutral.integrals},
                               {"fields", found.neutral.fields},
                               {"which", vanishing(found)}}}};
  if (found.divergence) out["mean_divergence"] = *found.divergence;
  if (const auto dimension = found.kaplan_yorke()) out["kaplan_yorke"] = *dimension;
  out["megno"] = found.megno;
  out["mean_megno"] = found.mean_megno;
  if (found.sali) out["sali"] = *found.sali;
  if (!found.log_gali.empty()) out["log_gali"] = found.log_gali;
  if (found.failure) out["failure"] = *found.failure;
  return out.dump(1) + "\n";
}

}  // namespace rattleback
