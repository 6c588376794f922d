// Certificates of steady motions and their eigenvalues: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

const std::string steady = "nothing that matters changes",
                  polynomial = "the characteristic polynomial has the factors stated",
                  left = "there no eigenvalue lies on the right",
                  right = "there an eigenvalue lies on the right";

Data steady_motions_of(const char* model) { return honest("equilibria", model, "steady-motions"); }

std::string last_part(const std::string& what) { return what.substr(what.rfind(": ") + 2); }

/// The step that fails, without the point it is about.
std::string refuted_step(const Data& certificate) {
  const std::string what = first_refuted(certificate);
  return what == "nothing" || what.find(": ") == std::string::npos ? what : last_part(what);
}

Data forged(const Data& certificate, const char* key, Data value, std::size_t family = 0) {
  return with_in(certificate, "families", family, key, std::move(value));
}

Data in_family(const Data& certificate, const char* record, const char* name, const char* value) {
  Data fields = *list_in(certificate, "families")[0].find(record);
  fields[name] = value;
  return forged(certificate, record, fields);
}

}  // namespace

TEST_CASE("what analyze says about steady motions, the checker finds by itself") {
  for (const char* model : {"chaplygin-sleigh", "suslov", "falling-disk", "euler-top", "planar-pendulum",
                            "vertical-disk", "cart-pendulum", "ball-in-bowl", "knife-edge-incline",
                            "car-1-trailer", "hydrodynamic-sleigh", "chaplygin-sphere", "tippe-top-rolling"})
    CHECK(refuted_step(steady_motions_of(model)) == "nothing");
}

TEST_CASE("a motion that is not steady, and a state that is none") {
  const Data sleigh = steady_motions_of("chaplygin-sleigh");
  CHECK(refuted_step(in_family(sleigh, "values", "omega", "1")) == steady);
  const Data bowl = steady_motions_of("ball-in-bowl");
  CHECK(refuted_step(in_family(bowl, "values", "x", "1")) == steady);
  const Data top = steady_motions_of("routh-sphere");
  CHECK(refuted_step(in_family(top, "values", "B33", "2")) == "it is a configuration");
}

TEST_CASE("forged polynomials and signs") {
  const Data sleigh = steady_motions_of("chaplygin-sleigh");  // λ + m a u/(J + m a²)
  CHECK(refuted_step(forged(sleigh, "factors", Data::List{Data::List{"1", "1"}})) == polynomial);
  CHECK(refuted_step(forged(sleigh, "factors", Data::List{})) == polynomial);
  CHECK(refuted_step(forged(sleigh, "eigenvalues", "on the right")) == right);
  CHECK(refuted_step(in_family(sleigh, "at", "u", "-1")) == left);
  CHECK(refuted_step(in_family(sleigh, "at", "u", "0")) == left);
  CHECK(refuted_step(in_family(sleigh, "at", "m", "-1")) == "the values named are allowed");
}

TEST_CASE("an even factor is judged by its squares") {
  const Data cart = steady_motions_of("cart-pendulum");  // hanging, and upright
  std::vector<std::string> said;
  for (const Data& family : list_in(cart, "families")) said.push_back(*family.find("eigenvalues")->text());
  REQUIRE(said == std::vector<std::string>{"not on the right", "on the right"});
  CHECK(refuted_step(forged(cart, "eigenvalues", "on the right", 0)) == right);
  CHECK(refuted_step(forged(cart, "eigenvalues", "not on the right", 1)) == left);
}

