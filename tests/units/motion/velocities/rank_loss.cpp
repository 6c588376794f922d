#include <rattleback/motion/velocities/rank_loss.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

TEST_CASE("rows of a frame that lose rank are seen at sample points") {
  const System plane = read_model(
      "kinetic = \"(x'^2 + y'^2 + th'^2)/2\"\nspace = { x = \"R\", y = \"R\", th = \"S1\" }\n"
      "parameters = { r = { value = 1, positive = true } }\n",
      "plane");
  const auto e = [&](const char* text) { return parse(text, plane.scope); };
  Matrix psi(4, 1);
  psi[0] = e("cos(th)");
  psi[1] = e("sin(th)");
  psi[2] = e("1 + x^2");
  psi[3] = e("x^2 + 1/3 - r");  // zero at no special place, but of both signs
  const MatrixSamples anywhere(psi, {}), off_zeros(psi, {Assumption{e("cos(th)")}});
  for (const int row : {0, 1, 3}) CHECK(anywhere.lose_rank(std::vector{row}));
  CHECK_FALSE(anywhere.lose_rank(std::vector{2}));
  CHECK_FALSE(anywhere.lose_rank(std::vector{0, 1}));  // cos² + sin² has no zero
  CHECK_FALSE(off_zeros.lose_rank(std::vector{0}));    // it vanishes only where the known condition does
  for (const int row : {1, 3}) CHECK(off_zeros.lose_rank(std::vector{row}));
}

TEST_CASE("entries of rotation matrices are taken at rotations") {
  const System body = read_model(
      "kinetic = \"norm2(Omega)/2\"\n[space]\nB = { group = \"SO(3)\", body = \"Omega\" }\n", "body");
  Matrix psi(3, 1);
  for (int i = 0; i < 3; ++i) psi[i] = parse(i == 0 ? "B13" : i == 1 ? "B23" : "B33", body.scope);
  const MatrixSamples samples(psi, {});
  CHECK(samples.lose_rank(std::vector{0}));
  CHECK(samples.lose_rank(std::vector{0, 1}));           // at a turn about the third axis
  CHECK_FALSE(samples.lose_rank(std::vector{0, 1, 2}));  // a unit vector
}
