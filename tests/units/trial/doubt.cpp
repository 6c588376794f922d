// Experiments that contradict what is false and leave standing what is true: each has a false statement that it must reject.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/simulate/runs/precise_motion.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/trial/certificate_trial.hpp>
#include <rattleback/trial/condition_trial.hpp>
#include <rattleback/trial/conserved_trial.hpp>
#include <rattleback/trial/description_trial.hpp>
#include <rattleback/trial/doubt.hpp>
#include <rattleback/trial/growth_trial.hpp>
#include <rattleback/trial/measure_trial.hpp>
#include <rattleback/trial/parameter_trial.hpp>
#include <rattleback/trial/part_trial.hpp>
#include <rattleback/trial/random_model.hpp>
#include <rattleback/trial/steady_trial.hpp>

using namespace rattleback;

namespace {

using Result = Finding::Result;

const char* pendulum = R"(
lagrangian = "1/2*(x'^2 + y'^2) - g*y"
[space]
x = "R"
y = "R"
[parameters]
g = { value = 1, positive = true }
[constraints]
rod = "x^2 + y^2 = 1"
)";

}  // namespace

TEST_CASE("a constant function stands, another is contradicted") {
  Random random(5);
  for (const char* name : {"chaplygin-sleigh", "chaplygin-sphere", "snakeboard"}) {
    const System system = load_model(name);
    const Expr E = energy(system);
    CHECK(try_constant(system, "energy", "E", E, random).result == Result::stands);
    CHECK(try_not_constant(system, "energy", "E", E, random).result == Result::contradicted);
    const Expr v = Expr(system.space.velocities()[0]);
    CHECK(try_constant(system, "energy", "v", v, random).result == Result::contradicted);
    CHECK(try_not_constant(system, "energy", "v", v, random).result == Result::stands);
  }
}

TEST_CASE("a certificate of the program stands, one of another model is contradicted") {
  const System sleigh = load_model("chaplygin-sleigh"), cone = load_model("rolling-cone"),
               disk = load_model("euler-disk");
  const auto tried = [](const System& asked_system, const System& system, const char* name) {
    const Answer answer = asked(question(name), asked_system, 20);
    const auto found = try_certificate(system, name, answer, 20);
    REQUIRE(found);
    return found->result;
  };
  CHECK(tried(sleigh, sleigh, "invariant-measure") == Result::stands);
  CHECK(tried(sleigh, disk, "invariant-measure") == Result::contradicted);
  CHECK(tried(cone, cone, "jacobi") == Result::stands);
  CHECK(tried(disk, disk, "integrability") == Result::stands);
}

TEST_CASE("definitions that no reader of formulas takes have no certificate, and none is contradicted") {
  std::string text =
      "lagrangian = \"1/2*(x'^2 + y'^2) - d300\"\n[space]\nx = \"R\"\ny = \"R\"\n[define]\nd0 = \"x\"\n";
  for (int i = 1; i <= 300; ++i) text += fmt::format("d{} = \"sin(d{}) + 1\"\n", i, i - 1);
  const System system = read_model(text, "deep.toml");
  const Answer answer = asked(question("energy"), system, 20);
  CHECK(answer.outcome == Outcome::proved);
  CHECK(answer.certificate.is_null());
  CHECK(!try_certificate(system, "energy", answer, 20));
}

TEST_CASE("motions start on position constraints") {
  Random random(5);
  const System system = read_model(pendulum, "pendulum.toml");
  CHECK(try_constant(system, "energy", "E", energy(system), random).result == Result::stands);
  System bare = system;
  bare.simulation.initial.clear();
  const Flow flow(bare);
  const auto y = random_state(flow, random);
  REQUIRE(y);
  CHECK((*y)[0] * (*y)[0] + (*y)[1] * (*y)[1] == doctest::Approx(1).epsilon(1e-12));
}

namespace {

/// Its motions are logarithmic spirals, r = exp(θ/2), and half of them reach the origin, where the constraints lose rank.
const char* spiral = R"(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
on = "z = x^2 + y^2"
roll = "z' = x*y' - y*x'"
[simulation]
initial = { x = 0.3, y = 0.2, "x'" = 0.3 }
)";

}  // namespace

