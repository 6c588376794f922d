#pragma once
/// Gauge momenta: combinations f^b(s) J_b of the momenta of sections of D ∩ T Orb that are conserved.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/proof/momenta/free_groups.hpp>

namespace rattleback {

/// Y[f] = M f for the vector f of coefficients.
struct Transport {
  VectorField field;
  Matrix M;
};

/// The linear system for f^b, any number of shape variables: functions of the shape alone where the sections are invariant,
/// otherwise such that f^b ξ_b is.
struct GaugeSystem {
  std::string group;                      ///< by which the shape is divided out
  bool largest = true;                    ///< its orbits are those of all symmetries found
  int shape_dimension = 0;                ///< dim Q − dim of the orbits
  bool invariant = true;                  ///< the group leaves the sections as they are
  std::vector<VectorField> sections;      ///< ξ_b: in D, along the orbits
  std::vector<MomentumEquation> momenta;  ///< J_b and J̇_b on D; the last is J_0 = 1
  std::vector<Transport> transport;       ///< closed under brackets, the group first: there M = 0, or (Y.6)
  Matrix conditions;                      ///< N with N f = 0, prolonged
  std::vector<Transport> given;           ///< along the group and across it, before brackets
  std::size_t group_size = 0;             ///< so many of them belong to the group
  Matrix own_conditions;                  ///< N before brackets and derivatives

  /// How many gauge momenta are independent, J_0 itself not counted.                                       (Y.2)
  int count() const;
  /// Is a function f^0 of the shape added to f^b J_b? With affine constraints or gyroscopic terms it may be.
  bool adds_function() const;
};

/// Σ_b (V[f^b] J_b + f^b J̇_b) = 0 at all speeds determines the derivatives of f along D,
///     Y_i[f] = M_i f,   N f = 0;                                                                            (Y.1)
/// the brackets of the Y_i, and the derivatives Y_i[N] + N M_i of the conditions, give further ones, until nothing is new. Where L or
/// the forces depend on time, so may M and N; f does not, and ∂M_i/∂t f = ∂N/∂t f = 0.
/// The group is the largest algebra of symmetries found that acts freely. Nothing when there is none, or when the motion is not
/// quadratic in the speeds; `why_not` then says why.
std::optional<GaugeSystem> gauge_system(const System& system, const EquationsOfMotion& motion,
                                        std::string& why_not);

/// For one group and any frame of D ∩ T Orb: the number does not depend on the frame.
std::optional<GaugeSystem> gauge_system(const System& system, const EquationsOfMotion& motion,
                                        const FreeGroup& group, const std::vector<VectorField>& sections,
                                        std::string& why_not);

/// A function that the group leaves alone, when it determines the shape.
std::optional<Symbol> shape_function(const System& system, const GaugeSystem& gauge);

/// The equation along a field of D across the orbits, when there is one shape variable; else null.
const Transport* across_the_orbits(const System& system, const GaugeSystem& gauge);

}  // namespace rattleback
