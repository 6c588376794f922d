// What a derivation prints on its way is true: brackets, momenta, equations before the multipliers are eliminated.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/lagrange_poincare.hpp>
#include <rattleback/motion/forms/routh.hpp>
#include <rattleback/motion/forms/suslov.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

using Lines = std::map<std::string, Expr>;

Lines lines_of(const EquationsOfMotion& equations, const std::string& title) {
  Lines lines;
  for (const Step& step : equations.steps) {
    if (step.title.starts_with(title)) {
      for (const Statement& line : step.lines) lines.emplace(line.name, line.value);
    }
  }
  return lines;
}

/// The letters lambda1, lambda2, … in some expressions.
std::vector<Symbol> multipliers_in(const std::vector<Expr>& es) {
  std::vector<Symbol> all;
  for (const Symbol s : symbols_of(es)) {
    if (s.role() == Role::multiplier) all.push_back(s);
  }
  return all;
}

Expr without(Expr e, const std::vector<Symbol>& letters) {
  SymbolMap none;
  for (const Symbol s : letters) none.emplace(s, Expr(0));
  return substitute(e, none);
}

System forced_body() {
  return read_model(R"toml(
lagrangian = "1/2*((2 + t)*Om[1]^2 + 3*Om[2]^2 + 4*Om[3]^2) + Om[1]*Om[3] + b*Om[2]"
[space]
B = { group = "SO(3)", body = "Om", space = "om" }
[parameters]
b = 1
k = 2
[forces]
Om1 = "-k*Om2"
Om2 = "sin(t)"
[constraints]
a = "Om[1] + 2*Om[2] - Om[3] = 0"
)toml",
                    "forced.toml");
}

/// A sleigh in coordinates, driven sideways at a rate that it feels: affine, and no frame of its own is invariant.
System drifting_sleigh() {
  return read_model(R"toml(
lagrangian = "1/2*(J*th'^2 + m*(x'^2 + y'^2)) + m*a*th'*(cos(th)*y' - sin(th)*x')"
[space]
x = "R"
y = "R"
th = "S1"
[parameters]
m = 2
J = 3
a = 1
k = 5
[constraints]
blade = "y'*cos(th) - x'*sin(th) = k"
[symmetry]
SE2 = { translate_x = { x = "1" }, translate_y = { y = "1" }, rotate = { x = "-y", y = "x", th = "1" } }
)toml",
                    "drifting.toml");
}

}  // namespace

TEST_CASE("Euler-Poincare-Suslov equations in momenta, with their multipliers, hold along the motion") {
  std::vector<System> systems{forced_body()};
  for (const char* name :
       {"so3-top-algebra", "euler-top", "so4-suslov-inertia", "gl2-suslov", "suslov-algebra"})
    systems.push_back(load_model(name));
  for (const System& s : systems) {
    CAPTURE(s.title);
    const EulerPoincareSuslov e = euler_poincare_suslov(s);
    const EquationsOfMotion motion = suslov_equations(s);
    const Lines momenta = lines_of(motion, "Momenta"), rates = lines_of(motion, "Euler-Poincare");
    const auto xi = e.system.space.velocities();
    SymbolMap at = e.D.substitution();
    const std::vector<Expr> p = substitute(gradient(e.lagrangian, xi), at);
    std::vector<Expr> printed, residuals;
    for (std::size_t b = 0; b < xi.size(); ++b) {
      const std::string name = momentum_of(xi[b]).name();
      printed.push_back(rates.at(name + "'"));
      at.emplace(momentum_of(xi[b]), p[b]);
      CHECK(all_vanish({substitute(momenta.at(name), at) - p[b]}));
    }
    const std::vector<Symbol> lambda = multipliers_in(printed);
    CHECK(static_cast<int>(lambda.size()) == e.constraints.rows());
    for (std::size_t b = 0; b < xi.size(); ++b) {
      residuals.push_back(substitute(without(printed[b], lambda), at) -
                          derivative_along(p[b], motion_of(s, motion)));
      for (const Symbol l : lambda)  // they multiply the constraints, with the sign of E(L) = lambda a
        CHECK(derivative(printed[b], l) == derivative(rates.at("a" + l.name().substr(6) + "(xi)"), xi[b]));
    }
    for (int a = 0; a < e.D.rank(); ++a)
      CHECK(all_vanish({dot(Matrix::column(residuals), e.D.psi.column(a))}));
    if (lambda.empty()) CHECK(all_vanish(residuals));
  }
}

