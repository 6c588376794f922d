// Certificates are bound to a model: one for another model, another system, other roles or another answer is refused.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/digest.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>
#include <rattleback/view/results/verdicts.hpp>

using namespace rattleback;

namespace {

const std::string stated = "the system stated is that of the model",
                  frame_moves = "the frame moves every function of the configuration";

/// The step of the binding that fails.
std::string first_unbound(const Data& certificate, const System& model) {
  for (const CheckedStep& step : binding_steps(certificate, model)) {
    if (refuted(step.verdict)) return step.what;
    CHECK(proved(step.verdict));
  }
  return "nothing";
}

Data without(const Data& certificate, const std::string& key) {
  Data::Record kept;
  for (const Data::Field& field : *certificate.record()) {
    if (field.key != key) kept.push_back(field);
  }
  return {kept};
}

/// The declaration of one symbol changed.
Data redeclared(const Data& certificate, const std::string& name, const char* key, Data value) {
  Data::List symbols = list_in(certificate, "symbols");
  for (Data& s : symbols) {
    if (*s.find("name")->text() == name) s[key] = value;
  }
  return with(certificate, "symbols", symbols);
}

}  // namespace

TEST_CASE("SHA-256 of the examples of FIPS 180-4") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("a model has one digest however it is written, and another system has another one") {
  const char* text = "lagrangian = \"x'^2/2 - k*x^2/2\"\nspace = { x = \"R\" }\nparameters = { k = 1 }\n";
  const auto digest = [](const std::string& model) { return model_digest(read_model(model, "m.toml")); };
  CHECK(digest(text) == digest(std::string("# a spring\ntitle = \"a spring\"\n") + text));
  CHECK(digest(text) ==
        digest("space = { x = \"R\" }\nparameters = { k = 7 }\nlagrangian = \"-k*x^2/2 + x'^2/2\"\n"));
  for (const char* other :
       {"lagrangian = \"x'^2/2 + k*x^2/2\"\nspace = { x = \"R\" }\nparameters = { k = 1 }\n",
        "lagrangian = \"x'^2/2 - k*x^2/2\"\nspace = { x = \"S1\" }\nparameters = { k = 1 }\n",
        "lagrangian = \"x'^2/2 - k*x^2/2\"\nspace = { x = \"R\" }\nparameters = { k = { value = 1, positive "
        "= true } }\n",
        "lagrangian = \"x'^2/2 - k*x^2/2\"\nspace = { x = \"R\" }\nparameters = { k = 1 }\nforces = { x = "
        "\"-x'\" }\n"})
    CHECK(digest(text) != digest(other));
}

TEST_CASE("a certificate claims no more states than the motion has, and not the contrary of what it states") {
  const System cone = read_model(
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\" }\n[constraints]\nc = \"x^2 + y^2 = z^2\"\n",
      "cone");
  for (const char* name : {"energy", "invariant-measure", "momenta"}) {
    CAPTURE(name);
    const Answer a = asked(question(name), cone, 20);
    REQUIRE(a.certificate.find("domain") != nullptr);
    CHECK(first_unbound(a.certificate, cone) == "nothing");
    for (const char* domain : {"D over N, everywhere", "D, everywhere", "N, everywhere"})
      CHECK(first_unbound(with(a.certificate, "domain", domain), cone) ==
            "its domain leaves out where the model is not defined");
  }
  CHECK_THROWS_AS(
      check_certificate(with(asked(question("momenta"), cone, 20).certificate, "verdict", "refuted")), Error);
  for (const char* model : {"chaplygin-sleigh", "suslov"}) {
    const Answer a = answer_to("jacobi", model);
    const char* contrary = a.outcome == Outcome::proved ? "refuted" : "proved";
    CHECK_THROWS_AS(check_certificate(with(a.certificate, "verdict", contrary)), Error);
  }
}

