#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

Symbol parameter(const std::string& name) {
  return Symbol::make(name, {.role = Role::parameter, .sign = Sign::positive});
}
Expr p(const std::string& name) { return parameter(name); }

System on(Space space, Expr lagrangian, const std::vector<Expr>& constraints) {
  System s;
  s.space = std::move(space);
  s.lagrangian = lagrangian;
  for (const Expr c : constraints)
    s.constraints.push_back({.name = "C" + std::to_string(s.constraints.size()), .expression = c});
  return s;
}

Expr velocity(const Space& Q, int i) { return Q.velocities()[static_cast<std::size_t>(i)]; }
Expr function(const Space& Q, int i) { return Q.functions()[static_cast<std::size_t>(i)]; }

System sleigh() {
  const Space Q({line("x"), line("y"), circle("theta")});
  const Expr th = function(Q, 2), vx = velocity(Q, 0), vy = velocity(Q, 1), w = velocity(Q, 2);
  const Expr across = cos(th) * vy - sin(th) * vx;
  return on(Q,
            ((p("J") + p("m") * pow(p("a"), 2)) * pow(w, 2) + p("m") * (vx * vx + vy * vy)) / 2 +
                p("m") * p("a") * w * across,
            {across});
}

/// The same body in the left-invariant frame of SE(2), where the structure coefficients do the work.
System sleigh_on_group() {
  const Space Q({special_euclidean_2("x", "y", "theta")});
  const Expr w = velocity(Q, 0), v1 = velocity(Q, 1), v2 = velocity(Q, 2), m = p("m"), a = p("a");
  return on(Q, (p("J") * w * w + m * v1 * v1 + m * pow(v2 + a * w, 2)) / 2, {v2});
}

/// A disk that rolls, leans and may fall.
System falling_disk() {
  const Space Q({line("x"), line("y"), circle("theta"), circle("phi"), circle("psi")});
  const Expr th = function(Q, 2), ph = function(Q, 3), m = p("m"), R = p("R"), A = p("A"), C = p("C");
  const Expr vx = velocity(Q, 0), vy = velocity(Q, 1), vth = velocity(Q, 2), vph = velocity(Q, 3),
             vps = velocity(Q, 4);
  const Expr cx = vx + R * (cos(ph) * sin(th) * vph + sin(ph) * cos(th) * vth);
  const Expr cy = vy + R * (sin(ph) * sin(th) * vph - cos(ph) * cos(th) * vth);
  const Expr cz = -R * sin(th) * vth;
  const Expr spin = vps - vph * sin(th);
  const Expr L =
      (m * (cx * cx + cy * cy + cz * cz) + A * (vth * vth + pow(vph * cos(th), 2)) + C * spin * spin) / 2 -
      m * p("g") * R * cos(th);
  return on(Q, L, {vx + R * cos(ph) * vps, vy + R * sin(ph) * vps});
}

/// A car with n trailers, masses ahead of the axles, on an incline.
System car(int n) {
  std::vector<Factor> factors{line("x"), line("y")};
  for (int i = 0; i <= n; ++i) factors.push_back(circle("t" + std::to_string(i)));
  const Space Q(factors);
  Expr X = function(Q, 0), VX = velocity(Q, 0), VY = velocity(Q, 1);
  std::vector<Expr> terms, edges;
  for (int i = 0; i <= n; ++i) {
    const std::string k = std::to_string(i);
    const Expr t = function(Q, 2 + i), w = velocity(Q, 2 + i), m = p("m" + k), a = p("a" + k), l = p("l" + k);
    if (i > 0) {
      X -= l * cos(t);
      VX += l * sin(t) * w;
      VY -= l * cos(t) * w;
    }
    edges.push_back(sin(t) * VX - cos(t) * VY);
    terms.push_back((m * (pow(VX - a * sin(t) * w, 2) + pow(VY + a * cos(t) * w, 2)) + p("J" + k) * w * w) /
                    2);
    terms.push_back(-(m * p("g") * (X + a * cos(t))));
  }
  return on(Q, sum(terms), edges);
}