TEST_CASE("Lie-Poisson brackets as printed give the motion: p' = {p, H}") {
  for (const char* name : {"so3-top-algebra", "euler-top"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const EquationsOfMotion motion = suslov_equations(s);
    const Lines brackets = lines_of(motion, "Lie-Poisson"), rates = lines_of(motion, "Euler-Poincare");
    CHECK(brackets.size() == 3);
    const auto xi = s.space.velocities();
    for (const Symbol a : xi) {
      Expr rate = 0;
      for (const Symbol b : xi) {
        const std::string pa = momentum_of(a).name(), pb = momentum_of(b).name();
        const auto here = brackets.find("{" + pa + ", " + pb + "}");
        const auto there = brackets.find("{" + pb + ", " + pa + "}");
        if (here != brackets.end()) rate += here->second * b;
        if (there != brackets.end()) rate -= there->second * b;
      }
      CHECK(all_vanish({rate - rates.at(momentum_of(a).name() + "'")}));
      CHECK(some_do_not_vanish({rate + rates.at(momentum_of(a).name() + "'")}));
    }
  }
}

TEST_CASE("forces, time and drift in Suslov's form; what it is not for is refused") {
  const System body = forced_body(), sleigh = drifting_sleigh();
  for (const System& s : {body, sleigh}) {
    std::vector<EquationsOfMotion> forms{suslov_equations(s), hamel_equations(s)};
    CHECK(proved(agreement(s, forms).motion));
    CHECK(all_vanish(dalembert_residuals(s, forms[0])));
    const auto v = s.space.velocities();
    for (std::size_t a = 0; a < forms[0].speeds.size(); ++a) {  // definitions are those of the speeds
      const Expr definition = forms[0].speed_definitions[a];
      CHECK(all_vanish({substitute(definition, forms[0].velocities) - Expr(forms[0].speeds[a])}));
      for (const Symbol x : symbols_of(std::vector{definition}))  // in the model's own velocities
        CHECK((x.role() != Role::velocity || std::find(v.begin(), v.end(), x) != v.end()));
    }
  }
  System dragged = body;  // a torque fixed in space is not invariant
  dragged.forces[0] = body.space.functions()[0];
  CHECK_THROWS_AS(suslov_equations(dragged), Error);
  CHECK_THROWS_AS(suslov_equations(load_model("veselova")), Error);  // constraints fixed in space
  CHECK_THROWS_AS(suslov_equations(load_model("planar-pendulum")), Error);
  System wrong = sleigh;  // a group that moves the sleigh is not believed: gravity
  wrong.lagrangian -= wrong.space.functions()[1];
  CHECK_THROWS_AS(suslov_equations(wrong), Error);
}

TEST_CASE("reduced equations: Cbar, Upsilon, K and R as printed are the brackets of the frame") {
  for (const char* name : {"falling-disk", "snakeboard", "chaplygin-sphere", "chaplygin-sleigh",
                           "roller-racer", "routh-sphere"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    const AdaptedFrame& e = r.frame;
    const EquationsOfMotion motion = reduced_equations(s);
    const Lines brackets = lines_of(motion, "Brackets of the frame");
    std::vector<std::string> label;
    for (int m = 0; m < s.space.dimension(); ++m) {
      if (m < e.rank()) {
        label.push_back(e.speeds[static_cast<std::size_t>(m)].name());
        while (label.back().ends_with("'")) label.back().pop_back();
      } else {
        label.push_back(m < e.rank() + e.c ? "c" + std::to_string(m - e.rank() + 1)
                                           : "k" + std::to_string(m - e.rank() - e.c + 1));
      }
    }
    std::size_t used = 0;
    for (int a = 0; a < e.rank(); ++a) {
      for (int b = a + 1; b < e.rank(); ++b) {
        const bool mixed = a < e.rho && b >= e.rho;
        const int i = mixed ? b : a, j = mixed ? a : b;
        VectorField rest = bracket(e.legs[static_cast<std::size_t>(i)], e.legs[static_cast<std::size_t>(j)]);
        for (int m = 0; m < s.space.dimension(); ++m) {
          const std::string letter = b < e.rho ? "Cbar" : mixed ? "Upsilon" : e.is_vertical(m) ? "K" : "R";
          const auto found =
              brackets.find(letter + "^" + label[static_cast<std::size_t>(m)] + "_" +
                            label[static_cast<std::size_t>(i)] + "," + label[static_cast<std::size_t>(j)]);
          if (found == brackets.end()) continue;
          ++used;
          rest = rest - found->second * e.legs[static_cast<std::size_t>(m)];
        }
        CHECK(all_vanish(rest.coefficients()));
      }
    }
    CHECK(used == brackets.size());
    CHECK(lines_of(motion, "The group").at("rank of D and orbits") == Expr(e.rho));
    // Momenta and their equation, along the motion.
    const Lines momenta = lines_of(motion, "The reduced Lagrangian"),
                rates = lines_of(motion, "The momentum equation");
    CHECK(static_cast<int>(rates.size()) == e.rho);
    SymbolMap at;
    for (int a = 0; a < e.rank(); ++a)
      at.emplace(e.speeds[static_cast<std::size_t>(a)],
                 substitute(e.definitions[static_cast<std::size_t>(a)], motion.velocities));
    const Matrix P = Matrix::column(momenta_on(s, motion.velocities));
    for (int m = 0; m < s.space.dimension(); ++m) {
      const std::string p_m = "p_" + label[static_cast<std::size_t>(m)];
      const Expr p = dot(P, Matrix::column(e.legs[static_cast<std::size_t>(m)].coefficients()));
      CHECK(all_vanish({substitute(momenta.at(p_m), at) - p}));
      if (m < e.rho)
        CHECK(all_vanish({substitute(rates.at(p_m + "'"), at) - derivative_along(p, motion_of(s, motion))}));
    }
  }
}

TEST_CASE("reduced equations close as printed, and with multipliers before the constraints are solved") {
  std::vector<System> systems{read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - (x^2 + y^2)^2 - z^2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
screw = "z' = x*y' - y*x'"
[symmetry]
turn = { rotate = { x = "-y", y = "x" } }
)toml",
                                         "screw.toml")};
  systems.push_back(forced_body());
  for (const char* name : {"falling-disk", "snakeboard", "chaplygin-top", "veselova", "suslov-kharlamova",
                           "rattleback", "rubber-ball"})
    systems.push_back(load_model(name));
  int shapes = 0, with_multipliers = 0;
  for (const System& s : systems) {
    CAPTURE(s.title);
    const EquationsOfMotion motion = reduced_equations(s);
    const SymbolMap rates = motion_of(s, motion);
    for (const auto& [name, value] : lines_of(motion, "The reduced equations")) {
      const Expr f = formula(s, motion, name.substr(0, name.size() - 1));
      CHECK(all_vanish({value - derivative_along(f, rates)}));
      shapes += static_cast<int>(f.is(Kind::symbol) ? 0 : 1);
    }
    const Lines lines = lines_of(motion, "The same with multipliers");
    if (lines.empty()) continue;
    ++with_multipliers;
    std::vector<Expr> functions, values;
    for (const Constraint& c : s.constraints) functions.push_back(c.expression);
    const Matrix slopes = jacobian(functions, s.space.velocities());
    for (const auto& [name, value] : lines) values.push_back(value);
    const std::vector<Symbol> lambda = multipliers_in(values);
    Matrix residual(s.space.dimension(), 1), rows(static_cast<int>(lambda.size()), s.space.dimension());
    const std::vector<Expr> p = gradient(s.lagrangian, s.space.velocities());
    for (int i = 0; i < s.space.dimension(); ++i) {
      for (const auto& [name, value] : lines) {  // the line of this momentum
        const Expr momentum = formula(s, motion, name.substr(1, name.size() - 3));
        if (!proved(are_equal(momentum, p[static_cast<std::size_t>(i)]))) continue;
        residual[i] = substitute(without(value, lambda), motion.velocities) -
                      derivative_along(substitute(momentum, motion.velocities), rates);
        for (int l = 0; l < rows.rows(); ++l)
          rows(l, i) = derivative(value, lambda[static_cast<std::size_t>(l)]);
      }
    }
    // Without the multipliers the equations fail by something in the span of the constraints, and they multiply that span.
    CHECK(all_vanish((transpose(residual) * kernel(substitute(slopes, motion.velocities)).basis).entries()));
    CHECK(rank(rows) == rank(slopes));
    if (rows.rows() == 1) CHECK(all_vanish((rows - slopes).entries()));  // E(L) = +lambda dC/dv
    CHECK(all_vanish((rows * kernel(slopes).basis).entries()));
  }
  CHECK(shapes >= 1);
  const std::vector<std::string> notes = reduced_equations(load_model("veselova")).notes;
  CHECK(std::any_of(notes.begin(), notes.end(),
                    [](const std::string& n) { return n.starts_with("LR system"); }));
  CHECK(with_multipliers >= 2);
}