TEST_CASE("a certificate claims no places where its witness is not defined") {
  const System plane =
      read_model("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n", "plane");
  const System leaf = read_model(  // density 1/z, and z = 0 is a leaf
      "lagrangian = \"(x'^2 + y'^2 + (z' - z*x*y')^2)/2\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\" }\n[constraints]\nc = \"z' = z*x*y'\"\n",
      "leaf");
  const std::string left_out = "its domain leaves out where the witness is not defined";
  const auto judge = [&](const System& system, const Answer& a, const char* condition) {
    CAPTURE(condition);
    REQUIRE(a.outcome == Outcome::proved);
    REQUIRE(a.certificate.find("domain") != nullptr);
    CHECK(a.certificate.find("domain")->text()->find(condition) != std::string::npos);
    CHECK(first_unbound(a.certificate, system) == "nothing");
    CHECK(first_unbound(with(a.certificate, "domain", "D, everywhere"), system) == left_out);
    CHECK(first_unbound(with(a.certificate, "domain", "D where x + y + 3 != 0"), system) == left_out);
    CHECK(first_unbound(without(a.certificate, "domain"), system) == left_out);
  };
  const auto claimed = [](const System& system, const char* kind, const char* claim) {
    return sealed(stated_conjecture(system, kind, claim, "claim"), system, kind, claim);
  };
  judge(plane, claimed(plane, "conserved", "x'/y'"), "y' != 0");
  judge(plane, claimed(plane, "conserved", "log(x')"), "x' > 0");
  judge(leaf, claimed(leaf, "measure", "1/abs(z)"), "z != 0");
}

TEST_CASE("constraints are integrable where they are independent") {
  const System cross = read_model(
      "lagrangian = \"(x'^2 + y'^2 + w'^2)/2\"\n"
      "space = { x = \"R\", y = \"R\", w = \"R\" }\n[constraints]\nc = \"w*(x - 1) = 0\"\n",
      "two planes");
  const Answer a = asked(question("integrability"), cross, 20);
  REQUIRE(a.outcome == Outcome::proved);
  CHECK(first_unbound(a.certificate, cross) == "nothing");
  CHECK(first_unbound(with(a.certificate, "domain", "N, everywhere"), cross) ==
        "its domain leaves out where the model is not defined");
}

TEST_CASE("a certificate of a claim says where it holds, as one of an answer does") {
  const System cone = read_model(
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\" }\n[constraints]\nc = \"x^2 + y^2 = z^2\"\n",
      "cone");
  const Answer a =
      sealed(stated_conjecture(cone, "conserved", "x*y' - y*x'", "claim"), cone, "conserved", "x*y' - y*x'");
  REQUIRE(a.outcome == Outcome::proved);
  CHECK(first_unbound(a.certificate, cone) == "nothing");
}

TEST_CASE("answers are bound to the model, whatever frame their certificates are told in") {
  const std::pair<const char*, const char*> all[] = {{"energy", "chaplygin-sleigh"},
                                                     {"invariant-measure", "suslov"},
                                                     {"integrability", "car-2-trailers"},
                                                     {"chaplygin-multiplier", "nonholonomic-particle"},
                                                     {"suslov-hamiltonization", "chaplygin-sleigh"},
                                                     {"integrals", "knife-edge"},
                                                     {"jacobi", "so4-suslov"}};
  for (const auto& [question, model] : all) {
    CAPTURE(question);
    CAPTURE(model);
    const Data certificate = answer_to(question, model).certificate;
    REQUIRE_FALSE(certificate.is_null());
    CHECK(first_unbound(certificate, load_model(model)) == "nothing");
    CHECK_THROWS_AS(binding_steps(certificate, load_model("rattleback")), const Error&);
  }
}

