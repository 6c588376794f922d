// The checker trusts no field of a certificate: each valid certificate has forged neighbours that it must reject.

#include "../forged_certificates.hpp"

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>

using namespace rattleback;

namespace {

Data energy_certificate(const char* model) {
  const System system = load_model(model);
  return conserved_conjecture(system, energy(system)).certificate;
}

Data certificate_of(const char* name, const char* model) { return answer_to(name, model).certificate; }

Outcome outcome(const Data& certificate) {
  Outcome all = Outcome::proved;
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (refuted(step.verdict)) return Outcome::refuted;
    if (undecided(step.verdict)) all = Outcome::undecided;
  }
  return all;
}

}  // namespace

TEST_CASE(
    "what the program proves, the checker accepts: coordinates, rotations, algebras, nonlinear constraints") {
  for (const char* model : {"chaplygin-sleigh", "suslov", "chaplygin-sphere", "so4-suslov",
                            "heisenberg-suslov-group", "appell-hamel", "euler-top", "planar-pendulum"}) {
    CAPTURE(model);
    const Data certificate = energy_certificate(model);
    REQUIRE_FALSE(certificate.is_null());
    CHECK(outcome(certificate) == Outcome::proved);
  }
}

TEST_CASE("a body at rest conserves everything, but rest is not all that the constraints allow") {
  const Data honest = energy_certificate("chaplygin-sleigh");
  Data forged = with(with(honest, "speeds", Data::List{}), "speed_rates", Data::List{});
  forged = with(with(forged, "admissible", zeros(3)), "function", "theta");
  CHECK(first_refuted(forged) == "they are all that do");
}

TEST_CASE("a parametrisation cannot add a constraint that the certificate does not state") {
  const Data honest = energy_certificate("chaplygin-sleigh");
  CHECK(first_refuted(with(honest, "constraints", Data::List{})) == "they are all that do");
}

TEST_CASE("a constraint that does not hold is seen") {
  Data::List constraints = list_in(energy_certificate("chaplygin-sleigh"), "constraints");
  constraints.emplace_back("x'");
  CHECK(first_refuted(with(energy_certificate("chaplygin-sleigh"), "constraints", constraints)) ==
        "the admissible velocities satisfy the constraints");
}

TEST_CASE("structure coefficients that belong to another frame or to no algebra are seen") {
  for (const char* model : {"suslov", "so4-suslov"}) {
    CAPTURE(model);
    const Data honest = energy_certificate(model);
    Data::List structure = list_in(honest, "structure");
    structure.pop_back();
    CHECK(first_refuted(with(honest, "structure", structure)) == "the brackets of the frame are as stated");
  }
}

TEST_CASE("a leg that deforms the body is seen") {
  const Data honest = energy_certificate("euler-top");
  Data::List frame = list_in(honest, "frame"), leg = *frame[0].list();
  leg[0] = "1";
  frame[0] = leg;
  CHECK(first_refuted(with(honest, "frame", frame)) == "the brackets of the frame are as stated");
}

TEST_CASE("a leg along which a body grows commutes with its rotations and leaves SO(3)") {
  const Data honest = energy_certificate("euler-top");
  const auto appended = [&](const char* key, Data value) {
    Data::List all = list_in(honest, key);
    all.push_back(std::move(value));
    return all;
  };
  Data forged = honest;
  Data growth;
  growth["name"] = "g'";
  growth["role"] = static_cast<long>(Role::velocity);
  for (const auto& [key, value] : {std::pair("symbols", growth), std::pair("velocities", Data("g'")),
                                   std::pair("speeds", Data("g'")), std::pair("admissible", Data("g'")),
                                   std::pair("forces", Data("0")), std::pair("speed_rates", Data("0")),
                                   std::pair("frame", Data(list_in(honest, "functions")))})  // X B = B
    forged[key] = appended(key, value);
  forged["lagrangian"] = *honest.find("lagrangian")->text() + " + g'^2/2";
  forged["function"] = "g'";
  CHECK(first_refuted(forged) == "the brackets of the frame are as stated");
}

TEST_CASE("rotations that are said to commute make every momentum constant") {
  Data forged = energy_certificate("euler-top");
  forged["structure"] = Data::List{};
  forged["speed_rates"] = zeros(3);
  forged["function"] = "Omega1";
  CHECK(first_refuted(forged) == "the brackets of the frame are as stated");
}

