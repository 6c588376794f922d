// Certificates that something does not exist, and of extremals: what is forged is refuted at the step that it forges.

#include "../../model/turning.hpp"
#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>
#include <rattleback/proof/variational/associated_systems.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/not_variational_certificate.hpp>

using namespace rattleback;

namespace {

/// "There is no multiplier" of a particle that has one, by the group that moves z.
Data of_the_particle(Data group) {
  group["group"] = "z";
  if (group.find("orbits") == nullptr) group["orbits"] = Data::List{Data::List{"0", "0", "1"}};
  if (group.find("coframe") == nullptr)
    group["coframe"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"0", "1", "0"}};
  Data certificate = answer_to("chaplygin-multiplier", "nonholonomic-particle").certificate;
  certificate["certificate"] = "no-chaplygin-multiplier";
  certificate["verdict"] = "refuted";
  certificate["groups"] = Data::List{std::move(group)};
  return certificate;
}

}  // namespace

TEST_CASE("what the program refutes, the checker refutes by itself") {
  const std::tuple<const char*, const char*, const char*> all[] = {
      {"chaplygin-multiplier", "zero-reaction-no-measure",
       "no-chaplygin-multiplier"},                                          // d log f is not closed
      {"chaplygin-multiplier", "falling-disk", "no-chaplygin-multiplier"},  // (C.36) is a contradiction
      {"chaplygin-multiplier", "suslov", "no-chaplygin-multiplier"},
      {"suslov-hamiltonization", "gl2-suslov", "no-suslov-hamiltonization"},
      {"inverse-problem", "snakeboard", "no-lagrangian"},
      {"conditionally-variational", "chaplygin-sleigh", "not-conditionally-variational"},
      {"conditionally-variational", "suslov", "not-conditionally-variational"},
      {"optimal-control", "chaplygin-sleigh", "no-optimal-control"},
      {"optimal-control", "suslov",
       "not-conditionally-variational"},  // no coordinates, no associated systems
      {"optimal-control", "vertical-disk", "optimal-control"},
      {"optimal-control", "iliyev", "optimal-control"},
      {"optimal-control", "homogeneous-ball", "conditionally-variational"}};
  for (const auto& [name, model, kind] : all) CHECK(first_refuted(honest(name, model, kind)) == "nothing");
}

TEST_CASE("a multiplier that exists is not denied") {
  const std::string contradiction = "the equations for the slopes of a multiplier contradict each other";
  CHECK(first_refuted(of_the_particle({})) == contradiction);
  Data group;
  group["slopes"] = Data::List{"0", "-y/(1 + y^2)", "0"};  // of 1/sqrt(1 + y²)
  CHECK(first_refuted(of_the_particle(group)) == "no function has them");
  for (const char* slope : {"0", "y/(1 + y^2)", "-x*y/(1 + y^2)"}) {
    CAPTURE(slope);
    group["slopes"] = Data::List{"0", slope, "0"};
    CHECK(first_refuted(of_the_particle(group)) == "the slopes of a multiplier would be those stated");
  }
}

