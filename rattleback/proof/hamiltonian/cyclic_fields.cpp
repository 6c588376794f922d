#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

namespace rattleback {
namespace {

bool vanish(const std::vector<Expr>& es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

VectorField field_of(const ChaplyginBundle& b, const std::vector<Expr>& components) {
  VectorField Y(b.frame.space());
  for (int a = 0; a < b.dimension(); ++a) {
    if (!components[static_cast<std::size_t>(a)].is_zero())
      Y = Y + components[static_cast<std::size_t>(a)] * b.frame[a];
  }
  return Y;
}

}  // namespace

std::vector<Expr> along_D(const ChaplyginBundle& b, const VectorField& Z) {
  const Matrix all = b.frame.dual_matrix() * Matrix::column(Z.coefficients());
  const auto entries = all.entries();
  std::vector<Expr> part;
  for (int a = 0; a < b.dimension(); ++a) part.push_back(short_form(entries[static_cast<std::size_t>(a)]));
  return part;
}

Expr gyroscopic_force(const ChaplyginBundle& b, int alpha) {
  std::vector<Expr> terms{Expr(0)};
  for (int beta = 0; beta < b.dimension(); ++beta)
    terms.push_back(b.lambda(alpha, beta) * b.D.speeds[static_cast<std::size_t>(beta)]);
  return sum(terms);
}

std::optional<Symbol> base_coordinate(const ChaplyginBundle& b, int alpha) {
  for (const Symbol q : b.system.space.functions()) {
    if (b.D.speeds[static_cast<std::size_t>(alpha)].name() == q.name() + "'") return q;
  }
  return std::nullopt;
}

std::vector<Expr> cyclic_residuals(const ChaplyginBundle& b, const VectorField& Y) {
  std::vector<Expr> all{Y(b.lagrangian)};
  for (const Expr e : b.lambda.entries()) all.push_back(Y(e));
  const std::vector<Expr> y = along_D(b, Y);
  std::vector<Expr> force;
  for (int a = 0; a < b.dimension(); ++a)
    force.push_back(y[static_cast<std::size_t>(a)] * gyroscopic_force(b, a));
  all.push_back(sum(force));
  for (const VectorField& X : b.frame.fields()) {
    const VectorField Z = bracket(Y, X);
    if (std::all_of(Z.coefficients().begin(), Z.coefficients().end(), [](Expr e) { return e.is_zero(); }))
      continue;
    const std::vector<Expr> moved = along_D(b, Z);
    all.insert(all.end(), moved.begin(), moved.end());
  }
  return all;
}

std::vector<VectorField> cyclic_fields(const ChaplyginBundle& b) {
  std::vector<VectorField> candidates, cyclic;
  for (int a = 0; a < b.dimension(); ++a) {
    if (base_coordinate(b, a)) candidates.push_back(b.frame[a]);
  }
  for (const HorizontalSymmetry& h : horizontal_symmetries(b.system))
    candidates.push_back(field_of(b, along_D(b, h.field)));
  std::erase_if(candidates, [&](const VectorField& Y) { return !vanish(cyclic_residuals(b, Y)); });
  if (candidates.empty()) return cyclic;
  for (const int k : independent_columns(as_columns(b.frame.space(), candidates)))
    cyclic.push_back(candidates[static_cast<std::size_t>(k)]);
  return cyclic;
}

bool commute_on_base(const ChaplyginBundle& b, const std::vector<VectorField>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = i + 1; j < fields.size(); ++j) {
      if (!vanish(along_D(b, bracket(fields[i], fields[j])))) return false;
    }
  }
  return true;
}

std::optional<ChaplyginBundle> invariant_bundle(const ChaplyginBundle& b) {
  std::vector<VectorField> group;
  for (const Generator& g : symmetry_group(b.system)) group.push_back(g.field);
  const auto D = invariant_velocities(b.system, group);
  if (!D) return std::nullopt;
  std::vector<Generator> orbits;
  for (int a = b.dimension(); a < b.frame.dimension(); ++a) orbits.push_back({b.group, b.frame[a], {}});
  auto bundle = chaplygin_bundle(b.system, *D, orbits);
  if (bundle) bundle->group = b.group;
  return bundle;
}

bool visit_cyclic_sets(
    const ChaplyginBundle& b,
    const std::function<bool(const ChaplyginBundle&, const std::vector<VectorField>&)>& succeeds) {
  std::optional<ChaplyginBundle> invariant;
  std::vector<VectorField> all = cyclic_fields(b);
  if (all.empty()) {
    invariant = invariant_bundle(b);
    if (!invariant) return false;
    all = cyclic_fields(*invariant);
  }
  const ChaplyginBundle& bundle = invariant ? *invariant : b;
  std::vector<std::vector<int>> failed;
  for (int size = std::min(static_cast<int>(all.size()), bundle.dimension() - 1); size > 0; --size) {
    for (const std::vector<int>& choice : subsets(static_cast<int>(all.size()), size)) {
      const bool part = std::any_of(failed.begin(), failed.end(), [&](const std::vector<int>& larger) {
        return std::includes(larger.begin(), larger.end(), choice.begin(), choice.end());
      });
      std::vector<VectorField> fields;
      for (const int i : choice) fields.push_back(all[static_cast<std::size_t>(i)]);
      if (part || !commute_on_base(bundle, fields)) continue;
      if (succeeds(bundle, fields)) return true;
      failed.push_back(choice);
    }
  }
  return false;
}

}  // namespace rattleback
