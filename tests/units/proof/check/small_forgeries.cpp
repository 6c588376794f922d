// One forgery for one check: each of these is rejected by a single line of the checker, and would be accepted without it.

#include "../forged_certificates.hpp"

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/momenta/gauge_certificate.hpp>

using namespace rattleback;

namespace {

constexpr const char* plane = "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n";

}  // namespace

TEST_CASE("roles of symbols: there are eleven, and each name has one that it can have") {
  const Data honest = system_of(plane);
  for (const auto& [name, role] : {std::pair("c", of(Role::plain)), std::pair("c", of(Role::multiplier)),
                                   std::pair("c", of(Role::parameter)), std::pair("t", of(Role::time)),
                                   std::pair("pi", of(Role::constant))}) {
    CAPTURE(role);
    CHECK(first_refuted(and_symbol(honest, name, role)) == "nothing");
  }
  for (const auto& [name, role] :
       {std::pair("c", -1), std::pair("c", of(Role::multiplier) + 1),
        std::pair("c", of(Role::multiplier) + 2), std::pair("t", of(Role::parameter)),
        std::pair("t", of(Role::plain)), std::pair("c", of(Role::time)), std::pair("pi", of(Role::parameter)),
        std::pair("c", of(Role::constant))}) {
    CAPTURE(role);
    is_no_certificate(and_symbol(honest, name, role));
  }
}

TEST_CASE("parameters, other constants and pi are positive, and nothing else") {
  const Data honest = system_of(plane);
  for (const auto& [name, role] : {std::pair("c", of(Role::plain)), std::pair("c", of(Role::parameter)),
                                   std::pair("pi", of(Role::constant))})
    CHECK(first_refuted(and_symbol(honest, name, role, true)) == "nothing");
  for (const auto& [name, role] : {std::pair("t", of(Role::time)), std::pair("c", of(Role::velocity)),
                                   std::pair("c", of(Role::coordinate)), std::pair("c", of(Role::momentum)),
                                   std::pair("c", of(Role::rotation))}) {
    CAPTURE(role);
    is_no_certificate(and_symbol(honest, name, role, true));
  }
  // A parameter that is said not to be positive may be negative at a state.
  Data refuted_one = claiming(honest, "not-zero", "zero", "refuted");
  refuted_one["function"] = "c";
  Data at;
  at["c"] = "-1";
  refuted_one["at"] = at;
  CHECK(first_refuted(and_symbol(refuted_one, "c", of(Role::parameter), false)) == "nothing");
  CHECK(first_refuted(and_symbol(refuted_one, "c", of(Role::parameter), true)) == "the state is one");
}

TEST_CASE("a velocity that is listed twice, forces in speeds, structure coefficients that know the time") {
  Data twice = at_rest(claiming(system_of(plane), "symmetries", "symmetries", "proved"));
  twice["fields"] = Data::List{Data::List{"1", "0"}};
  CHECK(first_refuted(twice) == "nothing");
  twice["velocities"] = Data::List{"x'", "x'"};
  is_no_certificate(twice);

  const Data slider = system_of(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n[velocities]\nu = \"x'\"\nw = "
      "\"y'\"\n");
  Data pulled = with(slider, "forces", Data::List{"-x'", "0"});
  pulled["speed_rates"] = Data::List{"-u", "0"};
  CHECK(first_refuted(pulled) == "nothing");
  pulled["forces"] = Data::List{"-u", "0"};
  is_no_certificate(pulled);

  Data heisenberg =
      system_of("lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\nspace = { a = \"R\", b = \"R\", c = \"R\" }\n");
  heisenberg["functions"] = Data::List{};
  heisenberg["frame"] = Data::List(3, Data(Data::List{}));
  const auto with_bracket = [&](const std::string& c) {
    Data d = with(heisenberg, "structure", Data::List{Data::List{0, 1, 2, c}, Data::List{1, 0, 2, "-" + c}});
    d["speed_rates"] = Data::List{"-" + c + "*b'*c'", c + "*a'*c'", "0"};
    return d;
  };
  CHECK(first_refuted(with_bracket("1")) == "nothing");
  is_no_certificate(with_bracket("t"));
}

TEST_CASE("on an algebra alone its trace does not count as a volume") {
  Data forged = system_of("lagrangian = \"(a'^2 + b'^2)/2\"\nspace = { a = \"R\", b = \"R\" }\n");
  forged = claiming(forged, "invariant-measure", "invariant-measure", "proved");
  forged["density"] = "1";
  forged["structure"] = Data::List{Data::List{0, 1, 1, "1"}, Data::List{1, 0, 1, "-1"}};
  forged["speed_rates"] = Data::List{"-b'^2", "a'*b'"};
  forged["functions"] = Data::List{};
  forged["frame"] = Data::List(2, Data(Data::List{}));
  CHECK(first_refuted(forged) == "the density is invariant");
}

