#include <rattleback/view/pictures/run_columns.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/view/pictures/values_along.hpp>

namespace rattleback {
namespace {

/// Largest minus least value, of those that are numbers.
double span_of(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  return high >= low ? high - low : 0;
}

bool rests(const std::vector<double>& values) {
  double size = 0;
  for (const double v : values)
    if (std::isfinite(v)) size = std::max(size, std::abs(v));
  return span_of(values) <= 1e-9 * (1 + size);
}

/// Do rates of the motion depend on this coordinate?
bool has_influence(const EquationsOfMotion& e, Symbol q) {
  for (const std::vector<Expr>* rates : {&e.speed_rates, &e.configuration_rates}) {
    const std::vector<Symbol> used = symbols_of(*rates);
    if (std::find(used.begin(), used.end(), q) != used.end()) return true;
  }
  return false;
}

}  // namespace

std::vector<double> run_column(const Trajectory& run, std::size_t column) {
  std::vector<double> values;
  values.reserve(run.rows.size());
  for (const std::vector<double>& row : run.rows) values.push_back(row[column]);
  return values;
}

std::vector<std::size_t> interesting_coordinates(const Flow& flow, const Trajectory& run) {
  const EquationsOfMotion& e = flow.equations();
  std::vector<std::size_t> all, chosen;
  for (std::size_t k = 0; k < std::min(run.states, e.configuration.size()); ++k) {
    const Symbol q = e.configuration[k];
    if (q.role() == Role::rotation) continue;
    all.push_back(k);
    const std::vector<double> values = run_column(run, k);
    const bool winds = is_angle(flow, q) && span_of(values) > 4 * M_PI && !has_influence(e, q);
    if (!rests(values) && !winds) chosen.push_back(k);
  }
  return chosen.empty() ? all : chosen;
}

std::vector<std::size_t> interesting_speeds(const Flow& flow, const Trajectory& run) {
  std::vector<std::size_t> all, chosen;
  for (std::size_t k = flow.equations().configuration.size(); k < run.states; ++k) {
    all.push_back(k);
    if (!rests(run_column(run, k))) chosen.push_back(k);
  }
  return chosen.empty() ? all : chosen;
}

std::vector<std::vector<std::size_t>> groups_of_like_size(const Trajectory& run,
                                                          const std::vector<std::size_t>& columns,
                                                          std::size_t most) {
  struct Extent {
    double low, high;
    std::size_t column;
    double span() const { return high - low; }
  };
  std::vector<Extent> by_span;
  for (const std::size_t c : columns) {
    Extent e{INFINITY, -INFINITY, c};
    for (const double v : run_column(run, c)) {
      if (!std::isfinite(v)) continue;
      e.low = std::min(e.low, v);
      e.high = std::max(e.high, v);
    }
    if (e.low > e.high) e.low = e.high = 0;
    by_span.push_back(e);
  }
  std::stable_sort(by_span.begin(), by_span.end(),
                   [](const Extent& a, const Extent& b) { return a.span() > b.span(); });
  std::vector<std::vector<std::size_t>> groups;
  Extent shared{0, 0, 0};
  double least = 0;  // span in the group
  for (const Extent& e : by_span) {
    const double low = std::min(shared.low, e.low), high = std::max(shared.high, e.high);
    const auto still = [](double span, double size) { return span <= 1e-9 * (1 + std::abs(size)); };
    const bool both_rest = still(e.span(), e.high) && still(least, shared.high);
    const bool joins = !groups.empty() && groups.back().size() < most &&
                       (both_rest || std::min(e.span(), least) >= 0.1 * (high - low));
    if (joins) {
      shared = {low, high, 0};
    } else {
      groups.emplace_back();
      shared = e;
    }
    least = e.span();
    groups.back().push_back(e.column);
  }
  for (std::vector<std::size_t>& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

bool oscillates(const std::vector<double>& values) {
  if (values.size() < 4 || rests(values)) return false;
  double mean = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  const double least = 0.02 * span_of(values);
  int side = 0, changes = 0;
  for (const double v : values) {
    const int now = v > mean + least ? 1 : v < mean - least ? -1 : 0;
    if (now != 0 && side != 0 && now != side) ++changes;
    if (now != 0) side = now;
  }
  return changes >= 3;
}

double wrapped(double angle) { return std::remainder(angle, 2 * M_PI); }

}  // namespace rattleback
