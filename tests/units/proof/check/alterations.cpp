// Every field of a certificate is changed in several ways. Few of these are accepted: those that are true all the same (a constraint times
// -1, a Lagrangian plus 1, a parameter renamed, a force along a leg that is not admissible). `make mutants` compares each one.

#include "../forged_certificates.hpp"

#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

using namespace rattleback;

namespace {

/// A certificate with one thing changed, and what that was: "families[0].values.u: dropped".
struct Alteration {
  std::string what;
  Data certificate;
};

std::vector<Alteration> alterations_of(const Data& d);

void add_within(std::vector<Alteration>& all, const std::string& place, const Data& part, auto rebuilt) {
  for (Alteration& inner : alterations_of(part)) {
    const std::string separator = inner.what.starts_with('[') || inner.what.starts_with(':') ? "" : ".";
    all.push_back({place + separator + inner.what, rebuilt(std::move(inner.certificate))});
  }
}

std::vector<Alteration> alterations_of_list(const Data::List& list) {
  std::vector<Alteration> all{{": no list", Data("x")}};
  if (list.empty()) return {{": one entry", Data::List{"1"}}, {": no list", Data("x")}};
  all.push_back({": without the first", Data::List(list.begin() + 1, list.end())});
  if (list.size() > 1) all.push_back({": without the last", Data::List(list.begin(), list.end() - 1)});
  Data::List more = list;
  more.push_back(list.back());
  all.push_back({": the last twice", more});
  if (list.size() > 1) {
    Data::List turned(list.rbegin(), list.rend());
    all.push_back({": reversed", turned});
  }
  for (const std::size_t i : std::set<std::size_t>{0, 1 % list.size(), list.size() - 1}) {
    add_within(all, fmt::format("[{}]", i), list[i], [&](Data part) {
      Data::List other = list;
      other[i] = std::move(part);
      return Data(other);
    });
  }
  return all;
}

std::vector<Alteration> alterations_of_record(const Data::Record& record) {
  std::vector<Alteration> all;
  const std::set<std::string> of_the_answer{"model", "where", "unless",
                                            "domain"};  // compared with the model, elsewhere
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (of_the_answer.contains(record[i].key)) continue;
    Data::Record fewer = record;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back({record[i].key + ": dropped", Data(fewer)});
    for (const char* word : {"proved", "refuted", "not found", "undecided"}) {
      if (record[i].key != "verdict") continue;
      Data::Record other = record;
      other[i].value = word;
      all.push_back({fmt::format("verdict: {}", word), Data(other)});
    }
    add_within(all, record[i].key, record[i].value, [&](Data part) {
      Data::Record other = record;
      other[i].value = std::move(part);
      return Data(other);
    });
  }
  return all;
}

std::vector<Alteration> alterations_of(const Data& d) {
  if (d.list() != nullptr) return alterations_of_list(*d.list());
  if (d.record() != nullptr) return alterations_of_record(*d.record());
  if (const bool* b = d.get_if<bool>()) return {{": " + std::string(*b ? "false" : "true"), Data(!*b)}};
  if (const long* n = d.get_if<long>())
    return {{": one more", Data(*n + 1)}, {": one less", Data(*n - 1)}, {": no number", Data("x")}};
  if (d.text() == nullptr) return {};
  std::vector<Alteration> all{{": no text", Data(7)}};
  all.push_back({": and 1", *d.text() + " + 1"});
  if (*d.text() == "0") return all;
  all.push_back({": 0", Data("0")});
  all.push_back({": negative", "-(" + *d.text() + ")"});
  return all;
}

Data conjectured(const char* model, Answer (*claim)(const System&, Expr), const char* formula) {
  const System system = load_model(model);
  return claim(system, parse(formula, system.scope)).certificate;
}

using Named = std::pair<std::string, Data>;

/// The certificates of answers.
std::vector<Named> certificates(std::initializer_list<std::pair<const char*, const char*>> answers) {
  std::vector<Named> all;
  for (const auto& [question, model] : answers)
    all.emplace_back(fmt::format("{} {}", question, model), answer_to(question, model).certificate);
  return all;
}

std::vector<Named> of_functions() {
  std::vector<Named> all = certificates({{"energy", "chaplygin-sleigh"},
                                         {"energy", "euler-top"},
                                         {"integrals", "chaotic-oscillator"},
                                         {"invariant-measure", "nonholonomic-particle"},
                                         {"invariant-measure", "chaplygin-sleigh"},
                                         {"momenta", "vertical-disk"}});
  all.emplace_back("conserved u", conjectured("chaplygin-sleigh", conserved_conjecture, "u"));
  all.emplace_back("energy by its balance", energy_balance_certificate(load_model("knife-edge")));
  all.emplace_back("zero x'", conjectured("chaplygin-sleigh", zero_conjecture, "x'"));
  all.emplace_back("measure", conjectured("nonholonomic-particle", measure_conjecture, "1 + y^2"));
  return all;
}

