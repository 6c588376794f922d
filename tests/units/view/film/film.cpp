// Films: shapes where the motion puts them, curves that tell the truth.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/view/film/figures.hpp>
#include <rattleback/view/film/phase_portrait.hpp>
#include <rattleback/view/film/representative_run.hpp>
#include <rattleback/view/film/scene.hpp>

using namespace rattleback;

namespace {

Film film(const System& system, double until) {
  const Flow flow(system);
  RunOptions options;
  options.until = until;
  options.samples = 101;
  options.invariants = known_invariants(system);
  const std::vector<double> y = initial_state(flow);
  return film_of(flow, y, trajectory(flow, y, options));
}

}  // namespace

TEST_CASE("a disk rolls: its centre stays above the contact, its attitude turns with the path") {
  const Film f = film(load_model("vertical-disk"), 5);
  REQUIRE(f.shapes.size() == 2);
  const Moving &disk = f.shapes[0], &path = f.shapes[1];
  REQUIRE(disk.pose.size() == 7 * 101);
  for (std::size_t k = 0; k < 101; ++k) {
    CHECK(disk.pose[7 * k] == doctest::Approx(path.points[3 * k]));
    CHECK(disk.pose[7 * k + 2] == doctest::Approx(1));
    double norm = 0, step = 0;
    for (std::size_t i = 3; i < 7; ++i) {
      norm += disk.pose[7 * k + i] * disk.pose[7 * k + i];
      if (k > 0) step += std::pow(disk.pose[7 * k + i] - disk.pose[7 * k - 7 + i], 2);
    }
    CHECK(norm == doctest::Approx(1));
    CHECK(step < 0.1);  // q and −q are one rotation, but a film must not jump between them
  }
}

TEST_CASE("a phase portrait shows what symmetry leaves, and neighbours that are motions as well") {
  const System sleigh = load_model("chaplygin-sleigh");
  CHECK(portrait_axes(Flow(sleigh)) == std::pair<std::string, std::string>{"u", "omega"});
  CHECK(portrait_axes(Flow(load_model("falling-disk"))) ==
        std::pair<std::string, std::string>{"theta", "lean"});
  CHECK(portrait_axes(Flow(load_model("snakeboard"))) == std::pair<std::string, std::string>{"phi", "u1"});
  const Film f = film(sleigh, 5);
  const auto portrait = std::find_if(f.figures.begin(), f.figures.end(),
                                     [](const Figure& one) { return one.title == "Phase portrait"; });
  REQUIRE(portrait != f.figures.end());
  CHECK(portrait->curves.size() == 13);
  for (const Curve& c : portrait->curves) {
    if (!c.faint) continue;
    const auto energy = [&](std::size_t k) {  // J + m a² = 0.65
      return c.own_x[k] * c.own_x[k] + 0.65 * c.own_y[k] * c.own_y[k];
    };
    for (std::size_t k = 0; k < c.own_x.size(); ++k)
      CHECK(energy(k) == doctest::Approx(energy(0)).epsilon(1e-4));
  }
}

TEST_CASE("a motion on a Lie algebra is drawn by its velocities") {
  const Film f = film(load_model("so3-top-algebra"), 5);
  REQUIRE(!f.shapes.empty());
  REQUIRE(f.shapes[0].points.size() == 3 * 101);
  CHECK(f.shapes[0].points[1] == doctest::Approx(1));
}

TEST_CASE("what rests is stored once, lengths are numbers") {
  const System s = read_model(R"toml(lagrangian = "1/2*m*x'^2"
[space]
x = "R"
[parameters]
m = 2
[simulation]
initial = { x = 0, "x'" = 1 }
[scene.wall]
box = ["m", 1, 1]
[scene.bead]
sphere = "m/4"
at = "[x, 0, 0]"
)toml",
                              "models/example.toml");
  const Film f = film(s, 1);
  CHECK(f.shapes[0].pose.size() == 7);
  CHECK(f.shapes[0].sizes[0] == 2);
  CHECK(f.shapes[1].pose.size() == 7 * 101);
  CHECK(f.shapes[1].pose[7 * 100] == doctest::Approx(1));
}

TEST_CASE("the net of a surface on a body moves with the body: its points are stored once") {
  const Film f = film(load_model("turning-bowl"), 1);  // z = u²/2, turned by 2 t about the upright axis
  const auto net = std::ranges::find(f.shapes, Shape::Kind::net, &Moving::kind);
  REQUIRE(net != f.shapes.end());
  CHECK(net->pose.size() == 7 * 101);
  REQUIRE(net->points.size() == 3 * 26 * 25);
  CHECK(net->corners == 25);
  for (const std::size_t frame : {std::size_t{0}, std::size_t{37}, std::size_t{100}}) {
    const double* at = &net->pose[7 * frame];
    const double t = f.times[frame];
    CHECK(std::abs(at[3] * std::cos(t) + at[6] * std::sin(t)) == doctest::Approx(1));
    for (const int i : {0, 1, 2, 4, 5}) CHECK(std::abs(at[i]) < 1e-9);
  }
  double widest = 0;
  for (std::size_t k = 0; k < net->points.size(); k += 3) {
    const double u = std::hypot(net->points[k], net->points[k + 1]);
    widest = std::max(widest, u);
    CHECK(net->points[k + 2] == doctest::Approx(u * u / 2));
  }
  CHECK(widest == doctest::Approx(1.5));
}

