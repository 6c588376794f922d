// What moves is listed in a certificate, and names that it invents are its own: a symbol that is taken for a constant proves too much.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>

using namespace rattleback;

namespace {

Data declared(const char* name, Role role) {
  Data symbol;
  symbol["name"] = name;
  symbol["role"] = static_cast<int>(role);
  return symbol;
}

Data texts(std::initializer_list<const char*> all) {
  Data::List list;
  for (const char* text : all) list.emplace_back(text);
  return list;
}

/// A particle (x, y) that is free, with speeds u and w; the certificate says that w is constant.
Data particle() {
  Data d;
  d["symbols"] = Data::List{declared("x", Role::coordinate),   declared("y", Role::coordinate),
                            declared("x'", Role::velocity),    declared("y'", Role::velocity),
                            declared("u", Role::velocity),     declared("w", Role::velocity),
                            declared("other", Role::velocity), declared("c", Role::parameter)};
  d["functions"] = texts({"x", "y"});
  d["velocities"] = texts({"x'", "y'"});
  d["frame"] = Data::List{texts({"1", "0"}), texts({"0", "1"})};
  d["structure"] = Data::List{};
  d["lagrangian"] = "(x'^2 + y'^2)/2";
  d["forces"] = texts({"0", "0"});
  d["constraints"] = Data::List{};
  d["speeds"] = texts({"u", "w"});
  d["admissible"] = texts({"u", "w"});
  d["speed_rates"] = texts({"0", "0"});
  d["certificate"] = "conserved";
  d["function"] = "w";
  return d;
}

Data changed(std::initializer_list<std::pair<const char*, Data>> fields) {
  Data d = particle();
  for (const auto& [key, value] : fields) d[key] = value;
  return d;
}

/// An entry of a rotation matrix that there is already, or beyond the ninth.
Data with_entry(const Data& certificate, int entry) {
  Data other = declared("extra", Role::rotation);
  other["family"] = "B";
  other["entry"] = entry;
  Data::List symbols = list_in(certificate, "symbols"), functions = list_in(certificate, "functions"),
             frame = list_in(certificate, "frame");
  symbols.push_back(other);
  functions.emplace_back("extra");
  for (Data& leg : frame) {
    Data::List images = *leg.list();
    images.emplace_back("0");
    leg = images;
  }
  return with(with(with(certificate, "symbols", symbols), "functions", functions), "frame", frame);
}

}  // namespace

TEST_CASE("a constraint that defines a speed is none: it would leave no room for another direction") {
  CHECK(first_refuted(particle()) == "nothing");
  // The particle falls along y, and y is said to be constant.
  CHECK_THROWS_AS(check_certificate(changed({{"lagrangian", "(x'^2 + y'^2)/2 - y"},
                                             {"constraints", texts({"x' - u"})},
                                             {"speeds", texts({"u"})},
                                             {"admissible", texts({"u", "0"})},
                                             {"speed_rates", texts({"0"})},
                                             {"function", "y"}})),
                  const Error&);
}

TEST_CASE("frame, Lagrangian, forces and motion depend on what is listed") {
  for (const Data& forged :
       {changed({{"frame", Data::List{texts({"1 + t", "0"}), texts({"0", "1"})}}}),
        changed({{"frame", Data::List{texts({"1 + u^2", "0"}), texts({"0", "1"})}}}),
        changed({{"frame", Data::List{texts({"1 + x'^2", "0"}), texts({"0", "1"})}}}),
        changed({{"structure", Data::List{Data::List{0, 1, 0, "0*c + w"}}}}),
        changed({{"lagrangian", "(x'^2 + y'^2)/2 + u*x'"}}),
        changed({{"lagrangian", "(x'^2 + y'^2)/2 + other"}}), changed({{"forces", texts({"u - w", "0"})}}),
        changed({{"admissible", texts({"u", "w + other"})}}),
        changed({{"admissible", texts({"u", "w + x'"})}}), changed({{"speed_rates", texts({"other", "0"})}}),
        changed({{"speeds", texts({"u", "x"})}})})
    CHECK_THROWS_AS(check_certificate(forged), const Error&);
}

