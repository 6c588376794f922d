/// The zoo in all forms: whatever applies to a model describes one motion, and the energy balances on it.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>

using namespace rattleback;

TEST_CASE("every small model of the zoo moves alike in all forms") {
  constexpr int largest = 4;  // larger ones are in the tests of their forms
  int models = 0;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    if (system.space.dimension() > largest) continue;
    CAPTURE(name);
    std::vector<EquationsOfMotion> forms;
    for (const Formalism& f : all_formalisms()) {
      try {
        if (f.agrees) forms.push_back(f.derive(system));
      } catch (const Error& reason) {
        CHECK_FALSE(reason.slug.empty());  // the form does not apply, and says why
      }
    }
    CHECK(forms.size() >= 2);
    const Agreement found = agreement(system, forms);
    CAPTURE(found.difference);
    CHECK(proved(found.motion));
    CHECK(proved(found.balance));
    ++models;
  }
  CHECK(models >= 45);
}

TEST_CASE("every larger model that reduces, or lives on a Lie algebra, moves as with multipliers") {
  constexpr int smallest = 5;
  int compared = 0;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    if (system.space.dimension() < smallest) continue;
    std::vector<EquationsOfMotion> forms;
    for (const char* form : {"reduced", "suslov"}) {
      try {
        forms.push_back(formalism(form).derive(system));
      } catch (const Error& reason) {
        CHECK_FALSE(reason.slug.empty());
      }
    }
    if (forms.empty()) continue;
    forms.push_back(formalism("multipliers").derive(system));
    CAPTURE(name);
    const Agreement found = agreement(system, forms);
    CAPTURE(found.difference);
    CHECK(proved(found.motion));
    ++compared;
  }
  CHECK(compared >= 15);
}
