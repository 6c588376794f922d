#include <rattleback/model/system/support_patch.hpp>

#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/collected.hpp>

namespace rattleback {
namespace {

/// Unit vectors across the axis that make a right-handed frame with it.
struct Axes {
  Matrix first, second, axis;

  explicit Axes(const Matrix& a) : first(constant_tangent(a)), second(cross(a, first)), axis(a) {}
  Matrix around(Expr u) const { return cos(u) * first + sin(u) * second; }
};

Matrix unit(const Matrix& v) { return pow(sqrt(short_form(dot(v, v))), -1) * v; }

/// X(u, v), the unit normal that points away from the matter, and a unit tangent.
void set_patch(Support& s, const Matrix& point, const Matrix& outwards, const Matrix& along) {
  s.point = s.center + point;
  s.normal = s.inside ? -outwards : outwards;
  s.along = along;
}

}  // namespace

/// Round surfaces. sphere: n = Rx(v) Ry(u) e3 in the axes of its top, so that u = v = 0 is its top outside and its bottom inside. cylinder: angle and
/// length; cone: angle and distance from the apex; torus: angle about the axis and about the tube.
void set_round_patch(Support& s) {
  const Axes axes(s.axis);
  const Expr u = s.coordinates[0], v = s.coordinates[1];
  const Matrix e = axes.around(u);
  if (s.kind == Support::Kind::sphere) {
    const Matrix n = sin(u) * axes.first - sin(v) * cos(u) * axes.second + cos(v) * cos(u) * axes.axis;
    s.normal = n;
    s.point = s.center + (s.inside ? -s.radius : s.radius) * n;
    s.along = cos(u) * axes.first + sin(v) * sin(u) * axes.second - cos(v) * sin(u) * axes.axis;
  } else if (s.kind == Support::Kind::cylinder) {
    set_patch(s, s.radius * e + v * axes.axis, e, axes.axis);
  } else if (s.kind == Support::Kind::cone) {
    const Matrix generator = sin(s.angle) * e + cos(s.angle) * axes.axis;
    set_patch(s, v * generator, cos(s.angle) * e - sin(s.angle) * axes.axis, generator);
  } else {
    set_patch(s, (s.radius + s.tube * cos(v)) * e + s.tube * sin(v) * axes.axis,
              cos(v) * e + sin(v) * axes.axis, cross(axes.axis, e));
  }
}

/// A plane with the coordinates of its point.
void set_plane_patch(Support& s) {
  const Matrix t = constant_tangent(s.normal);
  s.point = s.height * s.normal + s.coordinates[0] * t + s.coordinates[1] * cross(s.normal, t);
  s.along = t;
}

/// z = h(x, y): n = (−∂h/∂x, −∂h/∂y, 1)/√(1 + |∇h|²).
void set_graph_patch(Support& s, Expr h) {
  const Expr x = s.coordinates[0], y = s.coordinates[1], hx = derivative(h, x.symbol()),
             hy = derivative(h, y.symbol());
  const Expr w = pow(sqrt(1 + hx * hx + hy * hy), -1);
  const std::vector<Expr> n{-hx * w, -hy * w, w}, point{x, y, h};
  set_patch(s, Matrix::column(point), Matrix::column(n), Matrix(3, 1));
  s.along = carried_tangent(Matrix::column(n));
}

/// (ρ(u), z(u)) turned about the axis by v: n = (−z' e + ρ' a)/√(ρ'² + z'²), to the left of the profile.
void set_revolution_patch(Support& s, const Matrix& profile) {
  const Axes axes(s.axis);
  const Expr u = s.coordinates[0];
  const Matrix e = axes.around(s.coordinates[1]), slope = unit(derivative(profile, u.symbol()));
  set_patch(s, profile[0] * e + profile[1] * axes.axis, slope[0] * axes.axis - slope[1] * e,
            slope[0] * e + slope[1] * axes.axis);
}

void set_parametric_patch(Support& s, const Matrix& X) {
  const Matrix Xu = derivative(X, s.coordinates[0].symbol()), Xv = derivative(X, s.coordinates[1].symbol());
  set_patch(s, X, unit(cross(Xu, Xv)), unit(Xu));
}

/// A tube about a curve, of radius 0 for a wire: n = cos v up + sin v side, both across the tangent; side is level unless the curve is
/// upright, where e1 takes the place of e3.
void set_curve_patch(Support& s, const Matrix& X) {
  const Expr u = s.coordinates[0], v = s.coordinates[1];
  const Matrix T = unit(derivative(X, u.symbol()));
  const Matrix level = cross(T, unit_vector(2));
  const bool upright = vanishes(dot(level, level));
  const Matrix side = unit(upright ? cross(T, unit_vector(0)) : level);
  const Matrix n = cos(v) * cross(side, T) + sin(v) * side;
  set_patch(s, X + s.tube * n, n, T);
}

/// f(x, y, z) = 0: n = ∇f/|∇f|.
void set_implicit_patch(Support& s, std::span<const Symbol> xyz) {
  set_patch(s, s.coordinates, unit(Matrix::column(gradient(s.f, xyz))), Matrix(3, 1));
  s.along = carried_tangent(s.normal);
}

}  // namespace rattleback
