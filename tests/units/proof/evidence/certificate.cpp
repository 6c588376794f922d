// Certificates about functions, densities and symmetries, true and false ones: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>

using namespace rattleback;

namespace {

Data claimed(const char* model, Answer (*claim)(const System&, Expr), const char* formula) {
  const System system = load_model(model);
  const Data certificate = claim(system, parse(formula, system.scope)).certificate;
  REQUIRE_FALSE(certificate.is_null());
  return certificate;
}

Data claimed_field(const char* model, const char* field) {
  const System system = load_model(model);
  return symmetry_conjecture(system, field_of_conjecture(system, field)).certificate;
}

Data at_the_state(Data certificate, const char* symbol, const char* value) {
  Data state = *certificate.find("at");
  state[symbol] = value;
  return with(std::move(certificate), "at", state);
}

}  // namespace

TEST_CASE("what is refuted by a state, the checker sees at that state") {
  CHECK(first_refuted(claimed("chaplygin-sleigh", conserved_conjecture, "u")) == "nothing");
  CHECK(first_refuted(claimed("chaplygin-sphere", conserved_conjecture, "Omega1")) == "nothing");
  CHECK(first_refuted(claimed("chaplygin-sleigh", integral_conjecture, "x")) == "nothing");
  CHECK(first_refuted(claimed("chaplygin-sleigh", zero_conjecture, "x'")) == "nothing");
  CHECK(first_refuted(claimed("nonholonomic-particle", measure_conjecture, "1 + y^2")) == "nothing");
  CHECK(first_refuted(honest("energy", "tippe-top", "not-conserved")) == "nothing");
}

TEST_CASE("a state that is none, or at which nothing is to be seen, refutes nothing") {
  const Data sphere = claimed("chaplygin-sphere", conserved_conjecture, "Omega1");
  CHECK(first_refuted(at_the_state(sphere, "B11", "2")) == "the state is one");
  CHECK(first_refuted(at_the_state(sphere, "m", "-1")) == "the state is one");
  Data mirrored = sphere;  // det B = -1
  for (const char* entry : {"B11", "B12", "B13"})
    mirrored = at_the_state(mirrored, entry, ("-(" + *sphere.find("at")->find(entry)->text() + ")").c_str());
  CHECK(first_refuted(mirrored) == "the state is one");
  const Data sleigh = claimed("chaplygin-sleigh", conserved_conjecture, "u");
  CHECK(first_refuted(at_the_state(sleigh, "omega", "0")) == "at the state the function changes");
  CHECK(first_refuted(with(sleigh, "function", "omega^2*(J + m*a^2)/2 + m*u^2/2")) ==
        "at the state the function changes");
  for (const Data& broken : {at_the_state(sleigh, "omega", "sin(1)"), at_the_state(sleigh, "u + 1", "1"),
                             with(sleigh, "at", Data("here")), with(sleigh, "at", Data(Data::Record{}))})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a claim about the energy is about the energy") {
  const Data sleigh = honest("energy", "chaplygin-sleigh", "conserved");
  CHECK(first_refuted(sleigh) == "nothing");
  CHECK(first_refuted(with(sleigh, "constants", Data::List{"1"})) == "the function is the energy");
  const Data top = honest("energy", "tippe-top", "not-conserved");
  CHECK(first_refuted(with(top, "function", "x")) == "the function is the energy");
  CHECK_THROWS_AS(check_certificate(with(top, "quantity", "hope")), const Error&);
}

TEST_CASE("zero is no density, and a function that vanishes is not denied") {
  const Data density = honest("invariant-measure", "nonholonomic-particle", "invariant-measure");
  CHECK(first_refuted(with(density, "density", "0")) == "the density is not zero");
  const Data zero = claimed("chaplygin-sleigh", zero_conjecture, "y'*cos(theta) - x'*sin(theta)");
  CHECK(first_refuted(zero) == "nothing");
  CHECK(first_refuted(with(zero, "function", "u")) == "the function vanishes on D");
  const Data other = claimed("chaplygin-sleigh", zero_conjecture, "x'");
  CHECK(first_refuted(with(other, "function", "y'*cos(theta) - x'*sin(theta)")) ==
        "at the state the function does not vanish");
  const Data wrong = claimed("nonholonomic-particle", measure_conjecture, "1 + y^2");
  CHECK(first_refuted(with(wrong, "density", "sqrt(1 + y^2)")) ==
        "at the state the density is not invariant");
}

