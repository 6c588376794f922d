#include <rattleback/view/film/figures.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/view/film/phase_portrait.hpp>
#include <rattleback/view/pictures/run_columns.hpp>
#include <rattleback/view/pictures/values_along.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_curves = legible::curves_of_a_figure.count;

/// A figure of several quantities over time.
void add_over_time(Film& film, const std::string& title, const std::vector<std::string>& names) {
  Figure f;
  f.title = title;
  for (const std::string& name : names) f.curves.push_back({name, "t", name, {}, {}, false, {}});
  film.figures.push_back(std::move(f));
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

void add_series(const Flow& flow, const Trajectory& run, Film& film) {
  const EquationsOfMotion& e = flow.equations();
  for (std::size_t i = 0; i < run.states; ++i) {
    if (i < e.configuration.size() && e.configuration[i].role() == Role::rotation) continue;
    film.series.push_back({run.names[i], run_column(run, i)});
  }
}

/// Figures over time of columns of like size.
void add_groups(const Trajectory& run, const std::string& title, const std::vector<std::size_t>& columns,
                Film& film) {
  for (const std::vector<std::size_t>& group : groups_of_like_size(run, columns, most_curves)) {
    std::vector<std::string> names;
    for (const std::size_t c : group) names.push_back(run.names[c]);
    add_over_time(film, title, names);
  }
}

/// I(t) − I(0), in units of |I(0)| unless that is less than 1.
void add_drift(const Trajectory& run, Film& film) {
  Figure f;
  f.title = "Drift of what is constant";
  f.role = "drift";
  f.note = "relative";
  f.least = 1e-15;
  for (std::size_t k = 0; k < std::min(run.kept, most_curves); ++k) {
    std::vector<double> values = run_column(run, run.states + run.velocities + k);
    const double first = values.empty() ? 0 : values.front(), unit = std::max(1.0, std::abs(first));
    for (double& v : values) v = (v - first) / unit;
    const std::string& name = run.names[run.states + run.velocities + k];
    f.curves.push_back({name, "t", "", {}, std::move(values), false, {}});
  }
  if (!f.curves.empty()) film.figures.push_back(std::move(f));
}

/// The harmonics that matter: up to the last one above a hundredth of the largest. Only of what oscillates.
void add_spectrum(const Trajectory& run, const std::vector<std::size_t>& speeds, Film& film) {
  if (film.times.size() < 32) return;
  Figure f;
  f.title = "Spectrum of the speeds";
  f.role = "spectrum";
  f.note = "amplitude over frequency, Hann window";
  f.kind = Figure::Kind::spectrum;
  f.x = "frequency";
  const double duration = film.times.back() - film.times.front();
  std::size_t last = 8;
  for (const std::size_t c : speeds) {
    if (f.curves.size() == most_curves) break;
    const std::vector<double> values = run_column(run, c);
    if (!oscillates(values)) continue;
    std::vector<double> a = amplitudes(values);
    const double largest = *std::max_element(a.begin(), a.end());
    if (largest < 1e-9) continue;
    for (std::size_t k = 0; k < a.size(); ++k) last = a[k] > 0.01 * largest ? std::max(last, k) : last;
    f.curves.push_back({run.names[c], "", "", {}, std::move(a), false, {}});
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

void add_figures(const Flow& flow, std::span<const double> y, const Trajectory& run, Film& film,
                 Neighbours neighbours) {
  add_series(flow, run, film);
  add_path(film);
  const std::vector<std::size_t> speeds = interesting_speeds(flow, run);
  std::vector<std::size_t> angles, lines;
  for (const std::size_t c : interesting_coordinates(flow, run))
    (is_angle(flow, flow.equations().configuration[c]) ? angles : lines).push_back(c);
  add_groups(run, "Speeds", speeds, film);
  add_groups(run, "Angles", angles, film);
  add_groups(run, "Positions", lines, film);
  if (auto portrait = phase_portrait(flow, y, run, neighbours)) film.figures.push_back(std::move(*portrait));
  add_drift(run, film);
  add_spectrum(run, speeds, film);
}

}  // namespace rattleback
