#include <doctest/doctest.h>

#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/motion/forms/formalism.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

TEST_CASE("all forms of a system agree, and its energy balances") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "vertical-disk", "falling-disk", "suslov", "snakeboard",
        "two-points-parallel", "appell-hamel", "constant-speed-particle", "affine-particle",
        "ball-on-turntable", "massless-coordinate", "pursuit", "kapitza-pendulum", "skate-in-a-field",
        "tippe-top", "euler-top"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const std::vector<EquationsOfMotion> forms = every_form(system);
    CHECK(forms.size() >= 2);
    const Agreement found = agreement(system, forms);
    CAPTURE(found.difference);
    CHECK(proved(found.motion));
    CHECK(proved(found.balance));
  }
}

TEST_CASE("small systems are proved to agree, not only tested") {
  const System system = load_model("chaplygin-sleigh");
  CHECK(evidence(agreement(system, every_form(system)).motion) == "proved");
}

TEST_CASE("a wrong form is found out, with the component and the forms") {
  const System system = load_model("chaplygin-sleigh");
  std::vector<EquationsOfMotion> forms{formalism("hamel").derive(system),
                                       formalism("gibbs-appell").derive(system)};
  forms[1].speed_rates[1] = -forms[1].speed_rates[1];
  const Agreement found = agreement(system, forms);
  CHECK(refuted(found.motion));
  CHECK(found.difference == "theta'' of hamel and gibbs-appell");

  forms[1] = formalism("gibbs-appell").derive(system);
  forms[1].configuration_rates[0] = forms[1].configuration_rates[0] * 2;
  CHECK(refuted(agreement(system, forms).motion));
}

TEST_CASE("the energy balance is a test of its own: equal wrong forms fail it") {
  const System system = load_model("knife-edge-incline");
  EquationsOfMotion wrong = formalism("hamel").derive(system);
  wrong.speed_rates[0] = 2 * wrong.speed_rates[0];
  const Agreement found = agreement(system, {wrong, wrong});
  CHECK(proved(found.motion));
  CHECK(refuted(found.balance));
}

TEST_CASE("the reactions of inhomogeneous constraints do work, and the balance counts it") {
  const auto words = [](const std::string& model) {
    const System system = load_model(model);
    return agreement(system, every_form(system)).balance_of;
  };
  CHECK(words("constant-speed-particle") == "the power of the reactions accounts for the energy");
  CHECK(words("two-points-parallel") == "the energy is conserved");
}

TEST_CASE("forms that take too long are absent and say so") {
  const Derivation none = derivation(load_model("bicycle"), all_formalisms(), false, 1e-6);
  CHECK(none.forms.empty());
  CHECK(!none.agreement);
  REQUIRE(!none.absent.empty());
  CHECK(none.absent.front().why == "the time limit was reached");
}
