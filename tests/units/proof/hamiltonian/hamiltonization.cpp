// The overview of ways to a Hamiltonian, the subgroups it searches, exceptional parameters, and certificates.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/multiplier_conjecture.hpp>
#include <rattleback/proof/hamiltonian/subgroups.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/hessian_conjecture.hpp>
#include <rattleback/proof/variational/inverse_problem.hpp>
#include <rattleback/proof/variational/lagrangian_conjecture.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>

using namespace rattleback;

namespace {

bool all_proved(const std::vector<CheckedStep>& steps) {
  return std::all_of(steps.begin(), steps.end(), [](const CheckedStep& s) { return proved(s.verdict); });
}

/// Cyclic y and z; only the diagonal translation y + z has a multiplier, and the model does not show it.
System diagonal_symmetry() {
  return read_model(R"toml(
lagrangian = "1/2*((1 + x^2*(x - 1)^2)/(1 + x^2)*x'^2 + y'^2 + z'^2) + (x - 1)*x'*z'"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = x*y'"
)toml",
                    "diagonal.toml");
}

}  // namespace

TEST_CASE("the overview finds nothing where methods fail or do not apply, and counts them") {
  const Answer affine = asked(question("hamiltonization"), load_model("affine-particle"), 60);
  CHECK(affine.outcome == Outcome::not_found);
  CHECK(affine.searched ==
        "no method succeeds: 1 fails, 1 finds nothing, 4 do not apply to the system as it is written");
  CHECK(affine.answer.find("exists")->is_null());
  CHECK(asked(question("hamiltonization"), load_model("chaplygin-sleigh"), 60).outcome == Outcome::proved);
  CHECK(asked(question("hamiltonization"), load_model("chaplygin-sphere"), 60).outcome == Outcome::proved);
}

TEST_CASE("an overview uses the answers that are there, and asks for those that are not") {
  const System particle = load_model("nonholonomic-particle");
  QuestionSession session(particle, 60);
  const Answer first = session.answer(question("chaplygin-multiplier"));
  const Answer all = session.answer(question("hamiltonization"));
  CHECK(all.outcome == asked(question("hamiltonization"), particle, 60).outcome);
  CHECK(&session.answer(question("hamiltonization")) == &session.answer(question("hamiltonization")));
  std::vector<Answer> parts(hamiltonization_methods().size(), undecided_answer("not asked", ""));
  CHECK(hamiltonization_overview(parts).outcome == Outcome::undecided);
  parts[0] = first;
  CHECK(hamiltonization_overview(parts).outcome == first.outcome);
  Answer no;
  no.outcome = Outcome::refuted;
  std::vector<Answer> all_fail(parts.size(), no);
  CHECK(hamiltonization_overview(all_fail).outcome == Outcome::refuted);
  set_not_found(all_fail[0], "here", "look elsewhere");
  CHECK(hamiltonization_overview(all_fail).outcome == Outcome::not_found);
  all_fail.back() = undecided_answer("too long", "");
  CHECK(hamiltonization_overview(all_fail).outcome == Outcome::undecided);
}

TEST_CASE("a multiplier under a subgroup that the model does not show is found") {
  const System system = diagonal_symmetry();
  const Answer a = chaplygin_multiplier_answer(system);
  CHECK(a.outcome == Outcome::proved);
  CHECK(*a.answer.find("group")->text() == R"(y = "1", z = "1")");
  int shown = 0;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
    ++shown;
    CHECK(refuted(chaplygin_multiplier(bundle).exists));
    return false;
  });
  CHECK(shown == 2);
}

TEST_CASE("no subgroup of the plane's motions gives the sleigh a multiplier, unless a = 0") {
  const System sleigh = load_model("chaplygin-sleigh");
  const SubgroupSearch search = subgroup_search(sleigh, admissible_velocities(sleigh), multiplier_conditions);
  CHECK(search.algebra == "se(2)");
  CHECK(search.complements);
  CHECK(search.exhaustive);
  CHECK(search.bundles.empty());
  const Answer a = asked(question("chaplygin-multiplier"), sleigh, 60);
  CHECK(a.outcome == Outcome::refuted);
  CHECK(text(a.unless) == "a = 0");
}

