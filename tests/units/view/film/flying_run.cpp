// Films of motions whose contacts open and close: phases one after the other, impacts as marks.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/reading/zoo.hpp>
#include <rattleback/view/film/flight_marks.hpp>
#include <rattleback/view/film/flying_run.hpp>
#include <rattleback/view/film/representative_run.hpp>

using namespace rattleback;

namespace {

/// A rattleback that is thrown about: it slides, takes off and lands.
System stone() {
  std::ifstream file(find_model("rattleback"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string contact = "[contacts.ground]\n";
  text.insert(text.find(contact) + contact.size(), "friction = \"1/2\"\nrestitution = \"1/5\"\n");
  return read_model(text, "stone.toml");
}

}  // namespace

TEST_CASE("the film of a flight has its phases and impacts") {
  const FlyingRun it(stone(), {{"Omega", "[12, 0, 5]"}}, 1.5);
  const Film film = it.film();
  REQUIRE(film.phases.size() > 1);
  CHECK(film.phases.front().from == 0);
  CHECK(film.phases.back().to == doctest::Approx(it.run.end));
  bool flies = false;
  for (std::size_t k = 0; k < film.phases.size(); ++k) {
    if (k > 0) CHECK(film.phases[k].from == doctest::Approx(film.phases[k - 1].to));
    flies = flies || film.phases[k].kind == "flight";
  }
  CHECK(flies);
  REQUIRE(!film.marks.empty());
  for (std::size_t k = 1; k < film.marks.size(); ++k) CHECK(film.marks[k - 1].time <= film.marks[k].time);
  const auto impacts =
      std::ranges::count_if(film.marks, [](const FilmMark& m) { return m.kind == "impact"; });
  CHECK(static_cast<std::size_t>(impacts) == it.run.impacts.size());
  const auto data = nlohmann::json::parse(as_json(film))["film"];
  CHECK(data["phases"].size() == film.phases.size());
  CHECK(data["marks"].size() == film.marks.size());
  CHECK(data["can_fly"] == true);
  CHECK(flight_sentence(it.run).find("impact") != std::string::npos);
}

TEST_CASE("a motion that does not fly has neither phases nor marks") {
  const RepresentativeRun it(load_model("chaplygin-sleigh"));
  const Film film = it.film();
  CHECK(film.phases.empty());
  CHECK(film.marks.empty());
  CHECK(!nlohmann::json::parse(as_json(film))["film"].contains("phases"));
  CHECK(flight_sentence(it.run).empty());
}

TEST_CASE("a flow that is used again makes the film of another one") {
  // Other values in a copy of a flow, and in a flow of its own: the same picture.
  System other = load_model("falling-disk");
  const Flow first(other);
  for (Parameter& p : other.parameters)
    if (p.symbol.name() == "m") p.value = Expr(3);
  const Flow own(other);
  Flow copy = first;
  copy.set_parameters(own.parameter_values<double>());
  const auto state = restarted(copy, {.given = &other.simulation.initial});
  REQUIRE(state);
  const RepresentativeRun again(StartedMotion{copy, *state, {}, {}}, 0, "dop853");
  const RepresentativeRun fresh(other, 0, "dop853");
  CHECK(as_json(again.film()) == as_json(fresh.film()));
}
