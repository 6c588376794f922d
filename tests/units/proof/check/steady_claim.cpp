// Steady motions: values that nothing can have prove nothing about them.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

/// All steps that fail, without the point that they are about.
std::vector<std::string> refuted_steps(const Data& certificate) {
  std::vector<std::string> all;
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (!proved(step.verdict)) all.push_back(step.what.substr(step.what.rfind(": ") + 2));
  }
  return all;
}

/// A certificate with one family, this one; what it says about eigenvalues is left out.
Data alone(const Data& certificate, const Data& family) {
  Data bare;
  for (const char* key : {"point", "values", "extremum"}) {
    if (family.find(key) != nullptr) bare[key] = *family.find(key);
  }
  return with(certificate, "families", Data::List{bare});
}

Data valued(Data record, const char* name, const char* value) {
  record[name] = value;
  return record;
}

}  // namespace

TEST_CASE("a steady motion satisfies the position constraints") {
  const Data point = honest("equilibria", "neumann", "steady-motions");  // on the sphere
  Data family = list_in(point, "families")[0];
  CHECK(refuted_steps(point).empty());
  CHECK(refuted_steps(alone(point, family)).empty());
  family["values"] = valued(*family.find("values"), "q1", "2");
  Data bare;
  for (const char* key : {"point", "values"}) bare[key] = *family.find(key);
  CHECK(refuted_steps(alone(point, bare)) == std::vector<std::string>{"it is a configuration"});
}

TEST_CASE("legs that are tangent to N at its points alone are as good as others for steady motions") {
  CHECK(refuted_steps(honest("equilibria", "slider-crank", "steady-motions")).empty());
}

namespace {

/// The line y = 0 in the plane, its one speed u and the family of all uniform motions: x' = u, y' = `off` and u' = `rate` are 0 beside what
/// they are on N.
Data uniform_motions(const std::string& off, const std::string& rate, const Data::List& factors,
                     const char* side) {
  Data d = claiming(system_of("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n"
                              "velocities = { u = \"x'\" }\n[constraints]\non = \"y = 0\"\n"),
                    "steady-motions", "equilibria", "proved");
  d["admissible"] = Data::List{"u", off};
  d["speed_rates"] = Data::List{rate};
  Data family;
  family["point"] = "moving";
  family["values"] = valued(valued(valued(Data(), "x", "x"), "y", "0"), "u", "u");
  family["factors"] = factors;
  family["eigenvalues"] = side;
  family["at"] = valued(valued(Data(), "u", "1"), "x", "0");
  return with(d, "families", Data::List{family});
}

}  // namespace

TEST_CASE("eigenvalues of small motions that leave N are none of the motion on N") {
  CHECK(refuted_steps(uniform_motions("u*y^2", "u^2*y", {}, "not on the right")).empty());
  CHECK(refuted_steps(uniform_motions("u*y", "u^2*y", lists({{"-u", "1"}}), "on the right")) ==
        std::vector<std::string>{"small motions beside N keep the position constraints, too"});
  CHECK(refuted_steps(uniform_motions("-u*y", "u^2*y", lists({{"u", "1"}}), "not on the right")) ==
        std::vector<std::string>{"small motions beside N keep the position constraints, too"});
}

TEST_CASE("a family gives values to configuration and speeds, and to nothing else") {
  const Data cart = honest("equilibria", "cart-pendulum", "steady-motions");
  Data family = list_in(cart, "families")[0];
  for (const char* other : {"g", "pi", "x'''"}) {
    CAPTURE(other);
    const Data values = valued(*family.find("values"), other, "1");
    CHECK_THROWS_AS(check_certificate(alone(cart, with(family, "values", values))), const Error&);
  }
}

TEST_CASE("a pendulum that stands upright is not stable: neither with negative gravity nor with another pi") {
  const Data cart = honest("equilibria", "cart-pendulum", "steady-motions");  // hanging, and upright
  const Data minimum = *list_in(cart, "families")[0].find("extremum"), at = *minimum.find("at");
  const auto upright = [&](const char* name, const char* value) {
    return alone(
        cart, with(list_in(cart, "families")[1], "extremum", with(minimum, "at", valued(at, name, value))));
  };
  CHECK(refuted_steps(upright("g", "1")) == std::vector<std::string>{"there it is definite"});
  CHECK(refuted_steps(upright("g", "-1")) == std::vector<std::string>{"the values named for it are allowed"});
  CHECK_THROWS_AS(check_certificate(upright("pi", "0")), const Error&);
}

TEST_CASE("stability that depends on a speed is claimed at a value of it") {
  const Data body = honest("equilibria", "suslov-kharlamova", "steady-motions");
  const Data family = list_in(body, "families")[0];  // stable where w1^2 > b1/I2
  const Data minimum = *family.find("extremum");
  const auto at = [&](const Data& values) {
    return alone(body, with(family, "extremum", with(minimum, "at", values)));
  };
  CHECK(refuted_steps(at(valued(*minimum.find("at"), "w1", "1/10"))) ==
        std::vector<std::string>{"there it is definite"});
  Data without;
  for (const Data::Field& field : *minimum.find("at")->record()) {
    if (field.key != "w1") without[field.key] = field.value;
  }
  CHECK_THROWS_AS(check_certificate(at(without)), const Error&);
}