TEST_CASE("Hurwitz and discriminants see what coefficients do not") {
  // λ³ + λ² + λ + 2 and λ⁴ + λ² + 1 have positive coefficients and roots on the right, λ² + 5/4 has none; the forces make them the
  // characteristic polynomials of a particle, up to powers of λ.
  const auto particle = [](const char* force_x, const char* force_y) {
    return read_model(
        std::string("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nforces = { x = \"") +
            force_x + "\", y = \"" + force_y + "\" }\n",
        "particle");
  };
  const auto said = [](const System& system) {
    const Answer a = asked(question("equilibria"), system, 20);
    REQUIRE_FALSE(a.certificate.is_null());
    CHECK(refuted_step(a.certificate) == "nothing");
    return std::pair(*list_in(a.certificate, "families")[0].find("eigenvalues")->text(), a.certificate);
  };
  const auto [unstable, one] = said(particle("y'", "-y' - y - 2*x"));
  CHECK(unstable == "on the right");
  CHECK(refuted_step(forged(one, "eigenvalues", "not on the right")) == left);
  const auto [turning, two] = said(particle("y'/2", "-x'/2 - y"));
  CHECK(turning == "not on the right");
  CHECK(refuted_step(forged(two, "eigenvalues", "on the right")) == right);
  const auto [pair, three] = said(particle("-y", "x - y"));
  CHECK(pair == "on the right");
  CHECK(refuted_step(forged(three, "eigenvalues", "not on the right")) == left);
}

