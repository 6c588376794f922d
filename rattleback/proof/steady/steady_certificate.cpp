#include <rattleback/proof/steady/steady_certificate.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/momenta/integral_ansatz.hpp>

namespace rattleback {
namespace {

const std::array simple_values{Rational(1), Rational(2), Rational(1, 2), Rational(10), Rational(-1)};

/// Rational values for parameters and free symbols.
struct Sample {
  SymbolMap values;
  bool stable = false;
};

/// Values in the order of their names.
Data named(const SymbolMap& values) {
  Data at;
  std::vector<Symbol> order;
  for (const auto& [symbol, value] : values) order.push_back(symbol);
  std::ranges::sort(order, {}, [](Symbol x) { return x.name(); });
  for (const Symbol x : order) at[x.name()] = values.at(x);
  return at.is_null() ? Data(Data::Record{}) : at;
}

/// The model's parameters, and the same number for everything free; nothing when they are not rational, or where roots in the family
/// are not real.
struct SamplePoint {
  SymbolMap values;
  BallPoint point{1};
};
std::optional<SamplePoint> sample_point(const System& system, const SteadyFamily& family,
                                        const Rational& free) {
  SamplePoint s;
  SymbolMap all = parameter_values(system);
  for (const Symbol f : family.free) all.emplace(f, Expr(free));
  for (const auto& [symbol, value] : all) {
    if (!value.is(Kind::constant)) return std::nullopt;
    s.values.emplace(symbol, value);
    s.point.set(symbol, value.value());
  }
  for (const auto& [symbol, value] : family.point.values) {
    if (!evaluate_ball(value, s.point, 128)) return std::nullopt;
  }
  return s;
}

std::optional<Sample> sample(const System& system, const SteadyClaim& claim, const Rational& free) {
  const auto at = sample_point(system, *claim.family, free);
  if (!at) return std::nullopt;
  const BallPoint& point = at->point;
  Sample s{at->values};
  std::size_t above = 0, below = 0;
  for (const Inequality& i : claim.conditions) {
    const auto value = evaluate_until_nonzero(i.e, point);
    above += i.kind == Inequality::Kind::sometimes && value && value->is_positive() ? 1 : 0;
    below += (i.kind == Inequality::Kind::never && !i.e.is_zero()) || (value && value->is_negative()) ? 1 : 0;
  }
  s.stable = above == claim.conditions.size();
  if (!s.stable && below == 0) return std::nullopt;
  return s;
}

void add_sample(const System& system, const SteadyClaim& claim, Data& d) {
  for (const Rational& free : simple_values) {
    const auto s = sample(system, claim, free);
    if (!s) continue;
    d["eigenvalues"] = s->stable ? "not on the right" : "on the right";
    d["at"] = named(s->values);
    return;
  }
}

/// The integrals, their multipliers, and values of what is free at which the second variation is definite.
void add_extremum(const System& system, const SteadyClaim& claim, Data& d, std::vector<Expr>& noted) {
  if (!claim.extremum) return;
  const EnergyMomentum& x = *claim.extremum;
  for (const Rational& free : simple_values) {
    const auto s = sample_point(system, *claim.family, free);
    const auto has_sign = [&](Expr e, bool positive) {
      const auto value = evaluate_until_nonzero(e, s->point);
      return value && (positive ? value->is_positive() : !value->contains_zero());
    };
    const bool definite =
        s && std::ranges::all_of(x.conditions, [&](const Inequality& i) { return has_sign(i.e, true); }) &&
        std::ranges::all_of(x.nonzero, [&](Expr e) { return has_sign(e, false); });
    if (!definite) continue;
    Data extremum;
    extremum["integrals"] = texts(std::span(x.integrals).subspan(1));
    extremum["multipliers"] = texts(x.multipliers);
    extremum["at"] = named(s->values);
    d["extremum"] = extremum;
    noted.insert(noted.end(), x.integrals.begin(), x.integrals.end());
    noted.insert(noted.end(), x.multipliers.begin(), x.multipliers.end());
    return;
  }
}

/// Variables that enter the rates only at second order have small motions of their own, which do not act on the others: the eigenvalues of
/// their block are added.
SteadyClaim with_dormant(SteadyClaim claim) {
  const SteadyFamily& f = *claim.family;
  const int more = static_cast<int>(f.idle_to_first_order.size()), n = f.small.N.rows() + f.small.M.rows();
  const Matrix all = state_matrix_with(f.small, f.idle_to_first_order);
  Matrix own(more, more);
  for (int i = 0; i < more; ++i) {
    for (int j = 0; j < more; ++j) own(i, j) = all(n + i, n + j);
  }
  if (std::ranges::all_of(own.entries(), [](Expr e) { return vanishes_at_random_points(e); })) return claim;
  const SpectralStability spectrum = spectral_stability(own);
  claim.factors.insert(claim.factors.end(), spectrum.factors.begin(), spectrum.factors.end());
  claim.conditions.insert(claim.conditions.end(), spectrum.conditions.begin(), spectrum.conditions.end());
  return claim;
}

/// The functions that stand in the rates, directly or through others: not only those that matter near the family.
std::vector<Symbol> influencing(const EquationsOfMotion& motion) {
  return influential_functions(motion.speed_rates, motion.configuration, motion.configuration_rates);
}

bool stands_still(const EquationsOfMotion& motion, const SteadyFamily& f) {
  return std::ranges::all_of(influencing(motion), [&](Symbol q) {
    const auto at = std::ranges::find(motion.configuration, q) - motion.configuration.begin();
    return vanishes_at_random_points(
        substitute(motion.configuration_rates[static_cast<std::size_t>(at)], f.point.values));
  });
}

/// Are the entries of rotation matrices in the rates among the linearised variables? Otherwise eigenvalues of their rotation are missing among
/// the factors.
bool counts_every_attitude(const EquationsOfMotion& motion, const SteadyFamily& f) {
  const auto counted = [](const std::vector<Symbol>& all) {
    return std::ranges::any_of(all, [](Symbol s) { return s.role() != Role::coordinate; });
  };
  return !counted(influencing(motion)) || counted(f.small.configuration) || counted(f.idle_to_first_order);
}

/// What does not matter to the motion has a value of its own only where the position constraints say which.
bool satisfies_positions(const System& system, const SteadyFamily& f) {
  return std::ranges::all_of(substitute(position_relations(system), f.point.values),
                             [](Expr e) { return vanishes_at_random_points(e); });
}

Data family_data(const System& system, const EquationsOfMotion& motion, const SteadyClaim& claim,
                 std::vector<Expr>& noted) {
  Data d, values;
  d["point"] = claim.point;
  const SymbolMap& point = claim.family->point.values;
  const auto add = [&](Symbol s) {
    const Expr value = point.contains(s) ? short_form(point.at(s)) : Expr(s);
    values[s.name()] = value;
    noted.push_back(value);
  };
  for (const Symbol q : system.space.functions()) add(q);
  for (const Symbol z : motion.speeds) add(z);
  d["values"] = values;
  if (counts_every_attitude(motion, *claim.family)) {
    Data::List factors;
    for (const auto& a : claim.factors) {
      factors.push_back(texts(a));
      noted.insert(noted.end(), a.begin(), a.end());
    }
    d["factors"] = factors;
    add_sample(system, claim, d);
  }
  add_extremum(system, claim, d, noted);
  for (const auto& [symbol, value] : parameter_values(system)) noted.emplace_back(symbol);
  return d;
}

}  // namespace

Data steady_certificate(const System& system, const std::vector<SteadyClaim>& claims) try {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    Data::List families;
    std::vector<Expr> noted;
    for (const SteadyClaim& claim : claims) {
      if (claim.family->along_group || motion.speeds != claim.family->small.speeds ||
          !stands_still(motion, *claim.family) || !satisfies_positions(system, *claim.family))
        continue;
      families.push_back(family_data(system, motion, with_dormant(claim), noted));
    }
    if (families.empty()) return Data();
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "steady-motions";
    d["families"] = families;
    return d;
  });
} catch (const OutOfDomain&) {
  return {};  // the motion has no closed form
}

}  // namespace rattleback
