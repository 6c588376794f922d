// Forms of the equations as a certificate states them: both are the motion, and a changed one is not.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

namespace rattleback::inline tests {
namespace {

Data agreement_of(const char* forms) {
  return stated_conjecture(load_model("chaplygin-sleigh"), "agrees", forms, "test").certificate;
}

bool all_steps_hold(const Data& certificate) {
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (!proved(step.verdict)) return false;
  }
  return true;
}

Data with_form(Data certificate, const char* key, const Data& value) {
  Data::List forms = *certificate.find("forms")->list();
  forms[1][key] = value;
  certificate["forms"] = forms;
  return certificate;
}

}  // namespace

TEST_CASE("forms that agree leave a certificate, and a changed form is rejected") {
  for (const char* forms : {"hamel,gibbs-appell", "hamel,bracket", "hamel,multipliers"}) {
    CAPTURE(forms);
    const Data honest = agreement_of(forms);
    REQUIRE_FALSE(honest.is_null());
    CHECK(all_steps_hold(honest));
    const Data& second = (*honest.find("forms")->list())[1];
    for (const char* key : {"definitions", "rates", "velocities"}) {
      Data::List changed = *second.find(key)->list();
      changed[0] = Data(*changed[0].text() + " + 1");
      CHECK_FALSE(all_steps_hold(with_form(honest, key, changed)));
    }
  }
}

TEST_CASE("one form alone is no agreement") {
  Data certificate = agreement_of("hamel,bracket");
  Data::List forms = *certificate.find("forms")->list();
  forms.pop_back();
  certificate["forms"] = forms;
  CHECK_THROWS(check_certificate(certificate));
}

}  // namespace rattleback::inline tests