TEST_CASE("forged orbits and slopes") {
  const Data disk = honest("chaplygin-multiplier", "falling-disk", "no-chaplygin-multiplier");
  const Data::List orbits = list_in(list_in(disk, "groups")[0], "orbits");
  const auto none = Data::List(orbits.size(), zeros(orbits[0].list()->size()));
  CHECK(first_refuted(with_in(disk, "groups", 0, "orbits", none)) ==
        "they have the dimension of a complement");
  const Data::List coframe = list_in(list_in(disk, "groups")[0], "coframe");
  CHECK(first_refuted(with_in(disk, "groups", 0, "coframe",
                              Data::List(coframe.size(), zeros(coframe[0].list()->size())))) ==
        "the orbits complement D, and so they project on it");
  const Data open = honest("chaplygin-multiplier", "zero-reaction-no-measure", "no-chaplygin-multiplier");
  CHECK(first_refuted(with_in(open, "groups", 1, "slopes",
                              zeros(list_in(list_in(open, "groups")[1], "slopes").size()))) ==
        "the slopes of a multiplier would be those stated");
  for (const Data& broken :
       {with(disk, "groups", Data::List{}), with(disk, "groups", "all"),
        with_in(disk, "groups", 0, "orbits", Data::List{}), with_in(disk, "groups", 0, "coframe", zeros(2)),
        with_in(disk, "groups", 0, "group", 1)})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a gyroscopic form that is not closed, and one that is") {
  const auto answer = [](const std::string& lagrangian, const std::string& constraint) {
    const System s = read_model("lagrangian = \"" + lagrangian + R"toml("
[space]
x = "R"
y = "R"
z = "R"
s = "R"
[constraints]
c = ")toml" + constraint + "\"\n",
                                "charge.toml");
    return asked(question("chaplygin-multiplier"), s, 60);
  };
  const Answer open = answer("1/2*(x'^2 + y'^2 + z'^2) + y*z*s'", "s' = x*y'");
  REQUIRE(open.outcome == Outcome::refuted);  // f = 1 and F = d(...) - y z dx∧dy, which is not closed
  REQUIRE_FALSE(open.certificate.is_null());
  CHECK(first_refuted(open.certificate) == "nothing");
  CHECK(first_refuted(with_in(open.certificate, "groups", 0, "gyroscopic", Data::List{})) ==
        "the slopes of a multiplier would be those stated");
  // A closed one has a multiplier, and the certificate of that says which form it is.
  const Answer closed = answer("1/2*(x'^2 + y'^2 + z'^2 + s'^2) + z*x*y'", "s' = x'");
  REQUIRE(closed.outcome == Outcome::proved);
  Data group;
  group["group"] = "s";
  group["orbits"] = Data::List{Data::List{"0", "0", "0", "1"}};
  Data::List coframe;  // dx, dy, dz, in the order of the speeds; s' is x'
  for (const Data& speed : list_in(closed.certificate, "speeds")) {
    const char letter = (*speed.text())[0];
    Data::List row(4, Data("0"));
    row[letter == 'y' ? 1 : letter == 'z' ? 2 : 0] = "1";
    coframe.emplace_back(row);
  }
  group["coframe"] = coframe;
  group["slopes"] = zeros(4);
  group["gyroscopic"] = list_in(closed.certificate, "twist")[0];
  const Data forged =
      with(with(closed.certificate, "certificate", "no-chaplygin-multiplier"), "verdict", "refuted");
  CHECK(first_refuted(with(forged, "groups", Data::List{group})) == "no function has them");
}

namespace {

/// A bundle over (x, y) or (x, y, z) with one fibre s and a rotor c on which nothing depends; a force that grows with its own velocity.
System with_rotor(const std::string& lagrangian, const std::string& constraint, bool deeper = false,
                  const std::string& pushed = "") {
  return read_model("lagrangian = \"" + lagrangian + "\"\n[space]\nx = \"R\"\ny = \"R\"\n" +
                        (deeper ? "z = \"R\"\n" : "") + "c = \"S1\"\ns = \"R\"\n[constraints]\nk = \"" +
                        constraint + "\"\n" +
                        (pushed.empty() ? "" : "[forces]\n" + pushed + " = \"" + pushed + "'^2\"\n"),
                    "rotor.toml");
}

Data routh_certificate(const System& system) {
  const Answer a = asked(question("routh-hamiltonization"), system, 60);
  REQUIRE(a.outcome == Outcome::refuted);
  REQUIRE_FALSE(a.certificate.is_null());
  REQUIRE(*a.certificate.find("certificate")->text() == "no-routh-hamiltonization");
  return a.certificate;
}

Matrix unit(int n, int i) {
  Matrix column(n, 1);
  column[i] = Expr(1);
  return column;
}

}  // namespace

