// What people are shown: reasons that end, vectors with names, formulas that are counted when they are too long.
#include <algorithm>

#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/view/formulas/poisson_vectors.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/results/verdicts.hpp>

using namespace rattleback;

TEST_CASE(
    "a reason of a few lines stays as it is; a longer one is cut between characters and says how much is "
    "missing") {
  const std::string brief_one = "f = cos(q1)";
  CHECK(readable_reason(brief_one) == brief_one);
  CHECK(readable_reason(std::string(1200, 'x')) == std::string(1200, 'x'));
  std::string greek;
  for (int i = 0; i < 1000; ++i) greek += i % 3 == 0 ? "a" : "θ";  // two bytes: cuts may fall within
  const std::string cut = readable_reason(greek);
  const std::size_t end = cut.find(" ... (");
  REQUIRE(end != std::string::npos);
  CHECK(greek.substr(0, end) == cut.substr(0, end));
  CHECK((static_cast<unsigned char>(greek[end]) & 0xc0) != 0x80);  // the next one begins a character
  CHECK(cut.find(std::to_string(greek.size() - end) + " more characters") != std::string::npos);
}

TEST_CASE(
    "where the free accelerations make a page shortest, the others and the multipliers are written in them") {
  const System disk = load_model("rolling-disk-euler");
  const Sheet sheet = sheet_of(disk, formalism("multipliers").derive(disk), false, 400);
  REQUIRE(sheet.names_multipliers);
  const auto in = [](Expr e, const std::string& name) {
    return std::ranges::any_of(symbols_of(e), [&](Symbol s) { return s.name() == name; });
  };
  const auto x = std::ranges::find(sheet.lines, "x'", &SheetLine::name);
  REQUIRE(x != sheet.lines.end());
  CHECK(in(x->values[0], "c''"));
  CHECK(in(sheet.multipliers[0].value, "x''"));
}

TEST_CASE("JSON keeps the whole reason") {
  Answer a = undecided_answer("o", "n");
  a.why.push_back(std::string(5000, 'x'));
  CHECK(as_text("q", a).size() < 1000);
  CHECK(as_json(load_model("suslov"), {{"q", a}}).find(std::string(5000, 'x')) != std::string::npos);
}

TEST_CASE("a formula longer than a page is counted, not written") {
  Expr e = 1;
  for (int i = 0; i < 400; ++i) e = e * (symbol("a") + symbol("b" + std::to_string(i)));
  CHECK(brief(e).starts_with("(a formula of "));
  CHECK(brief(symbol("a") + 1).find("a") != std::string::npos);
}

TEST_CASE("reduced equations of a body are written in gamma = B^T e3; JSON keeps the entries of the matrix") {
  const System s = load_model("veselova");
  const EquationsOfMotion e = formalism("reduced").derive(s);
  const std::string shown = as_text(s, e, false);
  CHECK(shown.find("gamma1' = gamma1*(gamma3*u1 - gamma2*u2)") != std::string::npos);
  CHECK(shown.find("gamma3 = B33") != std::string::npos);
  CHECK(shown.find("B31*") == std::string::npos);
  CHECK(as_json(s, {e}).find("gamma1") == std::string::npos);
  const auto vectors = poisson_vectors(s, e.speed_rates);
  REQUIRE(vectors.size() == 1);
  CHECK(vectors[0].entries[1].name() == "B32");
  const std::string steps = as_text(s, e, true);
  CHECK(steps.find("(I1*Omega1)' = Omega2*Omega3*(I2 - I3) + gamma1*lambda1") != std::string::npos);
}

TEST_CASE("a vector has the model's name for it, and no name that is taken") {
  System s = load_model("veselova");
  const EquationsOfMotion e = formalism("reduced").derive(s);
  const Matrix row = transpose(s.space.factors().front().rotation()) * unit_vector(2);
  CHECK(poisson_vectors(s, e.speed_rates)[0].name == "gamma");  // as [define] has it
  s.definitions.clear();
  s.definitions.push_back({"vertical", row, {}});
  CHECK(poisson_vectors(s, e.speed_rates)[0].name == "vertical");
  s.definitions.clear();  // the name still has a meaning
  CHECK(poisson_vectors(s, e.speed_rates)[0].name == "gamma_B");
  CHECK(poisson_vectors(s, {}).empty());
}
