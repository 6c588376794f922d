// Symmetries that are denied although they exist, and fields that are none: what the checker asks of metric, potential and isometries.

#include "../forged_certificates.hpp"

#include <fmt/format.h>

#include <rattleback/proof/evidence/conjecture.hpp>

using namespace rattleback;

namespace {

/// "No field is a symmetry", by isometries; or by functions that every symmetry leaves alone, when pairs are named.
Data without_symmetries(const std::string& lagrangian, const Data::List& pairs,
                        const Data::List& circles = {}) {
  Data d = at_rest(
      claiming(system_of(("lagrangian = \"" + lagrangian + "\"\nspace = { x = \"R\", y = \"R\" }\n").c_str()),
               "no-symmetries", "symmetries", "refuted"));
  d["circles"] = circles;
  return pairs.empty() ? d : with(d, "invariants", pairs);
}

constexpr const char *none = "no combination of its isometries leaves the system as it is",
                     *natural = "the Lagrangian is kinetic energy minus a potential",
                     *separate = "functions that every symmetry leaves alone separate the configurations";

}  // namespace

TEST_CASE("isometries of a constant metric: translations, rotations, and no others") {
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - x^3 - x*y^3", {})) == "nothing");
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - (x^2 + y^2)^2", {})) == none);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - x^4", {})) == none);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - y^4", {})) == none);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - (x - 2*y)^4", {})) == none);
  // On a circle there are no rotations of the plane, whatever its Lagrangian is.
  for (const char* circle : {"x", "y"})
    CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - (x^2 + y^2)^2", {}, {circle})) == "nothing");
  // The hyperbolic plane, with a potential that one of its isometries leaves alone, which is not affine.
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/(2*y^2) - (x^2 + y^2)/y", {})) ==
        "the metric is constant");
  CHECK(first_refuted(with(without_symmetries("(x'^2 + y'^2)/2 - x^3 - x*y^3", {}), "lagrangian",
                           "x'^2/2 - x^3 - x*y^3")) == "it is regular");
}

TEST_CASE("invariants: pairs of earlier functions of a natural system") {
  const Data::List first = lists({Data::List{0, 0}});
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - x - y^2", first)) == "nothing");
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - x - y", first)) == separate);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - t*(x + y^2)", first)) == natural);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 + x'^3/6 - x - y^2", first)) == natural);
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 + y*x' - x - y^2", first)) == natural);
  // |dV|² alone, and g(dV, d|dV|²): the second pair names the third function.
  CHECK(first_refuted(without_symmetries("(x'^2 + y'^2)/2 - x^2 - y^3",
                                         lists({Data::List{0, 0}, Data::List{0, 1}}))) == "nothing");
  is_no_certificate(
      with(without_symmetries("(x'^2 + y'^2)/2 - x - y^2", first), "lagrangian", "x'^2/2 - x - y^2"));
  for (const Data& pair : {Data("x"), Data(Data::List{0}), Data(Data::List{0, 1}), Data(Data::List{1, 0}),
                           Data(Data::List{0, -1}), Data(Data::List{-1, 0}), Data(Data::List{0, "0"}),
                           Data(Data::List{0, 0, 0})})
    is_no_certificate(without_symmetries("(x'^2 + y'^2)/2 - x - y^2", Data::List(1, pair)));
  // Isometries of the space do not exclude symmetries of a surface.
  Data plate = at_rest(claiming(system_of("lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x - y^2 - z^3\"\nspace = "
                                          "{ x = \"R\", y = \"R\", z = \"R\" "
                                          "}\nconstraints = { c = \"z' = 0\" }\n"),
                                "no-symmetries", "symmetries", "refuted"));
  plate["circles"] = Data::List{};
  plate["invariants"] = lists({Data::List{0, 0}, Data::List{0, 1}});
  CHECK(first_refuted(plate) == "nothing");
  is_no_certificate(with(plate, "positions", Data::List{"z - 1"}));
  is_no_certificate(with(plate, "question",
                         "momenta"));  // under constraints a field that is none may have a constant momentum
  Data::Record unasked;
  for (const Data::Field& field : *plate.record()) {
    if (field.key != "question") unasked.push_back(field);
  }
  CHECK(first_refuted(Data(unasked)) == "nothing");
}

TEST_CASE("a symmetry is not denied, and no field is no list of fields") {
  const Data plane =
      at_rest(system_of("lagrangian = \"(x'^2 + y'^2)/2 - y^2\"\nspace = { x = \"R\", y = \"R\" }\n"));
  const Data yes = claiming(plane, "symmetries", "symmetries", "proved"),
             no = claiming(plane, "not-a-symmetry", "symmetry", "refuted");
  const Data::List along_x = lists({{"1", "0"}}), along_y = lists({{"0", "1"}});
  CHECK(first_refuted(with(yes, "fields", along_x)) == "nothing");
  CHECK(first_refuted(with(yes, "fields", along_y)) == "the Lagrangian is invariant under it");
  CHECK(first_refuted(with(yes, "fields", lists({{"0", "0"}}))) == "a field moves something");
  CHECK(first_refuted(with(no, "fields", along_y)) == "nothing");
  CHECK(first_refuted(with(no, "fields", along_x)) == "the system is not invariant under the field");
  for (const Data& certificate : {yes, no}) {
    is_no_certificate(with(certificate, "fields", Data::List{}));
    is_no_certificate(with(certificate, "fields", "x"));
    is_no_certificate(certificate);
  }
}

TEST_CASE(
    "isometries of a plane that a force along y alone does not allow; those of a group are not in its "
    "coordinates") {
  Data pushed = at_rest(
      claiming(system_of("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nforces = { y = "
                         "\"x*y\" }\n"),
               "no-symmetries", "symmetries", "refuted"));
  pushed["circles"] = Data::List{};
  CHECK(first_refuted(pushed) == "nothing");
  // A body that turns freely has the symmetries of a left-invariant metric.
  Data body = at_rest(claiming(conserved_conjecture(load_model("so3-top-algebra"), Expr(1)).certificate,
                               "no-symmetries", "symmetries", "refuted"));
  body["circles"] = Data::List{};
  REQUIRE(list_in(body, "functions").empty());
  is_no_certificate(body);
}
