// Figures: smooth curves, the embedded font, PDF, chosen and requested panels.
#include <cmath>

#include <doctest/doctest.h>
#include <zlib.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/view/pictures/font_file.hpp>
#include <rattleback/view/pictures/glyphs.hpp>
#include <rattleback/view/pictures/plot_request.hpp>
#include <rattleback/view/pictures/run_columns.hpp>
#include <rattleback/view/pictures/smooth_curve.hpp>
#include <rattleback/view/pictures/sweep_plot.hpp>

using namespace rattleback;

namespace {

Trajectory run_of(const Flow& flow, double until, std::size_t samples = 401) {
  RunOptions options;
  options.until = until;
  options.samples = samples;
  options.reactions = false;
  return trajectory(flow, initial_state(flow), options);
}

unsigned checksum_of(const std::string& data) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i)
    sum += static_cast<unsigned>(static_cast<unsigned char>(data[i])) << (24 - 8 * (i % 4));
  return sum;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a circle of 1000 samples becomes a few smooth pieces that stay on it") {
  std::vector<Point> samples;
  for (int i = 0; i <= 1000; ++i)
    samples.push_back({100 * std::cos(2 * M_PI * i / 1000), 100 * std::sin(2 * M_PI * i / 1000)});
  const std::vector<Point> pieces = smooth_curve(samples, 0.04);
  CHECK(pieces.size() % 3 == 1);
  CHECK(pieces.size() < 40);
  CHECK(pieces.size() > 10);
  double worst = 0;
  for (std::size_t i = 3; i < pieces.size(); i += 3) {
    for (int k = 0; k <= 20; ++k) {
      const double s = k / 20.0, r = 1 - s;
      const double w[4] = {r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s};
      double x = 0, y = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        x += w[j] * pieces[i - 3 + j].x;
        y += w[j] * pieces[i - 3 + j].y;
      }
      worst = std::max(worst, std::abs(std::hypot(x, y) - 100));
    }
  }
  CHECK(worst < 0.06);
  CHECK(broken_line({{0, 0}, {1, 0}, {2, 0}, {2, 1}}, 0.01).size() == 7);  // two straight pieces
}

TEST_CASE("the embedded font has the letters of the text, and sums as a TrueType file must") {
  const FontFile font = font_file("θ₃ = 0.5 Ω");
  CHECK(font.glyph_of(0x3B8) > 0);
  CHECK(font.glyph_of('z') == 0);
  CHECK(checksum_of(font.data) == 0xB1B0AFBAU);
  CHECK(font.data.size() < 5000);
  CHECK(width_of("θθ") == doctest::Approx(2 * width_of("θ")));
}

TEST_CASE("labels are written with Greek letters, indices and primes") {
  CHECK(label_of("theta'") == "θ′");
  CHECK(label_of("Omega3") == "Ω₃");
  CHECK(label_of("psi_1 - phi") == "ψ₁ - φ");
  CHECK(label_of("lean_rate") == "lean_rate");
  CHECK(label_of("alphabet") == "alphabet");
}

TEST_CASE("tick labels") {
  CHECK(tick_label(-0.5) == "−0.5");
  CHECK(tick_label(3e-7) == "3×10⁻⁷");
  CHECK(tick_label(1e-7) == "10⁻⁷");
  CHECK(tick_label(0.6000000000000001) == "0.6");
  CHECK(logarithmic_ticks(-6, 0, 5) == std::vector<double>{-6, -5, -4, -3, -2, -1, 0});
  CHECK(logarithmic_ticks(0, 0.8, 5).size() == 3);  // 1, 2, 5
}

TEST_CASE("a PDF says where its objects are, and embeds its font") {
  Picture picture(100, 50);
  picture.words({10, 20}, "θ and more", {});
  picture.curve(broken_line({{0, 0}, {50, 50}, {60, 10}}, 0), {200, 0, 0}, 1, true);
  picture.image({10, 10}, 20, 20, 2, {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255});
  const std::string pdf = picture.pdf();
  CHECK(pdf.starts_with("%PDF-1.4"));
  CHECK(pdf.find("/FontFile2") != std::string::npos);
  CHECK(pdf.find("/Subtype /Image /Width 2 /Height 2") != std::string::npos);
  CHECK(pdf.find("/MediaBox [0 0 75.00 37.50]") != std::string::npos);
  // Each line of the table of references is the place of its object.
  std::size_t row = pdf.find("\nxref\n");
  REQUIRE(row != std::string::npos);
  row = pdf.find("65535 f \n", row) + 9;
  for (int k = 1; pdf[row] == '0'; ++k, row += 20) {
    const std::size_t at = std::stoul(pdf.substr(row, 10));
    CHECK(pdf.substr(at, 7 + (k > 9)).starts_with(std::to_string(k) + " 0 obj"));
  }
  // The page itself: the first stream.
  const std::size_t begin = pdf.find("stream\n") + 7, end = pdf.find("\nendstream", begin);
  std::vector<unsigned char> page(20000);
  uLongf size = page.size();
  REQUIRE(uncompress(page.data(), &size, reinterpret_cast<const Bytef*>(pdf.data()) + begin, end - begin) ==
          Z_OK);
  const std::string text(page.begin(), page.begin() + static_cast<std::ptrdiff_t>(size));
  CHECK(text.find(" Tj ET") != std::string::npos);
  CHECK(count_of(text, " c\n") == 2);
}

