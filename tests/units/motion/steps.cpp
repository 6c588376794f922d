#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/equations/equations.hpp>

using namespace rattleback;

TEST_CASE("steps are made when they are read, once for all copies") {
  int made = 0;
  const Steps later([&made] {
    ++made;
    return std::vector<Step>{{"first", "", {}}, {"second", "", {}}};
  });
  const Steps copy = later;  // NOLINT(performance-unnecessary-copy-initialization): copies are what is tested
  CHECK(made == 0);
  REQUIRE(copy.size() == 2);
  CHECK(later[1].title == "second");
  CHECK(later.all().front().title == "first");
  CHECK(made == 1);
}

TEST_CASE("steps that are given are not computed; no steps are an empty list") {
  const Steps known{{"only", "", {}}};
  CHECK(known.size() == 1);
  CHECK(Steps().all().empty());
}

TEST_CASE("a step that cannot be made says why every time it is asked for") {
  const Steps broken([]() -> std::vector<Step> { throw Error("no-step", "no such step", "", ""); });
  CHECK_THROWS_AS(broken.all(), Error);
  CHECK_THROWS_AS(broken.all(), Error);
}
