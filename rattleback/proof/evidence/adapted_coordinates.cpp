#include <rattleback/proof/evidence/adapted_coordinates.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

/// Legs ∂/∂q of coordinates on lines.
std::vector<int> lines_of(const Space& space) {
  std::vector<int> legs;
  for (int i = 0; i < space.dimension(); ++i) {
    const auto q = space.coordinate(i);
    const bool is_axis = q && space.leg(i).size() == 1 && space.leg(i).begin()->second == Expr(1);
    if (is_axis && !is_angle(space, *q)) legs.push_back(i);
  }
  return legs;
}

/// g among these legs, when it is constant.
std::optional<Matrix> constant_metric(const System& system, const std::vector<int>& legs) {
  const auto v = system.space.velocities();
  const Matrix all = jacobian(gradient(system.lagrangian, v), v);
  Matrix g = short_form(rows_of(columns_of(all, legs), legs));
  const bool constant = std::ranges::all_of(g.entries(), [](Expr e) { return is_constant(e); });
  return constant ? std::optional(std::move(g)) : std::nullopt;
}

/// Columns: the constant fields along the legs that are symmetries.
Matrix translations(const System& system, const std::vector<int>& legs) {
  std::vector<VectorField> ansatz;
  for (const int i : legs) ansatz.push_back(VectorField::leg(system.space, i));
  const FoundFields found =
      fields_satisfying(system.space, ansatz, parameters_of(system), invariance_conditions(system, {}));
  Matrix W(static_cast<int>(legs.size()), static_cast<int>(found.fields.size()));
  for (int k = 0; k < W.columns(); ++k) {
    for (int i = 0; i < W.rows(); ++i)
      W(i, k) = found.fields[static_cast<std::size_t>(k)][legs[static_cast<std::size_t>(i)]];
  }
  return W;
}

bool is_axis(const Matrix& w) {
  return std::ranges::count_if(w.entries(), [](Expr e) { return !e.is_zero(); }) == 1;
}

/// Of unit length where that is rational: (3/5, -4/5) for (3, -4).
Matrix scaled(const Matrix& w) {
  const Expr length = short_form(sqrt(dot(w, w)));
  return short_form(Expr(length.is(Kind::constant) ? 1 / length : Expr(1)) * w);
}

/// A basis of the span, axes first, each vector orthogonal to those before it.
void add_orthogonal(const Matrix& span, const Matrix& g, std::vector<Matrix>& basis) {
  const Matrix axes = Matrix::identity(g.rows());
  std::vector<Matrix> candidates;
  for (int i = 0; i < axes.columns(); ++i) {
    if (rank(beside(span, axes.column(i))) == span.columns()) candidates.push_back(axes.column(i));
  }
  for (int k = 0; k < span.columns(); ++k) candidates.push_back(span.column(k));
  for (Matrix w : candidates) {
    for (const Matrix& b : basis) w = short_form(w - Expr(dot(b, g * w) / dot(b, g * b)) * b);
    if (std::ranges::all_of(w.entries(), [](Expr e) { return e.is_zero(); })) continue;
    basis.push_back(scaled(w));
  }
}

/// Columns: the new axes.
std::optional<Matrix> axes_of(const System& system, const std::vector<int>& legs) {
  const auto g = constant_metric(system, legs);
  const Matrix W = g ? translations(system, legs) : Matrix();
  if (!g || W.columns() == 0 || W.columns() == W.rows()) return std::nullopt;
  std::vector<Matrix> basis;
  add_orthogonal(W, *g, basis);
  add_orthogonal(kernel(transpose(W) * *g).basis, *g, basis);
  if (static_cast<int>(basis.size()) != g->rows() || std::ranges::all_of(basis, is_axis)) return std::nullopt;
  Matrix B(g->rows(), g->rows());
  std::vector<bool> taken(basis.size(), false);
  const auto place = [&](const Matrix& b, int slot) {
    for (int i = 0; i < B.rows(); ++i) B(i, slot) = b[i];
    taken[static_cast<std::size_t>(slot)] = true;
  };
  for (const Matrix& b : basis) {  // axes of the model keep their letters
    for (int i = 0; i < B.rows() && is_axis(b); ++i) {
      if (!b[i].is_zero()) place(b, i);
    }
  }
  for (const Matrix& b : basis) {
    if (!is_axis(b)) place(b, static_cast<int>(std::ranges::find(taken, false) - taken.begin()));
  }
  return B;
}

