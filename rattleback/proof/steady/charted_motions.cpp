#include <rattleback/proof/steady/charted_motions.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/evidence/random_states.hpp>
#include <rattleback/proof/steady/potential_critical_points.hpp>
#include <rattleback/proof/steady/speed_charts.hpp>

namespace rattleback {
namespace {

/// The speeds are coordinates on D along the family.
bool is_regular_along(const SolvedVelocities& v, const SteadyFamily& family) {
  try {
    SymbolMap configuration;
    for (const auto& [s, value] : family.point.values) {
      if (s.role() != Role::velocity) configuration.emplace(s, value);
    }
    return rank(substitute(jacobian(v.psi, v.speeds), configuration)) == static_cast<int>(v.speeds.size());
  } catch (const OutOfDomain&) {
    return false;  // a pole
  }
}

bool is_regular_at(const MotionChart& chart, const Numbers& state) {
  return is_regular_state(projected_motion(chart.system, chart.v), state);
}

/// Values of what is free in the family at which its state is real, with the parameters; nothing where none of a few is.
std::optional<Numbers> free_values(const System& system, const SteadyFamily& family) {
  std::vector<Expr> written;
  for (const auto& [s, e] : family.point.values) written.push_back(e);
  for (const double first : {0.83, 2.17, 5.71}) {
    Numbers at = parameter_numbers(system);
    double value = first;
    for (const Symbol s : family.free) at.insert_or_assign(s, value += 0.31);
    const std::vector<double> values = evaluate(written, at);
    if (std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) return at;
  }
  return std::nullopt;
}

/// A state of the family, in numbers, with the speeds of another chart.
std::optional<Numbers> state_of(const SteadyFamily& family, const SolvedVelocities& own,
                                const MotionChart& chart) {
  try {
    const auto at = free_values(chart.system, family);
    if (!at || chart.v.definitions.size() != chart.v.speeds.size()) return std::nullopt;
    Numbers state = *at;
    for (const auto& [s, e] : family.point.values) state.insert_or_assign(s, evaluate(e, *at));
    const auto velocities = chart.system.space.velocities();
    Numbers moving = state;
    for (std::size_t i = 0; i < velocities.size(); ++i)
      moving.insert_or_assign(velocities[i], evaluate(own.psi[i], state));
    for (std::size_t a = 0; a < chart.v.speeds.size(); ++a)
      state.insert_or_assign(chart.v.speeds[a], evaluate(chart.v.definitions[a], moving));
    return state;
  } catch (const OutOfDomain&) {
    return std::nullopt;  // a pole
  }
}

/// Configuration and velocity, in numbers.
std::vector<double> motion_at(const System& system, const SolvedVelocities& v, const Numbers& state) {
  std::vector<double> all = evaluate(v.psi, state);
  for (const Symbol q : system.space.functions()) all.push_back(state.at(q));
  return all;
}

/// The chart missed the same state, in its own speeds.
bool has_missed(const MotionChart& chart, const SolvedVelocities& own, const Numbers& state) {
  constexpr double close = 2e-3;
  try {
    const std::vector<double> here = motion_at(chart.system, own, state);
    return std::any_of(chart.found.missed.begin(), chart.found.missed.end(), [&](const Numbers& other) {
      const std::vector<double> there = motion_at(chart.system, chart.v, other);
      return std::equal(here.begin(), here.end(), there.begin(),
                        [](double x, double y) { return std::abs(x - y) <= close * (1 + std::abs(x)); });
    });
  } catch (const OutOfDomain&) {
    return false;  // a pole
  }
}

/// What earlier charts see is left out: where their lists are complete, or where the family is among theirs.
void drop_known(const std::vector<std::unique_ptr<MotionChart>>& earlier, const SolvedVelocities& own,
                SteadyMotions& found) {
  std::erase_if(found.families, [&](const SteadyFamily& f) {
    return std::any_of(earlier.begin(), earlier.end(), [&](const auto& chart) {
      if (!is_regular_along(chart->v, f)) return false;
      if (chart->found.complete && !chart->found.dropped) return true;
      const auto state = state_of(f, own, *chart);
      return state && belongs_to_some(chart->system, chart->v, *state, chart->found.families);
    });
  });
  std::erase_if(found.missed, [&](const Numbers& state) {
    return std::any_of(earlier.begin(), earlier.end(), [&](const auto& chart) {
      if (has_missed(*chart, own, state)) return true;
      return chart->found.complete && is_regular_at(*chart, state);
    });
  });
}

/// Where the speeds that the program chose see no steady motion, others may, because what matters depends on them; these take their place.
void try_spatial_speeds(const System& system, ChartedMotions& all) {
  if (!all.charts.front()->found.families.empty()) return;
  const auto chart = with_spatial_speeds(system);
  if (!chart) return;
  try {
    const Budget budget(work_limits::no_steady_motion);
    const SolvedVelocities v = solved_velocities(*chart);
    SteadyMotions found = steady_motions(*chart, v);
    if (found.families.empty()) return;
    all.charts.front() = std::make_unique<MotionChart>(MotionChart{*chart, v, std::move(found)});
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return;  // these speeds degenerate
  }
}

/// Where charts see all steady motions: their minors do not vanish, everywhere or on one of the slices.
class Coverage {
 public:
  explicit Coverage(const System& system) : system_(system) {}

