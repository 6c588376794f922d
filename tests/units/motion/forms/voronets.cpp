#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/voronets.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol s : symbols) all.push_back(s.name());
  return all;
}

std::string slug_of(const System& system) {
  try {
    voronets_equations(system);
  } catch (const Error& e) {
    return e.slug;
  }
  return "";
}

}  // namespace

TEST_CASE("fibre velocities are those that can be solved for without division, named speeds stay free") {
  const auto fibre = [](const std::string& model) {
    return names(splitting(load_model(model)).fibre_velocities());
  };
  using Names = std::vector<std::string>;
  CHECK(fibre("vertical-disk") == Names{"x'", "y'"});
  CHECK(fibre("iliyev") == Names{"q4'", "q5'"});
  CHECK(fibre("fernandez-class") == Names{"s1'", "s2'"});
  CHECK(fibre("snakeboard") == Names{"x'", "y'"});  // nothing is regular; x and y are cyclic
  CHECK(fibre("two-wheeled-carriage") == Names{"x'", "y'", "theta'"});
  CHECK(fibre("chaplygin-sphere") == Names{"x'", "y'"});  // the group is not cut
  CHECK(fibre("chaplygin-sleigh") == Names{"y'"});
  CHECK(fibre("suslov") == Names{"Omega3"});
  CHECK(fibre("euler-top").empty());
}

TEST_CASE("Voronets' equations satisfy d'Alembert's principle on every kind of model") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "vertical-disk", "two-wheeled-carriage", "snakeboard",
        "suslov", "heisenberg-particle", "heisenberg-suslov-group", "falling-disk", "magnetic-particle",
        "affine-particle", "nonholonomic-particle", "knife-edge-incline", "planar-pendulum",
        "skate-in-a-field", "roller-racer"}) {
    CAPTURE(model);
    const System system = load_model(model);
    CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system))));
  }
}

TEST_CASE("affine and moving constraints: the drift has a curvature of its own") {
  const System conveyor = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - V(x, y, z)"
space = { x = "R", y = "R", z = "R" }
functions = { A = ["x", "y", "z"], c = ["x", "y", "z"], V = ["x", "y", "z"] }
constraints = { conveyor = "z' + sin(t)*A(x, y, z)*x' + y*y' + c(x, y, z) = 0" }
)toml",
                                     "conveyor");
  Voronets form = voronets(conveyor, solved_for(conveyor, {2}));
  CHECK(all_vanish(dalembert_residuals(conveyor, voronets_equations(conveyor, form))));
  for (Expr& e : form.drift_curvature.entries()) e = -e;  // the mutant
  CHECK(some_do_not_vanish(dalembert_residuals(conveyor, voronets_equations(conveyor, form))));
}

TEST_CASE("A, the constrained Lagrangian and B of the vertical disk") {
  const System disk = load_model("vertical-disk");
  const Voronets form = voronets(disk, splitting(disk));
  const auto equal = [&](Expr e, const std::string& text) {
    return proved(are_equal(e, parse(text, disk.scope)));
  };
  CHECK(equal(form.constraints.connection.A(0, 0), "-R*cos(phi)"));
  CHECK(equal(form.constraints.connection.A(1, 0), "-R*sin(phi)"));
  CHECK(equal(form.B(0, 0, 1), "R*sin(phi)"));
  CHECK(equal(form.B(1, 0, 1), "-R*cos(phi)"));
  CHECK(equal(form.lagrangian, "1/2*(I + m*R^2)*theta'^2 + 1/2*J*phi'^2"));
  CHECK(all_vanish(curvature_force(form)));
}

TEST_CASE("without constraints the equations are Lagrange's, also on a group") {
  for (const std::string model : {"cart-pendulum", "euler-top"}) {
    const System system = load_model(model);
    CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system))));
  }
}

TEST_CASE("redundant constraints do no harm, contradictions and nonlinear constraints are refused") {
  const std::string particle =
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n";
  const System twice =
      read_model(particle + "constraints = { a = \"z' = y*x'\", b = \"2*z' = 2*y*x'\" }\n", "twice");
  CHECK(all_vanish(dalembert_residuals(twice, voronets_equations(twice))));
  CHECK(slug_of(load_model("appell-hamel")) == "form-does-not-apply");
  System never = twice;
  never.constraints[1].expression += 1;
  CHECK(slug_of(never) == "inconsistent-constraints");
}