TEST_CASE(
    "cells of subgroups close where their conditions say: planes of so(3) never, of se(2) the translations") {
  // Independent of the conditions: is the bracket of the fields in their span?
  const auto spans_a_subalgebra = [](const SubgroupCell& cell, const SymbolMap& at) {
    const VectorField &X = cell.basis[0].field, &Y = cell.basis[1].field, Z = bracket(X, Y);
    Matrix columns(X.space().dimension(), 3);
    for (int i = 0; i < columns.rows(); ++i) {
      columns(i, 0) = substitute(X[i], at);
      columns(i, 1) = substitute(Y[i], at);
      columns(i, 2) = substitute(Z[i], at);
    }
    return rank(columns) == 2;
  };
  const auto closed_planes = [&](const char* model) {
    int closed = 0;
    for (const SubgroupCell& cell : subgroup_cells(found_symmetries(load_model(model)), 2)) {
      for (const int value : {0, 1, -2}) {
        SymbolMap at;
        for (const Symbol c : cell.unknowns) at.emplace(c, Expr(value));
        const bool closes = spans_a_subalgebra(cell, at);
        CHECK(proved(is_zero(substitute(cell.closure, at))) == closes);
        closed += closes ? 1 : 0;
      }
    }
    return closed;
  };
  CHECK(closed_planes("euler-top") == 0);
  CHECK(closed_planes("chaplygin-sleigh") > 0);
  const SymmetryAlgebra se2 = found_symmetries(load_model("chaplygin-sleigh"));
  CHECK(subgroup_cells(se2, 1).size() == 3);
  CHECK(subgroup_cells(se2, 2).size() == 3);
  CHECK(subgroup_cells(se2, 1)[0].unknowns.size() == 2);  // a point of the projective plane
}

TEST_CASE("a claimed multiplier is decided, and a wrong one is told the right one") {
  const System particle = load_model("nonholonomic-particle");
  CHECK(multiplier_conjecture(particle, parse("3/sqrt(1 + y^2)", particle.scope)).outcome == Outcome::proved);
  const Answer wrong = multiplier_conjecture(particle, parse("1 + y^2", particle.scope));
  CHECK(wrong.outcome == Outcome::refuted);
  CHECK(wrong.why.back().find("a constant times") != std::string::npos);
}

TEST_CASE(
    "a claimed Lagrangian without constraints: L_V of the disk, (C.24) of the free particle, and wrong "
    "ones") {
  const System disk = load_model("vertical-disk");
  const auto of_disk = [&](const char* L) { return lagrangian_conjecture(disk, parse(L, disk.scope)); };
  const Answer good =
      of_disk("(I*theta'^2 - m*(x'^2 + y'^2) + J*phi'^2)/2 + m*R*theta'*(x'*cos(phi) + y'*sin(phi))");
  CHECK(good.outcome == Outcome::proved);
  CHECK(good.answer.find("regular")->get_if<bool>() != nullptr);
  CHECK(of_disk("(I*theta'^2 + m*(x'^2 + y'^2) + J*phi'^2)/2").outcome == Outcome::refuted);
  const System particle = load_model("nonholonomic-free-particle");
  const auto of_particle = [&](const char* L) {
    return lagrangian_conjecture(particle, parse(L, particle.scope));
  };
  CHECK(of_particle("x'^2 + sqrt(1 + x^2)*(y'^2/x' + z'^2/(x*x'))/2").outcome == Outcome::proved);
  CHECK(of_particle("x'^2 + (y'^2/x' + z'^2/(x*x'))/2").outcome == Outcome::refuted);
}