TEST_CASE("the volume of an ellipse, and what contains a velocity is no position") {
  const System ellipse = read_model(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nconstraints = { curve = \"x^2 + "
      "4*y^2 = 1\" }\n",
      "ellipse.toml");
  const Answer answer = asked(question("invariant-measure"), ellipse, 60);
  const Data honest = answer.certificate;
  REQUIRE_FALSE(honest.is_null());
  CHECK(first_refuted(honest) == "nothing");
  const std::string density = *honest.find("density")->text();
  for (const char* factor : {"x", "sqrt(x^2 + 16*y^2)", "(x^2 + 16*y^2)", "1/(x^2 + 16*y^2)"}) {
    CAPTURE(factor);
    CHECK(first_refuted(with(honest, "density", fmt::format("({})*{}", density, factor))) ==
          "the density is invariant");
  }
  REQUIRE(list_in(honest, "positions").size() == 1);
  for (const char* key : {"velocities", "speeds"}) {
    const std::string v = *list_in(honest, key)[0].text();
    is_no_certificate(with(honest, "positions", Data::List{"(x^2 + 4*y^2 - 1)*(1 + " + v + "^2)"}));
  }
}

TEST_CASE(
    "a multiplier that exists is not refuted: its slopes are closed, with and without a magnetic field") {
  const Data honest = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + 2*y^2*x' + 3*x*y'"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = y*x'" }
)toml");
  Data forged = claiming(honest, "no-chaplygin-multiplier", "chaplygin-multiplier", "refuted");
  Data group;
  group["group"] = "R";
  group["orbits"] = Data::List{Data::List{"0", "0", "1"}};
  group["coframe"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"0", "1", "0"}};
  group["slopes"] = Data::List{"0", "-y/(1 + y^2)", "0"};
  std::string seen;
  for (const char* F : {"4*y - 3", "3 - 4*y"}) {
    group["gyroscopic"] = Data::List{Data::List{0, 1, F}};
    seen += first_refuted(with(forged, "groups", Data::List{group})) + "; ";
  }
  CHECK(seen.find("no function has them") != std::string::npos);
  const std::string stated = "the slopes of a multiplier would be those stated";
  for (const char* F : {"4*y - 3", "3 - 4*y"}) {  // the same on D, and not zero along the orbits
    Data along = group;
    along["gyroscopic"] = Data::List{Data::List{0, 1, F}};
    along["slopes"] = Data::List{"-y*x", "-y/(1 + y^2)", "x"};
    CHECK(first_refuted(with(forged, "groups", Data::List{along})) == stated);
    along["slopes"] = group["slopes"];
    along["gyroscopic"] = Data::List{Data::List{0, 1, F}, Data::List{0, 2, "x*y"}};
    CHECK(first_refuted(with(forged, "groups", Data::List{along})) == stated);
    for (const char* more :
         {"+ y*x'", "- y*x'"}) {  // a form that depends on the speeds makes up for a multiplier
      along["slopes"] = zeros(3);
      along["gyroscopic"] = Data::List{Data::List{0, 1, fmt::format("{} {}", F, more)}};
      is_no_certificate(with(forged, "groups", Data::List{along}));
    }
  }
  for (const Data& entry :
       {Data(Data::List{0, 1}), Data(Data::List{0, 1, "y", "1"}), Data(Data::List{"0", 1, "y"}),
        Data(Data::List{0, "1", "y"}), Data(Data::List{0, 1, 2}), Data("y"), Data(Data::List{-1, 1, "y"}),
        Data(Data::List{1, 1, "y"}), Data(Data::List{1, 0, "y"}), Data(Data::List{0, 3, "y"}),
        Data(Data::List{1, 3, "y"})}) {
    group["gyroscopic"] = Data::List{entry};
    is_no_certificate(with(forged, "groups", Data::List{group}));
  }
}

namespace {

/// A second-order system that is the free motion of this Lagrangian, said to have no Lagrangian.
Data without_lagrangian(const char* model, const Data::List& accelerations, int derivatives) {
  Data forged = claiming(system_of(model), "no-lagrangian", "inverse-problem", "refuted");
  Data system;
  system["type"] = "1";
  system["accelerations"] = accelerations;
  system["derivatives"] = derivatives;
  forged["systems"] = Data::List{system};
  return forged;
}

}  // namespace

TEST_CASE("geodesics of a curved metric satisfy every condition of Helmholtz, of however many derivatives") {
  const char* surface = R"toml(
lagrangian = "(x'^2 + (1 + x^2)*y'^2)/2"
space = { x = "R", y = "R" }
)toml";
  const char* space = R"toml(
lagrangian = "(x'^2 + (1 + x^2)*y'^2 + (1 + y)^2*z'^2)/2 - x*z"
space = { x = "R", y = "R", z = "R" }
)toml";
  const Data::List on_surface{"x*y'^2", "-2*x*x'*y'/(1 + x^2)"},
      in_space{"x*y'^2 - z", "((1 + y)*z'^2 - 2*x*x'*y')/(1 + x^2)", "(-x - 2*(1 + y)*y'*z')/(1 + y)^2"};
  for (const int derivatives : {1, 2, 3}) {
    CAPTURE(derivatives);
    CHECK(first_refuted(without_lagrangian(surface, on_surface, derivatives)) == "all of them are singular");
    if (derivatives < 3)
      CHECK(first_refuted(without_lagrangian(space, in_space, derivatives)) == "all of them are singular");
  }
  for (const int derivatives : {0, 21, -1})
    is_no_certificate(without_lagrangian(surface, on_surface, derivatives));
  Data other = without_lagrangian(surface, {"x*y'^2", "-3*x*x'*y'/(1 + x^2)"}, 1);
  CHECK(first_refuted(other) == "on the constraint it is the motion");
  is_no_certificate(without_lagrangian(surface, {"x*y'^2 + q'", "-2*x*x'*y'/(1 + x^2)"}, 1));
}

TEST_CASE("accelerations are those of coordinates") {
  // e^a ∂/∂b: the second velocity is no derivative.
  Data forged = without_lagrangian("lagrangian = \"(a'^2 + b'^2)/2\"\nspace = { a = \"R\", b = \"R\" }\n",
                                   {"-b'^2", "a'*b'"}, 1);
  forged["frame"] = Data::List{Data::List{"1", "0"}, Data::List{"0", "exp(a)"}};
  forged["structure"] = Data::List{Data::List{0, 1, 1, "1"}, Data::List{1, 0, 1, "-1"}};
  forged["speed_rates"] = Data::List{"-b'^2", "a'*b'"};
  is_no_certificate(forged);
  Data algebra = with(forged, "functions", Data::List{});
  algebra["frame"] = Data::List(2, Data(Data::List{}));
  is_no_certificate(algebra);
  algebra["structure"] = Data::List{};
  algebra["speed_rates"] = zeros(2);
  is_no_certificate(with_in(algebra, "systems", 0, "accelerations", zeros(2)));
}

