#include <rattleback/proof/integrals.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/modular.hpp>
#include <rattleback/algebra/rational_kernel.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/motion/energy.hpp>
#include <rattleback/motion/gibbs_appell.hpp>
#include <rattleback/proof/claim.hpp>

namespace rattleback {
namespace {

/// 1, coordinates of lines, cos and sin of angles, entries of rotation matrices.
std::vector<Expr> simple_functions(const Space& space) {
  std::vector<Expr> f{Expr(1)};
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      for (const Symbol q : piece.functions) {
        if (piece.carrier == Carrier::angle) {
          f.push_back(cos(Expr(q)));
          f.push_back(sin(Expr(q)));
        } else {
          f.emplace_back(q);
        }
      }
    }
  }
  return f;
}

/// Products of at most two, each once.
std::vector<Expr> products(const std::vector<Expr>& simple) {
  std::vector<Expr> all;
  for (std::size_t i = 0; i < simple.size(); ++i) {
    for (std::size_t j = i; j < simple.size(); ++j) all.push_back(simple[i] * simple[j]);
  }
  return all;
}

/// The candidates φ z^μ, as many as one can afford: coefficients of lower degree where the space is large.
std::vector<Expr> ansatz(const System& system, const std::vector<Symbol>& speeds) {
  constexpr std::size_t most = 500;
  std::vector<Expr> z{Expr(1)};
  z.insert(z.end(), speeds.begin(), speeds.end());
  const std::vector<Expr> powers = products(z), simple = simple_functions(system.space);
  std::vector<Expr> coefficients = products(simple);
  if (coefficients.size() * powers.size() > most) coefficients = simple;
  std::vector<Expr> all;
  for (const Expr phi : coefficients) {
    for (const Expr m : powers) {
      if (!(phi * m).is(Kind::constant)) all.push_back(phi * m);
    }
  }
  return all;
}

/// One row per random point: the values of the functions there.
std::optional<ModularMatrix> values(const std::vector<Expr>& functions, int points, std::uint64_t seed) {
  const ModularProgram program(functions);
  ModularMatrix m(points, static_cast<int>(functions.size()));
  for (int row = 0; row < points; ++row) {
    Budget::check();
    const auto run = program.run_near(seed + 1'000'003 * static_cast<std::uint64_t>(row + 1));
    if (!run) return std::nullopt;
    for (int j = 0; j < m.columns(); ++j) m(row, j) = run->value(static_cast<std::size_t>(j));
  }
  return m;
}

/// X_i f and ∂f/∂z: the differential on the space of states.
std::vector<Expr> differential(const Space& space, const std::vector<Symbol>& speeds, Expr f) {
  std::vector<Expr> df;
  for (int i = 0; i < space.dimension(); ++i) df.push_back(space.derivative(i, f));
  for (const Symbol z : speeds) df.push_back(derivative(f, z));
  return df;
}

/// Those whose differentials are independent of that of the energy and of each other, simplest first: no constants in
/// disguise, no squares.
std::vector<Expr> independent(const Space& space, const std::vector<Symbol>& speeds,
                              std::vector<Expr> functions, Expr energy) {
  std::stable_sort(functions.begin(), functions.end(),
                   [](Expr a, Expr b) { return written_size(a) < written_size(b); });
  functions.insert(functions.begin(), energy);
  Matrix columns(space.dimension() + static_cast<int>(speeds.size()), static_cast<int>(functions.size()));
  for (int k = 0; k < columns.columns(); ++k) {
    const std::vector<Expr> df = differential(space, speeds, functions[static_cast<std::size_t>(k)]);
    for (int i = 0; i < columns.rows(); ++i) columns(i, k) = df[static_cast<std::size_t>(i)];
  }
  std::vector<Expr> kept;
  for (const int k : independent_columns(columns)) {
    if (k > 0) kept.push_back(functions[static_cast<std::size_t>(k)]);
  }
  return kept;
}

}  // namespace

Answer integrals_answer(const System& model) {
  const System system = substituted(model, parameter_values(model));
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const SymbolMap rates = along(system, motion);
  const std::vector<Expr> candidates = ansatz(system, motion.speeds);
  const std::vector<Expr> derivatives = derivative_along(candidates, rates);
  const auto m = values(derivatives, static_cast<int>(candidates.size()) + 6, 1);
  if (!m)
    return undecided_answer("the motion is not defined at random states", "check its roots and denominators");
  const auto kernel = rational_kernel(*m);
  if (!kernel) {
    return undecided_answer(
        "the coefficients of the integrals are no small fractions at these parameter values",
        "give other parameter values with --set");
  }
  std::vector<Expr> found;
  for (const auto& c : *kernel) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t j = 0; j < c.size(); ++j) {
      if (!c[j].is_zero()) terms.push_back(Expr(c[j]) * candidates[j]);
    }
    found.push_back(sum(terms));
  }
  const Expr e = substitute(energy(system), motion.velocities);
  found = independent(system.space, motion.speeds, std::move(found), e);
  Answer a;
  Data::List list;
  bool exact = true;
  int bits = 1000;
  for (const Expr f : found) {
    const Verdict v = is_zero(derivative_along(f, rates));
    const auto* yes = std::get_if<Proved>(&v);
    if (yes == nullptr) continue;
    exact = exact && yes->why.exact;
    bits = yes->why.exact ? bits : std::min(bits, yes->why.bits);
    const Expr shown = short_form(f);
    list.emplace_back(shown);
    a.why.push_back(fmt::format("{} is constant", text(shown)));
  }
  a.answer["integrals"] = list;
  a.answer["ansatz"] = static_cast<int>(candidates.size());
  if (list.empty()) {
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{
        false, 60, "the linear equations for the coefficients have no other solution modulo a prime"};
    a.why.push_back(fmt::format(
        "of {} products φ(q) z^μ no combination is constant but functions of the energy", candidates.size()));
    return a;
  }
  a.outcome = Outcome::proved;
  a.evidence = Certificate{exact, exact ? 0 : bits, "differentiated along the motion"};
  a.why.emplace_back("at the model's parameter values, besides the energy");
  return a;
}

}  // namespace rattleback