TEST_CASE(
    "two legs that move a coordinate in the same way, and a rotation that is moved about one axis alone") {
  const std::string frame = "the frame moves every function of the configuration";
  const System plane =
      read_model("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n", "plane");
  const Data honest = conserved_conjecture(plane, energy(plane)).certificate;
  REQUIRE(outcome(honest) == Outcome::proved);
  Data forged = with(honest, "functions", Data::List{"x"});
  forged["frame"] = Data::List{Data::List{"1"}, Data::List{"1"}};
  CHECK(first_refuted(forged) == frame);
  Data top = energy_certificate("euler-top");  // it turns about the first axis, and B11 is constant
  for (const char* key : {"velocities", "speeds", "admissible", "forces", "frame"})
    top[key] = Data::List{list_in(top, key)[0]};
  top["structure"] = Data::List{};
  top["speed_rates"] = zeros(1);
  top["lagrangian"] = "Omega1^2/2";
  top["function"] = "B11";
  CHECK(first_refuted(top) == frame);
}

TEST_CASE("time is no constant, declared or not, and a field may depend on it") {
  const System line = read_model("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\n", "line");
  const Data moving = conserved_conjecture(line, energy(line)).certificate;
  CHECK(first_refuted(with(moving, "function", "t")) == "the function is constant along it");
  const Data shifted = symmetry_conjecture(line, field_of_conjecture(line, "x = 1")).certificate;
  CHECK(first_refuted(shifted) == "nothing");
  const Data boosted = with(shifted, "fields", Data::List{Data::List{"t"}});  // x + s t changes the velocity
  CHECK(first_refuted(boosted) == "the Lagrangian is invariant under it");
}

TEST_CASE("a singular Lagrangian leaves more than one motion") {
  const Data honest = energy_certificate("planar-pendulum");
  Data forged = with(honest, "lagrangian", "0");
  CHECK(first_refuted(forged) == "it is the only one");
}

TEST_CASE("the rates must be those of the motion, the function must be constant") {
  const Data honest = energy_certificate("chaplygin-sleigh");
  CHECK(first_refuted(with(honest, "speed_rates", zeros(2))) == "the motion obeys d'Alembert's principle");
  CHECK(first_refuted(with(honest, "function", "u")) == "the function is constant along it");
}

TEST_CASE("the energy by the work of forces and reactions, without a motion") {
  for (const char* model : {"chaplygin-sleigh", "chaplygin-sphere", "appell-hamel", "euler-top"}) {
    CAPTURE(model);
    CHECK(first_refuted(energy_balance_certificate(load_model(model))) == "nothing");
  }
  CHECK(energy_balance_certificate(load_model("ball-on-turntable")).is_null());  // the table does work
  const System line = read_model(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n[constraints]\nrest = \"y' = "
      "0\"\n",
      "line");
  const Data honest = energy_balance_certificate(line);
  REQUIRE(outcome(honest) == Outcome::proved);
  const std::string power = "forces and time do not change the energy";
  CHECK(first_refuted(with(honest, "forces", Data::List{"x'", "0"})) == power);
  CHECK(first_refuted(with(honest, "forces", Data::List{"-x'", "0"})) == power);
  CHECK(first_refuted(with(honest, "forces", Data::List{"0", "x'"})) == "nothing");  // along the constraint
  CHECK(first_refuted(with(honest, "lagrangian", "(x'^2 + y'^2)/2 - t*x")) == power);
  Data moved = with(honest, "constraints", Data::List{"y' - x"});  // a rail that carries the point along
  moved = with(moved, "admissible", Data::List{list_in(honest, "admissible")[0], "x"});
  CHECK(first_refuted(moved) == "the reactions do no work");
  CHECK_THROWS_AS(check_certificate(with(honest, "quantity", "momentum")), Error);
  CHECK_THROWS_AS(check_certificate(with(honest, "speed_rates", zeros(1))), Error);
}

