// Newton and Euler's equations of a rolling body with an unknown contact force, solved in numbers: an oracle that knows
// nothing of Lagrangians, frames or multipliers. The shapes are written here once more, by hand.
#include <cmath>
#include <complex>
#include <random>

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::Vector3d;
using ComplexVector = Eigen::Vector3cd;
using Values = std::map<std::string, double>;
/// From the mass centre to the point of contact in body axes, as a function of γ, the upward direction there.
using Outline = ComplexVector (*)(const ComplexVector& up, const Values& p);

ComplexVector sphere_of_top(const ComplexVector& up, const Values& p) {
  return -p.at("R") * up + ComplexVector(0, 0, -p.at("ell"));
}
ComplexVector sphere_of_tippe_top(const ComplexVector& up, const Values& p) {
  return -p.at("R") * up + ComplexVector(0, 0, p.at("e"));
}
ComplexVector disk(const ComplexVector& up, const Values& p) {
  const ComplexVector flat(up(0), 0, up(2));  // the axle is the body's second axis
  return -p.at("R") * flat / std::sqrt(up(0) * up(0) + up(2) * up(2));
}
ComplexVector ellipsoid(const ComplexVector& up, const std::array<double, 3>& axes, double above) {
  ComplexVector d;
  Complex norm = 0;
  for (int i = 0; i < 3; ++i) {
    d(i) = axes[static_cast<std::size_t>(i)] * axes[static_cast<std::size_t>(i)] * up(i);
    norm += d(i) * up(i);
  }
  return -d / std::sqrt(norm) + ComplexVector(0, 0, above);
}
ComplexVector stone(const ComplexVector& up, const Values& p) {
  return ellipsoid(up, {p.at("b1"), p.at("b2"), p.at("b3")}, 0);
}
ComplexVector stone_of_kane(const ComplexVector& up, const Values& p) {
  return ellipsoid(up, {p.at("a"), p.at("b"), p.at("c")}, p.at("h"));
}

struct Motion {
  Vector acceleration, spin_rate, force;
};

/// m a = F − m g e3,  d(Jω)/dt = r × F,  a + ω̇ × r + ω × ṙ = 0: nine equations, J = R I Rᵀ.
Motion newton_euler(const Eigen::Matrix3d& R, const Vector& w, double m, const Eigen::Matrix3d& I, double g,
                    Outline shape, const Values& p) {
  const double h = 1e-30;  // the complex step gives ṙ without cancellation
  const Vector up = R.transpose() * Vector::UnitZ(), up_rate = up.cross(R.transpose() * w);
  const ComplexVector r_B = shape(up.cast<Complex>() + Complex(0, h) * up_rate.cast<Complex>(), p);
  const Vector r = R * r_B.real(), r_rate = w.cross(r) + R * (r_B.imag() / h);
  const Eigen::Matrix3d J = R * I * R.transpose();
  const auto hat = [](const Vector& a) {
    Eigen::Matrix3d x;
    x << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
    return x;
  };
  Eigen::Matrix<double, 9, 9> A = Eigen::Matrix<double, 9, 9>::Zero();
  Eigen::Matrix<double, 9, 1> b;
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  A.block<3, 3>(0, 0) = m * one;
  A.block<3, 3>(0, 6) = -one;
  A.block<3, 3>(3, 3) = J;
  A.block<3, 3>(3, 6) = -hat(r);
  A.block<3, 3>(6, 0) = one;
  A.block<3, 3>(6, 3) = -hat(r);
  b << -m * g * Vector::UnitZ(), -w.cross(J * w), -w.cross(r_rate);
  const Eigen::Matrix<double, 9, 1> x = A.fullPivLu().solve(b);
  return {x.head<3>(), x.segment<3>(3), x.tail<3>()};
}

Vector vector_of(const Matrix& column, const Numbers& at) {
  const std::vector<double> e = evaluate(column.entries(), at);
  return {e[0], e[1], e[2]};
}

Eigen::Matrix3d matrix_of(const Matrix& m, const Numbers& at) {
  const std::vector<double> e = evaluate(m.entries(), at);
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(e.data());
}

/// A random admissible state.
Numbers random_state(const System& system, const EquationsOfMotion& motion, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<> draw(0.2, 1.2);
  Numbers at;
  for (const auto& [s, value] : parameter_values(system)) at.emplace(s, evaluate(value, {}));
  const Eigen::Matrix3d B = Eigen::Quaterniond(1.5, draw(random) - 0.5, draw(random) - 0.5, draw(random))
                                .normalized()
                                .toRotationMatrix();
  for (const Symbol q : motion.configuration) {
    const int entry = q.attributes().entry;
    at.emplace(q, q.role() == Role::rotation ? B(entry / 3, entry % 3) : draw(random));
  }
  for (const Symbol z : motion.speeds) at.emplace(z, 2 * draw(random) - 1);
  return at;
}

}  // namespace

TEST_CASE("rolling bodies accelerate and press as Newton and Euler say") {
  const std::vector<std::pair<const char*, Outline>> bodies{{"chaplygin-top", sphere_of_top},
                                                            {"tippe-top-rolling", sphere_of_tippe_top},
                                                            {"falling-disk", disk},
                                                            {"rolling-ellipsoid", stone},
                                                            {"rattleback", stone},
                                                            {"rattleback-kane", stone_of_kane}};
  for (const auto& [model, shape] : bodies) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion motion = straight_line_equations(system);
    const RigidBody& body = system.bodies.at(0);
    const Contact& contact = system.contacts.at(0);
    const SymbolMap ahead = motion_of(system, motion);
    const Matrix v = substitute(body.v_G_S, motion.velocities),
                 w = substitute(body.attitude.w_SB_S(), motion.velocities);
    const Matrix v_rate = derivative_along(v, ahead), w_rate = derivative_along(w, ahead);
    const Reactions reactions = reactions_along(system, motion);
    const auto force = [&](const char* direction, const Numbers& at) {
      for (const Statement& s : reactions.reactions) {
        if (s.name == contact.name + "." + direction) return evaluate(s.value, at);
      }
      FAIL("no force ", direction);
      return 0.0;
    };
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Numbers at = random_state(system, motion, seed);
      Values p;
      for (const Parameter& parameter : system.parameters)
        p[parameter.symbol.name()] = at.at(parameter.symbol);
      const Motion expected =
          newton_euler(matrix_of(body.attitude.to_space(Matrix::identity(3)), at), vector_of(w, at),
                       evaluate(body.mass, at), matrix_of(body.inertia, at), p.at("g"), shape, p);
      const double scale = 1 + expected.force.norm() + expected.spin_rate.norm();
      CHECK((vector_of(v_rate, at) - expected.acceleration).norm() < 1e-10 * scale);
      CHECK((vector_of(w_rate, at) - expected.spin_rate).norm() < 1e-10 * scale);
      const Vector found = force("normal", at) * vector_of(contact.normal, at) +
                           force("along", at) * vector_of(contact.along, at) +
                           force("across", at) * vector_of(contact.across, at);
      CHECK((found - expected.force).norm() < 1e-10 * scale);
      CHECK((found - expected.force + Vector(0, 0, 1e-6)).norm() > 1e-7);  // a small error would be seen
    }
  }
}