TEST_CASE("a certificate of another model is refused, even with the digest of this one") {
  const System sleigh = load_model("chaplygin-sleigh"), edge = load_model("knife-edge");
  const Data foreign = answer_to("energy", "knife-edge").certificate;
  CHECK_THROWS_AS(binding_steps(foreign, sleigh), const Error&);
  CHECK(first_unbound(with(foreign, "model", model_digest(sleigh)), sleigh) == stated);
  CHECK_THROWS_AS(binding_steps(with(foreign, "model", Data()), edge), const Error&);
}

TEST_CASE("the Lagrangian, the constraints, the forces and the roles are the model's") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Data honest = answer_to("energy", "chaplygin-sleigh").certificate;
  REQUIRE(first_unbound(honest, sleigh) == "nothing");
  CHECK(first_unbound(with(honest, "lagrangian", "m*theta'^2/2"), sleigh) == stated);
  CHECK(first_unbound(with(honest, "constraints", Data::List{}), sleigh) == stated);
  CHECK(first_unbound(with(honest, "forces", Data::List{"1", "0", "0"}), sleigh) == stated);
  CHECK(first_unbound(with(honest, "frame", Data::List(3, zeros(3))), sleigh) == stated);
  CHECK(first_unbound(redeclared(honest, "a", "positive", true), sleigh) == stated);
  Data::List more = list_in(honest, "symbols");
  Data extra;
  extra["name"] = "k";
  extra["role"] = static_cast<int>(Role::parameter);
  more.push_back(extra);
  CHECK(first_unbound(with(honest, "symbols", more), sleigh) == stated);
}

TEST_CASE("brackets of a Lie algebra without its group are the model's") {
  const Data honest = answer_to("energy", "so4-suslov").certificate;
  const System model = load_model("so4-suslov");
  REQUIRE(first_unbound(honest, model) == "nothing");
  CHECK(first_unbound(with(honest, "structure", Data::List{}), model) == stated);
}

TEST_CASE("circles are the model's") {
  const Data honest = answer_to("invariant-measure", "differential-drive").certificate;
  const System model = load_model("differential-drive");
  REQUIRE(first_unbound(honest, model) == "nothing");
  Data::List circles = list_in(honest, "circles");
  circles.emplace_back("x");
  CHECK(first_unbound(with(honest, "circles", circles), model) == "the circles are those of the model");
}

TEST_CASE("a frame that leaves a function alone does not make it constant") {
  Data forged = answer_to("energy", "knife-edge").certificate;
  Data::List frame = list_in(forged, "frame");
  frame[0] = zeros(frame[0].list()->size());
  forged["frame"] = frame;
  CHECK(first_refuted(forged) == frame_moves);
  const Data top = answer_to("energy", "euler-top").certificate;
  CHECK(first_refuted(with(with(top, "frame", Data::List(3, zeros(9))), "structure", Data::List{})) ==
        frame_moves);
}

TEST_CASE("a leg that leaves SO(3), with the brackets of SO(3)") {
  const Data honest = answer_to("energy", "euler-top").certificate;
  // X_k B = B S⁻¹ ê_k S with S = diag(2, 1, 1): the brackets are those of rotations, the matrices do not stay rotations.
  const System top = load_model("euler-top");
  const auto q = top.space.functions();
  Data::List frame;
  for (int k = 0; k < 3; ++k) {
    Data::List leg;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        std::string image = "0";
        for (int i = 0; i < 3; ++i) {
          // (ê_k)_ic = −ε_kic, conjugated: s_c / s_i.
          const int sign =
              (k == 0 && i == 2 && c == 1) || (k == 1 && i == 0 && c == 2) || (k == 2 && i == 1 && c == 0) ? 1
              : (k == 0 && i == 1 && c == 2) || (k == 1 && i == 2 && c == 0) || (k == 2 && i == 0 && c == 1)
                  ? -1
                  : 0;
          if (sign == 0) continue;
          const char* factor = c == 0 ? "2" : i == 0 ? "1/2" : "1";
          image += std::string(sign > 0 ? " + " : " - ") + factor + "*" +
                   q[3 * static_cast<std::size_t>(r) + static_cast<std::size_t>(i)].name();
        }
        leg.emplace_back(image);
      }
    }
    frame.emplace_back(leg);
  }
  CHECK(first_refuted(with(honest, "frame", frame)) == "the brackets of the frame are as stated");
}

