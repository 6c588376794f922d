// Certificates are checked by somebody who believes nothing: each true one has neighbours that are forged.

#include <doctest/doctest.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/components.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/motion/energy.hpp>
#include <rattleback/proof/checker.hpp>
#include <rattleback/proof/claim.hpp>

using namespace rattleback;

namespace {

Data energy_certificate(const char* model) {
  const System system = load_model(model);
  return conserved_claim(system, energy(system)).certificate;
}

Outcome outcome(const Data& certificate) {
  Outcome all = Outcome::proved;
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (refuted(step.verdict)) return Outcome::refuted;
    if (undecided(step.verdict)) all = Outcome::undecided;
  }
  return all;
}

std::string first_refuted(const Data& certificate) {
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (refuted(step.verdict)) return step.what;
  }
  return "nothing";
}

Data with(Data certificate, const char* key, Data value) {
  certificate[key] = std::move(value);
  return certificate;
}

Data::List list_in(const Data& certificate, const char* key) { return *certificate.find(key)->list(); }

Data zeros(std::size_t n) { return Data::List(n, Data("0")); }

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

TEST_CASE("a constraint that nobody asked for does not come in through the parametrisation") {
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

TEST_CASE("data that is no certificate is an error, not an answer") {
  const Data honest = energy_certificate("chaplygin-sleigh");
  Data::List rates = list_in(honest, "speed_rates");
  rates[0] = "x'";  // a velocity that would count as a constant
  for (const Data& broken :
       {Data(), Data(Data::List{}), Data("proof"), with(honest, "speed_rates", rates),
        with(honest, "certificate", "poem"), with(honest, "speeds", Data::List{"u", "u"}),
        with(honest, "speeds", Data::List{"x", "omega"}), with(honest, "frame", Data::List{}),
        with(honest, "lagrangian", 7), with(honest, "structure", Data::List{Data::List{0, 1, 9, "1"}})}) {
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
  }
}
