// Identifiers of exported programs.
#include <rattleback/view/programs/code_names.hpp>

#include <doctest/doctest.h>

using namespace rattleback;

TEST_CASE("an identifier is the one that is given later, and asking for it takes no name") {
  CodeNames names({"a", "b_"});
  const Symbol a = Symbol::make("a"), b = Symbol::make("b'"), b_dot = Symbol::make("b_dot");
  CHECK(names.identifier(a) == "a_");
  CHECK(names.identifier(b) == "b_dot");
  CHECK(names.identifier(b_dot) == "b_dot");  // nothing is kept: both may still have it
  CHECK(names.of(b) == "b_dot");
  CHECK(names.identifier(b) == "b_dot");
  CHECK(names.identifier(b_dot) == "b_dot_");
  CHECK(names.of(b_dot) == "b_dot_");
  CHECK(names.of(a) == names.identifier(a));
}