TEST_CASE("a Lagrangian that vanishes on the motion by its own letters is none") {
  const Data falls = changed({{"certificate", "inverse-problem"},
                              {"forces", texts({"-c*x'", "-c*y'*x'^2"})},
                              {"speed_rates", texts({"-c*u", "-c*w*u^2"})}});
  CHECK_THROWS_AS(check_certificate(with(falls, "unconstrained", "((x' - u)^2 + (y' - w)^2)/2")),
                  const Error&);
  CHECK(first_refuted(with(falls, "unconstrained", "(x'^2 + y'^2)/2")) ==
        "the motion satisfies its equations");
}

TEST_CASE("a multiplier is a function of the configuration, and not of time") {
  const Data damped = changed({{"certificate", "chaplygin-multiplier"},
                               {"forces", texts({"-c*x'", "-c*y'"})},
                               {"speed_rates", texts({"-c*u", "-c*w"})},
                               {"multiplier", "exp(c*t)"},
                               {"form", texts({"exp(c*t)*u", "exp(c*t)*w"})}});
  CHECK_THROWS_AS(check_certificate(damped), const Error&);
  // A constant force: the momentum u - c t is constant, and the energy u^2/2 is not.
  const Data pulled = changed({{"certificate", "chaplygin-multiplier"},
                               {"forces", texts({"c", "0"})},
                               {"speed_rates", texts({"c", "0"})},
                               {"multiplier", "1"},
                               {"form", texts({"u - c*t", "w"})}});
  CHECK(first_refuted(pulled) == "the form does not depend on time");
  const Data still = changed({{"certificate", "suslov-hamiltonization"},
                              {"forces", texts({"-c*x'", "-c*y'"})},
                              {"speed_rates", texts({"-c*u", "-c*w"})},
                              {"momenta", texts({"exp(c*t)*u", "exp(c*t)*w"})},
                              {"rates", texts({"exp(-c*t)*u", "exp(-c*t)*w"})},
                              {"brackets", Data::List{}}});
  CHECK(first_refuted(still) == "the energy is a function of the momenta, with these slopes");
}

TEST_CASE("a density that is not periodic in a parameter is a density") {
  Data particle = honest("invariant-measure", "nonholonomic-particle", "invariant-measure");
  particle["certificate"] = "no-invariant-measure";
  particle["verdict"] = "refuted";
  particle["scope"] = "every smooth density";
  particle["given"] = Data::List{Data::List{"leg", 0}, Data::List{"leg", 1}};
  particle["brackets"] = Data::List{Data::List{0, 1}};
  particle["candidate"] = "log(1 + y^2)/2 + k";
  particle["circles"] = texts({"k", "x"});
  CHECK_THROWS_AS(check_certificate(with(particle, "turns", "k")), const Error&);
  CHECK(first_refuted(with(particle, "turns", "x")) == "it is not periodic");
}