TEST_CASE("costs and rates of a control problem know neither time nor velocities") {
  const Data disk = honest("optimal-control", "vertical-disk", "optimal-control");
  CHECK(first_refuted(disk) == "nothing");
  const std::string cost = *disk.find("cost")->text(), v = *list_in(disk, "velocities")[0].text(),
                    z = *list_in(disk, "speeds")[0].text();
  for (const std::string& more : {std::string("t"), v, z}) {
    CAPTURE(more);
    is_no_certificate(with(disk, "cost", cost + " + " + more));
  }
  const Data::List names = list_in(disk, "controls");
  is_no_certificate(with(disk, "controls", Data::List{}));
  for (const Data& name : {Data(v), Data(z), names.back(), Data("theta"), Data("1"), Data("k")}) {
    Data::List others = names;
    others[0] = name;
    is_no_certificate(with(disk, "controls", others));
  }
}

namespace {

/// A point on a circle under a force: no density, unless its only candidate is periodic.
Data without_measure(const char* force, const char* candidate) {
  Data forged = system_of(
      fmt::format("lagrangian = \"x'^2/2\"\nspace = {{ x = \"S1\" }}\nforces = {{ x = \"{}\" }}\n", force)
          .c_str());
  forged = claiming(forged, "no-invariant-measure", "invariant-measure", "refuted");
  forged["given"] = Data::List{Data::List{"leg", 0}};
  forged["brackets"] = Data::List{};
  forged["candidate"] = candidate;
  forged["turns"] = "x";
  forged["circles"] = Data::List{"x"};
  forged["scope"] = "every smooth density";
  return forged;
}

}  // namespace

TEST_CASE("the only candidate for a density is periodic, is another one, or turns no circle") {
  CHECK(first_refuted(without_measure("x'^2", "-2*x")) == "nothing");
  CHECK(first_refuted(without_measure("cos(x)*x'^2", "-2*sin(x)")) == "it is not periodic");
  CHECK(first_refuted(without_measure("cos(x)*x'^2", "-2*x")) ==
        "the only logarithm of a density is the stated one");
  const Data honest_one = without_measure("x'^2", "-2*x");
  is_no_certificate(with(honest_one, "circles", Data::List{}));
  is_no_certificate(with(honest_one, "circles", Data::List{"y"}));
  is_no_certificate(with(honest_one, "turns", "2*x"));
  CHECK(first_refuted(with(honest_one, "given", Data::List{Data::List{"drift"}})) != "nothing");
  is_no_certificate(with(honest_one, "given", Data::List{Data::List{"leg", 1}}));
  is_no_certificate(with(honest_one, "given", Data::List{Data::List{"still", 1}}));
  is_no_certificate(with(honest_one, "given", Data::List{Data::List{"still", -1}}));
  is_no_certificate(with(honest_one, "given", Data::List{Data::List{"still"}}));
  is_no_certificate(with(honest_one, "given", Data::List{Data::List{"rest", 0}}));
  CHECK(first_refuted(without_measure("x'^3", "-2*x")) ==
        "the divergence of the motion has degree one in the speeds");
}

TEST_CASE("a density along constraints that carry the motion") {
  Data forged = system_of(R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "S1", y = "R" }
forces = { y = "-y'" }
constraints = { carried = "x' = 1" }
)toml");
  forged = claiming(forged, "no-invariant-measure", "invariant-measure", "refuted");
  for (const auto& [key, value] : {std::pair("turns", "x"), std::pair("candidate", "x"),
                                   std::pair("scope", "densities of the configuration")})
    forged[key] = value;
  forged["given"] = Data::List{Data::List{"leg", 0}, Data::List{"drift"}};
  forged["brackets"] = Data::List{};
  forged["circles"] = Data::List{"x"};
  CHECK(first_refuted(forged) == "nothing");
  CHECK(first_refuted(with(forged, "candidate", "-x")) ==
        "the only logarithm of a density is the stated one");
  CHECK(first_refuted(with(forged, "candidate", "2*x")) ==
        "the only logarithm of a density is the stated one");
  CHECK(first_refuted(with(forged, "scope", "every smooth density")) ==
        "the motion is homogeneous in the speeds, so this excludes every smooth density");
}

TEST_CASE("the power of a force makes up for the time in the Lagrangian, and does not") {
  Data balance = at_rest(system_of("lagrangian = \"x'^2/2 - t*x\"\nspace = { x = \"R\" }\n"));
  balance = claiming(balance, "energy", "energy", "proved");
  balance["quantity"] = "energy";
  CHECK(first_refuted(with(balance, "forces", Data::List{"-x/x'"})) == "nothing");
  CHECK(first_refuted(with(balance, "forces", Data::List{"x/x'"})) ==
        "forces and time do not change the energy");
}

TEST_CASE("factors of a characteristic polynomial have a degree and begin with 1") {
  const Data damped =
      system_of("lagrangian = \"x'^2/2 - x^2\"\nspace = { x = \"R\" }\nforces = { x = \"-3*x'\" }\n");
  const std::string z = *list_in(damped, "speeds")[0].text();
  const auto placed = [&](const Data::List& factors, const char* where) {
    Data family, values;
    values["x"] = "0";
    values[z] = "0";
    family["point"] = "x = 0";
    family["values"] = values;
    family["factors"] = factors;
    family["at"] = Data(Data::Record{});
    family["eigenvalues"] = where;
    return with(claiming(damped, "steady-motions", "equilibria", "proved"), "families", Data::List{family});
  };
  const Data::List honest_factors{Data::List{"1", "1"}, Data::List{"2", "1"}};
  CHECK(first_refuted(placed(honest_factors, "not on the right")) == "nothing");
  CHECK(first_refuted(placed(honest_factors, "on the right")) == "there an eigenvalue lies on the right");
  is_no_certificate(placed({Data::List{"-1", "-1"}, Data::List{"-2", "-1"}}, "on the right"));
  is_no_certificate(
      placed({Data::List{"1", "1"}, Data::List{"2", "1"}, Data::List{"1"}}, "not on the right"));
  is_no_certificate(placed({Data::List{"1", "1"}, Data::List{"2", "1"}, Data::List{}}, "not on the right"));
  CHECK(first_refuted(placed(Data::List{Data(Data::List{"3", "1"})}, "not on the right")) ==
        "the characteristic polynomial has the factors stated");
}

