#include <rattleback/view/film/phase_portrait.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

constexpr int across = 4, upwards = 3;  ///< neighbours
constexpr std::size_t longest_run = search_limits::run_with_neighbours.count;
constexpr std::size_t short_run = search_limits::run_with_free_neighbours.count;

bool depends_on(const std::vector<Expr>& rates, Symbol q) {
  return std::any_of(rates.begin(), rates.end(),
                     [q](Expr rate) { return !vanishes_at_random_points(derivative(rate, q)); });
}

/// A speed that changes: one that moves the coordinate, if there is such a one.
std::string speed_for(const EquationsOfMotion& e, Expr coordinate_rate) {
  const std::vector<Symbol> moving = symbols_of(coordinate_rate);
  std::optional<std::size_t> best;
  for (std::size_t a = 0; a < e.speeds.size(); ++a) {
    if (vanishes_at_random_points(e.speed_rates[a])) continue;
    if (std::find(moving.begin(), moving.end(), e.speeds[a]) != moving.end()) return e.speeds[a].name();
    if (!best) best = a;
  }
  return e.speeds[best.value_or(0)].name();
}

/// Half as wide again as what the run visits.
struct Range {
  double low, high;
  explicit Range(const std::vector<double>& values) {
    const auto [a, b] = std::minmax_element(values.begin(), values.end());
    const double middle = (*a + *b) / 2;
    const double half = *b - *a > 1e-9 ? 0.75 * (*b - *a) : 0.5 * std::max(std::abs(middle), 1.0);
    low = middle - half;
    high = middle + half;
  }
  double at(int k, int n) const { return low + (high - low) * (k + 0.5) / n; }
};

std::vector<double> column(const Trajectory& run, const std::string& name) {
  const auto at = std::find(run.names.begin(), run.names.end(), name);
  std::vector<double> values;
  if (at == run.names.end()) return values;
  for (const std::vector<double>& row : run.rows)
    values.push_back(row[static_cast<std::size_t>(at - run.names.begin())]);
  return values;
}

std::optional<std::size_t> place_in(std::span<const Symbol> state, const std::string& name) {
  const auto at = std::find_if(state.begin(), state.end(), [&](Symbol s) { return s.name() == name; });
  if (at == state.end()) return std::nullopt;
  return static_cast<std::size_t>(at - state.begin());
}

bool may_vary(const Flow& flow, std::size_t place) {
  return place >= flow.first_speed() ||
         std::none_of(flow.system().constraints.begin(), flow.system().constraints.end(),
                      [](const Constraint& c) { return c.position.has_value(); });
}

void add_neighbours(const Flow& flow, std::span<const double> y, const Trajectory& run, Figure& figure) {
  const std::optional<std::size_t> i = place_in(flow.state(), figure.x), j = place_in(flow.state(), figure.y);
  if (!i || !j || !may_vary(flow, *i) || !may_vary(flow, *j) || flow.projection() != nullptr ||
      run.counts.steps > longest_run || !run.phases.empty())
    return;
  const Range x(column(run, figure.x)), v(column(run, figure.y));
  RunOptions options;
  options.until = run.end;
  options.samples = std::min<std::size_t>(run.rows.size(), 201);
  options.reactions = false;
  options.method = "dop853";                             // for large models quicker than Taylor series
  options.settings.rtol = options.settings.atol = 1e-6;  // finer than a line
  options.most_steps = 4 * run.counts.steps + 100;
  std::vector<double> start(y.begin(), y.end());
  for (int a = 0; a < across; ++a) {
    for (int b = 0; b < upwards; ++b) {
      start[*i] = x.at(a, across);
      start[*j] = v.at(b, upwards);
      try {
        const Trajectory other = trajectory(flow, start, options);
        figure.curves.push_back({"", "", "", column(other, figure.x), column(other, figure.y), true, {}});
      } catch (const OutOfDomain&) {  // a singular state: no motion starts there
      }
    }
  }
  if (figure.curves.size() > 1) figure.note = "grey: from other points of this plane";
}

}  // namespace

namespace {

using Axes = std::optional<std::pair<std::string, std::string>>;

Axes axes_of(const Flow& flow) {
  const EquationsOfMotion& e = flow.equations();
  if (e.speeds.empty()) return std::nullopt;
  for (const Symbol s : symbols_of(e.speed_rates)) {
    const auto q = std::find(e.configuration.begin(), e.configuration.end(), s);
    if (q == e.configuration.end() || s.role() == Role::rotation || !depends_on(e.speed_rates, s)) continue;
    const Expr rate = e.configuration_rates[static_cast<std::size_t>(q - e.configuration.begin())];
    return std::pair{s.name(), speed_for(e, rate)};
  }
  if (e.speeds.size() < 2) return std::nullopt;
  return std::pair{e.speeds[0].name(), e.speeds[1].name()};
}

/// Chosen once for a flow and its copies.
struct PortraitAxes {
  explicit PortraitAxes(const Flow& flow) : axes(axes_of(flow)) {}
  Axes axes;
};

}  // namespace

std::optional<std::pair<std::string, std::string>> portrait_axes(const Flow& flow) {
  return flow.derived<PortraitAxes>()->axes;
}

std::optional<Figure> phase_portrait(const Flow& flow, std::span<const double> y, const Trajectory& run,
                                     Neighbours neighbours) {
  const auto axes = portrait_axes(flow);
  if (!axes || run.rows.empty()) return std::nullopt;
  Figure f;
  f.title = "Phase portrait";
  f.role = "portrait";
  f.kind = Figure::Kind::plane;
  f.x = axes->first;
  f.y = axes->second;
  f.curves.push_back({"", f.x, f.y, {}, {}, false, {}});
  if (neighbours == Neighbours::all ||
      (neighbours == Neighbours::short_ones && run.counts.steps <= short_run))
    add_neighbours(flow, y, run, f);
  return f;
}

}  // namespace rattleback
