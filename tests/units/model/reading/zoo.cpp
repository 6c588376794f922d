// The zoo: every model loads, and is found by its name.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

TEST_CASE("every model of the zoo loads, without warnings") {
  const std::vector<std::string> names = zoo();
  CHECK(names.size() > 80);
  for (const std::string& name : names) {
    INFO(name);
    try {
      const System system = load_model(name);
      CHECK(system.name == name);
      CHECK_FALSE(system.title.empty());
      CHECK_FALSE(system.references.empty());
      CHECK(system.space.dimension() > 0);
      CHECK(system.forces.size() == static_cast<std::size_t>(system.space.dimension()));
      for (const Error& warning : system.warnings) FAIL_CHECK(report(warning, "warning"));
      for (const Symmetry& symmetry : system.symmetries) CHECK_FALSE(symmetry.generators.empty());
      CHECK_FALSE(system.known.items.empty());
    } catch (const Error& error) {
      FAIL_CHECK(report(error));
    }
  }
}

TEST_CASE("what a model says is in terms of its space") {
  for (const std::string& name : zoo()) {
    INFO(name);
    const System system = load_model(name);
    std::vector<Expr> all{system.lagrangian};
    all.insert(all.end(), system.forces.begin(), system.forces.end());
    for (const Constraint& c : system.constraints) all.push_back(c.expression);
    for (const QuasiVelocity& u : system.velocities) all.push_back(u.expression);
    const auto known = [&](Symbol s) {
      for (const Symbol q : system.space.functions()) {
        if (q == s) return true;
      }
      for (const Symbol v : system.space.velocities()) {
        if (v == s) return true;
      }
      for (const Parameter& p : system.parameters) {
        if (p.symbol == s) return true;
      }
      return s == system.time || s.role() == Role::constant;
    };
    for (const Symbol s : symbols_of(all)) CHECK_MESSAGE(known(s), s.name());
  }
}

TEST_CASE("models are found by name, path or environment") {
  CHECK(find_model("chaplygin-sleigh").ends_with("models/chaplygin-sleigh.toml"));
  const auto fix = [](const std::string& name) {
    try {
      find_model(name);
    } catch (const Error& error) {
      CHECK(error.slug == "unknown-model");
      return error.fix;
    }
    return std::string("found");
  };
  CHECK(fix("chaplygin-sleight").starts_with("did you mean `chaplygin-sleigh`"));
  CHECK(fix("chaplygin-sleigh.toml") == "the zoo has `chaplygin-sleigh`: leave out the folder and .toml");
  CHECK(fix("qqqqqqqqqq") ==
        "`rattleback models` lists the zoo; a file needs its path, and - is standard input");
  CHECK(fix("") != "found");

  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "rattleback-model-zoo";
  fs::create_directories(folder);
  std::ofstream(folder / "mine.toml") << "lagrangian = \"1/2*x'^2\"\n[space]\nx = \"R\"\n";
  setenv("RATTLEBACK_MODELS", folder.c_str(), 1);
  CHECK(zoo() == std::vector<std::string>{"mine"});
  CHECK(load_model("mine").name == "mine");
  CHECK(fix("chaplygin-sleigh") != "found");
  unsetenv("RATTLEBACK_MODELS");
  CHECK(load_model((folder / "mine.toml").string()).space.dimension() == 1);
  fs::remove_all(folder);
}