/// A homogeneous ball on a table that turns at a rate: affine constraints on R² × SO(3).
System ball_on_turntable(Expr rate) {
  const Space Q({line("x"), line("y"), special_orthogonal_3("B")});
  const Matrix B = Q.factors()[2].rotation();
  Matrix Omega(3, 1);
  for (int i = 0; i < 3; ++i) Omega[i] = velocity(Q, 2 + i);
  const Matrix omega = B * Omega;
  const Expr vx = velocity(Q, 0), vy = velocity(Q, 1), m = p("m"), r = p("r");
  const Expr L = (m * (vx * vx + vy * vy) + p("I") * dot(Omega, Omega)) / 2;
  return on(Q, L, {vx - r * omega[1] + rate * function(Q, 1), vy + r * omega[0] - rate * function(Q, 0)});
}

/// A top with different moments of inertia, its third body axis forbidden to turn.
System suslov() {
  const Space Q({special_orthogonal_3("B")});
  const Expr w1 = velocity(Q, 0), w2 = velocity(Q, 1), w3 = velocity(Q, 2);
  return on(
      Q, (p("A") * w1 * w1 + p("B1") * w2 * w2 + p("C") * w3 * w3) / 2 + p("D") * w1 * w3 + p("E") * w2 * w3,
      {w3});
}

}  // namespace

TEST_CASE("the energy of systems with linear constraints is conserved, a wrong energy is not") {
  for (const System& s :
       {sleigh(), sleigh_on_group(), falling_disk(), ball_on_turntable(0), suslov(), car(2), car(20)}) {
    const Verdict v = is_conserved(s, energy(s)), by_theorem = conserves_energy(s);
    REQUIRE(proved(v));
    CHECK_FALSE(std::get<Proved>(v).why.exact);
    CHECK(std::get<Proved>(v).why.bits >= 60);
    REQUIRE(proved(by_theorem));
    CHECK(std::get<Proved>(by_theorem).why.exact);
    CHECK(refuted(is_conserved(s, energy(s) + function(s.space, 0) * velocity(s.space, 0))));
  }
}

TEST_CASE("T − V in place of T + V is refuted with the state that shows it") {
  for (const System& s : {falling_disk(), car(1), car(20)}) {
    const Verdict v = is_conserved(s, s.lagrangian);  // L = T − V
    REQUIRE(refuted(v));
    CHECK(std::get<Refuted>(v).at.point.size() >= s.space.velocities().size());
    CHECK(std::get<Refuted>(v).at.value != "0");
  }
}

TEST_CASE("a turntable does work, unless it stands still") {
  CHECK(refuted(conserves_energy(ball_on_turntable(p("rate")))));
  CHECK(proved(conserves_energy(ball_on_turntable(0))));
}

TEST_CASE("a moving energy of the ball on the turntable is conserved") {
  const Expr rate = p("rate");
  const System s = ball_on_turntable(rate);
  const Space& Q = s.space;
  const Matrix B = Q.factors()[2].rotation();
  const Expr momentum_z =
      p("I") * (B(2, 0) * velocity(Q, 2) + B(2, 1) * velocity(Q, 3) + B(2, 2) * velocity(Q, 4));
  const Expr orbital = p("m") * (function(Q, 0) * velocity(Q, 1) - function(Q, 1) * velocity(Q, 0));
  CHECK(proved(is_conserved(s, energy(s) - rate * (orbital + momentum_z))));
  CHECK(refuted(is_conserved(s, energy(s) + rate * (orbital + momentum_z))));
}

TEST_CASE("damping takes energy, a force without power does not") {
  System s = sleigh();
  const Expr vx = velocity(s.space, 0), vy = velocity(s.space, 1);
  s.forces = {-p("c") * vx, -p("c") * vy, Expr(0)};
  CHECK(refuted(conserves_energy(s)));
  s.forces = {-p("c") * vy, p("c") * vx, Expr(0)};
  CHECK(proved(conserves_energy(s)));
}

