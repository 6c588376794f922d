#include <rattleback/proof/evidence/parameter_locus.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/charts.hpp>
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
  const std::size_t parameters =
      static_cast<std::size_t>(std::ranges::count_if(symbols_of(es), is_parameter));
  const std::size_t points =
      std::min<std::size_t>(3 + parameters, 8);  // an ideal needs more equations than unknowns
  std::vector<Expr> values;
  for (std::uint64_t seed = 1, found = 0; found < points && seed < 30; ++seed) {
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
      std::vector<Symbol> leading;
      for (const Hypothesis& h : together) {
        equations.push_back(h.equation());
        leading.push_back(h.parameter);
      }
      locus.components.push_back(std::move(equations));
      locus.leading.push_back(std::move(leading));
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

namespace {

/// Polynomial equations for the parameters, in the generators of a field.
struct PolynomialSystem {
  std::shared_ptr<const Field> field;
  std::vector<Polynomial> equations;
};

/// What the functions are at random states must vanish.
PolynomialSystem sampled_equations(std::span<const Expr> es) {
  const std::vector<Expr> values = sampled(es);
  const Generators generators(values, {});
  PolynomialSystem found{std::make_shared<const Field>(generators.forms()), {}};
  std::vector<bool> parameter;
  for (const Expr g : found.field->generators()) parameter.push_back(depends_on_parameters(g));
  for (const Expr form : generators.forms()) {
    Budget::check();
    for (Polynomial& c : coefficients(found.field->element(form).numerator(), parameter))
      found.equations.push_back(std::move(c));
  }
  return found;
}

/// Is the generator a function of parameters alone, or free of them?
bool is_pure(Expr generator) {
  const auto symbols = symbols_of(generator);
  const auto parameters = std::ranges::count_if(symbols, is_parameter);
  return parameters == 0 || parameters == static_cast<std::ptrdiff_t>(symbols.size());
}

/// The coefficients of the numerators as polynomials in the state, all of them: simple equations, where the functions are short and
/// their generators are independent. Nothing otherwise.
std::optional<PolynomialSystem> equations_of_coefficients(std::span<const Expr> es) {
  constexpr std::size_t largest = search_limits::locus_by_coefficients.count,
                        most = search_limits::coefficients_of_a_locus.count;
  if (graph_size(es) > largest) return std::nullopt;
  try {
    const Budget scope(work_limits::locus_by_coefficients);
    std::vector<Expr> free;
    for (const Expr e : es) free.push_back(on_free_symbols(e));
    const Generators generators(free, {});
    if (!generators.independent()) return std::nullopt;
    PolynomialSystem found{std::make_shared<const Field>(generators.forms()), {}};
    std::vector<bool> parameter;
    for (const Expr g : found.field->generators()) {
      if (!is_pure(g)) return std::nullopt;
      parameter.push_back(depends_on_parameters(g));
    }
    for (const Element& x : found.field->elements(generators.forms())) {
      for (Polynomial& c : coefficients(x.numerator(), parameter)) {
        const bool known =
            std::ranges::any_of(found.equations, [&](const Polynomial& p) { return p == c || p == -c; });
        if (!known) found.equations.push_back(std::move(c));
        if (found.equations.size() > most) return std::nullopt;
      }
    }
    return found;
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const NoExactForm&) {
  } catch (const OutOfDomain&) {
  }
  return std::nullopt;
}

/// The equations in the order in which the model declares what they are solved for.
Chain in_order(const Field& field, const Chain& chain) {
  std::vector<std::size_t> order(chain.variables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto leading = [&](std::size_t k) {
    return field.generators()[static_cast<std::size_t>(chain.variables[k])];
  };
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return written_order(leading(a), leading(b)) < 0; });
  Chain sorted;
  for (const std::size_t k : order) {
    sorted.polynomials.push_back(chain.polynomials[k]);
    sorted.variables.push_back(chain.variables[k]);
  }
  return sorted;
}

std::vector<Symbol> leading_symbols(const Field& field, const Chain& chain) {
  std::vector<Symbol> symbols;
  for (const int x : chain.variables) {
    const Expr g = field.generators()[static_cast<std::size_t>(x)];
    if (!g.is(Kind::symbol)) return {};
    symbols.push_back(g.symbol());
  }
  return symbols;
}

}  // namespace

ParameterLocus vanishing_locus(const System& system, std::span<const Expr> es) {
  ParameterLocus locus;
  if (parameters_in(system, es).empty()) return locus;
  const auto whole = equations_of_coefficients(es);
  const PolynomialSystem given = whole ? *whole : sampled_equations(es);
  const Field& field = *given.field;
  for (const Chain& found : components(field, given.equations, locus.complete)) {
    const Chain chain = in_order(field, found);
    Locus equations_of;
    for (const Polynomial& f : chain.polynomials) equations_of.push_back(short_form(field.expression(f)));
    locus.components.push_back(std::move(equations_of));
    locus.solutions.push_back(chain.solution(field));
    locus.leading.push_back(leading_symbols(field, chain));
  }
  return locus;
}

}  // namespace rattleback