  void add(const SteadyMotions& found, Expr minor) {
    ++charts_;
    if (found.complete && !found.dropped) seen_.push_back(minor);
    if (charts_ == 1) {
      for (const SolvedSlice& slice : found.slices) slices_.push_back({slice, {}});
    }
    same_slices_ = same_slices_ && std::ranges::equal(found.slices, slices_, {}, {}, &Seen::slice);
    for (std::size_t k = 0; same_slices_ && k < slices_.size(); ++k) {
      if (found.slices[k].complete) slices_[k].minors.push_back(minor);
    }
  }
  void add_unfinished() { ++charts_; }

  /// At every configuration, or at one on every orbit.
  bool everywhere() const {
    return is_covered(seen_, {}) ||
           (same_slices_ && !slices_.empty() &&
            std::ranges::all_of(slices_, [&](const Seen& s) { return is_covered(s.minors, s.slice.at); }));
  }
  /// At every configuration at which the constraints are independent.
  bool wherever_independent() const { return everywhere() || (charts_ > 0 && seen_.size() == charts_); }

 private:
  struct Seen {
    SolvedSlice slice;
    std::vector<Expr> minors;
  };

  /// No configuration with these values has all minors 0.
  bool is_covered(const std::vector<Expr>& minors, const SymbolMap& values) const {
    if (minors.empty()) return false;
    std::vector<Expr> locus = substitute(minors, values);
    std::erase_if(locus, [](Expr e) { return e.is_zero(); });
    if (locus.empty()) return false;
    auto at = common_zeros(locus);
    if (!at) return true;
    for (const auto& [q, value] : values) at->push_back(Expr(q) - value);
    return !may_meet_positions(system_, *at);
  }

  const System& system_;
  std::size_t charts_ = 0;
  std::vector<Expr> seen_;
  std::vector<Seen> slices_;
  bool same_slices_ = true;
};

/// The charts of speed_charts.hpp, within limits for all of them together.
void add_charts(const System& system, ChartedMotions& all) {
  Coverage coverage(system);
  const auto add = [&](const System& chart, Expr minor) {
    const SolvedVelocities v = solved_velocities(chart);
    SteadyMotions found = steady_motions(chart, v);
    coverage.add(found, minor);
    drop_known(all.charts, v, found);
    all.charts.push_back(std::make_unique<MotionChart>(MotionChart{chart, v, std::move(found)}));
  };
  try {
    const Budget budget(work_limits::no_steady_motion);
    for (const auto& [chart, minor] : speed_charts(system)) {
      try {
        add(chart, minor);
      } catch (const Degenerate&) {
        coverage.add_unfinished();  // its speeds have a pole all over a slice
      }
    }
  } catch (const Exhausted&) {
    Budget::check();
    coverage.add_unfinished();
  }
  all.everywhere = coverage.everywhere();
  all.covers = all.by_charts = coverage.wherever_independent();
}

}  // namespace

bool ChartedMotions::empty() const {
  return std::all_of(charts.begin(), charts.end(), [](const auto& chart) {
    return chart->found.families.empty() && chart->found.missed.empty();
  });
}

bool ChartedMotions::complete() const {
  const SteadyMotions& own = charts.front()->found;
  return (own.complete || own.enclosed.has_value() || by_charts) &&
         std::all_of(charts.begin(), charts.end(),
                     [](const auto& chart) { return chart->found.missed.empty(); });
}

namespace {

/// Critical points of the potential that belong to no family of any chart. Where symmetries move them, copies are not told apart.
void compare_with_potential(ChartedMotions& all) {
  MotionChart& own = *all.charts.front();
  if (own.found.moved) return;
  for (const Numbers& state : potential_critical_points(own.system, own.v)) {
    const bool known = std::any_of(all.charts.begin(), all.charts.end(), [&](const auto& chart) {
      Numbers there = state;
      for (const Symbol z : chart->v.speeds) there[z] = 0;
      return belongs_to_some(chart->system, chart->v, there, chart->found.families);
    });
    const auto is_same = [&](const Numbers& other) { return is_same_state(own.system, own.v, other, state); };
    const bool noted =
        std::any_of(own.found.missed.begin(), own.found.missed.end(), is_same) ||
        std::any_of(own.found.without_closed_form.begin(), own.found.without_closed_form.end(), is_same);
    if (!known && !noted) own.found.missed.push_back(state);
  }
}

/// In the model's speeds, and in others where these degenerate.
ChartedMotions solved_motions(const System& system, const SolvedVelocities& v) {
  ChartedMotions all;
  all.charts.push_back(std::make_unique<MotionChart>(MotionChart{system, v, steady_motions(system, v)}));
  try_spatial_speeds(system, all);
  const SteadyMotions& own = all.charts.front()->found;
  if (!own.singular) return all;
  // Where the speeds of constraints that are not linear degenerate there are no equations of motion.
  if (!v.linear && !own.dropped && degenerate_with_constraints(system, v)) {
    all.everywhere = false;
    return all;
  }
  add_charts(system, all);
  return all;
}

}  // namespace

ChartedMotions charted_motions(const System& system, const SolvedVelocities& v) {
  ChartedMotions all = solved_motions(system, v);
  compare_with_potential(all);
  return all;
}

}  // namespace rattleback