std::vector<Named> of_the_constraints() {
  std::vector<Named> all = certificates({{"regularity", "models/chaplygin-sleigh.toml"},
                                         {"symmetries", "chaplygin-sleigh"},
                                         {"symmetries", "planar-pendulum"},
                                         {"integrability", "fake-exact"},
                                         {"integrability", "differential-drive"},
                                         {"equilibria", "cart-pendulum"}});
  const System sleigh = load_model("chaplygin-sleigh");
  all.emplace_back("symmetry x = y",
                   symmetry_conjecture(sleigh, field_of_conjecture(sleigh, "x = y")).certificate);
  return all;
}

std::vector<Named> of_brackets() {
  return certificates({{"jacobi", "chaplygin-sleigh"},
                       {"chaplygin-multiplier", "nonholonomic-particle"},
                       {"suslov-hamiltonization", "chaplygin-sleigh"},
                       {"chaplygin-multiplier", "zero-reaction-no-measure"},
                       {"suslov-hamiltonization", "gl2-suslov"}});
}

std::vector<Named> of_variations() {
  return certificates({{"inverse-problem", "vertical-disk"},
                       {"conditionally-variational", "vertical-disk"},
                       {"optimal-control", "vertical-disk"},
                       {"optimal-control", "chaplygin-sleigh"}});
}

/// Position constraints, groups without coordinates, constraints that move, a rotor whose momentum is fixed.
std::vector<Named> of_other_spaces() {
  std::vector<Named> all = certificates({{"equilibria", "neumann"},
                                         {"invariant-measure", "neumann"},
                                         {"energy", "neumann"},
                                         {"energy", "slider-crank"},
                                         {"momenta", "heisenberg-suslov-group"},
                                         {"momenta", "roller-racer"},
                                         {"invariant-measure", "chaplygin-sleigh-se2"},
                                         {"integrability", "pursuit"},
                                         {"jacobi", "chaplygin-sleigh-algebra"}});
  const System rotor = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + s'^2 + c'^2) + (1 + x^2)*s'*x'"
space = { x = "R", y = "R", c = "S1", s = "R" }
constraints = { k = "s' = x^2*y*y'" }
)toml",
                                  "rotor.toml");
  all.emplace_back("a rotor", asked(question("routh-hamiltonization"), rotor, 60).certificate);
  const System charge = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + (c' + x*y' + y)^2 + s'^2) + x*y'"
space = { x = "R", y = "R", c = "S1", s = "R" }
constraints = { k = "s' = y*x'" }
)toml",
                                   "charge.toml");
  all.emplace_back("a charge", asked(question("routh-hamiltonization"), charge, 60).certificate);
  const System damped = read_model(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nforces = { x = \"-x'\" }\n",
      "damped");
  all.emplace_back("friction", asked(question("energy"), damped, 60).certificate);
  for (const char* forms : {"hamel,gibbs-appell", "hamel,bracket"}) {
    all.emplace_back(forms,
                     stated_conjecture(load_model("chaplygin-sleigh"), "agrees", forms, "test").certificate);
  }
  return all;
}

/// Momenta that are counted in every way: by solutions, by their absence, by equations that close, on an algebra alone.
std::vector<Named> of_momenta() {
  return certificates({{"momenta", "contact-particle-sinh"},
                       {"momenta", "cart-pendulum"},
                       {"momenta", "zero-reaction-no-measure"},
                       {"momenta", "knife-edge-incline"},
                       {"momenta", "so4-suslov"},
                       {"momenta", "iliyev"}});
}

/// Factors of brackets, and reasons that there are none; multipliers and Lagrangians that do not exist.
std::vector<Named> of_factors() {
  return certificates({{"jacobi", "magnetic-particle"},
                       {"jacobi", "gl2-suslov"},
                       {"jacobi", "heisenberg-suslov-group"},
                       {"jacobi", "ball-on-turntable"},
                       {"chaplygin-multiplier", "chaplygin-sleigh-se2"},
                       {"inverse-problem", "massless-coordinate"},
                       {"inverse-problem", "magnetic-particle"},
                       {"symmetries", "contact-oscillator"},
                       {"symmetries", "fake-exact"}});
}