TEST_CASE("a function that is not constant bounds no motion, and one that matters is varied") {
  const auto claimed = [](const char* model, const Data::Record& values, const Data::List& integrals,
                          const Data::List& multipliers) {
    Data family, extremum;
    extremum["at"] = Data(Data::Record{});
    extremum["integrals"] = integrals;
    extremum["multipliers"] = multipliers;
    family["point"] = "0";
    family["values"] = Data(values);
    family["extremum"] = extremum;
    return with(claiming(system_of(model), "steady-motions", "equilibria", "proved"), "families",
                Data::List{family});
  };
  const char* unstable = "lagrangian = \"x'^2/2 + x^2/2\"\nspace = { x = \"R\" }\n[velocities]\nu = \"x'\"\n";
  CHECK(first_refuted(claimed(unstable, {{"x", "0"}, {"u", "0"}}, {"x^2 + u^2"}, {"0", "1"})) ==
        "the integrals are constant along the motion");
  const char* rail =
      "lagrangian = \"(x'^2 + y'^2 - x^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nconstraints = { rail = \"y' "
      "= 0\" }\n[velocities]\nu = \"x'\"\n";
  const Data::Record rest{{"x", "0"}, {"y", "0"}, {"u", "0"}};
  CHECK(first_refuted(claimed(rail, rest, {"y^2"}, {"1", "1"})) == "nothing");
  CHECK(first_refuted(claimed(rail, rest, {"y^2"}, {"1", "-1"})) == "there it is definite");
  CHECK(first_refuted(claimed(rail, rest, {"y^2 + y"}, {"1", "1"})) == "their combination is stationary");
}

TEST_CASE("a point that moves where its speed happens to be constant is not steady") {
  const Data driven = system_of(
      "lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"(x' - 1)*x\" }\n[velocities]\nu = "
      "\"x'\"\n");
  const auto at_speed = [&](const char* u) {
    Data family, values;
    values["x"] = "0";
    values["u"] = u;
    family["point"] = "x = 0";
    family["values"] = values;
    return with(claiming(driven, "steady-motions", "equilibria", "proved"), "families", Data::List{family});
  };
  CHECK(first_refuted(at_speed("0")) == "nothing");
  CHECK(first_refuted(at_speed("1")) == "nothing that matters changes");
}

TEST_CASE(
    "constraints whose brackets stay in D are not said to leave it, and sections do not know the time") {
  const Data exact = honest("integrability", "fake-exact", "holonomic");
  const Data rank = list_in(exact, "ranks")[0];
  is_no_certificate(
      with(claiming(exact, "nonholonomic", "integrability", "refuted"), "ranks", Data::List{rank, rank}));
  is_no_certificate(with(exact, "ranks", Data::List{}));
  const Data particle = honest("momenta", "nonholonomic-particle", "gauge-momenta");
  const std::string z = *list_in(particle, "speeds")[0].text();
  for (const char* key : {"sections", "fields"}) {
    for (const std::string& factor : {std::string("t"), z}) {
      Data::List all = list_in(particle, key), first = *all[0].list();
      for (Data& e : first) e = "(" + *e.text() + ")*" + factor;
      all[0] = first;
      is_no_certificate(with(particle, key, all));
    }
  }
}

TEST_CASE(
    "a multiplier that exists is not refuted in oblique coordinates, where closed forms have more than one "
    "component") {
  const Data oblique = system_of(R"toml(
lagrangian = "(x'^2 + (y' - z')^2 + z'^2)/2 + 2*(y - z)^2*x' + 3*x*(y' - z')"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = (y - z)*x'" }
[velocities]
u = "x'"
w = "y'"
)toml");
  const Data forged = claiming(oblique, "no-chaplygin-multiplier", "chaplygin-multiplier", "refuted");
  Data group;
  group["group"] = "R";
  group["orbits"] = Data::List{Data(Data::List{"0", "1", "1"})};
  group["coframe"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"y - z", "1", "-1"}};
  group["slopes"] = Data::List{"0", "-(y - z)/(1 + (y - z)^2)", "(y - z)/(1 + (y - z)^2)"};
  std::string seen;
  for (const std::string sign : {"", "-"}) {
    const std::string F = sign + "(4*(y - z) - 3)";
    group["gyroscopic"] = Data::List{Data::List{0, 1, F}, Data::List{0, 2, "-(" + F + ")"}};
    seen += first_refuted(with(forged, "groups", Data::List{group})) + "; ";
  }
  CHECK(seen.find("no function has them") != std::string::npos);
}

TEST_CASE(
    "brackets with a leg that moves no function satisfy Jacobi's identity by the slopes of their "
    "coefficients") {
  Data legs =
      system_of("lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\nspace = { a = \"R\", b = \"R\", c = \"R\" }\n");
  legs["functions"] = Data::List{"a", "b"};
  legs["frame"] = Data::List{Data::List{"1", "0"}, Data::List{"0", "1"}, Data::List{"0", "0"}};
  const auto with_brackets = [&](const std::string& f,
                                 const std::string& g) {  // [X_0, X_2] = f X_2, [X_1, X_2] = g X_2
    Data d = with(legs, "structure",
                  Data::List{Data::List{0, 2, 2, f}, Data::List{2, 0, 2, "-(" + f + ")"},
                             Data::List{1, 2, 2, g}, Data::List{2, 1, 2, "-(" + g + ")"}});
    d["speed_rates"] =
        Data::List{"-(" + f + ")*c'^2", "-(" + g + ")*c'^2", "((" + f + ")*a' + (" + g + ")*b')*c'"};
    return d;
  };
  CHECK(first_refuted(with_brackets("b", "a")) == "nothing");
  CHECK(first_refuted(with_brackets("2*a*b^3", "3*a^2*b^2")) == "nothing");
  for (const auto& [f, g] : {std::pair("b", "2*a"), std::pair("b", "-a"), std::pair("b", "0"),
                             std::pair("0", "a"), std::pair("2*a*b^3", "3*a^2*b^3"), std::pair("a*b", "a*b")})
    CHECK(first_refuted(with_brackets(f, g)) == "the brackets of the frame are as stated");
}