TEST_CASE("data that is no certificate is an error, not an answer") {
  const Data honest = energy_certificate("chaplygin-sleigh");
  Data::List rates = list_in(honest, "speed_rates");
  rates[0] = "x'";  // a velocity that would count as a constant
  for (const Data& broken :
       {Data(), Data(Data::List{}), Data("proof"), with(honest, "speed_rates", rates),
        with(honest, "certificate", "poem"), with(honest, "speeds", Data::List{"u", "u"}),
        with(honest, "speeds", Data::List{"x", "omega"}), with(honest, "frame", Data::List{}),
        with(honest, "lagrangian", 7), with_in(honest, "symbols", 0, "positive", "yes"),
        with(honest, "structure", Data::List{Data::List{0, 1, 9, "1"}})}) {
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
  }
}

TEST_CASE("constants and densities that analyze proves leave certificates, and forgeries of them are seen") {
  const std::pair<const char*, const char*> all[] = {{"energy", "chaplygin-sleigh"},
                                                     {"momenta", "vertical-disk"},
                                                     {"integrals", "knife-edge"},
                                                     {"integrals", "fake-integrating-factor"},
                                                     {"invariant-measure", "nonholonomic-particle"},
                                                     {"invariant-measure", "veselova"}};
  for (const auto& [question, model] : all) {
    CAPTURE(question);
    CAPTURE(model);
    const Data certificate = certificate_of(question, model);
    REQUIRE_FALSE(certificate.is_null());
    CHECK(outcome(certificate) == Outcome::proved);
  }
  const Data constants = certificate_of("integrals", "knife-edge");
  Data::List one_more = list_in(constants, "constants");
  one_more.emplace_back("x");
  CHECK(first_refuted(with(constants, "constants", one_more)) == "a function is constant along it");
  CHECK_THROWS_AS(check_certificate(with(constants, "constants", Data::List{})), const Error&);
  const Data density = certificate_of("invariant-measure", "nonholonomic-particle");
  CHECK(first_refuted(with(density, "density", "1")) == "the density is invariant");
}

TEST_CASE("every way to a Hamiltonian leaves a certificate that the checker accepts") {
  const std::pair<const char*, const char*> all[] = {{"chaplygin-multiplier", "nonholonomic-particle"},
                                                     {"chaplygin-multiplier", "veselova"},
                                                     {"routh-hamiltonization", "snakeboard"},
                                                     {"routh-hamiltonization", "chaplygin-sphere"},
                                                     {"suslov-hamiltonization", "chaplygin-sleigh"},
                                                     {"suslov-hamiltonization", "so4-suslov"},
                                                     {"inverse-problem", "vertical-disk"},
                                                     {"inverse-problem", "nonholonomic-free-particle"},
                                                     {"conditionally-variational", "vertical-disk"}};
  for (const auto& [question, model] : all) {
    CAPTURE(question);
    CAPTURE(model);
    const Data certificate = certificate_of(question, model);
    REQUIRE_FALSE(certificate.is_null());
    CHECK(*certificate.find("certificate")->text() == question);
    CHECK(outcome(certificate) == Outcome::proved);
  }
}

TEST_CASE("forged multipliers, at fixed momenta or not") {
  const std::string hamiltonian = "in its time the motion is Hamiltonian for the form";
  for (const auto& [question, model] : {std::pair("chaplygin-multiplier", "nonholonomic-particle"),
                                        std::pair("routh-hamiltonization", "snakeboard")}) {
    CAPTURE(model);
    const Data honest = certificate_of(question, model);
    CHECK(first_refuted(with(honest, "multiplier", "1")) == hamiltonian);
    CHECK(first_refuted(with(honest, "form", zeros(list_in(honest, "form").size()))) == hamiltonian);
    CHECK(first_refuted(with(honest, "multiplier", "0")) == "it does not vanish");
    const std::string speed = *list_in(honest, "speeds")[0].text();
    CHECK_THROWS_AS(check_certificate(with(honest, "multiplier", speed)), const Error&);
  }
  const Data honest = certificate_of("routh-hamiltonization", "snakeboard");
  CHECK(first_refuted(with(honest, "rates", zeros(1))) == hamiltonian);
  CHECK(first_refuted(with(honest, "twist", Data::List(2, Data(Data::List{})))) == hamiltonian);
  CHECK(first_refuted(with(honest, "momenta", Data::List{*list_in(honest, "speeds")[0].text()})) ==
        hamiltonian);
  for (const Data& broken :
       {with(honest, "twist", Data::List{}), with(honest, "twist", Data::List(2, Data("1"))),
        with(honest, "twist", Data::List{Data::List{}, Data::List{Data::List{1, 0, "1"}}}),
        with(honest, "momenta", zeros(3)), with(honest, "rates", Data::List{})}) {
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
  }
}

