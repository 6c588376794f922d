#include <rattleback/algebra/signs/sign_samples.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

TEST_CASE("entries of rotation matrices have no sign of their own, what they make together may") {
  const System body = read_model(
      "kinetic = \"norm2(Omega)/2\"\n[space]\nB = { group = \"SO(3)\", body = \"Omega\" }\n", "body");
  const auto e = [&](const char* text) { return parse(text, body.scope); };
  CHECK(has_no_sign(e("B33")));
  CHECK(has_no_sign(e("B11*B22 - B12*B21 - B12")));
  CHECK_FALSE(has_no_sign(e("B13^2 + B23^2 + B33^2")));
  CHECK_FALSE(has_no_sign(e("1 - B32^2")));
  CHECK_FALSE(has_no_sign(e("2 + B33")));                        // no entry is beyond −1
  CHECK_FALSE(has_no_sign(e("B11*B22 - B12*B21 - B33 + 1/2")));  // a minor is the opposite entry
}