TEST_CASE("Routh's way refuted: d log f is not closed, (C.40) is a contradiction, or f F is not closed") {
  for (const System& system :
       {with_rotor("1/2*(x'^2 + y'^2 + s'^2 + c'^2) + (1 + x^2)*s'*x'", "s' = x^2*y*y'"),
        with_rotor("1/2*(x'^2 + y'^2 + z'^2 + s'^2) + 1/2*(1 + x^2)*c'^2", "s' = x*y' + y^2*z'", true),
        with_rotor("1/2*(x'^2 + y'^2 + z'^2 + (c' + x*y')^2) + y*z*s'", "s' = x*y'", true)})
    CHECK(first_refuted(routh_certificate(system)) == "nothing");
}

TEST_CASE("a multiplier that exists at fixed momenta is not denied") {
  const System board = load_model("snakeboard");  // x, y, θ, ψ, φ
  Matrix orbits(5, 2);
  orbits(0, 0) = orbits(1, 1) = Expr(1);
  FixedMomenta fixed{"x, y at constant mu_psi", orbits, unit(5, 3), std::nullopt};
  CHECK(first_refuted(no_routh_certificate(board, {fixed})) ==
        "the equations for the slopes of a multiplier contradict each other");
  const Answer a = answer_to("routh-hamiltonization", "snakeboard");
  const Expr f = parse(*a.answer.find("multiplier")->text(), board.scope);
  fixed.slopes.emplace();
  for (int i = 0; i < 5; ++i) fixed.slopes->push_back(board.space.derivative(i, f) / f);
  CHECK(first_refuted(no_routh_certificate(board, {fixed})) == "no function has them");
  // A closed gyroscopic form is not denied, either: f = 1, and nothing but the magnetic field acts.
  const System charge =
      with_rotor("1/2*(x'^2 + y'^2 + z'^2 + (c' + x*z')^2 + s'^2) + z*x*y'", "s' = x'", true);
  REQUIRE(asked(question("routh-hamiltonization"), charge, 60).outcome == Outcome::proved);
  const FixedMomenta even{"s at constant mu_c", unit(5, 4), unit(5, 3), std::vector<Expr>(5, Expr(0))};
  CHECK(first_refuted(no_routh_certificate(charge, {even})) == "no function has them");
  // The same with momenta that are not zero at rest, and two rotors.
  const System turned = with_rotor(
      "1/2*(x'^2 + (1 + x^2)*y'^2 + z'^2 + (c' + x*z' + y^2*x' + y*z)^2 + s'^2) + z*x*y'", "s' = x'", true);
  CHECK(first_refuted(no_routh_certificate(turned, {even})) == "no function has them");
}

TEST_CASE(
    "at fixed momenta the slopes satisfy every equation: a force along one coordinate is noticed by its "
    "own") {
  const auto refuted_at = [](const System& system, const FixedMomenta& fixed) {
    return first_refuted(no_routh_certificate(system, {fixed}));
  };
  const std::string stated = "the slopes of a multiplier would be those stated";
  const auto flat_one = [](const std::string& pushed) {
    return with_rotor("1/2*(x'^2 + y'^2 + s'^2 + c'^2) + (1 + x^2)*s'*x'", "s' = x^2*y*y'", false, pushed);
  };
  const System flat = flat_one("");
  FixedMomenta fixed{"s at constant mu_c", unit(4, 3), unit(4, 2), std::vector<Expr>()};
  for (const Data& slope : list_in(list_in(routh_certificate(flat), "groups")[0], "slopes"))
    fixed.slopes->push_back(parse(*slope.text(), flat.scope));
  CHECK(refuted_at(flat, fixed) == "nothing");
  for (const char* coordinate : {"x", "y"}) CHECK(refuted_at(flat_one(coordinate), fixed) == stated);
  const FixedMomenta even{"s at constant mu_c", unit(5, 4), unit(5, 3), std::vector<Expr>(5, Expr(0))};
  for (const char* coordinate : {"", "x", "y", "z"}) {
    CAPTURE(coordinate);
    const System deep =
        with_rotor("1/2*(x'^2 + y'^2 + z'^2 + (c' + x*y')^2) + y*z*s'", "s' = x*y'", true, coordinate);
    CHECK(refuted_at(deep, even) == (*coordinate == '\0' ? "nothing" : stated));
  }
}