TEST_CASE("forged gyroscopic terms") {
  const System particle = read_model(R"(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) + b*y^2*x' - k*x^2"
[space]
x = "R"
y = "R"
z = "R"
[parameters]
b = 2
k = 1
[constraints]
c = "z' = y*x'"
)",
                                     "particle.toml");
  const Answer answer = asked(question("chaplygin-multiplier"), particle, 60);
  REQUIRE(answer.answer.find("brackets")->list()->size() == 1);  // the field shows in {P_x, P_y}
  const Data& honest = answer.certificate;
  CHECK(outcome(honest) == Outcome::proved);
  const std::string hamiltonian = "in its time the motion is Hamiltonian for the form";
  const Data::List S = *list_in(honest, "twist")[0].list();
  REQUIRE(S.size() == 1);
  const std::string value = *(*S[0].list())[2].text();
  for (const char* factor : {"0", "-1", "2", "y", "sqrt(1 + y^2)"}) {
    CAPTURE(factor);
    const Data forged = Data::List{Data::List{0, 1, fmt::format("{}*({})", factor, value)}};
    CHECK(first_refuted(with(honest, "twist", Data::List{forged})) == hamiltonian);
  }
  CHECK(first_refuted(with(honest, "lagrangian", "x'^2/2 + y'^2/2 + z'^2/2 + 3*b*y^2*x' - k*x^2")) ==
        "the motion obeys d'Alembert's principle");
}

TEST_CASE("a two-form that admissible velocities do not see has to be closed all the same") {
  const Data honest = certificate_of("routh-hamiltonization", "snakeboard");
  const Data::List velocities = list_in(honest, "velocities");
  const auto leg = [&](const std::string& name) {
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      if (*velocities[i].text() == name) return static_cast<int>(i);
    }
    return -1;
  };
  // φ¹ = dx − r cot φ cos θ dθ and φ² = dy − r cot φ sin θ dθ vanish on D; S = ψ φ¹∧φ².
  Data::List twist = list_in(honest, "twist"), S = *twist[0].list();
  const int x = leg("x'"), y = leg("y'"), theta = leg("theta'");
  REQUIRE((x < y && y < theta));
  S.push_back(Data::List{x, y, "psi"});
  S.push_back(Data::List{x, theta, "-psi*r*cot(phi)*sin(theta)"});
  S.push_back(Data::List{y, theta, "psi*r*cot(phi)*cos(theta)"});
  twist[0] = S;
  CHECK(first_refuted(with(honest, "twist", twist)) == "the two-forms are closed");
}

TEST_CASE("forged Lie-Poisson brackets") {
  const Data honest = certificate_of("suslov-hamiltonization", "chaplygin-sleigh");
  CHECK(first_refuted(with(honest, "brackets", Data::List{})) == "the motion of the momenta is Lie-Poisson");
  CHECK(first_refuted(with(honest, "brackets", Data::List{Data::List{0, 1, 0, "1"}})) ==
        "they satisfy Jacobi's identity");
  CHECK(first_refuted(with(honest, "momenta", zeros(2))) == "the momenta determine the speeds");
  CHECK(first_refuted(with(honest, "rates", zeros(2))) ==
        "the energy is a function of the momenta, with these slopes");
  const std::string z = *list_in(honest, "speeds")[0].text();
  CHECK(first_refuted(
            with(honest, "brackets", Data::List{Data::List{0, 1, 0, z}, Data::List{1, 0, 0, "-" + z}})) ==
        "the brackets are constant");
}

TEST_CASE("forged Lagrangians and multipliers of constraints") {
  const Data inverse = certificate_of("inverse-problem", "vertical-disk");
  CHECK(first_refuted(with(inverse, "unconstrained", *inverse.find("lagrangian")->text())) ==
        "the motion satisfies its equations");
  CHECK(first_refuted(with(inverse, "unconstrained", "0")) == "it is regular");
  const Data variational = certificate_of("conditionally-variational", "vertical-disk");
  CHECK(first_refuted(with(variational, "multipliers", zeros(2))) ==
        "with these multipliers the motion is variational");
}