namespace {

/// What holds of a certificate for the coordinates x, y, z holds for each of their cyclic permutations: {x, y, z} ↦ {y, z, x} in every text.
std::string turned(const std::string& text, int times) {
  std::string all = text;
  for (char& c : all) {
    const std::size_t at = std::string_view("xyz").find(c);
    if (at != std::string_view::npos) c = "xyz"[(at + static_cast<std::size_t>(times)) % 3];
  }
  return all;
}

/// Entries of three, moved to where the coordinates have gone.
Data::List turned_list(const Data::List& three, int times) {
  Data::List all(3, Data("0"));
  for (std::size_t i = 0; i < 3; ++i)
    all[(i + static_cast<std::size_t>(times)) % 3] = turned(*three[i].text(), times);
  return all;
}

/// A charge in a magnetic field with the flux J = s' + A q' + φ, in `force` times J, and the group along s.
Data of_charge(const std::string& A_and_phi, const Data::List& force) {
  const std::string J = "(s' + " + A_and_phi + ")";
  std::string forces;
  for (std::size_t i = 0; i < 3; ++i)
    forces += std::string(i == 0 ? "" : ", ") + "xyz"[i] + " = \"(" + *force[i].text() + ")*" + J + "\"";
  Data forged = system_of(("lagrangian = \"(x'^2 + y'^2 + z'^2 + " + J +
                           "^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\", s = \"R\" }\nforces = { " +
                           forces + " }\n")
                              .c_str());
  REQUIRE(list_in(forged, "speeds").size() == 4);
  forged = claiming(forged, "no-routh-hamiltonization", "routh-hamiltonization", "refuted");
  Data group;
  group["group"] = "s";
  group["orbits"] = Data::List{};
  group["fields"] = Data::List(1, Data(Data::List{"0", "0", "0", "1"}));
  group["theta"] = Data::List{Data::List{"1", "0", "0", "0"}, Data::List{"0", "1", "0", "0"},
                              Data::List{"0", "0", "1", "0"}};
  group["eta"] = Data(group["fields"]);
  group["legs"] = Data::List{0, 1, 2};
  group["slopes"] = zeros(4);
  forged["groups"] = Data::List(1, group);
  return forged;
}

}  // namespace

TEST_CASE("a charge in three dimensions: closed fields have a multiplier, monopoles have none") {
  const std::string A = "y*z*x' + x*z^2*y' + x*y^2*z' + x + 2*y*z";
  for (int times = 0; times < 3; ++times) {
    CAPTURE(times);
    for (const std::string& potential : {std::string("x*0"), std::string("y*z*x'"), A, "3*(" + A + ")"}) {
      CAPTURE(potential);
      const Data free_charge = of_charge(turned(potential, times), {"0", "0", "0"});
      CHECK(first_refuted(free_charge) == "no function has them");
      // B = (x, 0, 0), of which the divergence is 1.
      const Data monopole = of_charge(turned(potential, times), turned_list({"0", "x*z'", "-x*y'"}, times));
      CHECK(first_refuted(monopole) == "nothing");
      CHECK(first_refuted(of_charge(turned(potential, times), turned_list({"0", "y*z'", "-y*y'"}, times))) ==
            "no function has them");
    }
  }
  const Data monopole = of_charge(A, {"0", "x*z'", "-x*y'"});
  for (const Data::List& legs :
       {Data::List{0, 1, 4}, Data::List{0, 1, -1}, Data::List{0, 1}, Data::List{0, 1, "2"}})
    is_no_certificate(with_in(monopole, "groups", 0, "legs", legs));
  CHECK(first_refuted(with_in(monopole, "groups", 0, "legs", Data::List{0, 1, 1})) ==
        "orbits, fields and the legs that are left tell all velocities apart");
  CHECK(first_refuted(with_in(monopole, "groups", 0, "slopes", Data::List{"0", "0", "0", "1"})) ==
        "the slopes of a multiplier would be those stated");
}

TEST_CASE("a momentum that is no coordinate of the speeds") {
  Data forged = system_of("lagrangian = \"x'*s' + y'^2/2\"\nspace = { x = \"R\", y = \"R\", s = \"R\" }\n");
  forged = claiming(forged, "no-routh-hamiltonization", "routh-hamiltonization", "refuted");
  Data group;
  group["group"] = "s";
  group["orbits"] = Data::List{};
  group["fields"] = Data::List(1, Data(Data::List{"0", "0", "1"}));
  group["theta"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"0", "1", "0"}};
  group["eta"] = Data(group["fields"]);
  group["legs"] = Data::List{0, 1};
  CHECK(first_refuted(with(forged, "groups", Data::List(1, group))) ==  // J = x'
        "the momenta determine the velocities along the fields");
}