TEST_CASE("data that is no certificate of steady motions is an error") {
  const Data sleigh = steady_motions_of("chaplygin-sleigh");
  for (const Data& broken :
       {with(sleigh, "families", Data::List{}), forged(sleigh, "values", Data(Data::Record{})),
        forged(sleigh, "factors", Data::List{Data::List{"1", "2"}}), forged(sleigh, "eigenvalues", "nowhere"),
        forged(sleigh, "at", Data(Data::Record{})), forged(sleigh, "factors", Data::List{Data::List{"1"}}),
        forged(sleigh, "factors", Data::List{zeros(9)})})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

namespace {

const std::string definite = "there it is definite";

/// One field of `extremum` changed.
Data extremum(const Data& certificate, const char* key, Data value, std::size_t family = 0) {
  Data changed = *list_in(certificate, "families")[family].find("extremum");
  changed[key] = std::move(value);
  return forged(certificate, "extremum", changed, family);
}

}  // namespace

TEST_CASE(
    "stability in the sense of Lyapunov is neither invented nor taken from something that is not constant") {
  const Data cart = steady_motions_of("cart-pendulum");  // hanging, and upright
  REQUIRE(list_in(cart, "families")[0].find("extremum") != nullptr);
  REQUIRE(list_in(cart, "families")[1].find("extremum") == nullptr);
  const Data minimum = *list_in(cart, "families")[0].find("extremum");
  CHECK(refuted_step(forged(cart, "extremum", minimum, 1)) == definite);
  Data more = minimum;
  more["integrals"] = Data::List{list_in(cart, "speeds")[0]};
  more["multipliers"] = Data::List{"1", "0"};
  CHECK(refuted_step(forged(cart, "extremum", more)) == "the integrals are constant along the motion");
  CHECK(refuted_step(extremum(cart, "multipliers", Data::List{"0", "0"})) == definite);
  for (const Data& broken : {extremum(cart, "multipliers", Data::List{}), extremum(cart, "integrals", Data()),
                             extremum(cart, "at", Data(Data::Record{}))})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("the top turns steadily about its longest and its shortest axis") {
  const Data top = steady_motions_of("euler-top");
  std::vector<std::size_t> stable, others;
  for (std::size_t k = 0; k < list_in(top, "families").size(); ++k)
    (list_in(top, "families")[k].find("extremum") != nullptr ? stable : others).push_back(k);
  REQUIRE(stable.size() == 2);
  REQUIRE(others.size() == 1);
  const Data right = *list_in(top, "families")[stable[0]].find("extremum");
  CHECK(refuted_step(extremum(top, "multipliers", Data::List{"1", "7"}, stable[0])) ==
        "their combination is stationary");
  // About the middle axis the same integrals have a saddle.
  const Data values = *list_in(top, "families")[others[0]].find("at");
  Data saddle = right;
  saddle["at"] = values;
  saddle["multipliers"] = Data::List{"0", "0"};
  CHECK(refuted_step(forged(top, "extremum", saddle, others[0])) == definite);
}

TEST_CASE("four eigenvalues off both axes are not on the left: the discriminant is b² - 4c") {
  // (λ² + 1)² + k² = λ⁴ + 2 λ² + 1 + k²: for 0 < k < 1 it is 2c, not 4c, that lies below b².
  const System circulating = read_model(R"toml(
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2"
space = { x = "R", y = "R" }
forces = { x = "k*y", y = "-k*x" }
parameters = { k = { value = 0.5, positive = true } }
)toml",
                                        "circulating");
  const Data honest = asked(question("equilibria"), circulating, 20).certificate;
  REQUIRE_FALSE(honest.is_null());
  REQUIRE(refuted_step(honest) == "nothing");
  REQUIRE(*list_in(honest, "families")[0].find("eigenvalues")->text() == "on the right");
  CHECK(refuted_step(forged(honest, "eigenvalues", "not on the right")) == left);
}

TEST_CASE("two and three coupled oscillators, near the edge of Hermite's conditions") {
  const auto said = [](const char* space, const char* potential, const char* forces) {
    const System system = read_model(
        std::string("lagrangian = \"") + potential + "\"\nspace = " + space + "\nforces = " + forces + "\n",
        "oscillators");
    const Data honest = asked(question("equilibria"), system, 20).certificate;
    REQUIRE_FALSE(honest.is_null());
    REQUIRE(refuted_step(honest) == "nothing");
    const std::string eigenvalues = *list_in(honest, "families")[0].find("eigenvalues")->text();
    const bool stable = eigenvalues == "not on the right";
    CHECK(refuted_step(forged(honest, "eigenvalues", stable ? "on the right" : "not on the right")) ==
          (stable ? right : left));
    return eigenvalues;
  };
  const char *plane = "{ x = \"R\", y = \"R\" }", *volume = "{ x = \"R\", y = \"R\", z = \"R\" }";
  // b² − 4c = 2/25 > 0 > b² − 5c.
  CHECK(said(plane, "(x'^2 + y'^2 - x^2 - 6/5*y^2 - x*y/5)/2", "{}") == "not on the right");
  CHECK(said(volume, "(x'^2 + y'^2 + z'^2 - x^2 - 6/5*y^2 - 7/5*z^2 - x*y/5 - y*z/5)/2", "{}") ==
        "not on the right");
  CHECK(said(volume, "(x'^2 + y'^2 + z'^2 - x^2 - 6/5*y^2 - 7/5*z^2)/2",
             "{ x = \"y/4\", y = \"z/4 - x/4\", z = \"-y/4\" }") == "on the right");
}

TEST_CASE("a coordinate on which nothing depends is where the position constraints say") {
  // On the paraboloid the motion along a spiral depends on x and y alone; z follows.
  const System spiral = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
paraboloid = "z = x^2 + y^2"
spiral = "z' = x*y' - y*x'"
)toml",
                                   "spiral.toml");
  const Answer answer = asked(question("equilibria"), spiral, 20);
  CHECK(answer.outcome == Outcome::proved);
  REQUIRE(!answer.certificate.is_null());
  CHECK(first_refuted(answer.certificate) == "nothing");
  CHECK(*list_in(answer.certificate, "families")[0].find("values")->find("z")->text() == "y^2");
}

TEST_CASE("a place in the model's numbers is no steady motion for all parameters") {
  // At phi = pi/2 the connecting rod is at psi = -pi/2 - atan(5/12) for l = 13/5 r alone.
  const Answer answer = answer_to("equilibria", "slider-crank");
  REQUIRE(answer.outcome == Outcome::proved);
  for (const Data& family : *answer.answer.find("families")->list())
    CHECK(family.find("point")->text()->find("atan(5/12)") == std::string::npos);
}
