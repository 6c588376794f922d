#include <rattleback/view/figures.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/view/phase_portrait.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_curves = 6;

std::vector<double> column(const Trajectory& run, std::size_t c) {
  std::vector<double> values;
  for (const std::vector<double>& row : run.rows) values.push_back(row[c]);
  return values;
}

/// A figure of several quantities over time; nothing when there are none.
void add_over_time(Film& film, const std::string& title, const std::vector<std::string>& names) {
  for (std::size_t first = 0; first < names.size(); first += most_curves) {
    Figure f;
    f.title = title;
    for (std::size_t k = first; k < std::min(names.size(), first + most_curves); ++k)
      f.curves.push_back({names[k], "t", names[k], {}, {}, false, {}});
    film.figures.push_back(std::move(f));
  }
}

/// Seen from above, when the first trace stays near a plane z = constant.
void add_path(Film& film) {
  for (const Moving& m : film.shapes) {
    if (m.kind != Shape::Kind::trace) continue;
    std::vector<double> x, y, z;
    for (std::size_t i = 0; i + 2 < m.points.size(); i += 3) {
      x.push_back(m.points[i]);
      y.push_back(m.points[i + 1]);
      z.push_back(m.points[i + 2]);
    }
    const auto [low, high] = std::minmax_element(z.begin(), z.end());
    const auto [left, right] = std::minmax_element(x.begin(), x.end());
    if (z.empty() || *high - *low > 0.5 * (*right - *left)) return;
    Figure f;
    f.title = "Path, from above";
    f.role = "path";
    f.kind = Figure::Kind::plane;
    f.x = "x";
    f.y = "y";
    f.equal = true;
    f.curves.push_back({"", "", "", x, y, false, {}});
    film.figures.push_back(std::move(f));
    return;
  }
}

struct Columns {
  std::vector<std::string> lines, angles, speeds;
};

bool is_angle(const Space& space, Symbol q) {
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.functions.front() == q) return piece.carrier == Carrier::angle;
    }
  }
  return false;
}

Columns add_state(const Flow& flow, const Trajectory& run, Film& film) {
  Columns names;
  const EquationsOfMotion& e = flow.equations();
  for (std::size_t i = 0; i < run.states; ++i) {
    const bool speed = i >= e.configuration.size();
    if (!speed && e.configuration[i].role() == Role::rotation) continue;
    film.series.push_back({run.names[i], column(run, i)});
    const bool angle = !speed && is_angle(flow.system().space, e.configuration[i]);
    (speed ? names.speeds : angle ? names.angles : names.lines).push_back(run.names[i]);
  }
  return names;
}

/// I(t) − I(0), in units of |I(0)| unless that is less than 1.
void add_drift(const Trajectory& run, Film& film) {
  Figure f;
  f.title = "Drift of what is constant";
  f.role = "drift";
  f.note = "relative";
  f.least = 1e-15;
  for (std::size_t k = 0; k < std::min(run.kept, most_curves); ++k) {
    std::vector<double> values = column(run, run.states + run.velocities + k);
    const double first = values.empty() ? 0 : values.front(), unit = std::max(1.0, std::abs(first));
    for (double& v : values) v = (v - first) / unit;
    const std::string& name = run.names[run.states + run.velocities + k];
    f.curves.push_back({name, "t", "", {}, std::move(values), false, {}});
  }
  if (!f.curves.empty()) film.figures.push_back(std::move(f));
}

/// The harmonics that matter: up to the last one above a hundredth of the largest.
void add_spectrum(const Columns& names, Film& film) {
  if (film.times.size() < 32) return;
  Figure f;
  f.title = "Spectrum of the speeds";
  f.role = "spectrum";
  f.note = "amplitude over frequency, Hann window";
  f.kind = Figure::Kind::spectrum;
  f.x = "frequency";
  const double duration = film.times.back() - film.times.front();
  std::size_t last = 8;
  for (const Series& s : film.series) {
    if (std::find(names.speeds.begin(), names.speeds.end(), s.name) == names.speeds.end()) continue;
    if (f.curves.size() == most_curves) break;
    std::vector<double> a = amplitudes(s.values);
    const double largest = *std::max_element(a.begin(), a.end());
    if (largest < 1e-9) continue;
    for (std::size_t k = 0; k < a.size(); ++k) last = a[k] > 0.01 * largest ? std::max(last, k) : last;
    f.curves.push_back({s.name, "", "", {}, std::move(a), false, {}});
  }
  if (f.curves.empty()) return;
  last = std::min(last + last / 4, film.times.size() / 2);
  for (Curve& c : f.curves) {
    c.own_y.resize(last + 1);
    for (std::size_t k = 0; k <= last; ++k) c.own_x.push_back(static_cast<double>(k) / duration);
  }
  film.figures.push_back(std::move(f));
}

}  // namespace

std::vector<double> amplitudes(const std::vector<double>& values) {
  const std::size_t n = values.size() - 1;  // the last value repeats the first of the next period
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) mean += values[i] / static_cast<double>(n);
  std::vector<double> cosines(n), sines(n), windowed(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double phase = 2 * M_PI * static_cast<double>(i) / static_cast<double>(n);
    cosines[i] = std::cos(phase);
    sines[i] = std::sin(phase);
    windowed[i] = (values[i] - mean) * (1 - cosines[i]);  // Hann's window, scaled to mean 1
  }
  std::vector<double> a;
  for (std::size_t k = 0; k <= n / 2; ++k) {
    double re = 0, im = 0;
    for (std::size_t i = 0, phase = 0; i < n; ++i, phase = (phase + k) % n) {
      re += windowed[i] * cosines[phase];
      im += windowed[i] * sines[phase];
    }
    a.push_back(2 * std::hypot(re, im) / static_cast<double>(n));
  }
  return a;
}

void add_figures(const Flow& flow, std::span<const double> y, const Trajectory& run, Film& film) {
  const Columns names = add_state(flow, run, film);
  add_path(film);
  add_over_time(film, "Speeds", names.speeds);
  add_over_time(film, "Angles", names.angles);
  add_over_time(film, "Positions", names.lines);
  if (auto portrait = phase_portrait(flow, y, run)) film.figures.push_back(std::move(*portrait));
  add_drift(run, film);
  add_spectrum(names, film);
}

}  // namespace rattleback