TEST_CASE("forged momenta, legs and slopes") {
  const System system = with_rotor("1/2*(x'^2 + y'^2 + s'^2 + c'^2) + (1 + x^2)*s'*x'", "s' = x^2*y*y'");
  const Data honest_one = routh_certificate(system);
  const auto forged = [&](const char* key, Data value) {
    return with_in(honest_one, "groups", 0, key, std::move(value));
  };
  CHECK(first_refuted(forged("slopes", zeros(4))) == "the slopes of a multiplier would be those stated");
  const std::string apart = "orbits, fields and the legs that are left tell all velocities apart";
  CHECK(first_refuted(forged("theta", Data::List(2, zeros(4)))) == apart);
  CHECK(first_refuted(forged("eta", Data::List(1, zeros(4)))) == apart);
  CHECK(first_refuted(forged("fields", Data::List{Data::List{"0", "0", "1", "1"}})) == apart);
  CHECK(first_refuted(forged("orbits", Data::List{zeros(4)})) ==
        "the orbits have the dimension of a complement");
  CHECK(first_refuted(forged("legs", Data::List{0, 0})) == apart);
  // x' is not constant, and not cyclic.
  FixedMomenta other{"s at constant mu_x", unit(4, 3), unit(4, 0), std::nullopt};
  CHECK(first_refuted(no_routh_certificate(system, {other})) == "the momenta of the fields are constant");
  for (const Data& broken : {with(honest_one, "groups", Data::List{}), forged("legs", Data::List{0, 7}),
                             forged("legs", Data::List{0}), forged("fields", Data::List{}),
                             forged("theta", zeros(2)), forged("slopes", zeros(3))})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("forged control: a system that decouples has a control problem") {
  const System particle = load_model("nonholonomic-free-particle");
  const ConditionallyVariational variational = conditionally_variational(particle);
  REQUIRE(refuted(variational.full));
  std::vector<RefutedSystem> systems;
  for (const AssociatedSystem& s : associated_systems(chaplygin_reduction(particle))) {
    if (s.type == "II") systems.push_back({s.type, s.equations, 1});
  }
  REQUIRE(systems.size() == 1);
  CHECK(first_refuted(no_control_certificate(particle, variational.rounds, systems)) ==
        "no coordinate sets the pace of the others");
  systems[0].derivatives = 0;
  CHECK(first_refuted(no_control_certificate(particle, variational.rounds, systems)) ==
        "on the constraint it is not the motion");
  // r1' and w = r2^2 r1' + (2 + r1) r2' are constant: r2'' = -(2 r2 + 1)/(2 + r1) r1' r2', whose factor depends on r2, too.
  const Answer out_of_step = asked(question("optimal-control"),
                                   read_model(R"toml(
lagrangian = "1/2*(r1'^2 + w^2) - (2*r2 - 1)*w*(s' - r1*r2') + 3*(s' - r1*r2')^2"
space = { r1 = "R", r2 = "R", s = "R" }
define = { w = "r2^2*r1' + (2 + r1)*r2'" }
constraints = { c = "s' = r1*r2'" }
)toml",
                                              "out-of-step.toml"),
                                   60);
  REQUIRE(out_of_step.outcome == Outcome::not_found);
  REQUIRE(*out_of_step.certificate.find("certificate")->text() == "no-optimal-control");
  CHECK(first_refuted(out_of_step.certificate) == "nothing");
  const Data sleigh = honest("optimal-control", "chaplygin-sleigh", "no-optimal-control");
  CHECK(first_refuted(with_in(sleigh, "systems", 0, "accelerations", zeros(3))) ==
        "on the constraint it is the motion");
  // Others, of which no coordinate sets the pace.
  CHECK(first_refuted(
            with_in(sleigh, "systems", 0, "accelerations", Data::List{"x^2*y", "x*y^2", "x*y*theta"})) ==
        "on the constraint it is the motion");
  CHECK(first_refuted(with(sleigh, "rounds", 1)) ==
        "the conditions on the multipliers contradict each other");
  CHECK_THROWS_AS(check_certificate(with_in(sleigh, "systems", 0, "accelerations", zeros(2))), const Error&);
}