TEST_CASE("t, coordinates and speeds have their roles, and every name has one") {
  const Data honest = answer_to("energy", "chaplygin-sleigh").certificate;
  const int parameter = static_cast<int>(Role::parameter), direction = static_cast<int>(Role::direction);
  Data::List with_time = list_in(honest, "symbols");
  Data t;
  t["name"] = "t";
  t["role"] = parameter;
  t["positive"] = true;
  with_time.push_back(t);
  Data::List twice = list_in(honest, "symbols");
  twice.push_back(twice.front());
  for (const Data& forged :
       {redeclared(honest, "x", "role", parameter), redeclared(honest, "x", "positive", true),
        redeclared(honest, "x", "role", direction), redeclared(honest, "u", "role", parameter),
        redeclared(honest, "x'", "role", parameter),
        redeclared(honest, "m", "role", static_cast<int>(Role::time)), with(honest, "symbols", with_time),
        with(honest, "symbols", twice)})
    CHECK_THROWS_AS(check_certificate(forged), const Error&);
}

TEST_CASE("a certificate is evidence for its own verdict and its own question") {
  const Data honest = answer_to("energy", "chaplygin-sleigh").certificate;
  CHECK(*honest.find("verdict")->text() == "proved");
  CHECK(first_refuted(honest) == "nothing");
  CHECK_THROWS_AS(check_certificate(with(honest, "verdict", "refuted")), const Error&);
  CHECK_THROWS_AS(check_certificate(with(honest, "verdict", "true")), const Error&);
  CHECK_THROWS_AS(check_certificate(with(honest, "question", "invariant-measure")), const Error&);
  const Data none = answer_to("invariant-measure", "suslov").certificate;
  CHECK_THROWS_AS(check_certificate(with(none, "verdict", "proved")), const Error&);
  const Data momenta =
      answer_to("integrals", "knife-edge").certificate;  // constants, none said to be the energy
  CHECK_THROWS_AS(check_certificate(with(momenta, "question", "energy")), const Error&);
  Data answer;
  answer["verdict"] = "refuted";
  CHECK_THROWS_AS(require_same_answer(answer, "energy", {}, honest), const Error&);
  answer["verdict"] = "proved";
  CHECK_NOTHROW(require_same_answer(answer, "energy", {}, honest));
  CHECK_THROWS_AS(require_same_answer(answer, "jacobi", {}, honest), const Error&);
}

TEST_CASE("a claim in words is the function that is certified") {
  const System sleigh = load_model("chaplygin-sleigh");
  const std::string claim = "m*u^2 + (J + m*a^2)*omega^2";
  const Answer a =
      sealed(conserved_conjecture(sleigh, parse(claim, sleigh.scope)), sleigh, "conserved", claim);
  CHECK(first_unbound(a.certificate, sleigh) == "nothing");
  CHECK(first_unbound(with(a.certificate, "claim", "u"), sleigh) ==
        "the claim is about the function certified");
}

TEST_CASE("steady motions with the formula of an input state the system with that formula, and no other") {
  const auto driven = [](const char* law) {
    return read_model(std::string(R"(
lagrangian = "1/2*x'^2 + 1/2*th'^2 + 1/2*x'*th'*cos(th) - 1/2*x^2"
[space]
x = "R"
th = "S1"
[inputs]
N = ")") + law + R"("
[forces]
th = "N"
)",
                      "driven.toml");
  };
  const System system = driven("-th/100 - th'/200");
  const Data certificate = asked(question("equilibria"), system, 20).certificate;
  REQUIRE(!certificate.is_null());
  const auto steps = binding_steps(certificate, system);
  CHECK(proved(steps.front().verdict));
  CHECK(steps.front().what.find("with the formulas") != std::string::npos);
  // Another law is another model, whose digest is the same: an input is any function.
  CHECK(first_unbound(certificate, driven("-th/50 - th'/200")) == stated);
}

