#include <rattleback/proof/momenta/gauge_solutions.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/momenta/integral_search.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_functions = search_limits::functions_of_gauge_momenta.count,
                      most_weights = search_limits::weights_of_gauge_momenta.count,
                      writable = search_limits::gauge_solution.count;

/// Coordinates on which the equations for f depend.
std::vector<Symbol> noticed_coordinates(const System& system, const GaugeSystem& gauge) {
  std::vector<Symbol> found;
  for (const Symbol q : system.space.functions()) {
    const bool noticed = std::any_of(gauge.transport.begin(), gauge.transport.end(), [&](const Transport& t) {
      const auto entries = t.M.entries();
      return std::any_of(entries.begin(), entries.end(), [&](Expr e) { return contains(e, q); });
    });
    if (noticed && q.role() == Role::coordinate) found.push_back(q);
  }
  return found;
}

/// Functions of the space that the group leaves alone; all that matter when the sections are not invariant.
std::vector<Symbol> shape_variables(const System& system, const GaugeSystem& gauge) {
  if (!gauge.invariant) return noticed_coordinates(system, gauge);
  std::vector<VectorField> group;
  const int n = system.space.dimension() - gauge.shape_dimension;
  for (const Transport& t : gauge.transport) {
    if (static_cast<int>(group.size()) < n) group.push_back(t.field);
  }
  std::vector<Symbol> s;
  for (const Symbol f : system.space.functions()) {
    if (is_invariant(Expr(f), group)) s.push_back(f);
  }
  return s;
}

bool is_angle(const Space& space, Symbol q) {
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::angle && piece.functions.front() == q) return true;
    }
  }
  return false;
}

/// Does it stand within sines and cosines of the equations for f?
bool turns(const GaugeSystem& gauge, Symbol q) {
  for (const Transport& t : gauge.transport) {
    const Tape tape(t.M.entries());
    for (std::size_t slot = 0; slot < tape.size(); ++slot) {
      const Expr e = tape.node(slot);
      if ((is_call_of(e, Builtin::cos) || is_call_of(e, Builtin::sin)) && contains(e, q)) return true;
    }
  }
  return false;
}

/// 1, the shape variables or their sines and cosines, and the products of two of them.
std::vector<Expr> shape_polynomials(const System& system, const GaugeSystem& gauge,
                                    const std::vector<Symbol>& shape) {
  std::vector<Expr> simple{Expr(1)};
  for (const Symbol s : shape) {
    if (is_angle(system.space, s) || turns(gauge, s)) {
      simple.push_back(cos(Expr(s)));
      simple.push_back(sin(Expr(s)));
    } else {
      simple.emplace_back(s);
    }
  }
  std::vector<Expr> all;
  for (std::size_t i = 0; i < simple.size(); ++i) {
    for (std::size_t j = i; j < simple.size(); ++j) {
      if (i != j || !is_call_of(simple[i], Builtin::sin)) all.push_back(simple[i] * simple[j]);
    }
  }
  return all;
}

/// 1 and the powers ±1/2, ±1 of the shortest denominators.
std::vector<Expr> weights(const GaugeSystem& gauge) {
  std::vector<Expr> bases;
  for (const Transport& t : gauge.transport) {
    for (const Expr e : t.M.entries()) {
      if (e.is_zero() || written_size(e) > 20 * writable) continue;
      for (const Expr base : factors(short_form(e)).below) {
        if (is_constant(base) || written_size(base) > writable) continue;
        if (std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(base);
      }
    }
  }
  std::stable_sort(bases.begin(), bases.end(),
                   [](Expr a, Expr b) { return written_size(a) < written_size(b); });
  if (bases.size() > most_weights) bases.resize(most_weights);
  std::vector<Expr> all{Expr(1)};
  for (const Expr base : bases) {
    for (const Rational& power : {Rational(1, 2), Rational(-1, 2), Rational(1), Rational(-1)})
      all.push_back(pow(base, Expr(power)));
  }
  return all;
}

}  // namespace

std::vector<Expr> gauge_momenta_in_closed_form(const System& system, const EquationsOfMotion& motion,
                                               const GaugeSystem& gauge) {
  const std::vector<Expr> phi = shape_polynomials(system, gauge, shape_variables(system, gauge));
  std::vector<Expr> ansatz;
  for (const Expr w : weights(gauge)) {
    for (const Expr p : phi) {
      for (const MomentumEquation& e : gauge.momenta) {
        const Expr f = w * p * e.momentum;
        if (!f.is(Kind::constant) && ansatz.size() < most_functions &&
            std::find(ansatz.begin(), ansatz.end(), f) == ansatz.end())
          ansatz.push_back(f);
      }
    }
  }
  const IntegralSearch search(system, motion, std::move(ansatz));
  std::vector<Expr> found;
  const auto all = independent_combinations(search);
  if (!all) return found;
  for (const Residues& x : *all) {
    Budget::check();
    const auto f = with_parameters(search, x);
    if (!f || static_cast<int>(found.size()) == gauge.count()) continue;
    if (proved(is_zero(derivative_along(*f, search.rates)))) found.push_back(shortest(*f));
  }
  return found;
}

}  // namespace rattleback