TEST_CASE("a motion that meets a singularity ends there, and an angle that jumps is left alone") {
  const System system = read_model(spiral, "spiral.toml");
  const Flow flow(system);
  RunOptions options;
  options.until = 5;
  options.invariants = {{"E", energy(system)}};
  const PreciseMotion inwards = precise_motion(flow, initial_state(flow), options, precision("dd"));
  REQUIRE(inwards.failure);
  CHECK(inwards.end == doctest::Approx(0.32266).epsilon(1e-4));
  CHECK(inwards.drift[0].relative() < 1e-9);
  Random random(5);
  CHECK(try_constant(system, "energy", "E", energy(system), random).result == Result::stands);
  const auto integral = [&](const char* formula) {
    return try_constant(system, "integrals", "F", parse(formula, system.scope), random).result;
  };
  CHECK(integral("atan(x/y) + log(x^2 + y^2)") == Result::stands);
  CHECK(integral("atan(x/y) + 2*log(x^2 + y^2)") == Result::contradicted);
}

TEST_CASE("motions start on nonlinear constraints") {
  Random random(5);
  const char* const cones[] = {"x'^2 + y'^2 = z'^2", "x'^2 + y'^2 + z'^2 = 1 + x^2", "x'*y' = 1 + z^2"};
  for (const char* constraint : cones) {
    const System system = read_model(
        fmt::format("lagrangian = \"1/2*(x'^2 + y'^2 + z'^2) - z\"\n[space]\nx = \"R\"\ny = \"R\"\nz = "
                    "\"R\"\n[constraints]\nc = \"{}\"\n",
                    constraint),
        "cone.toml");
    const Flow flow(system, Flow::Effort::quick, Flow::Speeds::all);  // the projection is one Newton step
    const auto y = random_state(flow, random);
    REQUIRE(y);
    Observer observed(flow, {"c"}, std::vector<Expr>{system.constraints[0].expression});
    CHECK(std::abs(observed(0, *y)[0]) < 1e-12);
  }
  const System cone = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2) - z\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
      "[constraints]\nc = \"x'^2 + y'^2 = z'^2\"\n",
      "cone.toml");
  CHECK(try_constant(cone, "energy", "E", energy(cone), random).result == Result::stands);
  CHECK(try_constant(cone, "energy", "z", Expr(cone.space.velocities()[2]), random).result ==
        Result::contradicted);
}

TEST_CASE("a condition that excludes regular states is contradicted") {
  for (const char* name : {"falling-disk", "snakeboard", "iliyev", "kapitza-pendulum"}) {
    const System system = load_model(name);
    EquationsOfMotion equations = derivation(system, {usual_formalism(system)}, false).forms.front();
    INFO(std::string(name));
    for (const Finding& f : try_conditions(system, equations)) {
      INFO(f.statement, " ", f.detail);
      CHECK(f.result != Result::contradicted);
    }
    const Expr q = system.space.functions()[0];
    equations.where.push_back({q - Expr(Rational(1, 3)), Assumption::Kind::nonzero, "nothing"});
    const Findings all = try_conditions(system, equations);
    REQUIRE(!all.empty());
    CHECK(all.back().result == Result::contradicted);
  }
}

TEST_CASE("an invariant density stands, another is contradicted") {
  Random random(5);
  for (const char* name : {"chaplygin-sphere", "nonholonomic-particle", "vertical-disk"}) {
    const System system = load_model(name);
    Answer answer = asked(question("invariant-measure"), system, 20);
    REQUIRE(answer.outcome == Outcome::proved);
    CHECK(try_density(system, answer, random).result == Result::stands);
    answer.answer["density"] = fmt::format("({})*(2 + sin({}))", *answer.answer.find("density")->text(),
                                           system.space.functions()[0].name());
    CHECK(try_density(system, answer, random).result == Result::contradicted);
  }
}

TEST_CASE("a density on a surface is one for its area") {
  Random random(7);
  const System system = read_model(R"(lagrangian = "1/2*(x'^2 + y'^2) - x^2"
[space]
x = "R"
y = "R"
[constraints]
c = "x + y^2 = 1"
)",
                                   "parabola");
  Answer answer = asked(question("invariant-measure"), system, 20);
  REQUIRE(answer.outcome == Outcome::proved);
  CHECK(try_density(system, answer, random).result == Result::stands);
  answer.answer["density"] = std::string("1 + 4*y^2");  // the one for dy
  CHECK(try_density(system, answer, random).result == Result::contradicted);
}

