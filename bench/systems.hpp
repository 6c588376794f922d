#pragma once
/// The systems of the benches. All contenders start from the same Lagrangian and the same constraints.

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <rattleback/model/system/system.hpp>

namespace bench {

using namespace rattleback;

/// Symbols of one run. Another run has symbols with the same names and another order, so that neither derivatives nor
/// nodes of an earlier run can be reused.
class Names {
 public:
  explicit Names(int run) : order_(1000 * run) {}
  Symbol line_or_circle(const std::string& name) {
    return Symbol::make(name, {.role = Role::coordinate, .order = order_++});
  }
  Expr positive(const std::string& name) {
    return Symbol::make(name, {.role = Role::parameter, .sign = Sign::positive, .order = order_++});
  }
  int order() const { return order_; }

 private:
  int order_;
};

struct Parts {
  Names names;
  Space space;
  Expr q(int i) const { return space.functions()[static_cast<std::size_t>(i)]; }
  Expr v(int i) const { return space.velocities()[static_cast<std::size_t>(i)]; }
  Expr p(const std::string& name) { return names.positive(name); }
};

inline Parts in_coordinates(int run, const std::vector<std::string>& lines,
                            const std::vector<std::string>& circles) {
  Names names(run);
  std::vector<Factor> factors;
  for (const std::string& x : lines) factors.push_back(line(names.line_or_circle(x)));
  for (const std::string& a : circles) factors.push_back(circle(names.line_or_circle(a)));
  return {names, Space(std::move(factors))};
}

inline System system_of(const std::string& name, const Parts& parts, Expr lagrangian,
                        const std::vector<Expr>& constraints) {
  System s;
  s.name = name;
  s.space = parts.space;
  s.lagrangian = lagrangian;
  for (const Expr c : constraints)
    s.constraints.push_back({.name = "C" + std::to_string(s.constraints.size() + 1), .expression = c});
  return s;
}

inline System sleigh(int run) {
  Parts s = in_coordinates(run, {"x", "y"}, {"th"});
  const Expr m = s.p("m"), J = s.p("J"), a = s.p("a"), th = s.q(2), vx = s.v(0), vy = s.v(1), w = s.v(2);
  const Expr across = cos(th) * vy - sin(th) * vx;
  return system_of("sleigh", s, ((J + m * a * a) * w * w + m * (vx * vx + vy * vy)) / 2 + m * a * w * across,
                   {across});
}

inline System vertical_disk(int run) {
  Parts s = in_coordinates(run, {"x", "y"}, {"th", "ph"});
  const Expr m = s.p("m"), R = s.p("R"), A = s.p("A"), C = s.p("C"), ph = s.q(3);
  const Expr vx = s.v(0), vy = s.v(1), roll = s.v(2), turn = s.v(3);
  return system_of("vertical disk", s, (m * (vx * vx + vy * vy) + C * roll * roll + A * turn * turn) / 2,
                   {vx - R * cos(ph) * roll, vy - R * sin(ph) * roll});
}

/// th: lean, 0 is upright; ph: heading; ps: roll.
inline System falling_disk(int run) {
  Parts s = in_coordinates(run, {"x", "y"}, {"th", "ph", "ps"});
  const Expr m = s.p("m"), R = s.p("R"), A = s.p("A"), C = s.p("C"), g = s.p("g"), th = s.q(2), ph = s.q(3);
  const Expr vx = s.v(0), vy = s.v(1), lean = s.v(2), turn = s.v(3), roll = s.v(4);
  const Expr cx = vx + R * (cos(ph) * sin(th) * turn + sin(ph) * cos(th) * lean);
  const Expr cy = vy + R * (sin(ph) * sin(th) * turn - cos(ph) * cos(th) * lean);
  const Expr spin = roll - turn * sin(th);
  const Expr kinetic = m * (cx * cx + cy * cy + pow(R * sin(th) * lean, 2)) +
                       A * (lean * lean + pow(turn * cos(th), 2)) + C * spin * spin;
  return system_of("falling disk", s, kinetic / 2 - m * g * R * cos(th),
                   {vx + R * cos(ph) * roll, vy + R * sin(ph) * roll});
}

inline System snakeboard(int run) {
  Parts s = in_coordinates(run, {"x", "y"}, {"th", "ps", "ph"});
  const Expr m = s.p("m"), r = s.p("r"), J0 = s.p("J0"), J1 = s.p("J1"), th = s.q(2), ph = s.q(4);
  const Expr vx = s.v(0), vy = s.v(1), w = s.v(2), rotor = s.v(3), steer = s.v(4);
  const Expr kinetic = m * (vx * vx + vy * vy + r * r * w * w) / 2 + J0 * rotor * rotor / 2 + J0 * rotor * w +
                       J1 * steer * steer;
  return system_of("snakeboard", s, kinetic,
                   {sin(ph) * vx + r * cos(ph) * cos(th) * w, sin(ph) * vy + r * cos(ph) * sin(th) * w});
}

/// Radius 1; th, ps, ph: Euler angles.
inline System chaplygin_sphere(int run) {
  Parts s = in_coordinates(run, {"x", "y"}, {"th", "ps", "ph"});
  const Expr m = s.p("m"), I1 = s.p("I1"), I2 = s.p("I2"), I3 = s.p("I3"), th = s.q(2), ps = s.q(3),
             ph = s.q(4);
  const Expr vx = s.v(0), vy = s.v(1), vth = s.v(2), vps = s.v(3), vph = s.v(4);
  const Expr w1 = vth * cos(ps) + vph * sin(ps) * sin(th), w2 = -vth * sin(ps) + vph * cos(ps) * sin(th),
             w3 = vps + vph * cos(th);
  return system_of(
      "Chaplygin sphere", s, (I1 * w1 * w1 + I2 * w2 * w2 + I3 * w3 * w3 + m * (vx * vx + vy * vy)) / 2,
      {vx - vth * sin(ph) + vps * cos(ph) * sin(th), vy + vth * cos(ph) + vps * sin(ph) * sin(th)});
}

/// Body by body in its own axes: (u_i, s_i) the velocity of axle i along and across, w_i its turning rate, d_i the angle
/// of trailer i from the one before. On SE(2) × (S¹)ⁿ nothing depends on where the car stands.
inline System car_on_group(int run, int n) {
  Names names(run);
  std::vector<Factor> factors{special_euclidean_2("x", "y", "th", names.order(), {"w0", "u0", "s0"})};
  names = Names(run);
  for (int i = 1; i <= n; ++i) factors.push_back(circle(names.line_or_circle("d" + std::to_string(i))));
  Parts s{names, Space(std::move(factors))};
  Expr w = s.v(0), u = s.v(1), across = s.v(2);
  std::vector<Expr> kinetic, constraints;
  for (int i = 0; i <= n; ++i) {
    const std::string k = std::to_string(i);
    if (i > 0) {
      const Expr d = s.q(2 + i), l = s.p("l" + k), along = u;
      w += s.v(2 + i);
      u = cos(d) * along + sin(d) * across;
      across = cos(d) * across - sin(d) * along - l * w;
    }
    constraints.push_back(across);
    kinetic.push_back(s.p("m" + k) * (u * u + across * across) / 2 + s.p("J" + k) * w * w / 2);
  }
  return system_of(n == 1 ? "car, 1 trailer" : "car, " + std::to_string(n) + " trailers", s, sum(kinetic),
                   constraints);
}

/// A car with n trailers hitched at the axles, in absolute angles, its speeds named: the chain of the goals.
inline System train(int run, int n) {
  std::vector<std::string> angles;
  for (int i = 0; i <= n; ++i) angles.push_back("t" + std::to_string(i));
  Parts s = in_coordinates(run, {"x", "y"}, angles);
  Expr VX = s.v(0), VY = s.v(1);
  std::vector<Expr> kinetic, constraints;
  for (int i = 0; i <= n; ++i) {
    const std::string k = std::to_string(i);
    const Expr t = s.q(2 + i), w = s.v(2 + i);
    if (i > 0) {
      const Expr l = s.p("l" + k);
      VX += l * sin(t) * w;
      VY -= l * cos(t) * w;
    }
    constraints.push_back(cos(t) * VY - sin(t) * VX);
    kinetic.push_back(s.p("m" + k) * (VX * VX + VY * VY) / 2);
    kinetic.push_back(s.p("J" + k) * w * w / 2);
  }
  System train = system_of(fmt::format("{} trailers", n), s, sum(kinetic), constraints);
  const Expr t = s.q(2);
  const auto speed = [&](const char* name, int i, Expr e) {
    train.velocities.push_back(
        {Symbol::make(name, {.role = Role::velocity, .order = 1000 * run + i}), e, {}});
  };
  speed("u", 0, cos(t) * s.v(0) + sin(t) * s.v(1));
  speed("w", 1, s.v(2));
  return train;
}

/// Kinetic and potential energy apart, so that a wrong energy T − V can be tried.
struct Energies {
  System system;
  Expr kinetic, potential;
};

/// Absolute angles, mass centres ahead of the axles, on an incline: the worst case for formulas.
inline Energies car(int run, int n) {
  std::vector<std::string> angles;
  for (int i = 0; i <= n; ++i) angles.push_back("t" + std::to_string(i));
  Parts s = in_coordinates(run, {"x", "y"}, angles);
  const Expr g = s.p("g");
  Expr X = s.q(0), VX = s.v(0), VY = s.v(1);
  std::vector<Expr> kinetic, potential, constraints;
  for (int i = 0; i <= n; ++i) {
    const std::string k = std::to_string(i);
    const Expr t = s.q(2 + i), w = s.v(2 + i), m = s.p("m" + k), J = s.p("J" + k), a = s.p("a" + k);
    if (i > 0) {
      const Expr l = s.p("l" + k);
      X -= l * cos(t);
      VX += l * sin(t) * w;
      VY -= l * cos(t) * w;
    }
    constraints.push_back(sin(t) * VX - cos(t) * VY);
    kinetic.push_back(m * (pow(VX - a * sin(t) * w, 2) + pow(VY + a * cos(t) * w, 2)) / 2);
    kinetic.push_back(J * w * w / 2);
    potential.push_back(m * g * (X + a * cos(t)));
  }
  const Expr T = sum(kinetic), V = sum(potential);
  return {system_of("car, " + std::to_string(n) + " trailers", s, T - V, constraints), T, V};
}

/// The small systems by a function of the run.
inline std::vector<std::function<System(int)>> small_systems() {
  return {sleigh, vertical_disk, falling_disk, snakeboard, chaplygin_sphere};
}

}  // namespace bench
