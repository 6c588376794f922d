/// Gauge momenta: their number over any number of shape variables, closed forms and tables.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/momenta/gauge_solutions.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

GaugeSystem gauge_of(const System& system, const EquationsOfMotion& motion) {
  std::string why_not;
  const auto found = gauge_system(system, motion, why_not);
  INFO(why_not);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("the number of gauge momenta (Y.2)") {
  struct Row {
    const char* model;
    int shape, count;
  };
  for (const Row& row :
       {Row{"chaplygin-sleigh", 0, 0}, Row{"suslov-algebra", 0, 0}, Row{"falling-disk", 1, 2},
        Row{"routh-sphere", 1, 2}, Row{"ball-on-surface-of-revolution", 1, 2}, Row{"ball-in-bowl", 1, 2},
        Row{"ball-in-cylinder", 1, 2}, Row{"roller-racer", 1, 0}, Row{"car-1-trailer", 1, 0}}) {
    CAPTURE(std::string(row.model));
    const System system = load_model(row.model);
    const GaugeSystem gauge = gauge_of(system, gibbs_appell_equations(system));
    CHECK(gauge.shape_dimension == row.shape);
    CHECK(gauge.count() == row.count);
  }
}

TEST_CASE(
    "two shape variables: a free particle keeps its momentum, a magnetic field or a potential takes it "
    "away") {
  const auto count = [](const std::string& lagrangian) {
    const System system = read_model("title = \"t\"\nlagrangian = \"" + lagrangian +
                                         "\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\ns = \"S1\"\n"
                                         "[constraints]\nc = \"z' = x*s'\"\n",
                                     "t.toml");
    return gauge_of(system, gibbs_appell_equations(system)).count();
  };
  // D ∩ T Orb is spanned by d/ds + x d/dz when x, y are the shape; f (1 + x²) s' with f = (1 + x²)^(-1/2) is conserved.
  CHECK(count("x'^2/2 + y'^2/2 + z'^2/2 + s'^2/2 - x^2*y - y^4") == 1);
  // With a metric that mixes, the slopes of f along x and y do not fit.
  CHECK(count("x'^2/2 + y'^2/2 + z'^2/2*(1 + y^2) + s'^2/2 - x^2*y - y^4") == 0);
}

TEST_CASE("conditions are carried along the shape: forces that turn leave no momentum (Y.2)") {
  // x, z and y, w with z' = s x', w' = 2 s y': (1 + s²)^(-1/2) J_1 and (1 + 4 s²)^(-1/2) J_2 change by the forces alone.
  const auto count = [](const std::string& along_x, const std::string& along_y) {
    const System system = read_model(
        "lagrangian = \"(s'^2 + x'^2 + y'^2 + z'^2 + w'^2)/2\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
        "w = \"R\"\ns = \"R\"\n[constraints]\na = \"z' = s*x'\"\nb = \"w' = 2*s*y'\"\n[forces]\nx = \"" +
            along_x + "\"\ny = \"" + along_y + "\"\n",
        "t.toml");
    return gauge_of(system, gibbs_appell_equations(system)).count();
  };
  CHECK(count("0", "0") == 2);
  CHECK(count("1", "0") == 1);
  CHECK(count("sqrt(1 + s^2)", "-sqrt(1 + 4*s^2)") == 1);  // their sum feels no force
  CHECK(count("sqrt(1 + s^2)", "-sqrt(1 + s^2)") == 0);    // one condition at each s, but not the same one
}

TEST_CASE("the number of gauge momenta does not depend on the frame of D ∩ T Orb (Y.6)") {
  for (const std::string name : {"falling-disk", "ball-in-bowl", "roller-racer", "homogeneous-ball"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const GaugeSystem gauge = gauge_of(system, motion);
    CHECK(gauge.invariant);
    const FreeGroup group = free_groups(system).front();
    const Expr x(system.space.functions()[0]), y(system.space.functions()[1]);
    std::vector<VectorField> turned = gauge.sections;
    turned[0] = (1 + x * x) * turned[0];
    if (turned.size() > 1) turned[1] = turned[1] + (x + 2 * y) * turned[0];
    std::string why_not;
    const auto again = gauge_system(system, motion, group, turned, why_not);
    REQUIRE(again);
    CHECK(!again->invariant);
    CHECK(again->count() == gauge.count());
    GaugeSystem mutant = *again;  // a condition that the solutions do not satisfy
    Matrix more(1, mutant.conditions.columns());
    more(0, 0) = 1;
    mutant.conditions = above(mutant.conditions, more);
    if (gauge.count() > 0) CHECK(mutant.count() < gauge.count());
  }
}

TEST_CASE("a ball in a bowl: a table along a curve across the orbits (Y.5)") {
  const System bowl = load_model("ball-in-bowl");
  const EquationsOfMotion motion = gibbs_appell_equations(bowl);
  const GaugeSystem gauge = gauge_of(bowl, motion);
  const auto table = gauge_table(bowl, gauge);
  REQUIRE(table);
  CHECK(table->digits >= 8);
  CHECK(table->from.size() == 1);
  for (const auto& f : table->f) {
    for (const auto& row : f) {
      for (const double x : row) CHECK(std::isfinite(x));
    }
  }
}

TEST_CASE("closed forms are conserved, and the table agrees with them (Y.4), (Y.5)") {
  const System sphere = load_model("routh-sphere");
  const EquationsOfMotion motion = gibbs_appell_equations(sphere);
  const GaugeSystem gauge = gauge_of(sphere, motion);
  const std::vector<Expr> closed = gauge_momenta_in_closed_form(sphere, motion, gauge);
  REQUIRE(closed.size() == 2);
  for (const Expr F : closed) {
    CHECK(conserved_conjecture(sphere, F).outcome == Outcome::proved);
    CHECK(conserved_conjecture(sphere, F + Expr(motion.speeds[0])).outcome == Outcome::refuted);  // a mutant
  }
  const auto table = gauge_table(sphere, gauge);
  REQUIRE(table);
  CHECK(table->digits >= 8);
  // F = c_k f_k^b J_b with constants c: found at the first place, checked at the last.
  const auto values_at = [&](double s, double spin) {
    Numbers at;
    for (const auto& [p, value] : parameter_values(sphere)) at.emplace(p, evaluate(value, {}));
    const double c = s, t = std::sqrt(1 - s * s);
    const double B[9] = {1, 0, 0, 0, c, -t, 0, t, c};
    for (const Symbol q : sphere.space.functions())
      at.emplace(q, q.role() == Role::rotation ? B[q.attributes().entry] : 0.3);
    int k = 0;
    for (const Symbol z : motion.speeds) at.emplace(z, spin + 0.7 * k++);
    return at;
  };
  const auto momentum = [&](std::size_t k, std::size_t j, const Numbers& at) {
    double sum = 0;
    for (std::size_t b = 0; b < table->f[k][j].size(); ++b)
      sum += table->f[k][j][b] * evaluate(gauge.momenta[b].momentum, at);
    return sum;
  };
  for (const Expr F : closed) {
    const Numbers one = values_at(table->at[0], 1), two = values_at(table->at[0], -2);
    const double a = momentum(0, 0, one), b = momentum(1, 0, one), c = momentum(0, 0, two),
                 d = momentum(1, 0, two), p = evaluate(F, one), q = evaluate(F, two), det = a * d - b * c;
    REQUIRE(std::abs(det) > 1e-9);
    const double x = (p * d - b * q) / det, y = (a * q - p * c) / det;
    const std::size_t last = table->at.size() - 1;
    const Numbers there = values_at(table->at[last], 0.4);
    CHECK(x * momentum(0, last, there) + y * momentum(1, last, there) ==
          doctest::Approx(evaluate(F, there)).epsilon(1e-8));
  }
}

TEST_CASE("the falling disk: two gauge momenta, hypergeometric, so a table") {
  const Answer a = asked(question("momenta"), load_model("falling-disk"), 60);
  CHECK(*a.answer.find("gauge_count")->get_if<long>() == 2);
  CHECK(a.answer.find("gauge_momenta")->list()->empty());
  REQUIRE(a.answer.find("gauge_table") != nullptr);
  CHECK(*a.answer.find("gauge_table")->find("digits")->get_if<long>() >= 8);
}

TEST_CASE("the curve of a table leaves the orbit that it starts on (Y.5)") {
  // Two links in line, as they start, may roll on without a change of shape.
  const System links = read_model(R"toml(title = "Two links on blades"
lagrangian = "1/2*m*(x'^2 + y'^2 + vx^2 + vy^2) + 1/2*J*(a'^2 + b'^2)"
[space]
x = "R"
y = "R"
a = "S1"
b = "S1"
[parameters]
m = 1
J = "1/12"
[define]
vx = "x' - 1/2*a'*sin(a) - 1/2*b'*sin(b)"
vy = "y' + 1/2*a'*cos(a) + 1/2*b'*cos(b)"
[constraints]
one = "x'*sin(a) = y'*cos(a)"
two = "vx*sin(b) = vy*cos(b)"
)toml",
                                  "t.toml");
  const auto table = gauge_table(links, gauge_of(links, gibbs_appell_equations(links)));
  REQUIRE(table);
  for (const auto& f : table->f) CHECK(std::abs(f.front()[0] - f.back()[0]) > 1e-3);
}
