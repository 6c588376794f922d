#include <rattleback/model/system/rotation_chain.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// Longer products are treated as plain matrices.
constexpr std::size_t longest_chain = input_limits::rotation_chain.count;

std::optional<Joint> joint_about_axis(const Syntax& s, const Scope& scope) {
  if (s.kind != Syntax::Kind::call || s.children.size() != 1 || s.text.size() != 2 || s.text[0] != 'R')
    return std::nullopt;
  const auto axis = std::string_view("xyz").find(s.text[1]);
  if (axis == std::string_view::npos) return std::nullopt;
  const int k = static_cast<int>(axis);
  const Expr angle = evaluate_scalar(s.children[0], scope);
  const Matrix rotation = k == 0 ? rotation_x(angle) : k == 1 ? rotation_y(angle) : rotation_z(angle);
  return Joint{rotation, scope.time_derivative()(angle) * unit_vector(k), k};
}

std::optional<Joint> joint_of_group(const std::string& name, const Space& space) {
  for (const Factor& factor : space.factors()) {
    if (factor.name != name || (factor.kind != Factor::Kind::SO3 && factor.kind != Factor::Kind::SE3))
      continue;
    const std::vector<Expr> Omega(factor.velocities.begin(), factor.velocities.begin() + 3);
    return Joint{factor.rotation(), Matrix::column(Omega), -1};
  }
  return std::nullopt;
}

bool append_joints(std::vector<Joint>& joints, const Syntax& s, const Scope& scope, const Space& space,
                   const Attitudes& known) {
  allow_recursion();
  if (s.kind == Syntax::Kind::product) {
    return std::all_of(s.children.begin(), s.children.end(), [&](const Syntax& child) {
      return append_joints(joints, child, scope, space, known);
    });
  }
  std::optional<Joint> joint = joint_about_axis(s, scope);
  if (!joint && s.kind == Syntax::Kind::name) {
    if (const auto found = known.find(s.text); found != known.end()) {
      joints.insert(joints.end(), found->second.joints().begin(), found->second.joints().end());
      return joints.size() <= longest_chain;
    }
    joint = joint_of_group(s.text, space);
  }
  if (joint) joints.push_back(std::move(*joint));
  return joint.has_value() && joints.size() <= longest_chain;
}

}  // namespace

Matrix Attitude::to_space(Matrix v) const {
  for (auto joint = joints_.rbegin(); joint != joints_.rend(); ++joint) v = joint->rotation * v;
  return v;
}

Matrix Attitude::to_body(Matrix v) const {
  for (const Joint& joint : joints_) v = transpose(joint.rotation) * v;
  return v;
}

Matrix Attitude::w_SB_B() const {
  Matrix w(3, 1);
  for (const Joint& joint : joints_) w = transpose(joint.rotation) * w + joint.rate;
  return w;
}

Matrix Attitude::w_SB_S() const {
  Matrix w(3, 1);
  for (auto joint = joints_.rbegin(); joint != joints_.rend(); ++joint)
    w = joint->rotation * (joint->rate + w);
  return w;
}

Attitude Attitude::shortened() const { return Attitude({joints_.begin(), joints_.end() - 1}); }

std::optional<Attitude> attitude_of_product(const Syntax& syntax, const Scope& scope, const Space& space,
                                            const Attitudes& known) {
  std::vector<Joint> joints;
  if (!append_joints(joints, syntax, scope, space, known)) return std::nullopt;
  return Attitude(std::move(joints));
}

Attitude attitude_of_matrix(const Matrix& rotation, const Space& space) {
  const Matrix rest = transpose(rotation) * rotation - Matrix::identity(3);
  const Expr handedness = dot(cross(rotation.column(0), rotation.column(1)), rotation.column(2)) - 1;
  for (const Expr e : rest.entries()) {
    if (!vanishes_at_random_points(e)) {
      throw Error("not-a-rotation", "this matrix is not a rotation", "its columns are not orthonormal",
                  "write a product of Rx, Ry, Rz, or the matrix of a group SO(3)");
    }
  }
  if (!vanishes_at_random_points(handedness))
    throw Error("not-a-rotation", "this matrix reflects", "its determinant is -1",
                "change the sign of one column");
  Matrix rate(3, 3);
  for (int i = 0; i < 9; ++i) rate[i] = space.rate(rotation[i]);
  const Matrix hat = transpose(rotation) * rate;
  const std::vector<Expr> Omega{hat(2, 1), hat(0, 2), hat(1, 0)};
  return Attitude({Joint{rotation, Matrix::column(Omega), -1}});
}

}  // namespace rattleback
