// All errors of a model file at once, and the advice for what people write out of habit.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/model/reading/all_errors.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

std::vector<Error> errors_of(const std::string& model) {
  try {
    read_model(model, "model.toml");
  } catch (const Error& error) {
    return all_errors(error);
  }
  return {};
}

/// "slug line:column" of each.
std::vector<std::string> listed(const std::string& model) {
  std::vector<std::string> all;
  for (const Error& e : errors_of(model))
    all.push_back(e.where.empty() ? e.slug
                                  : e.slug + " " + std::to_string(e.where[0].line) + ":" +
                                        std::to_string(e.where[0].column));
  return all;
}

using Listed = std::vector<std::string>;

}  // namespace

TEST_CASE("errors of a file are found together, in the order of its lines") {
  CHECK(listed("lagrangian = \"m/2*x'^2 + q\"\n[parameters]\nm = \"r\"\n[space]\nx = \"R\"\n"
               "[constraints]\na = \"y' = 0\"\nb = \"x' = = 0\"\n") ==
        Listed{"unknown-symbol 3:6", "unknown-symbol 1:26", "unknown-symbol 7:6", "syntax 8:11"});
}

TEST_CASE("lines that are no TOML are skipped, and what they would have declared is not missed") {
  CHECK(listed("lagrangian = \"m/2*x'^2 + q\"\n[parameters]\nm = 0,5\nk = yes\n[space]\nx = \"R\"\n") ==
        Listed{"toml-syntax 3:5", "unknown-symbol 1:26", "toml-syntax 4:5"});
  // A text that is never closed has no second error that could be relied on.
  CHECK(listed("lagrangian = \"\"\"m/2*x'^2\n[space]\nx = R\n").size() == 1);
}

TEST_CASE("what follows from an entry at fault is not an error of its own") {
  // u is at fault; w, which needs it, is not.
  CHECK(listed("lagrangian = \"x'^2/2 - w\"\n[space]\nx = \"R\"\n[define]\nu = \"q\"\nw = \"u^2\"\n") ==
        Listed{"unknown-symbol 5:6"});
  CHECK(listed("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n").empty());
}

TEST_CASE("coordinates that a joint at fault would have brought are not missed") {
  const std::string body = "[bodies.b]\nmass = 1\nshape = { ball = 1 }\n";
  CHECK(listed(body + "[joints.c]\nkind = \"cylindrical\"\nchild = \"b\"\nlimits = [-1, "
                      "1]\n[simulation]\ninitial = { c_1 = 0, c_2 = 1 }\n") == Listed{"missing-key 4:9"});
  CHECK(listed(body + "[joints.c]\nkind = \"bent\"\nchild = \"b\"\ncoordinates = "
                      "[\"q\"]\n[simulation]\ninitial = { q = 0 }\n")
            .size() == 1);
}

TEST_CASE("a space with a unit and no group is told that it is a line") {
  CHECK(errors_of("lagrangian = \"x'^2/2\"\n[space]\nx = { unit = \"m\" }\n")[0].fix == "add group = \"R\"");
}

TEST_CASE("at most twenty errors") {
  std::string many = "lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[constraints]\n";
  for (int k = 0; k < 40; ++k) many += "c" + std::to_string(k) + " = \"x' = y\"\n";
  CHECK(errors_of(many).size() == 20);
}

TEST_CASE("decimal commas, yes and no, degrees, rates of parameters: the fix says what to write") {
  const auto fix = [](const std::string& line) {
    const std::vector<Error> all =
        errors_of("lagrangian = \"m/2*x'^2\"\n[space]\nx = \"R\"\n[parameters]\n" + line);
    REQUIRE(all.size() >= 1);
    return all[0].fix;
  };
  CHECK(fix("m = 0,5\n") == "write 0.5");
  CHECK(fix("m = -12,75\n") == "write -12.75");
  CHECK(fix("m = { value = 0,5, positive = true }\n") == "write 0.5");
  CHECK(fix("m = { positive = true, value = -12,75 }\n") == "write -12.75");
  CHECK(fix("m = { value = 1, positive = yes }\n") == "write true");
  CHECK(fix("m = { value = 1, positive = No }\n") == "write false");
  CHECK(fix("m = 90deg\n").find("pi/2") != std::string::npos);
  CHECK(fix("m = \"90deg\"\n").find("pi/2") != std::string::npos);
  CHECK(fix("m = \"45 deg\"\n").find("pi/2") != std::string::npos);
  const auto of_lagrangian = [](const std::string& L) {
    return errors_of("lagrangian = \"" + L + "\"\n[space]\nx = \"R\"\n[parameters]\nm = 1\n")[0];
  };
  CHECK(of_lagrangian("m/2*x'^2 + m'*x").summary == "`m'` would be the rate of a parameter");
  for (const char* value : {"1e400", "1e-400"}) {
    const System huge = read_model(
        "lagrangian = \"m/2*x'^2\"\n[space]\nx = \"R\"\n[parameters]\nm = " + std::string(value) + "\n",
        "model.toml");
    REQUIRE(huge.warnings.size() == 1);
    CHECK(huge.warnings[0].slug == "number-too-large");
    CHECK(huge.warnings[0].fix.find("exponent") != std::string::npos);
  }
}