TEST_CASE("a draft is the same motion in fewer frames and steps") {
  const System stone = load_model("rattleback-kane");
  const RepresentativeRun exact(started_motion(stone), 0, "dop853"),
      draft(started_motion(stone), 0, "dop853", 5, RunQuality::draft);
  CHECK(exact.run.rows.size() == 601);
  REQUIRE(draft.run.rows.size() == 240);
  CHECK(4 * draft.run.counts.steps < exact.run.counts.steps);
  for (std::size_t k = 0; k < draft.run.states; ++k)
    CHECK(draft.run.final_row[k] == doctest::Approx(exact.run.final_row[k]).epsilon(0.01));
  // Reactions, which come last, are left to the exact film.
  const std::vector<double>&first = draft.run.rows.front(), &whole = exact.run.rows.front();
  REQUIRE(first.size() > draft.run.states);
  REQUIRE(first.size() < whole.size());
  CHECK(std::equal(first.begin(), first.end(), whole.begin()));
}

TEST_CASE("the spectrum finds the frequency and the amplitude of a cosine") {
  std::vector<double> values;
  for (int i = 0; i <= 400; ++i) values.push_back(3 + 0.7 * std::cos(2 * M_PI * 12 * i / 400 + 0.3));
  const std::vector<double> a = amplitudes(values);
  REQUIRE(a.size() == 201);
  CHECK(a[12] == doctest::Approx(0.7));
  CHECK(a[0] == doctest::Approx(0));
  CHECK(a[20] < 1e-9);
}

TEST_CASE("a film is JSON where numbers overflow") {
  Film f = film(load_model("chaplygin-sleigh"), 1);
  f.figures.front().curves.front().own_y = {1, INFINITY, -INFINITY, NAN};
  const auto json = nlohmann::json::parse(as_json(f)).at("film");
  CHECK(json.at("plots").at(0).at("series").at(0).at("y") ==
        nlohmann::json({1.0, nullptr, nullptr, nullptr}));
}

TEST_CASE("a film is JSON, and every curve has its numbers") {
  const Film f = film(load_model("chaplygin-sleigh"), 20);
  const auto json = nlohmann::json::parse(as_json(f)).at("film");
  CHECK(json.at("t").size() == 101);
  CHECK(json.at("scene").at("shapes").size() == f.shapes.size());
  CHECK(json.at("plots").size() >= 5);
  for (const auto& plot : json.at("plots")) {
    for (const auto& curve : plot.at("series")) {
      for (const char* axis : {"x", "y"}) {
        const auto& values = curve.at(axis);
        CHECK((values.is_array() ? values.size() : json.at("series").at(values.get<std::string>()).size()) >
              1);
      }
    }
  }
}

TEST_CASE("every model of the zoo with a scene can be drawn at its start") {
  for (const std::string& name : zoo()) {
    const System s = load_model(name);
    if (!s.scene || s.simulation.initial.empty()) continue;
    CAPTURE(name);
    const Film f = film(s, 0.01);
    CHECK(!f.shapes.empty());
    for (const Moving& m : f.shapes) {
      for (const double x : m.pose) CHECK(std::isfinite(x));
      for (const double x : m.points) CHECK(std::isfinite(x));
    }
  }
}

TEST_CASE("of a motion that needs very many steps the beginning is seen, and that it is one is said") {
  // An oscillator with a million turns a second: no stepper reaches t = 1000 in a twentieth of a second.
  const System fast = read_model(R"(
lagrangian = "(x'^2 - w^2*x^2)/2"
[space]
x = "R"
[parameters]
w = { value = 6283185, positive = true }
[simulation]
initial = { x = 1, "x'" = 0 }
until = 1000
)",
                                 "fast.toml");
  const RepresentativeRun cut(started_motion(fast), 1000, "dop853", 0.05);
  CHECK(cut.run.failure);
  CHECK(cut.run.end > 0);
  CHECK(cut.run.end < 1000);
  CHECK(cut.summary().find("The motion ends there") != std::string::npos);
  const RepresentativeRun whole(started_motion(fast), 1e-6, "dop853", 60);
  CHECK_FALSE(whole.run.failure);
}
