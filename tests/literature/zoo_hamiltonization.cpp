/// What the zoo's [known] tables say about Hamiltonization is what the program decides.
#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

TEST_CASE("published answers about Hamiltonization, model by model") {
  int compared = 0;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    for (const char* key : {"chaplygin-multiplier", "conditionally-variational", "routh-hamiltonization",
                            "suslov-hamiltonization", "inverse-problem"}) {
      const Toml* published = system.known.find(key);
      if (published == nullptr) continue;
      CAPTURE(name);
      CAPTURE(key);
      ++compared;
      const std::string outcome = published->text.substr(0, published->text.find(' '));
      CHECK(text(asked(question(key), system, 60).outcome) == outcome);
    }
  }
  CHECK(compared >= 40);
}