TEST_CASE("momenta, controls and speeds of other forms have names of their own") {
  const Data sleigh = honest("jacobi", "chaplygin-sleigh", "jacobi");
  for (const char* name : {"m", "t", "pi", "x", "u", "p"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(check_certificate(with(sleigh, "momentum_names", texts({name, "p_omega"}))),
                    const Error&);
  }
  CHECK_THROWS_AS(check_certificate(with(sleigh, "momentum_names", texts({"p_u", "p_u"}))), const Error&);
  const Data disk = honest("optimal-control", "vertical-disk", "optimal-control");
  for (const char* name : {"m", "t", "x", "x'", "1", "never"}) {
    CAPTURE(name);
    Data::List controls = list_in(disk, "controls");
    controls[0] = name;
    CHECK_THROWS_AS(check_certificate(with(disk, "controls", controls)), const Error&);
  }
}

TEST_CASE("no integral: a letter without a value does not vary from state to state") {
  // k x^2 + u^2 is constant, whatever k is.
  const auto denied = [](const std::string& k) {
    Data squares, speeds;
    squares["functions"] = texts({"x^2"});
    squares["powers"] = texts({"1"});
    speeds["functions"] = texts({"1"});
    speeds["powers"] = texts({"u^2"});
    return changed({{"certificate", "no-integrals"},
                    {"lagrangian", "(x'^2 + y'^2)/2 - " + k + "*x^2/2"},
                    {"speed_rates", Data::List{"-" + k + "*x", "0"}},
                    {"ansatz", Data::List{squares, speeds}},
                    {"exceptions", Data::List{}}});
  };
  CHECK(first_refuted(denied("4")) == "the rates of the functions leave no other combination");
  for (const char* letter : {"k", "c", "pi"})
    CHECK_THROWS_AS(check_certificate(denied(letter)), const Error&);
}

TEST_CASE("a rotation matrix has nine entries") {
  const Data top = honest("energy", "euler-top", "conserved");
  CHECK(first_refuted(top) == "nothing");
  CHECK_THROWS_AS(check_certificate(with_entry(top, 0)), const Error&);
  CHECK_THROWS_AS(check_certificate(with_entry(top, 9)), const Error&);
}

TEST_CASE("legs, constraints and positions of a particle that are not as they are said to be") {
  const std::tuple<const char*, Data, const char*> all[] = {
      {"legs said not to commute",
       changed({{"structure", Data::List{Data::List{0, 1, 0, "1"}, Data::List{1, 0, 0, "-1"}}}}),
       "the brackets of the frame are as stated"},
      {"brackets that are not antisymmetric", changed({{"structure", Data::List{Data::List{1, 0, 0, "1"}}}}),
       "the brackets of the frame are as stated"},
      {"a leg that moves nothing, and a function that nothing moves",
       changed({{"frame", Data::List{texts({"1", "0"}), texts({"0", "0"})}}}),
       "the frame moves every function of the configuration"},
      {"two legs for one function",
       changed({{"functions", texts({"x"})}, {"frame", Data::List{texts({"1"}), texts({"2"})}}}),
       "the frame moves every function of the configuration"},
      {"a constraint whose rank drops where it holds",
       changed({{"constraints", texts({"x'^2"})},
                {"speeds", texts({"w"})},
                {"admissible", texts({"0", "w"})},
                {"speed_rates", texts({"0"})}}),
       "they are all that do"},
      {"a motion that leaves the position constraint", changed({{"positions", texts({"x - y"})}}),
       "they keep the position constraints"},
      {"a force that the motion does not know", changed({{"forces", texts({"0", "x"})}}),
       "the motion obeys d'Alembert's principle"},
      {"a Lagrangian without a velocity", changed({{"lagrangian", "y'^2/2"}}), "it is the only one"}};
  for (const auto& [what, forged, step] : all) {
    CAPTURE(what);
    CHECK(first_refuted(forged) == step);
    CHECK_FALSE(is_confirmed_exactly(forged));
  }
  CHECK(is_confirmed_exactly(particle()));
  CHECK_FALSE(is_confirmed_exactly(Data()));
  // The differential of (x - y)^2 vanishes where x = y: nothing says that a motion stays there.
  CHECK_FALSE(is_confirmed_exactly(changed({{"positions", texts({"(x - y)^2"})}})));
  CHECK_THROWS_AS(check_certificate(changed({{"positions", texts({"x' - 1"})}})), const Error&);
  CHECK_THROWS_AS(check_certificate(changed({{"positions", texts({"u - 1"})}})), const Error&);
  CHECK_THROWS_AS(check_certificate(changed({{"positions", Data::List{1}}})), const Error&);
}