TEST_CASE("a coframe that sees the orbits, with a momentum fixed") {
  const auto particle = [](const Data::List& theta, const char* slope, const char* along_orbit) {
    Data forged = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2 + s'^2)/2"
space = { x = "R", y = "R", z = "R", s = "R" }
constraints = { c = "z' = y*x'" }
)toml");
    REQUIRE(list_in(forged, "speeds").size() == 3);
    forged = claiming(forged, "no-routh-hamiltonization", "routh-hamiltonization", "refuted");
    Data group;
    group["group"] = "z, s";
    group["orbits"] = Data::List(1, Data(Data::List{"0", "0", "1", "0"}));
    group["fields"] = Data::List(1, Data(Data::List{"0", "0", "0", "1"}));
    group["theta"] = theta;
    group["eta"] = Data(group["fields"]);
    group["legs"] = Data::List{0, 1};
    group["slopes"] = Data::List{"0", slope, along_orbit, "0"};
    return with(forged, "groups", Data::List(1, group));
  };
  const Data::List own{Data::List{"1", "0", "0", "0"}, Data::List{"0", "1", "0", "0"}};
  const Data::List other{Data::List{"1 - x*y", "0", "x", "0"}, Data::List{"0", "1", "0", "0"}};
  CHECK(first_refuted(particle(own, "-y/(1 + y^2)", "0")) == "no function has them");
  CHECK(first_refuted(particle(own, "-y/(1 + y^2)", "x")) ==
        "the slopes of a multiplier would be those stated");
  CHECK(first_refuted(particle(other, "-y/(1 + y^2) + x", "0")) ==
        "orbits, fields and the legs that are left tell all velocities apart");
}

TEST_CASE("three second-order equations without a Lagrangian, by the curvature and by its derivatives") {
  // T has the eigenvalues −2a, −2b, −2c; R^1_23 = 3, so g_11 = 0: with the eigenvectors of T that makes every g singular.
  const auto system = [](const Data::List& f, int times, int derivatives) {
    const Data::List all = turned_list(f, times);
    std::string forces;
    for (std::size_t i = 0; i < 3; ++i)
      forces += std::string(i == 0 ? "" : ", ") + "xyz"[i] + " = \"" + *all[i].text() + "\"";
    return without_lagrangian(("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = "
                               "\"R\" }\nforces = { " +
                               forces + " }\n")
                                  .c_str(),
                              all, derivatives);
  };
  for (int times = 0; times < 3; ++times) {
    CAPTURE(times);
    CHECK(first_refuted(system({"x + z*y'", "2*y", "3*z"}, times, 1)) == "nothing");
    CHECK(first_refuted(system({"x - z*y'", "2*y", "3*z"}, times, 1)) == "nothing");
    CHECK(first_refuted(system({"x + y*z'", "2*y", "3*z"}, times, 1)) == "nothing");
    // y z' + z y' is a derivative: R = 0, and T is that of three oscillators.
    CHECK(first_refuted(system({"x + y*z' + z*y'", "2*y", "3*z"}, times, 1)) == "all of them are singular");
    for (const int derivatives : {1, 2, 3}) {  // Lorentz forces have a Lagrangian
      CHECK(first_refuted(system({"-2*z*y' - y*z'", "x*z' + 2*z*x'", "y*x' - x*y'"}, times, derivatives)) ==
            "all of them are singular");
      CHECK(first_refuted(system({"x*y*y' - z'", "-x*y*x' + 3*y", "x'"}, times, derivatives)) ==
            "all of them are singular");
    }
  }
}

TEST_CASE("an acceleration in which a speed stands for a velocity has other derivatives") {
  // x'' = x + y z' + z y' has a Lagrangian; with a letter for y' it would have none.
  const char* model = R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
forces = { x = "x + y*z' + z*y'", y = "2*y", z = "3*z" }
velocities = { u = "x'", v = "y'", w = "z'" }
)toml";
  CHECK(first_refuted(without_lagrangian(model, {"x + y*z' + z*y'", "2*y", "3*z"}, 1)) ==
        "all of them are singular");
  is_no_certificate(without_lagrangian(model, {"x + y*z' + z*v", "2*y", "3*z"}, 1));
}

TEST_CASE("forces count among what the reactions have to do") {
  const auto claimed = [](const char* lagrangian, const char* forces, const Data::List& W) {
    Data forged = system_of((std::string("lagrangian = \"") + lagrangian +
                             "\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\nconstraints = { c = \"z' = "
                             "y*x'\" }\nforces = { " +
                             forces + " }\n")
                                .c_str());
    forged = claiming(forged, "not-conditionally-variational", "conditionally-variational", "refuted");
    forged["complement"] = Data::List(1, Data(W));
    forged["rounds"] = 2;
    return first_refuted(forged);
  };
  const std::string contradiction = "the conditions on the multipliers contradict each other";
  const char *without = "(x'^2 + y'^2 + (z' - y*x')^2)/2", *particle = "(x'^2 + y'^2 + z'^2)/2";
  const char* along_z = "x = \"-y\", z = \"1\"";  // no work on D, and a reaction of −1
  for (const Data::List& W : {Data::List{"0", "0", "1"}, Data::List{"-1/(2*y)", "0", "1/2"}}) {
    CHECK(claimed(without, "x = \"0\"", W) == contradiction);
    CHECK(claimed(without, along_z, W) == "nothing");
    CHECK(claimed(particle, "x = \"0\"", W) == "nothing");
    CHECK(claimed(particle, "z = \"x'*y'\"", W) == contradiction);  // z'' = (y x')' without a reaction
  }
  CHECK(claimed(particle, "z = \"-x'*y'\"", {"0", "0", "1"}) == "nothing");
  for (const Data::List& W : {Data::List{"0", "0", "1"}, Data::List{"-1/(2*y)", "0", "1/2"}})  // x'' = 1
    CHECK(claimed(particle, "x = \"1\", z = \"x'*y' + y\"", W) == contradiction);
}