TEST_CASE("certificates of multipliers are recomputed; forged ones fail (C.30)") {
  for (const char* model : {"nonholonomic-particle", "iliyev", "veselova", "knife-edge"}) {
    CAPTURE(model);
    const Answer a = chaplygin_multiplier_answer(load_model(model));
    REQUIRE(a.outcome == Outcome::proved);
    REQUIRE_FALSE(a.certificate.is_null());
    CHECK(all_proved(check_certificate(a.certificate)));
  }
  Data forged = chaplygin_multiplier_answer(load_model("nonholonomic-particle")).certificate;
  const Data honest = forged;
  forged["multiplier"] = "1 + y^2";
  CHECK_FALSE(all_proved(check_certificate(forged)));
  forged = honest;  // 0 = 0 is Hamiltonian for the form 0
  forged["multiplier"] = "0";
  forged["form"] = Data::List(3, Data("0"));
  CHECK_FALSE(all_proved(check_certificate(forged)));
  forged["form"] = Data::List(2, Data("0"));
  CHECK_THROWS_AS(check_certificate(forged), const Error&);
}

TEST_CASE("certificates of variational multipliers are recomputed; forged ones fail") {
  for (const char* model : {"vertical-disk", "heisenberg-particle", "homogeneous-ball"}) {
    CAPTURE(model);
    const Answer a = conditionally_variational_answer(load_model(model));
    REQUIRE(a.outcome == Outcome::proved);
    REQUIRE_FALSE(a.certificate.is_null());
    CHECK(all_proved(check_certificate(a.certificate)));
  }
  Data forged = conditionally_variational_answer(load_model("vertical-disk")).certificate;
  forged["multipliers"] = Data::List(2, Data("0"));
  CHECK_FALSE(all_proved(check_certificate(forged)));
}

TEST_CASE("parameters at which a refuted answer turns: each is verified there") {
  const System suslov = load_model("suslov");
  const Answer a = asked(question("conditionally-variational"), suslov, 60);
  CHECK(a.outcome == Outcome::refuted);
  CHECK_FALSE(a.unless.empty());
  const System homogeneous = with_values(suslov, {{"I11", "2"}, {"I22", "2"}, {"I13", "0"}, {"I23", "0"}});
  CHECK(conditionally_variational_answer(homogeneous).outcome == Outcome::proved);
  SymbolMap there;
  for (const Parameter& p : homogeneous.parameters) {
    if (p.value) there.emplace(p.symbol, *p.value);
  }
  const bool listed = std::any_of(a.unless.begin(), a.unless.end(), [&](const Locus& component) {
    return std::all_of(component.begin(), component.end(),
                       [&](Expr e) { return substitute(e, there).is_zero(); });
  });
  CHECK(listed);
}

TEST_CASE("conditions that take pages do not stand in the way of the answer") {
  CHECK(conditionally_variational_answer(load_model("rubber-chaplygin-ball")).outcome == Outcome::refuted);
}

TEST_CASE("extremals that take pages are counted, not written") {
  for (const char* model : {"chaplygin-sphere", "rolling-ellipsoid"}) {
    CAPTURE(model);
    const Answer a = optimal_control_answer(load_model(model));
    for (const std::string& line : a.why) CHECK(line.size() < 4000);
  }
}

TEST_CASE("a motion under forces is not called variational: friction, and forces that do no work") {
  const System damped = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2) - x^2/2 - y^2"
[space]
x = "R"
y = "R"
[forces]
x = "-x'"
y = "-2*y' + x*y"
)toml",
                                   "damped.toml");
  for (const System& s : {damped, load_model("tippe-top"), load_model("hydrodynamic-sleigh")}) {
    CAPTURE(s.title);
    CHECK(asked(question("conditionally-variational"), s, 60).outcome == Outcome::inapplicable);
    CHECK(asked(question("optimal-control"), s, 60).outcome == Outcome::inapplicable);
  }
  CHECK(asked(question("hamiltonization"), damped, 60).outcome == Outcome::not_found);
  // An associated control problem is none the worse for them: r1' and r2' e^{r1} are constant.
  const Answer driven = optimal_control_answer(read_model(R"toml(
lagrangian = "1/2*(r1'^2 + r2'^2 + s'^2)"
space = { r1 = "R", r2 = "R", s = "R" }
forces = { r2 = "-2*r1'*r2'" }
constraints = { c = "s' = r2'" }
)toml",
                                                          "driven.toml"));
  CHECK(driven.outcome == Outcome::proved);
  CHECK(driven.answer.find("action_extremals")->is_null());
}