TEST_CASE("explicit time in the Lagrangian is noticed") {
  System s = sleigh();
  CHECK(proved(conserves_energy(s)));
  s.lagrangian -= function(s.space, 0) * sin(Expr(s.time));
  CHECK(refuted(conserves_energy(s)));
}

TEST_CASE("nonlinear constraints: homogeneous ones conserve energy, a fixed speed with a force does not") {
  const Space Q({line("x"), line("y"), line("z")});
  const Expr vx = velocity(Q, 0), vy = velocity(Q, 1), vz = velocity(Q, 2), m = p("m");
  const Expr L = m * (vx * vx + vy * vy + vz * vz) / 2 - m * p("g") * function(Q, 2);
  CHECK(proved(conserves_energy(on(Q, L, {vx * vx + vy * vy - pow(p("k") * vz, 2)}))));
  CHECK(refuted(conserves_energy(on(Q, L, {vx * vx + vy * vy + vz * vz - pow(p("k"), 2)}))));
  CHECK(undecided(conserves_energy(on(Q, L, {pow(vx, 5) + pow(vy, 5) - pow(vz, 5) + 1}))));

  // Two quadratic constraints: states that satisfy only one of them say nothing.
  const Space P({line("a"), line("b"), line("c"), line("d")});
  const Expr a = velocity(P, 0), b = velocity(P, 1), c = velocity(P, 2), d = velocity(P, 3);
  const Expr free = (a * a + b * b + p("M") * (c * c + d * d)) / 2 - p("k") * function(P, 0) * function(P, 3);
  CHECK(proved(conserves_energy(on(P, free, {a * c + b * d, a * a + b * b - c * c - d * d}))));
  CHECK_FALSE(proved(conserves_energy(on(P, free, {a * c + b * d, a * a + b * b - c * c - d * d - 1}))));
}

TEST_CASE("redundant constraints change nothing, contradictions and massless directions are not decided") {
  System s = sleigh();
  s.constraints.push_back({.name = "again", .expression = 2 * s.constraints[0].expression});
  CHECK(proved(conserves_energy(s)));
  s.constraints.push_back({.name = "never", .expression = s.constraints[0].expression - 1});
  CHECK(undecided(conserves_energy(s)));

  const Space Q({line("x"), line("y")});
  const System massless = on(Q, pow(velocity(Q, 0), 2), {});
  CHECK(undecided(conserves_energy(massless)));
}

TEST_CASE("roots in the Lagrangian do not hide a wrong energy") {
  const Space Q({line("x"), line("y")});
  const Expr x = function(Q, 0), y = function(Q, 1), vx = velocity(Q, 0), vy = velocity(Q, 1);
  const Expr T = (vx * vx + vy * vy) / 2, V = p("k") / sqrt(x * x + y * y);
  const System s = on(Q, T - V, {x * vx - y * vy});
  CHECK(proved(conserves_energy(s)));
  CHECK_FALSE(proved(is_conserved(s, T - V)));
}

TEST_CASE("constraints that are homogeneous of any degree do no work") {
  const Space Q({line("x"), line("y"), line("z")});
  const Expr x = function(Q, 0), y = function(Q, 1), z = function(Q, 2);
  const Expr u = velocity(Q, 0), v = velocity(Q, 1), w = velocity(Q, 2);
  const Expr L = (u * u + v * v + w * w) / 2 - x * z;
  CHECK(proved(conserves_energy(on(Q, L, {w * (u * u + v * v) - y * pow(u, 3)}))));
  CHECK_FALSE(proved(conserves_energy(on(Q, L, {w * (u * u + v * v) - y * u * u}))));
}

TEST_CASE("drag with roots or hyperbolic functions of the speed takes energy") {
  const std::string head =
      "title = \"t\"\nlagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n";
  for (const std::string drag : {"-k*x'*sqrt(1 + x'^2)", "-k*x'*cosh(x')"}) {
    const Answer a =
        asked(question("energy"),
              read_model(head + "[parameters]\nk = 1\n[forces]\nx = \"" + drag + "\"\n", "t.toml"), 60);
    CHECK(a.outcome == Outcome::refuted);
    CHECK(a.unless.size() == 1);  // k = 0
  }
}