TEST_CASE("gauge momenta: equations that contradict each other across the shape") {
  const System system = read_model(R"toml(
lagrangian = "(x'^2 + y'^2 + (1 + w^2)*z'^2 + w'^2)/2 - y^4 - y - w^4 - w"
space = { x = "R", y = "R", z = "R", w = "R" }
constraints = { c = "z' = y*x'" }
)toml",
                                   "curved.toml");
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  std::string why_not;
  const auto gauge = gauge_system(system, motion, why_not);
  REQUIRE(gauge);
  const Data curved = gauge_certificate(system, motion, *gauge, {}, {});
  REQUIRE_FALSE(curved.is_null());
  CHECK(first_refuted(curved) == "nothing");
  const std::string counted = "the equations leave no more momenta than counted";
  const Data bare = with(curved, "brackets", Data::List{});
  CHECK(first_refuted(bare) == counted);
  const int transports = 4;
  for (int i = 0; i < transports; ++i) {
    for (int j = 0; j < transports; ++j) {
      const bool across = (i == 2 && j == 3) || (i == 3 && j == 2);
      CHECK(first_refuted(with(bare, "brackets", Data::List(1, Data(Data::List{i, j})))) ==
            (across ? "nothing" : counted));
    }
  }
  CHECK(first_refuted(with(bare, "gauge_count", 1)) ==
        "the equations close, so there are as many as counted");
}

TEST_CASE("gauge momenta: conditions whose derivatives are others") {
  // A blade, which conserves neither of its momenta, and a slide whose momentum it turns into one of them.
  const Data two = asked(question("momenta"),
                         read_model(R"toml(
lagrangian = "(a'^2 + b'^2 + 2*th'^2 + q'^2 + z'^2 + w'^2)/2 + th'*(cos(th)*b' - sin(th)*a')/2 + (cos(th)*a' + sin(th)*b')*w'/2 - q^4 - q"
space = { a = "R", b = "R", th = "S1", q = "R", z = "R", w = "R" }
constraints = { blade = "cos(th)*b' - sin(th)*a' = 0", slide = "w' = q*z'" }
)toml",
                                    "slide.toml"),
                         60)
                       .certificate;
  REQUIRE_FALSE(two.is_null());
  CHECK(first_refuted(two) == "nothing");
  const std::string counted = "the equations leave no more momenta than counted",
                    closed = "the equations close, so there are as many as counted";
  Data scaled = two;  // the first section e^z times as long: ∂/∂z turns it
  Data::List sections = list_in(two, "sections"), turns = list_in(two, "turns"),
             slopes = list_in(two, "slopes");
  REQUIRE(sections.size() == 3);
  REQUIRE(turns.size() == 5);
  sections[0] = Data::List{"exp(z)*cos(th)", "exp(z)*sin(th)", "0", "0", "0", "0"};
  Data::List along_z = *turns[3].list(), along_q = *slopes[0].list();
  along_z[0] = "-1";
  along_q[2] = "exp(-z)*(" + *along_q[2].text() + ")";
  turns[3] = along_z;
  slopes[0] = along_q;
  scaled["sections"] = sections;
  scaled["turns"] = turns;
  scaled["slopes"] = slopes;
  for (const Data& certificate : {two, scaled}) {
    for (const int rounds : {1, 2})
      CHECK(first_refuted(with(certificate, "prolongations", rounds)) == "nothing");
    const Data bare = with(certificate, "prolongations", 0);
    CHECK(first_refuted(bare) == counted);
    CHECK(first_refuted(with(with(bare, "gauge_count", 1), "verdict", "proved")) == closed);
    for (const Data::List& pair : {Data::List{3, 5}, Data::List{5, 3}, Data::List{0, 5}, Data::List{2, 1}}) {
      CHECK(first_refuted(with(bare, "brackets", Data::List(1, Data(pair)))) == counted);
      CHECK(first_refuted(with(certificate, "brackets", Data::List(1, Data(pair)))) == "nothing");
    }
  }
  turns[3] = list_in(two, "turns")[3];
  CHECK(first_refuted(with(scaled, "turns", turns)) == "the group turns the sections as stated");
}

namespace {

/// Gauge momenta of a system with the group along x and one section, or as stated.
Data of_sections(const char* model, const Data::List& fields, const Data::List& sections, int count) {
  Data d = claiming(system_of(model), "gauge-momenta", "momenta", "proved");
  d["fields"] = fields;
  d["sections"] = sections;
  const std::size_t k = sections.size() + 1;
  d["turns"] = Data::List(fields.size(), Data(Data::List(k * k, Data("0"))));
  for (const char* key : {"slopes", "brackets", "solutions"}) d[key] = Data::List{};
  d["prolongations"] = 0;
  d["gauge_count"] = count;
  return d;
}

constexpr const char* contact = R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = y*x'" }
)toml";
constexpr const char *counted = "the equations leave no more momenta than counted",
                     *closed = "the equations close, so there are as many as counted";

}  // namespace

TEST_CASE("gauge momenta: rates at rest, rates of degree three, solutions of all equations") {
  const auto forced = [](const char* force, int count) {
    return of_sections(
        (std::string("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nforces = { x = \"") + force + "\" }\n")
            .c_str(),
        lists({{"1"}}), lists({{"1"}}), count);
  };
  CHECK(first_refuted(forced("0", 1)) == "nothing");
  CHECK(first_refuted(forced("0", 0)) == counted);
  for (const char* force : {"1", "-x'", "-x'^2"}) {
    CAPTURE(force);
    CHECK(first_refuted(forced(force, 0)) == "nothing");
    CHECK(first_refuted(forced(force, 1)) == closed);
    CHECK(first_refuted(with(forced(force, 1), "solutions", lists({{"1", "0"}}))) ==
          "the coefficients stated make conserved momenta");
  }
  for (const int count : {0, 1})
    CHECK(first_refuted(forced("-x'^3", count)) == "the rates of the momenta are quadratic in the speeds");
  CHECK(first_refuted(forced("0", 2)) == closed);
  CHECK(first_refuted(with(forced("0", 1), "solutions", lists({{"x", "0"}}))) ==
        "the coefficients stated make conserved momenta");
  is_no_certificate(forced("t", 0));
  CHECK(first_refuted(with(forced("0", 2), "solutions", lists({{"1", "0"}, {"2", "0"}}))) ==
        "they are independent");
  is_no_certificate(forced("0", -1));
}