TEST_CASE("the inverse problem without constraints: its own Lagrangian, another one, or none") {
  const auto plane = [](const std::string& x, const std::string& y) {
    return read_model(R"toml(lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R" }
forces = { x = ")toml" + x +
                          "\", y = \"" + y + "\" }\n",
                      "plane.toml");
  };
  const auto lagrangian = [](const Answer& a, const System& s) {
    REQUIRE(a.outcome == Outcome::proved);
    return parse(*a.answer.find("lagrangian")->text(), s.scope);
  };
  const System potential = plane("-2*x*y", "-x^2");
  CHECK(proved(are_equal(lagrangian(inverse_problem_answer(potential), potential),
                         parse("1/2*(x'^2 + y'^2) - x^2*y", potential.scope))));
  // x'' = -y, y'' = x: no potential, and the Lagrangian (x'^2 - y'^2)/2 - xy, by hand.
  const System turned = plane("-y", "x");
  const Answer found = inverse_problem_answer(turned);
  const Expr ratio = lagrangian(found, turned) / parse("(x'^2 - y'^2)/2 - x*y", turned.scope);
  for (const char* q : {"x", "y", "x'", "y'"})
    CHECK(proved(is_zero(derivative(ratio, parse(q, turned.scope).symbol()))));
  CHECK(all_proved(check_certificate(found.certificate)));
  const Answer none = inverse_problem_answer(plane("-x'", "-2*y' + x*y"));
  CHECK(none.outcome == Outcome::refuted);
  CHECK(all_proved(check_certificate(none.certificate)));
  CHECK(inverse_problem_answer(load_model("cart-pendulum")).outcome == Outcome::proved);
  CHECK_THROWS_AS(inverse_problem_answer(load_model("euler-top")), const Error&);
}

TEST_CASE("a claimed Hessian is decided by Helmholtz' conditions, and the one that fails is named") {
  const System turned = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R" }
forces = { x = "-y", y = "x" }
)toml",
                                   "turned.toml");
  const auto claim = [&](const System& s, const char* g) {
    return hessian_conjecture(s, std::get<Matrix>(parse_value(g, s.scope)));
  };
  CHECK(claim(turned, "[[1, 0], [0, -1]]").outcome == Outcome::proved);
  CHECK(claim(turned, "[[0, 1], [1, 0]]").outcome == Outcome::proved);  // x' y' + (y^2 - x^2)/2
  const std::pair<const char*, const char*> wrong[] = {
      {"[[1, 0], [0, 1]]", "it is not true that g Phi is symmetric"},
      {"[[1, 1], [1, 1]]", "the matrix is singular"},
      {"[[x, 0], [0, -x]]", "it is not true that Gamma(g) = g N + (g N)^T"},
      {"[[1, 2], [0, -1]]", "it is not true that it is symmetric"},
      {"[[y', 0], [0, -y']]", "it is not true that its derivatives by the velocities are symmetric"}};
  for (const auto& [g, why] : wrong) {
    const Answer a = claim(turned, g);
    CAPTURE(g);
    CHECK(a.outcome == Outcome::refuted);
    REQUIRE_FALSE(a.why.empty());
    CHECK(a.why.front() == why);
  }
  CHECK_THROWS_AS(claim(turned, "[[1]]"), const Error&);
  // A multiplier may depend on time: L = e^t x'^2/2 has the motions x'' = -x'.
  const System slowed =
      read_model("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"-x'\" }\n", "slowed");
  CHECK(claim(slowed, "[[exp(t)]]").outcome == Outcome::proved);
  CHECK(claim(slowed, "[[exp(2*t)]]").outcome == Outcome::refuted);
  CHECK(claim(slowed, "[[1]]").outcome == Outcome::refuted);
  CHECK(inverse_problem_answer(slowed).outcome == Outcome::proved);
  // With constraints: of one of the associated systems. (7.13) with ρ = x'² and C2 = C3 = 2.
  const System particle = load_model("nonholonomic-free-particle");
  const Expr L = parse("x'^2 + sqrt(1 + x^2)*(y'^2/x' + z'^2/(x*x'))", particle.scope);
  const auto v = particle.space.velocities();
  const Answer second = hessian_conjecture(particle, jacobian(gradient(L, v), v));
  CHECK(second.outcome == Outcome::proved);
  CHECK(*second.answer.find("type")->text() == "II");
  CHECK(claim(particle, "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]").outcome == Outcome::refuted);
}