TEST_CASE("the scale of a volume is that of lines where a relation has an angle, too") {
  Random random(7);
  const System system = read_model(R"(lagrangian = "1/2*(1 + cos(x)^2)*x'^2 + 1/2*y'^2"
[space]
x = "S1"
y = "R"
[constraints]
c = "cos(x) + exp(y) = 1"
)",
                                   "valley");
  const Answer answer = asked(question("invariant-measure"), system, 20);
  REQUIRE(answer.outcome == Outcome::proved);
  CHECK(try_density(system, answer, random).result == Result::stands);
}

TEST_CASE("growth vectors by numerical rank") {
  Random random(5);
  for (const char* name : {"chaplygin-sleigh", "rattleback", "snakeboard", "falling-disk"}) {
    const System system = load_model(name);
    Answer answer = asked(question("integrability"), system, 20);
    CHECK(try_growth(system, answer, random).result == Result::stands);
    const std::vector<long> wrong{answer.answer.find("growth_vector")->list()->front().get_if<long>()[0],
                                  answer.answer.find("growth_vector")->list()->front().get_if<long>()[0]};
    answer.answer["growth_vector"] = wrong;
    CHECK(try_growth(system, answer, random).result == Result::contradicted);
  }
}

TEST_CASE("an equilibrium that is said not to exist is found") {
  Random random(5);
  Answer none;
  none.outcome = Outcome::refuted;
  CHECK(try_no_equilibrium(read_model(pendulum, "pendulum.toml"), none, random).result ==
        Result::contradicted);
  const System falling =
      read_model("lagrangian = \"1/2*x'^2 + 1/2*y'^2 - x\"\n[space]\nx = \"R\"\ny = \"R\"\n", "fall.toml");
  CHECK(try_no_equilibrium(falling, none, random).result == Result::stands);
}

TEST_CASE("exceptional parameters are asked about") {
  Random random(5);
  const System sleigh = load_model("chaplygin-sleigh");
  const Question& q = question("invariant-measure");
  Answer answer = asked(q, sleigh, 20);
  const auto contradictions = [&](const Answer& a) {
    const Findings all = try_parameters(sleigh, q, a, 20, random);
    return std::count_if(all.begin(), all.end(),
                         [](const Finding& f) { return f.result == Result::contradicted; });
  };
  CHECK(contradictions(answer) == 0);
  Answer flipped = answer;
  flipped.outcome = Outcome::proved;
  CHECK(contradictions(flipped) > 0);
  Answer elsewhere = answer;  // J = 1/3 is no exception
  elsewhere.unless = {{sleigh.parameters[1].symbol - Expr(Rational(1, 3))}};
  CHECK(contradictions(elsewhere) > 0);
}

TEST_CASE("descriptions change the text and not the system") {
  const std::string text =
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n[constraints]\nc "
      "= \"z' = y*x'\"\n";
  const Question& q = question("integrability");
  const Answer answer = asked(q, read_model(text, "text"), 20);
  int applied = 0;
  for (const Redescription& change : redescriptions()) {
    const std::string other = change.apply(text);
    if (other == text) continue;
    ++applied;
    CHECK(asked(q, read_model(other, "other"), 20).outcome == answer.outcome);
  }
  CHECK(applied == 5);
  Answer flipped = answer;
  flipped.outcome = Outcome::proved;
  for (const Finding& f : try_descriptions(text, q, flipped, 20)) CHECK(f.result == Result::contradicted);
}

namespace {

std::size_t contradictions(const Findings& all) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [](const Finding& f) { return f.result == Result::contradicted; }));
}

Answer flipped(Answer answer) {
  answer.outcome = answer.outcome == Outcome::proved ? Outcome::refuted : Outcome::proved;
  return answer;
}

/// Two planes, with friction where w = 1.
std::string planes(const char* constraint, const char* force) {
  return fmt::format(
      "lagrangian = \"(x'^2 + w'^2)/2\"\n[space]\nx = \"R\"\nw = \"R\"\n[forces]\nx = \"{}\"\n"
      "[constraints]\nc = \"{}\"\n",
      force, constraint);
}

}  // namespace

