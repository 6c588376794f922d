#include <rattleback/proof/steady/equilibria_on_torus.hpp>

#include <algorithm>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>
#include <rattleback/proof/steady/zeros_on_torus.hpp>

namespace rattleback {
namespace {

/// The angles that matter, where the motion matters on circles alone, is moved by no group, and rests exactly where z = 0.
std::vector<Symbol> torus(const System& system, const SolvedVelocities& v, const CorotatingMotion& motion) {
  std::vector<Symbol> angles;
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  if (!motion.rates.empty() || !v.linear || motion.legs.size() != v.speeds.size()) return {};
  Matrix frame(static_cast<int>(v.speeds.size()), static_cast<int>(v.speeds.size()));
  for (std::size_t k = 0; k < motion.legs.size(); ++k) {
    const auto q = system.space.coordinate(motion.legs[k]);
    const Expr rate = v.psi[static_cast<std::size_t>(motion.legs[k])];
    if (!q || !is_angle(system.space, *q) || !substitute(rate, still).is_zero()) return {};
    angles.push_back(*q);
    for (std::size_t a = 0; a < v.speeds.size(); ++a)
      frame(static_cast<int>(k), static_cast<int>(a)) = derivative(rate, v.speeds[a]);
  }
  return known_nonzero(short_form(determinant(frame))) ? angles : std::vector<Symbol>();
}

}  // namespace

std::optional<std::vector<Numbers>> equilibria_on_torus(const System& system, const SolvedVelocities& v,
                                                        const CorotatingMotion& motion) {
  const std::vector<Symbol> angles = torus(system, v, motion);
  if (angles.empty() || angles.size() > 4) return std::nullopt;
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  const auto zeros = zeros_on_torus(substitute(motion.force, still), angles, parameter_values(system));
  int indices = 0;
  for (const EnclosedZero& zero : zeros ? *zeros : std::vector<EnclosedZero>()) indices += zero.index;
  if (!zeros || indices != 0) return std::nullopt;  // on a torus they add up to 0
  std::vector<Numbers> all;
  for (const EnclosedZero& zero : *zeros) {
    Numbers state = parameter_numbers(system);
    for (const Symbol f : system.space.functions()) state[f] = 0;
    for (const Symbol z : v.speeds) state[z] = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) state[angles[i]] = zero.at[i];
    all.push_back(std::move(state));
  }
  return all;
}

}  // namespace rattleback