TEST_CASE("twenty thousand points and a map of 160000 cells are no megabytes") {
  PlotCurve cloud{.points = true};
  for (int i = 0; i < 20000; ++i) {
    cloud.x.push_back(std::fmod(i * 0.6180339887498949, 1));
    cloud.y.push_back(std::fmod(i * 0.7548776662466927, 1));
  }
  CHECK(drawn("", {{"", "x", "y", {cloud}}}).svg().size() < 350'000);
  SweptQuantity x{"a", {}}, y{"b", {}}, z{"lambda", {}};
  for (int i = 0; i < 400; ++i) {
    for (int j = 0; j < 400; ++j) {
      x.values.push_back(i);
      y.values.push_back(j);
      z.values.push_back(i > j ? 1 : i / 400.0);
    }
  }
  const std::string map = sweep_picture("", {x, y}, {z}).svg();
  CHECK(map.size() < 200'000);
  CHECK(map.find("<image") != std::string::npos);
}

TEST_CASE("a figure in millimetres has that size in every format") {
  const Panel panel{"", "t", "y", {{.x = {0, 1, 2}, .y = {0, 1, 0}}}};
  const Picture picture = drawn("", {panel}, {.width_mm = 85, .height_mm = 60});
  CHECK(picture.svg().find("width=\"85mm\" height=\"60mm\"") != std::string::npos);
  CHECK(picture.pdf().find("/MediaBox [0 0 240.94 170.08]") != std::string::npos);
  CHECK(picture.svg().find("font-size=\"10.66") != std::string::npos);  // eight points
  CHECK(drawn("", {panel}, {.dark = true}).svg().find("fill=\"#16181c\"") != std::string::npos);
}

TEST_CASE("panels are what is asked for") {
  const System system = load_model("chaplygin-sleigh");
  const Flow flow(system);
  const Trajectory run = run_of(flow, 5);
  PlotRequest request;
  request.panels = {"x:y", "u, omega", "x : u^2 + omega^2"};
  request.ranges = {plot_range("t=1:2"), plot_range("x = -1:1")};
  request.logarithmic = {"u^2 + omega^2"};
  const std::vector<Panel> panels = requested_panels(flow, run, request);
  REQUIRE(panels.size() == 3);
  CHECK(panels[0].equal_aspect);
  CHECK(panels[0].x_label == "x");
  CHECK(panels[0].x_range->second == 1);
  CHECK(panels[1].curves.size() == 2);
  CHECK(panels[1].x_range->first == 1);
  CHECK(panels[1].curves[0].smooth);
  CHECK(panels[2].logarithmic);
  const std::size_t u = flow.equations().configuration.size();
  CHECK(panels[2].curves[0].y[7] ==
        doctest::Approx(run.rows[7][u] * run.rows[7][u] + run.rows[7][u + 1] * run.rows[7][u + 1]));
  for (const char* wrong : {"nothing_like_this", "x:", "x:y:u", "x = 2"})
    CHECK_THROWS_AS(requested_panels(flow, run, {{wrong}, {}, {}}), Error);
  CHECK_THROWS_AS(requested_panels(flow, run, {{"x:y"}, {{"u", {0, 1}}}, {}}), Error);
  for (const char* wrong : {"x", "x=1", "x=2:1", "x=a:b"}) CHECK_THROWS_AS(plot_range(wrong), Error);
}

TEST_CASE("of a section its points are drawn, angles between -pi and pi") {
  const System system = load_model("contact-oscillator");
  const Flow flow(system);
  RunOptions options;
  options.until = 60;
  options.events = {{"y", event_equation(system, "y = 0", "test"), false, 1, true}};
  const Trajectory run = trajectory(flow, initial_state(flow), options);
  REQUIRE(run.section_rows.size() > 3);
  const std::vector<Panel> panels = panels_of(flow, run);
  REQUIRE(panels.size() == 1);
  CHECK(panels[0].curves[0].points);
  CHECK(panels[0].curves[0].x.size() == run.section_rows.size());
  CHECK(requested_panels(flow, run, {{"x:x'"}, {}, {}})[0].curves[0].points);
  CHECK(wrapped(7) == doctest::Approx(7 - 2 * M_PI));
}

TEST_CASE("wheels that turn do not hide the lean, nor a large speed the small ones") {
  const System system = load_model("bicycle");
  const Flow flow(system);
  const Trajectory run = run_of(flow, 5);
  const std::vector<std::size_t> chosen = interesting_coordinates(flow, run);
  const auto has = [&](const std::string& name) {
    for (const std::size_t c : chosen)
      if (run.names[c] == name) return true;
    return false;
  };
  CHECK(has("lean"));
  CHECK(has("steer"));
  for (const std::size_t c : chosen) CHECK(run.names[c].find("rear") == std::string::npos);
  for (const auto& group : groups_of_like_size(run, interesting_speeds(flow, run), 5))
    for (const std::size_t c : group)
      if (run.names[c] == "rear_rate") CHECK(group.size() == 1);
}

TEST_CASE("what oscillates goes through its mean more than twice") {
  std::vector<double> wave, ramp, rest(100, 2.5);
  for (int i = 0; i < 100; ++i) {
    wave.push_back(3 + std::sin(0.3 * i));
    ramp.push_back(std::tanh(0.1 * i - 5));
  }
  CHECK(oscillates(wave));
  CHECK_FALSE(oscillates(ramp));
  CHECK_FALSE(oscillates(rest));
}