TEST_CASE("what holds on N holds on its parts, and what fails on N fails on one of them") {
  CHECK(models_of_parts(planes("(w)*(w - 1) = 0", "0")).size() == 2);
  CHECK(models_of_parts(planes("(w + 1)*(w)*(w - 1) = 0", "0")).size() == 3);
  for (const char* one : {"w*(w - 1) = 0", "(w)*(w - 1) = 1", "(w)*(w - 1)", "(w')*(w - 1) = 0", "(w) = 0"})
    CHECK(models_of_parts(planes(one, "0")).empty());
  const Question& q = question("energy");
  for (const char* force : {"-w*x'", "-(1 - w)*x'", "0"}) {
    CAPTURE(force);
    const std::string text = planes("(w)*(w - 1) = 0", force);
    const Answer answer = asked(q, read_model(text, "planes"), 20);
    const Findings honest = try_parts(text, q, answer, 20);
    CHECK(honest.size() == 2);
    CHECK(contradictions(honest) == 0);
    CHECK(contradictions(try_parts(text, q, flipped(answer), 20)) == 1);
  }
  // A factor without real zeros is no part.
  const std::string factor = planes("(w)*(w^2 + 1) = 0", "-w*x'");
  const Answer answer = asked(q, read_model(factor, "one plane"), 20);
  CHECK(answer.outcome == Outcome::proved);
  CHECK(try_parts(factor, q, answer, 20).size() == 1);
}

TEST_CASE("outside of a complete locus small whole numbers change nothing") {
  const System system = read_model(
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
      "[parameters]\nk = \"1/2\"\n[constraints]\nc = \"z' = k*x*y'\"\n",
      "blade");
  const Question& q = question("integrability");
  const Answer answer = asked(q, system, 20);
  REQUIRE(locus_is_complete(answer));
  REQUIRE(answer.unless.size() == 1);
  Answer forgetful = answer;
  forgetful.unless.clear();
  std::size_t found = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    CHECK(contradictions(try_parameters(system, q, answer, 20, random)) == 0);
    Random again(seed);
    found += contradictions(try_parameters(system, q, forgetful, 20, again));
  }
  CHECK(found > 0);  // k = 0 is drawn
}

TEST_CASE("a certificate with a wider domain is refused") {
  const System cone = read_model(
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\" }\n[constraints]\nc = \"x^2 + y^2 = z^2\"\n",
      "cone");
  const Findings all = try_wider_domains(cone, "energy", asked(question("energy"), cone, 20), 20);
  CHECK(!all.empty());
  CHECK(contradictions(all) == 0);
  const System sleigh = load_model("chaplygin-sleigh");  // on all of D
  CHECK(try_wider_domains(sleigh, "energy", asked(question("energy"), sleigh, 20), 20).empty());
}

TEST_CASE("generated models have positions in parts, and parameters as exponents, rates and frequencies") {
  Random random(3);
  std::string all;
  for (int k = 0; k < 400; ++k) all += random_model(random);
  for (const char* part : {"(w)*(w - 1) = 0", "(1 - w)*y*x'", "2*cos(y)", "^a", "exp(b*", "cos(b*t)"})
    CHECK_MESSAGE(all.find(part) != std::string::npos, part);
}

TEST_CASE("a text is shrunk to the lines that matter") {
  const auto fails = [](const std::string& t) { return t.find("two") != std::string::npos; };
  CHECK(shrunk("one\ntwo\nthree\n", fails) == "two\n");
}

TEST_CASE("generated models are read and nothing said about them is contradicted") {
  Random random(11);
  int models = 0;
  DoubtOptions options;
  options.questions = {"energy", "integrability"};
  options.seconds = 5;
  for (int k = 0; k < 12; ++k) {
    const std::string text = random_model(random);
    try {
      const System system = read_model(text, "generated");
      for (const Finding& f : doubt(text, system, options)) {
        INFO(text, f.statement, " ", f.method, " ", f.detail);
        CHECK(f.result != Result::contradicted);
      }
      ++models;
    } catch (const Error&) {  // refused, as it should be
    }
  }
  CHECK(models >= 6);
}