TEST_CASE("forged brackets: a Lie bracket is not denied") {
  const Data gl2 = honest("suslov-hamiltonization", "gl2-suslov", "no-suslov-hamiltonization");
  Data::List S = list_in(gl2, "projected");
  S.pop_back();
  CHECK(first_refuted(with(gl2, "projected", S)) == "they are those of D, projected");
  Data so4 = answer_to("suslov-hamiltonization", "so4-suslov").certificate;
  so4["certificate"] = "no-suslov-hamiltonization";
  so4["verdict"] = "refuted";
  CHECK(first_refuted(with(so4, "projected", Data::List{})) == "they violate Jacobi's identity");
  CHECK(first_refuted(with(so4, "projected", Data::List{Data::List{0, 1, 0, "w14"}})) ==
        "the brackets are constant");
}

TEST_CASE("multipliers that exist are not denied") {
  const std::string contradiction = "the conditions on the multipliers contradict each other";
  for (const System& system : {load_model("vertical-disk"), load_model("heisenberg-particle"),
                               load_model("homogeneous-ball"), turning()}) {
    CAPTURE(system.title);
    const Data forged = not_variational_certificate(system, 4);
    REQUIRE_FALSE(forged.is_null());
    CHECK(first_refuted(forged) == contradiction);
  }
  const Data sleigh =
      honest("conditionally-variational", "chaplygin-sleigh", "not-conditionally-variational");
  CHECK(first_refuted(with(sleigh, "rounds", 1)) == contradiction);
  CHECK(first_refuted(with(sleigh, "complement", Data::List{zeros(3)})) ==
        "the fields cross the constraints one by one");
  for (const Data& broken : {with(sleigh, "rounds", 0), with(sleigh, "rounds", "many"),
                             with(sleigh, "complement", Data::List{}), with(sleigh, "complement", zeros(1))})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

TEST_CASE("a Lagrangian that exists is not denied") {
  const Chaplygin iliyev = chaplygin_reduction(load_model("iliyev"));
  std::vector<RefutedSystem> second;
  for (const AssociatedSystem& s : associated_systems(iliyev)) {
    if (s.type == "II") second.push_back({s.type, s.equations, 4});
  }
  REQUIRE(second.size() == 1);
  CHECK(first_refuted(no_lagrangian_certificate(iliyev.system, second)) == "all of them are singular");
  second[0].derivatives = 0;
  CHECK(first_refuted(no_lagrangian_certificate(iliyev.system, second)) ==
        "on the constraint it is not the motion");

  const Data board = honest("inverse-problem", "snakeboard", "no-lagrangian");
  REQUIRE(list_in(board, "systems").size() == 3);
  CHECK(first_refuted(with_in(board, "systems", 0, "accelerations", zeros(5))) ==
        "on the constraint it is the motion");
  CHECK(first_refuted(with_in(board, "systems", 0, "derivatives", 1)) == "all of them are singular");
  for (const Data& broken :
       {with(board, "systems", Data::List{}), with_in(board, "systems", 0, "accelerations", zeros(4)),
        with_in(board, "systems", 0, "derivatives", 99), with_in(board, "systems", 2, "accelerations", "0")})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
  Data body = answer_to("chaplygin-multiplier", "veselova").certificate;  // no coordinates there
  body["certificate"] = "no-lagrangian";
  body["verdict"] = "refuted";
  body["question"] = "inverse-problem";
  CHECK_THROWS_AS(check_certificate(with(body, "systems", list_in(board, "systems"))), const Error&);
}

TEST_CASE("forged extremals: a cost of nothing makes every motion extremal") {
  const Data disk = honest("optimal-control", "vertical-disk", "optimal-control");
  const std::size_t n = list_in(disk, "costate").size();
  const std::string cost = *disk.find("cost")->text();
  CHECK(first_refuted(with(with(disk, "cost", "0"), "costate", zeros(n))) ==
        "they are the only ones near by");
  CHECK(first_refuted(with(disk, "cost", "2*(" + cost + ")")) ==
        "the controls make Pontryagin's function stationary");
  CHECK(first_refuted(with(disk, "costate", zeros(n))) ==
        "the controls make Pontryagin's function stationary");
  CHECK(first_refuted(with(disk, "controls_along", Data::List(n, Data("1")))) ==
        "with these controls the system moves as the constrained one");
  CHECK(first_refuted(with(disk, "cost", cost + " + x^2")) == "the costate obeys its equation");
  const std::string speed = *list_in(disk, "speeds")[0].text();
  Data::List driven = list_in(disk, "driven");
  driven[0] = *driven[0].text() + " + " + speed;
  for (const Data& broken :
       {with(disk, "cost", cost + " + " + speed + "^2"), with(disk, "cost", cost + " + t"),
        with(disk, "driven", driven), with(disk, "controls", Data::List{}),
        with(disk, "controls", Data::List(n, Data("x"))), with(disk, "controls", Data::List(n, Data(speed))),
        with(disk, "driven", Data::List{})})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
}

namespace {

/// All steps that fail.
std::vector<std::string> refuted_steps(const Data& certificate) {
  std::vector<std::string> all;
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (!proved(step.verdict)) all.push_back(step.what.substr(step.what.find(": ") + 2));
  }
  return all;
}

const std::vector<std::string> projection{"the orbits complement D, and so they project on it"};

}  // namespace