TEST_CASE("Suslov's question is asked in whatever frame a group shows: the sleigh in x, y, theta") {
  const SuslovHamiltonization sleigh = suslov_hamiltonization(load_model("chaplygin-sleigh"));
  CHECK(proved(sleigh.is_lie));
  CHECK(sleigh.d.rank() == 2);
  CHECK_THROWS_AS(suslov_hamiltonization(load_model("ball-on-turntable")), const Error&);
}

TEST_CASE("what a method cannot do leaves its question open; what is wrong with the model is said") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Question stuck{"stuck", "", [](const System&) -> Answer {
                         throw Error("division-by-zero", "a denominator is zero", "", "ask something else");
                       }};
  const Answer open = asked(stuck, sleigh, 1);
  CHECK(open.outcome == Outcome::undecided);
  CHECK(open.obstacle == "a denominator is zero");
  CHECK(open.next_step == "ask something else");
  const Question foreign{"foreign", "", [](const System&) -> Answer {
                           throw Inapplicable("form-does-not-apply", "no group", "", "");
                         }};
  CHECK(asked(foreign, sleigh, 1).outcome == Outcome::inapplicable);
  const Question wrong{"wrong", "",
                       [](const System&) -> Answer { throw Error("degenerate-energy", "massless", "", ""); }};
  CHECK_THROWS_AS(asked(wrong, sleigh, 1), Error);
}

TEST_CASE("no action knows of drag: the variational questions do not apply, and no Lagrangian is shown") {
  const auto particle = [](const std::string& lagrangian, const std::string& rest) {
    return read_model("title = \"t\"\nlagrangian = \"" + lagrangian +
                          "\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n[parameters]\nc = 1\n" + rest,
                      "t.toml");
  };
  const std::string kinetic = "1/2*(x'^2 + y'^2 + z'^2)", level = "[constraints]\nk = \"z' = 0\"\n";
  const System damped = particle(kinetic, level + "[forces]\nx = \"-c*x'\"\n");
  for (const char* name : {"conditionally-variational", "optimal-control"})
    CHECK(asked(question(name), damped, 60).outcome == Outcome::inapplicable);
  CHECK(asked(question("hamiltonization"), damped, 60).outcome == Outcome::not_found);
  CHECK(asked(question("inverse-problem"), damped, 60).answer.find("lagrangian") == nullptr);

  // Geodesics are no motions in a magnetic field, nor under constraints that move.
  const auto claims = [](const System& s) {
    const Answer a = asked(question("optimal-control"), s, 60);
    return std::find(a.why.begin(), a.why.end(), "each of them is a mechanical motion") != a.why.end();
  };
  CHECK(claims(particle(kinetic, level)));
  CHECK_FALSE(claims(particle(kinetic + " + c*(x*y' - y*x')", level)));
  CHECK_FALSE(claims(particle(kinetic, "[constraints]\nk = \"z' = c\"\nl = \"y' = c*x\"\n")));
  CHECK_FALSE(claims(particle(kinetic + " - c*x^2", level)));
}