/// q = B y and v = B w, y and w under the names of q and v.
System transformed(System system, const std::vector<int>& legs, const Matrix& B) {
  SymbolMap change;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    std::vector<Expr> q, v;
    for (std::size_t k = 0; k < legs.size(); ++k) {
      const Expr b = B(static_cast<int>(i), static_cast<int>(k));
      q.push_back(b * *system.space.coordinate(legs[k]));
      v.push_back(b * system.space.velocities()[static_cast<std::size_t>(legs[k])]);
    }
    change.emplace(*system.space.coordinate(legs[i]), sum(q));
    change.emplace(system.space.velocities()[static_cast<std::size_t>(legs[i])], sum(v));
  }
  const auto in_new = [&](Expr& e) { e = short_form(substitute(e, change)); };
  in_new(system.lagrangian);
  system.kinetic = system.potential = std::nullopt;
  for (Constraint& c : system.constraints) {
    in_new(c.expression);
    if (c.position) in_new(*c.position);
  }
  for (Expr& f : system.forces) in_new(f);
  const std::vector<Expr> old = system.forces;
  for (std::size_t k = 0; k < legs.size() && !old.empty(); ++k) {
    std::vector<Expr> along{Expr(0)};
    for (std::size_t i = 0; i < legs.size(); ++i)
      along.push_back(B(static_cast<int>(i), static_cast<int>(k)) * old[static_cast<std::size_t>(legs[i])]);
    system.forces[static_cast<std::size_t>(legs[k])] = short_form(sum(along));
  }
  system.velocities.clear();
  system.symmetries.clear();
  system.simulation.initial.clear();
  return system;
}

}  // namespace

std::optional<AdaptedCoordinates> in_adapted_coordinates(const System& system) {
  if (system.parametrization || !system.bodies.empty()) return std::nullopt;
  try {
    const std::vector<int> legs = lines_of(system.space);
    const auto B = legs.size() < 2 ? std::nullopt : axes_of(system, legs);
    if (!B) return std::nullopt;
    AdaptedCoordinates adapted{transformed(system, legs, *B), {}, ""};
    const Matrix back = inverse(*B).x;
    std::vector<std::string> words;
    for (std::size_t k = 0; k < legs.size(); ++k) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < legs.size(); ++i)
        terms.push_back(back(static_cast<int>(k), static_cast<int>(i)) *
                        Expr(*system.space.coordinate(legs[i])));
      const Symbol y = *system.space.coordinate(legs[k]);
      const Expr old = short_form(sum(terms));
      adapted.old.emplace(y, old);
      adapted.old.emplace(system.space.velocities()[static_cast<std::size_t>(legs[k])],
                          system.space.rate(old));
      if (old != Expr(y)) words.push_back(fmt::format("{} for {}", y.name(), text(old)));
    }
    adapted.words = fmt::format("{}", fmt::join(words, ", "));
    return adapted;
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

namespace {

/// "4*X + 3*Y != 0" for "X != 0"; as it is where it is no such condition.
std::vector<std::string> in_old_coordinates(const std::string& condition, const AdaptedCoordinates& adapted) {
  for (const auto kind : {Assumption::Kind::nonzero, Assumption::Kind::positive}) {
    const std::string end = kind == Assumption::Kind::nonzero ? " != 0" : " > 0";
    if (!condition.ends_with(end)) continue;
    const auto e = try_parse(condition.substr(0, condition.size() - end.size()), adapted.system.scope);
    if (!e) continue;
    std::vector<std::string> all;
    for (const Assumption& a : simplified({{substitute(*e, adapted.old), kind, {}}}))
      all.push_back(text(a.expression) + end);
    return all;
  }
  return {condition};
}

}  // namespace

Answer in_own_coordinates(Answer a, const AdaptedCoordinates& adapted) {
  if (a.answer.find("domain") != nullptr) {
    Domain domain = domain_in(a.answer);
    std::vector<std::string> where;
    for (const std::string& condition : domain.where) {
      for (std::string& old : in_old_coordinates(condition, adapted)) where.push_back(std::move(old));
    }
    domain.where = where;
    a.answer["domain"] = as_data(domain);
  }
  a.answer["coordinates"] = adapted.words;
  a.why.push_back(
      fmt::format("the letters above stand for other coordinates: {} of the model (N.20)", adapted.words));
  a.certificate = {};
  return a;
}

}  // namespace rattleback