TEST_CASE("what is assumed is said") {
  const Data honest = answer_to("invariant-measure", "chaplygin-sleigh").certificate;
  const std::vector<std::string> lines = assumed_in(honest, false);
  REQUIRE(lines.size() >= 2);
  CHECK(lines[0].find("the system stated") != std::string::npos);
  CHECK(lines[1].find("> 0") != std::string::npos);
  CHECK(assumed_in(honest, true).size() + 1 == lines.size());
  CHECK(lines.back() == "assumed: not (a = 0)");
}

TEST_CASE("a tower of brackets is an error, not a crash") {
  const std::string deep = std::string(20000, '[') + std::string(20000, ']');
  CHECK_THROWS_AS(data_from_json(deep), const Error&);
  CHECK_THROWS_AS(data_from_json("{\"certificate\": " + deep + "}"), const Error&);
  CHECK_NOTHROW(data_from_json("{\"text\": \"" + std::string(20000, '[') + "\"}"));
  const Data honest = answer_to("energy", "chaplygin-sleigh").certificate;
  CHECK_THROWS_AS(
      check_certificate(with(honest, "lagrangian", std::string(20000, '(') + "1" + std::string(20000, ')'))),
      const Error&);
}

TEST_CASE("certificates that the program prints are accepted when they are read back") {
  const auto printed = [](const System& system, const char* name) {
    const Answer a = asked(question(name), system, 60);
    REQUIRE_FALSE(a.certificate.is_null());
    return data_from_json(as_json(a.certificate));
  };
  // Two circles: the constants of a family of Lagrangians are the certificate's own.
  const System circles = read_model(
      "lagrangian = \"1/2*(a'^2 + b'^2 + c'^2)\"\nspace = { a = \"S1\", b = \"S1\", c = \"R\" }\n"
      "constraints = { k = \"c' = a' + 2*b'\" }\n",
      "circles");
  const Data family = printed(circles, "inverse-problem");
  CHECK(first_unbound(family, circles) == "nothing");
  for (const CheckedStep& step : check_certificate(family)) CHECK(proved(step.verdict));
  const auto parameter = static_cast<long>(Role::parameter);
  CHECK_THROWS_AS(first_unbound(redeclared(family, "a'", "role", parameter), circles), const Error&);
  CHECK_THROWS_AS(first_unbound(redeclared(family, "a", "role", parameter), circles), const Error&);
  // A state of a model without parameters is a record without fields.
  const System pendulums = read_model(
      "lagrangian = \"1/2*(a'^2 + b'^2) + cos(a) + 2*cos(b)\"\nspace = { a = \"S1\", b = \"S1\" }\n",
      "pendulums");
  for (const CheckedStep& step : check_certificate(printed(pendulums, "equilibria")))
    CHECK(proved(step.verdict));
  // Five pendulums: even polynomials of degree ten.
  const System five = read_model(
      "lagrangian = \"1/2*(a'^2 + b'^2 + c'^2 + d'^2 + e'^2) + (a'*b'*cos(a - b) + b'*c'*cos(b - c) + "
      "c'*d'*cos(c - d) + d'*e'*cos(d - e))/4 + 5*g*cos(a) + 4*g*cos(b) + 3*g*cos(c) + 2*g*cos(d) + "
      "g*cos(e)\"\n"
      "space = { a = \"S1\", b = \"S1\", c = \"S1\", d = \"S1\", e = \"S1\" }\n"
      "parameters = { g = { value = 9.81, positive = true } }\n",
      "five");
  for (const CheckedStep& step : check_certificate(printed(five, "equilibria"))) CHECK(proved(step.verdict));
}