TEST_CASE("Routh's form where Lagrangian and constraints move with time") {
  for (const char* constraint : {"z' = (y + t)*x'", "z' = y*x' + sin(t)"}) {
    CAPTURE(constraint);
    const System s = read_model(std::string(R"toml(
lagrangian = "1/2*((1 + t^2)*x'^2 + y'^2 + z'^2 + (2 + y^2 + t)*w'^2) + y*x'*w' - y^2"
[space]
x = "R"
y = "R"
z = "R"
w = "R"
[constraints]
c = ")toml") + constraint + "\"\n",
                                "moving.toml");
    std::vector<EquationsOfMotion> forms{routh_equations(s), hamel_equations(s)};
    CHECK(proved(agreement(s, forms).motion));
    forms[0].speed_rates[0] += 1;  // the mutant
    CHECK(refuted(agreement(s, forms).motion));
  }
}

TEST_CASE("all momenta of a body, orthonormal in its axes: velocities and Routhian by no inverse") {
  const System top = load_model("euler-top");
  const Routh r = routh(top);
  REQUIRE(r.free == 0);
  SymbolMap at;  // mu in the velocities
  for (int i = 0; i < r.cyclic(); ++i)
    at.emplace(r.momenta[static_cast<std::size_t>(i)], r.definitions[static_cast<std::size_t>(i)]);
  const auto v = top.space.velocities();
  for (std::size_t i = 0; i < v.size(); ++i)
    CHECK(all_vanish({substitute(r.velocities[i], at) - Expr(v[i])}));
  Expr R = top.lagrangian;  // L − mu s, the speeds s along the symmetries
  for (int i = 0; i < r.cyclic(); ++i) {
    const Expr s = substitute(r.eliminated[static_cast<std::size_t>(i)], at);
    CHECK(all_vanish({s - r.D.definitions[static_cast<std::size_t>(i)]}));
    R -= r.definitions[static_cast<std::size_t>(i)] * s;
  }
  CHECK(all_vanish({substitute(r.routhian, at) - R}));
}

