#include <rattleback/proof/evidence/parameter_locus.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/rational_point.hpp>
#include <rattleback/proof/evidence/triangular.hpp>

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
    } catch (const NoValue&) {
      continue;  // a pole
    }
  }
  return values;
}

}  // namespace

namespace {

/// One equation to try: a parameter is zero, or equals another.
struct Hypothesis {
  Symbol parameter;
  std::optional<Symbol> other;
  Expr equation() const { return other ? Expr(*other) - parameter : Expr(parameter); }
};

/// Parameters within angles and exponents keep their random values there, so nothing is tried with them.
bool stands_in_a_function(Symbol p, std::span<const Expr> es) {
  const Tape tape(es);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::call) && !is_call_of(e, Builtin::sqrt) && contains(e, p)) return true;
  }
  return false;
}

std::vector<Hypothesis> hypotheses(const System& system, std::span<const Expr> es) {
  std::vector<Symbol> free = parameters_in(system, es);
  std::erase_if(free, [&](Symbol p) { return stands_in_a_function(p, es); });
  std::vector<Hypothesis> all;
  for (const Symbol p : free) {
    if (!p.is_positive()) all.push_back({p, std::nullopt});
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t j = i + 1; j < free.size(); ++j) {
      if (free[i].is_positive() && free[j].is_positive()) all.push_back({free[j], free[i]});
    }
  }
  return all;
}

/// Do all functions vanish at random points where the hypotheses hold? Poles do not count.
bool holds(const ModularProgram& program, const std::vector<Hypothesis>& chosen) {
  int zeros = 0;
  for (std::uint64_t seed = 1; zeros < 2 && seed < 30; ++seed) {
    ModularPoint point(seed * 1'000'003);
    for (const Hypothesis& h : chosen)
      point.set(h.parameter, h.other ? point.value<ModP>(*h.other) : ModP(0));
    const auto run = program.run(point);
    if (!run) continue;
    for (std::size_t k = 0; k < program.outputs(); ++k) {
      if (!run->value(k).is_zero()) return false;
    }
    ++zeros;
  }
  return zeros == 2;
}

/// Do the equations hold on the solution?
bool follows(const Locus& equations, const SymbolMap& solution) {
  return std::all_of(equations.begin(), equations.end(),
                     [&](Expr e) { return substitute(e, solution).is_zero(); });
}

}  // namespace

ParameterLocus probed_locus(const System& system, std::span<const Expr> es) {
  constexpr double work =
      3e8;  // nodes, a few seconds: the triples of a bicycle's 25 parameters would take hours
  ParameterLocus locus;
  locus.complete = false;
  const std::vector<Hypothesis> all = hypotheses(system, es);
  const ModularProgram program(es);
  const auto n = static_cast<double>(all.size());
  double subsets_of_size = 1;
  for (int size = 1; size <= 3; ++size) {
    subsets_of_size *= (n - size + 1) / size;
    if (subsets_of_size * static_cast<double>(program.size()) > work) break;
    for (const std::vector<int>& chosen : subsets(static_cast<int>(all.size()), size)) {
      Budget::check();
      std::vector<Hypothesis> together;
      SymbolMap solution;  // a = c and b = c say the same as a = b and b = c; only the first is tried
      for (const int k : chosen) {
        together.push_back(all[static_cast<std::size_t>(k)]);
        const Hypothesis& h = together.back();
        solution.emplace(h.parameter, h.other ? Expr(*h.other) : Expr(0));
      }
      const bool chained = std::any_of(together.begin(), together.end(), [&](const Hypothesis& h) {
        return h.other && solution.contains(*h.other);
      });
      const bool known = std::any_of(locus.components.begin(), locus.components.end(),
                                     [&](const Locus& c) { return follows(c, solution); });
      if (known || chained || solution.size() < together.size() || !holds(program, together)) continue;
      Locus equations;
      for (const Hypothesis& h : together) equations.push_back(h.equation());
      locus.components.push_back(std::move(equations));
      locus.solutions.push_back(std::move(solution));
    }
  }
  return locus;
}

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
