#include <rattleback/motion/symmetry/lr_system.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/distribution.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {
namespace {

bool preserves(const Distribution& D, const VectorField& xi) {
  return std::all_of(D.fields().begin(), D.fields().end(), [&](const VectorField& X) {
    const VectorField Z = bracket(xi, X);
    return std::all_of(D.annihilator().begin(), D.annihilator().end(),
                       [&](const OneForm& w) { return vanishes_at_random_points(w(Z)); });
  });
}

}  // namespace

bool is_lr_system(const System& system) {
  const Space& G = system.space;
  if (G.factors().size() != 1 || G.c().all_zero() || G.functions().empty() || system.constraints.empty())
    return false;
  for (int i = 0; i < G.dimension(); ++i) {
    if (!vanishes_at_random_points(G.derivative(i, system.lagrangian))) return false;
  }
  const Admissible admissible = admissible_velocities(system);
  std::vector<VectorField> legs;
  for (int a = 0; a < admissible.rank(); ++a) legs.push_back(admissible.leg(a));
  const Distribution D = Distribution::spanned_by(G, legs);
  const auto all_preserve = [&](const std::vector<VectorField>& fields) {
    return std::all_of(fields.begin(), fields.end(), [&](const VectorField& xi) { return preserves(D, xi); });
  };
  return all_preserve(right_translations(G, G.factors().front())) &&
         !all_preserve(left_translations(G, G.factors().front()));
}

}  // namespace rattleback