TEST_CASE("the speeds of the reduced equations are defined on the page") {
  const System racer = load_model("roller-racer");
  const EquationsOfMotion equations = reduced_equations(racer);
  const Lines frame = lines_of(equations, "An invariant frame");
  const auto own = racer.space.velocities();
  int invented = 0;
  for (std::size_t a = 0; a < equations.speeds.size(); ++a) {
    const Symbol speed = equations.speeds[a];
    if (std::find(own.begin(), own.end(), speed) != own.end()) continue;
    CAPTURE(speed.name());
    ++invented;
    REQUIRE(frame.count(speed.name()) == 1);
    CHECK(proved(are_equal(frame.at(speed.name()), equations.speed_definitions[a])));
    CHECK_FALSE(proved(are_equal(frame.at(speed.name()) + 1, equations.speed_definitions[a])));  // the mutant
  }
  CHECK(invented > 0);
}

TEST_CASE("the invariant velocities of Suslov's equations are defined on the page") {
  const System skate = read_model(
      "kinetic = \"(x'^2 + y'^2 + th'^2)/2\"\nspace = { x = \"R\", y = \"R\", th = \"S1\" }\n"
      "constraints = { blade = \"y'*cos(th) = x'*sin(th)\" }\n",
      "skate");
  const EquationsOfMotion equations = suslov_equations(skate);
  const Lines frame = lines_of(equations, "Velocities in an invariant frame");
  REQUIRE(frame.count("x'") == 1);
  CHECK(text(frame.at("x'")) == "xi1*cos(th) - xi2*sin(th)");
}

TEST_CASE("a velocity of the invariant frame has a name of its own unless it is the model's") {
  // On the Heisenberg group the leg of z is ∂z, and the velocity along it is z' − x y'.
  const System group = read_model(
      "lagrangian = \"(x'^2 + 2*y'^2 + 3*(z' - x*y')^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n"
      "constraints = { c = \"x' = y'\" }\n",
      "group");
  const EquationsOfMotion equations = suslov_equations(group);
  for (std::size_t a = 0; a < equations.speeds.size(); ++a) {
    const auto own = group.space.velocities();
    const bool is_own = std::find(own.begin(), own.end(), equations.speeds[a]) != own.end();
    CAPTURE(equations.speeds[a].name());
    CHECK(is_own == (equations.speed_definitions[a] == Expr(equations.speeds[a])));
  }
}
