#include <rattleback/proof/steady_certificate.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/motion/gibbs_appell.hpp>
#include <rattleback/proof/within_reason.hpp>

namespace rattleback {
namespace {

/// Rational values for parameters and free symbols.
struct Sample {
  SymbolMap values;
  bool stable = false;
};

std::optional<Sample> sample(const System& system, const SteadyClaim& claim, const Rational& free) {
  Sample s;
  BallPoint point(1);
  const auto set = [&](Symbol symbol, const Expr& value) {
    if (!value.is(Kind::constant)) return false;
    s.values.emplace(symbol, value);
    point.set(symbol, value.value());
    return true;
  };
  for (const auto& [symbol, value] : parameter_values(system)) {
    if (!set(symbol, value)) return std::nullopt;
  }
  for (const Symbol f : claim.family->free) set(f, Expr(free));
  std::size_t above = 0, below = 0;
  for (const Inequality& i : claim.conditions) {
    const auto value = evaluate_until_nonzero(i.e, point);
    above += i.kind == Inequality::Kind::sometimes && value && value->is_positive() ? 1 : 0;
    below += (i.kind == Inequality::Kind::never && !i.e.is_zero()) || (value && value->is_negative()) ? 1 : 0;
  }
  for (const auto& [symbol, value] : claim.family->point.values) {
    if (!evaluate_ball(value, point, 128)) return std::nullopt;  // a root of a negative number
  }
  s.stable = above == claim.conditions.size();
  if (!s.stable && below == 0) return std::nullopt;
  return s;
}

void add_sample(const System& system, const SteadyClaim& claim, Data& d) {
  for (const Rational& free : {Rational(1), Rational(2), Rational(1, 2), Rational(10)}) {
    const auto s = sample(system, claim, free);
    if (!s) continue;
    d["eigenvalues"] = s->stable ? "not on the right" : "on the right";
    Data at;
    std::vector<Symbol> order;
    for (const auto& [symbol, value] : s->values) order.push_back(symbol);
    std::ranges::sort(order, {}, [](Symbol x) { return x.name(); });
    for (const Symbol x : order) at[x.name()] = s->values.at(x);
    d["at"] = at.is_null() ? Data(Data::Record{}) : at;
    return;
  }
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
  Data::List factors;
  for (const auto& a : claim.factors) {
    factors.push_back(texts(a));
    noted.insert(noted.end(), a.begin(), a.end());
  }
  d["factors"] = factors;
  add_sample(system, claim, d);
  for (const auto& [symbol, value] : parameter_values(system)) noted.emplace_back(symbol);
  return d;
}

}  // namespace

Data steady_certificate(const System& system, const std::vector<SteadyClaim>& claims) try {
  return within_reason([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    Data::List families;
    std::vector<Expr> noted;
    for (const SteadyClaim& claim : claims) {
      if (claim.family->carried || motion.speeds != claim.family->small.speeds) continue;
      families.push_back(family_data(system, motion, claim, noted));
    }
    if (families.empty()) return Data();
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "steady-motions";
    d["families"] = families;
    return d;
  });
} catch (const Error&) {
  return {};  // the motion has no closed form
}

}  // namespace rattleback
