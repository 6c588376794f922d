#pragma once
/// Vector fields found by linear algebra: all combinations of an ansatz, with constant coefficients, that satisfy linear
/// conditions on their values and first derivatives at random points modulo the prime.

#include <functional>
#include <optional>
#include <vector>

#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

/// What a field may look like: constant combinations of the fields f Y, Y a coordinate field or a leg of a group and f one of
///     1,  a coordinate of a line,  an entry of a rotation matrix,  cos θ, sin θ,
///     cos φ, sin φ times cot θ, tan θ, 1/sin θ, 1/cos θ for two angles θ ≠ φ.                         (N.2)
/// The products of two angles (rotations of a sphere in its coordinates) are left out of large spaces.
std::vector<VectorField> field_ansatz(const Space& space);
/// With f also cos θ, sin θ times 1/r for an angle θ and a coordinate r of a line: translations in polar coordinates. Their pole is that of the
/// coordinates, so frames are not made of them.
std::vector<VectorField> field_ansatz_with_polar(const Space& space);

/// f R_i, R_i = B_ik X_k the rotation of a body about an axis of space, f one of 1, a coordinate of a line, cos θ, sin θ: the
/// products of entries of B with coordinates that (N.2) lacks.                                              (N.11)
std::vector<VectorField> space_fixed_ansatz(const Space& space);

/// The fields of an ansatz at one random point.
class FieldsAt {
 public:
  FieldsAt(const ModularProgram& program, const ModularRun& run, const Space& space, int fields);

  int fields() const { return fields_; }
  /// ξ_k^i.
  ModP value(int k, int i) const;
  /// d(ξ_k^i) along a motion of the functions of the space, one rate for each.
  std::vector<ModP> along(std::span<const ModP> function_rates) const;
  /// The entry of `along` that belongs to ξ_k^i.
  std::size_t index(int k, int i) const {
    return static_cast<std::size_t>(k) * n_ + static_cast<std::size_t>(i);
  }

 private:
  const ModularProgram* program_;
  const ModularRun* run_;
  const Space* space_;
  int fields_;
  std::size_t n_;
};

/// Rows of the linear system that a point contributes: each has one entry for each field of the ansatz. The seed draws the
/// point; the same seed and symbol give the same value everywhere. False when the point is of no use.
using Conditions = std::function<bool(const ModularPoint& point, const FieldsAt& fields,
                                      std::vector<std::vector<ModP>>& rows)>;

struct FoundFields {
  std::vector<VectorField> fields;
  /// Fewer fields than the conditions leave room for at fixed parameters: coefficients that are no small fractions.
  bool complete = true;
};
/// Parameters (`constants`) are drawn anew at every point, so the fields found serve all their values; when more fields
/// exist at fixed values, coefficients linear in the parameters are tried.
FoundFields fields_satisfying(const Space& space, const std::vector<VectorField>& ansatz,
                              const std::vector<Symbol>& constants, const Conditions& conditions);

/// Rational c with fields[0] = Σ c_k fields[k], k ≥ 1, at random points; nothing when there are none.
std::optional<std::vector<Rational>> combination_of_others(const Space& space,
                                                           const std::vector<VectorField>& fields);

}  // namespace rattleback