TEST_CASE("a coframe that sees the orbits makes other equations, and denies a multiplier that exists") {
  Data
      group;  // θ¹ = dx + x (dz − y dx) has the same values on D as dx; the slopes it asks for are not closed
  group["coframe"] = Data::List{Data::List{"1 - x*y", "0", "x"}, Data::List{"0", "1", "0"}};
  group["slopes"] = Data::List{"0", "-y/(1 + y^2) + x", "0"};
  CHECK(refuted_steps(of_the_particle(group)) == projection);
}

TEST_CASE("orbits that depend on the speeds are none") {
  const Data open = honest("chaplygin-multiplier", "zero-reaction-no-measure", "no-chaplygin-multiplier");
  const std::string speed = *list_in(open, "speeds")[0].text();
  Data::List orbits = list_in(list_in(open, "groups")[0], "orbits");
  for (Data& orbit : orbits) {
    Data::List scaled;
    for (const Data& e : *orbit.list()) scaled.emplace_back("(1 + " + speed + "^2)*(" + *e.text() + ")");
    orbit = scaled;
  }
  CHECK_THROWS_AS(check_certificate(with_in(open, "groups", 0, "orbits", orbits)), const Error&);
}

TEST_CASE("orbits of a group that is none of symmetries") {
  Data group;  // ∂z + x ∂y complements D and does not leave the kinetic energy alone
  group["orbits"] = Data::List{Data::List{"0", "x", "1"}};
  group["coframe"] = Data::List{Data::List{"1", "0", "0"}, Data::List{"x*y", "1", "-x"}};
  CHECK(first_refuted(of_the_particle(group)) == "the group leaves the Lagrangian and the constraints alone");
}

TEST_CASE("speeds that are not the coframe's velocities make other equations") {
  // x' = u + 1 instead of x' = u: the same particle, which has a multiplier.
  Data shifted = of_the_particle({});
  const auto replaced = [&](const char* key) {
    Data::List all;
    for (const Data& formula : list_in(shifted, key)) {
      std::string text = *formula.text();
      for (std::size_t at = 0; (at = text.find('u', at)) != std::string::npos; at += 5)
        text.replace(at, 1, "(u+1)");
      all.emplace_back(text);
    }
    return Data(all);
  };
  REQUIRE(*list_in(shifted, "speeds")[0].text() == "u");
  shifted["admissible"] = replaced("admissible");
  shifted["speed_rates"] = replaced("speed_rates");
  CHECK(refuted_steps(shifted) == projection);
}
