#include <rattleback/proof/parameter_locus.hpp>

#include <algorithm>
#include <map>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/generators.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/proof/rational_point.hpp>
#include <rattleback/proof/triangular.hpp>

namespace rattleback {
namespace {

bool is_parameter(Symbol s) { return s.role() == Role::parameter; }

/// The coefficients of p as a polynomial in the generators that are not parameters (roots of numbers): all must vanish.
std::vector<Polynomial> coefficients(const Polynomial& p, const std::vector<bool>& parameter) {
  std::map<std::vector<ulong>, Polynomial> parts;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> inner = p.exponents(i), outer(inner.size(), 0);
    for (std::size_t g = 0; g < inner.size(); ++g) {
      if (!parameter[g]) std::swap(inner[g], outer[g]);
    }
    parts.try_emplace(outer, p.ring()).first->second.add_term(p.coefficient(i), inner);
  }
  std::vector<Polynomial> out;
  for (auto& [key, q] : parts) {
    q.collect();
    out.push_back(std::move(q));
  }
  return out;
}

bool depends_on_parameters(Expr generator) {
  const auto symbols = symbols_of(generator);
  return std::any_of(symbols.begin(), symbols.end(), is_parameter);
}

/// Numerators at several random points; points at poles are skipped.
std::vector<Expr> sampled(std::span<const Expr> es) {
  constexpr int points = 3;
  std::vector<Expr> values;
  for (std::uint64_t seed = 1, found = 0; found < points && seed < 20; ++seed) {
    try {
      for (const Expr e : at_rational_point(es, seed, is_parameter)) {
        if (!e.is_zero()) values.push_back(e);
      }
      ++found;
    } catch (const Error&) {
      continue;  // a pole
    }
  }
  return values;
}

}  // namespace

std::vector<Symbol> parameters_in(const System& system, std::span<const Expr> es) {
  std::vector<Symbol> found;
  const std::vector<Symbol> all = symbols_of(es);
  for (const Parameter& p : system.parameters) {
    if (std::find(all.begin(), all.end(), p.symbol) != all.end()) found.push_back(p.symbol);
  }
  return found;
}

ParameterLocus vanishing_locus(const System& system, std::span<const Expr> es) {
  ParameterLocus locus;
  if (parameters_in(system, es).empty()) return locus;
  const std::vector<Expr> values = sampled(es);
  const Generators generators(values, {});
  const Field field(generators.forms());
  std::vector<bool> parameter;
  for (const Expr g : field.generators()) parameter.push_back(depends_on_parameters(g));
  std::vector<Polynomial> equations;
  for (const Expr form : generators.forms()) {
    Budget::check();
    for (Polynomial& c : coefficients(field.element(form).numerator(), parameter))
      equations.push_back(std::move(c));
  }
  for (const Chain& chain : components(field, std::move(equations), locus.complete)) {
    Locus equations_of;
    for (const Polynomial& f : chain.polynomials) equations_of.push_back(short_form(field.expression(f)));
    locus.components.push_back(std::move(equations_of));
    locus.solutions.push_back(chain.solution(field));
  }
  return locus;
}

}  // namespace rattleback
