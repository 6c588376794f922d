#pragma once
/// Rotations written as products, so that angular velocities are sums of joint rates and formulas stay short.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/geometry/space.hpp>

namespace rattleback {

/// One factor of a product of rotations: about a coordinate axis by an angle, or a matrix with its body angular velocity.
struct Joint {
  Matrix rotation;
  Matrix rate;    ///< angular velocity of this joint alone, in the axes behind it
  int axis = -1;  ///< 0, 1, 2: a rotation about e1, e2, e3; −1: any rotation
};

/// The attitude of a body, R = R_1 R_2 … R_n, from body axes to space axes.
class Attitude {
 public:
  Attitude() = default;
  explicit Attitude(std::vector<Joint> joints) : joints_(std::move(joints)) {}

  const std::vector<Joint>& joints() const { return joints_; }
  /// R v.
  Matrix to_space(Matrix v) const;
  /// Rᵀ v.
  Matrix to_body(Matrix v) const;
  /// Ω = R_nᵀ(… (R_2ᵀ w_1 + w_2) …) + w_n, in body axes.
  Matrix w_SB_B() const;
  /// ω = w_1 + R_1 w_2 + R_1 R_2 w_3 + …, in space axes.
  Matrix w_SB_S() const;
  /// Without the last joint.
  Attitude shortened() const;

 private:
  std::vector<Joint> joints_;
};

using Attitudes = std::map<std::string, Attitude>;

/// The joints of Rz(a)*Rx(b)*…, where names stand for group factors and for products defined before; nothing when the
/// expression has another form.
std::optional<Attitude> attitude_of_product(const Syntax& syntax, const Scope& scope, const Space& space,
                                            const Attitudes& known);

/// Any rotation matrix: Ω̂ = Rᵀ R'. Throws Error[not-a-rotation] unless RᵀR = 1.
Attitude attitude_of_matrix(const Matrix& rotation, const Space& space);

}  // namespace rattleback