TEST_CASE("symmetries, and fields under which the Lagrangian, the constraint or a force is not invariant") {
  for (const char* model : {"chaplygin-sleigh", "chaplygin-sphere", "suslov", "heisenberg-suslov-group"})
    CHECK(first_refuted(honest("symmetries", model, "symmetries")) == "nothing");
  const Data sleigh = honest("symmetries", "chaplygin-sleigh", "symmetries");
  const auto forged = [&](Data::List field) { return with(sleigh, "fields", Data::List{std::move(field)}); };
  CHECK(first_refuted(forged({"x", "0", "0"})) == "the Lagrangian is invariant under it");
  CHECK(first_refuted(forged({"-y", "x", "1"})) == "nothing");
  CHECK(first_refuted(with(forged({"0", "0", "1"}), "lagrangian", "x'^2 + y'^2 + theta'^2")) ==
        "it maps admissible velocities to admissible ones");
  CHECK(first_refuted(with(forged({"1", "0", "0"}), "forces", Data::List{"0", "x", "0"})) ==
        "the forces are invariant under it");
  CHECK(first_refuted(with(forged({"-y", "x", "1"}), "forces", Data::List{"1", "0", "0"})) ==
        "the forces are invariant under it");  // they turn with the field, or are not invariant
  CHECK(first_refuted(forged({"0", "0", "0"})) == "a field moves something");
  CHECK_THROWS_AS(check_certificate(forged({"u", "0", "0"})), const Error&);
  CHECK_THROWS_AS(check_certificate(forged({"1"})), const Error&);
  const Data none = claimed_field("chaplygin-sleigh", "x = y");
  CHECK(first_refuted(none) == "nothing");
  CHECK(first_refuted(with(none, "fields", Data::List{Data::List{"1", "0", "0"}})) ==
        "the system is not invariant under the field");
}

TEST_CASE("a certificate about the motion tells one, and one about the constraints does not") {
  Data sleigh = honest("energy", "chaplygin-sleigh", "conserved");
  Data::Record fields;
  for (const Data::Field& field : *sleigh.record()) {
    if (field.key != "speed_rates") fields.push_back(field);
  }
  CHECK_THROWS_AS(check_certificate(Data(fields)), const Error&);
  const Data symmetry = honest("symmetries", "chaplygin-sleigh", "symmetries");
  CHECK_THROWS_AS(check_certificate(with(symmetry, "speed_rates", zeros(2))), const Error&);
}

TEST_CASE("a constraint that moves leaves no density of the configuration to ask for") {
  const Answer pursuit = answer_to("invariant-measure", "pursuit");  // 1 dx dy du is not invariant
  CHECK(pursuit.outcome == Outcome::inapplicable);
  CHECK(first_refuted(claimed("pursuit", measure_conjecture, "1")) == "nothing");
}

TEST_CASE("densities of the whole state are checked like others") {
  for (const char* model : {"constant-speed-particle", "appell-hamel"}) {
    const Data certificate = honest("invariant-measure", model, "invariant-measure");
    CHECK(first_refuted(certificate) == "nothing");
    CHECK(first_refuted(with(certificate, "density", "1")) == "the density is invariant");
  }
}

TEST_CASE("there are no symmetries, and one that is there is not denied") {
  for (const char* model : {"planar-pendulum", "chaotic-oscillator", "fake-exact", "pursuit"})
    CHECK(first_refuted(honest("symmetries", model, "no-symmetries")) == "nothing");
  Data sleigh = honest("symmetries", "knife-edge", "symmetries");  // translations, and a turn
  sleigh["certificate"] = "no-symmetries";
  sleigh["verdict"] = "refuted";
  sleigh["circles"] = Data::List{"theta"};
  const std::string none = "no combination of its isometries leaves the system as it is";
  CHECK(first_refuted(sleigh) == none);
  CHECK(first_refuted(with(sleigh, "lagrangian", "(x'^2 + y'^2 + (1 + x^2)*theta'^2)/2")) ==
        "the metric is constant");
  CHECK(first_refuted(with(sleigh, "lagrangian", "(x'^2 + y'^2)/2")) == "it is regular");
  const std::string separate = "functions that every symmetry leaves alone separate the configurations";
  const Data pairs = Data::List{Data::List{0, 0}, Data::List{0, 1}, Data::List{1, 1}};
  CHECK(first_refuted(with(sleigh, "invariants", pairs)) == separate);
  CHECK(first_refuted(
            with(with(sleigh, "invariants", pairs), "lagrangian", "(x'^2 + y'^2 + theta'^2)/2 + x*y'")) ==
        "the Lagrangian is kinetic energy minus a potential");
  CHECK_THROWS_AS(check_certificate(with(sleigh, "invariants", Data::List{Data::List{0, 7}})), const Error&);
  CHECK_THROWS_AS(check_certificate(with(sleigh, "circles", Data("theta"))), const Error&);
}

TEST_CASE(
    "regular Lagrangians, ranks that are not those of the constraints, and energies that leave a direction "
    "out") {
  for (const char* model :
       {"models/chaplygin-sleigh.toml", "models/appell-hamel.toml", "models/suslov-algebra.toml"}) {
    const Data regular = honest("regularity", model, "regular");
    CHECK(first_refuted(regular) == "nothing");
    const long rank = *regular.find("rank")->get_if<long>();
    CHECK(first_refuted(with(regular, "rank", rank + 1)) == "the constraints have the rank stated");
    CHECK(first_refuted(with(regular, "rank", rank - 1)) == "and no larger one");
    CHECK(first_refuted(with(regular, "lagrangian", "0")) == "the Lagrangian is regular on the constraint");
  }
}