/// A system in a frame of its own: that the energy is constant, or a density invariant.
Data in_frame(const char* model, const Data::List& functions, const Data::List& frame,
              const Data::List& structure, const Data::List& rates) {
  const System system = read_model(model, "frame.toml");
  Data d = conserved_conjecture(system, parse("0", system.scope)).certificate;
  d["functions"] = functions;
  d["frame"] = frame;
  d["structure"] = structure;
  d["speed_rates"] = rates;
  return d;
}

constexpr const char* two_legs = "lagrangian = \"(a'^2 + b'^2)/2\"\nspace = { a = \"R\", b = \"R\" }\n";
constexpr const char* three_legs =
    "lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\nspace = { a = \"R\", b = \"R\", c = \"R\" }\n";

/// Geodesics in frames whose brackets do not cancel: ∂/∂a, e^a ∂/∂b on the affine group, its algebra alone, and ∂/∂a, ∂/∂b, e^{ab} ∂/∂c.
std::vector<Named> of_frames() {
  const auto measured = [](Data d) {
    for (const auto& [key, value] : {std::pair("certificate", "invariant-measure"),
                                     std::pair("question", "invariant-measure"), std::pair("density", "1")})
      d[key] = value;
    return d;
  };
  const Data::List affine{Data::List{0, 1, 1, "1"}, Data::List{1, 0, 1, "-1"}}, rates{"-b'^2", "a'*b'"};
  const Data group =
      in_frame(two_legs, {"a", "b"}, {Data::List{"1", "0"}, Data::List{"0", "exp(a)"}}, affine, rates);
  const Data algebra = in_frame(two_legs, {}, {Data::List{}, Data::List{}}, affine, rates);
  const Data twisted =
      in_frame(three_legs, {"a", "b", "c"},
               {Data::List{"1", "0", "0"}, Data::List{"0", "1", "0"}, Data::List{"0", "0", "exp(a*b)"}},
               {Data::List{0, 2, 2, "b"}, Data::List{2, 0, 2, "-b"}, Data::List{1, 2, 2, "a"},
                Data::List{2, 1, 2, "-a"}},
               {"-b*c'^2", "-a*c'^2", "(b*a' + a*b')*c'"});
  return {{"affine group", measured(group)},
          {"affine algebra", with(algebra, "function", "a'^2 + b'^2")},
          {"twisted frame", with(twisted, "function", "a'^2 + b'^2 + c'^2")},
          {"twisted frame, density", measured(twisted)}};
}

std::vector<Named> all_of_them() {
  std::vector<Named> all;
  for (const auto& group : {of_functions(), of_the_constraints(), of_brackets(), of_variations(),
                            of_other_spaces(), of_momenta(), of_factors(), of_frames()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

bool is_accepted(const Data& certificate) {
  try {
    const Budget budget(work_limits::checking);
    for (const CheckedStep& step : check_certificate(certificate)) {
      if (!proved(step.verdict)) return false;
    }
    return true;
  } catch (const Error&) {
    return false;
  } catch (const Exhausted&) {
    return false;
  }
}

/// What it states can be printed; a certificate that is broken may say so instead.
bool is_printed(const Data& certificate) {
  try {
    return !stated_in(certificate).empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("certificates that are changed anywhere are rejected, or still true") {
  for (const auto& [name, certificate] : all_of_them()) {
    CAPTURE(name);
    REQUIRE_FALSE(certificate.is_null());
    CHECK(is_accepted(certificate));
    CHECK(is_printed(certificate));
    const std::vector<Alteration> all = alterations_of(certificate);
    std::size_t accepted = 0, silent = 0;
    for (const Alteration& a : all) {
      const bool confirmed = is_accepted(a.certificate), printed = is_printed(a.certificate);
      accepted += confirmed ? 1 : 0;
      silent += confirmed && !printed ? 1 : 0;
    }
    CHECK(3 * accepted < all.size());
    CHECK(silent <= 1);  // a list of circles that no step reads
  }
}

TEST_CASE("what a certificate states is printed for the reader") {
  for (const auto& [name, certificate] : all_of_them()) {
    CAPTURE(name);
    const std::string lines = fmt::format("{}\n", fmt::join(stated_in(certificate), "\n"));
    const auto states = [&](const std::string& line) { CHECK(lines.find(line + "\n") != std::string::npos); };
    states("Lagrangian: " + *certificate.find("lagrangian")->text());
    for (const Data& c : list_in(certificate, "constraints"))
      states(fmt::format("constraint: {} = 0", *c.text()));
    for (const char* key : {"function", "density", "multiplier", "cost"}) {
      if (certificate.find(key) != nullptr)
        states(fmt::format("{}: {}", key, *certificate.find(key)->text()));
    }
    if (certificate.find("constants") == nullptr) continue;
    for (const Data& f : list_in(certificate, "constants")) states("function: " + *f.text());
  }
}