TEST_CASE("gauge momenta: one condition whose derivative is another, which leaves none") {
  // f1 + z f2 = 0 for f that are constant.
  const Data::List plane_of = lists({{"1", "0", "0"}, {"0", "1", "0"}});
  Data d = of_sections(
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\nforces = { x = "
      "\"z'^2\", y = "
      "\"z*z'^2\" }\n",
      plane_of, plane_of, 0);
  d["slopes"] = Data::List{zeros(9)};
  CHECK(first_refuted(d) == counted);
  CHECK(first_refuted(with(d, "prolongations", 1)) == "nothing");
  // Slopes that are zero, but too long for an exact proof.
  CHECK(is_confirmed_exactly(with(d, "prolongations", 1)));
  Data::List long_zero(9, Data("0"));
  long_zero[0] = "((x + y + z + 1)^40 + 1)^2 - (x + y + z + 1)^80 - 2*(x + y + z + 1)^40 - 1";
  const Data uncertain = with(with(d, "prolongations", 1), "slopes", Data::List{long_zero});
  CHECK(first_refuted(uncertain) == "nothing");
  CHECK_FALSE(is_confirmed_exactly(uncertain));
}

TEST_CASE("gauge momenta: sections along the orbits, a group, and what it turns") {
  const Data::List group = lists({{"1", "0", "0"}, {"0", "0", "1"}}), own = lists({{"1", "0", "y"}});
  const auto across = [](Data d, const char* slope) {
    return with(std::move(d), "slopes", lists({{slope, "0", "0", "0"}}));
  };
  const Data honest_one = across(of_sections(contact, group, own, 1), "-y/(1 + y^2)");
  CHECK(first_refuted(honest_one) == "nothing");
  // y' is constant, and no momentum of the group.
  CHECK(first_refuted(across(of_sections(contact, group, lists({{"0", "1", "0"}}), 1), "0")) ==
        "they are along the orbits");
  is_no_certificate(of_sections(contact, {}, lists({{"1", "0", "y"}, {"0", "1", "0"}}), 1));
  for (const std::size_t entry : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    for (const std::size_t field : {std::size_t{0}, std::size_t{1}}) {
      CAPTURE(entry);
      Data::List turns = list_in(honest_one, "turns"), one = *turns[field].list();
      one[entry] = "1";
      turns[field] = one;
      CHECK(first_refuted(with(with(honest_one, "turns", turns), "gauge_count", 0)) ==
            "the group turns the sections as stated");
    }
  }
  CHECK(first_refuted(with(honest_one, "gauge_count", 0)) == counted);
  CHECK(first_refuted(across(honest_one, "y/(1 + y^2)")) == "and no others");
}

TEST_CASE("gauge momenta: no section is left out, and the Lagrangian does not know the time") {
  const std::string others = "they are independent, and no others are independent of them";
  const Data::List along = lists({{"1", "0", "0"}, {"0", "0", "1"}});
  CHECK(first_refuted(with(of_sections(contact, along, {}, 0), "slopes", lists({{"0"}}))) == others);
  Data algebra = of_sections("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n", {},
                             lists({{"1", "0"}, {"0", "1"}}), 2);
  algebra["functions"] = Data::List{};
  algebra["frame"] = Data::List(2, Data(Data::List{}));
  CHECK(first_refuted(algebra) == "nothing");
  CHECK(first_refuted(with(with(algebra, "sections", lists({{"1", "0"}})), "gauge_count", 1)) == others);
  is_no_certificate(of_sections("lagrangian = \"x'^2/2 + t*x'\"\nspace = { x = \"R\" }\n", lists({{"1"}}),
                                lists({{"1"}}), 1));
}

TEST_CASE("gauge momenta that are known need no brackets, also where these lead further") {
  Data d = of_sections(R"toml(
lagrangian = "(x'^2 + a'^2 + b'^2 + c'^2)/2"
space = { x = "R", a = "R", b = "R", c = "R" }
constraints = { k = "c' = a*b'" }
)toml",
                       lists({{"1", "0", "0", "0"}}), lists({{"1", "0", "0", "0"}}), 1);
  REQUIRE(list_in(d, "speeds").size() == 3);
  d["slopes"] = Data::List(2, zeros(4));
  d["solutions"] = lists({{"1", "0"}});
  CHECK(first_refuted(d) == "nothing");
  CHECK(first_refuted(with(d, "brackets", Data::List(1, Data(Data::List{1, 2})))) == "nothing");
  CHECK(first_refuted(with(d, "gauge_count", 0)) == counted);
  CHECK(first_refuted(with(d, "solutions", Data::List{})) == closed);
}

TEST_CASE("gauge momenta with a function: a charge whose field changes with y") {
  // x'' = y y': x' − y²/2 is constant.
  const char* model = R"toml(
lagrangian = "(x'^2 + y'^2)/2"
space = { x = "R", y = "R" }
forces = { x = "y*y'", y = "-y*x'" }
)toml";
  Data charge = of_sections(model, lists({{"1", "0"}}), lists({{"1", "0"}}), 1);
  charge["slopes"] = lists({{"0", "0", "-y", "0"}});
  CHECK(first_refuted(charge) == "nothing");
  CHECK(first_refuted(with(charge, "solutions", lists({{"1", "-y^2/2"}}))) == "nothing");
  for (const char* f : {"-y^2", "y^2/2", "0"})
    CHECK(first_refuted(with(charge, "solutions", lists({{"1", f}}))) ==
          "the coefficients stated make conserved momenta");
  for (const Data::List& slopes : {Data::List{"0", "0", "y", "0"}, Data::List{"0", "-y", "0", "0"},
                                   Data::List{"0", "0", "-2*y", "0"}, Data::List{"0", "0", "-y", "1"}})
    CHECK(first_refuted(with(charge, "slopes", lists({slopes}))) == "and no others");
  CHECK(first_refuted(with(charge, "gauge_count", 0)) == counted);
}
