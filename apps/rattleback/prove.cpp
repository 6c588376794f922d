/// rattleback prove MODEL: a claim of your own, decided.
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/view/results/verdicts.hpp>

#include "coq_output.hpp"
#include "exit_code.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

[[noreturn]] void usage_error(const std::string& what, const std::string& fix) {
  Place place;
  place.file = "command line";
  throw Error("usage", what, "", fix).at(place);
}

Outcome checked(const Data& certificate, const System* model) {
  for (const std::string& line : stated_in(certificate)) fmt::print("{}\n", line);
  for (const std::string& line : assumed_in(certificate, model != nullptr)) fmt::print("{}\n", line);
  Outcome outcome = Outcome::proved;
  std::string weakest;  // the step that is least certain, when not all are exact
  int bits = 0;
  std::vector<CheckedStep> steps;
  if (model != nullptr) steps = binding_steps(certificate, *model);
  for (CheckedStep& step : check_certificate(certificate)) steps.push_back(std::move(step));
  for (const auto& [what, verdict] : steps) {
    fmt::print("{}: {}\n", what, evidence(verdict));
    if (rattleback::refuted(verdict)) outcome = Outcome::refuted;
    if (rattleback::undecided(verdict) && outcome == Outcome::proved) outcome = Outcome::undecided;
    const auto* step = std::get_if<Proved>(&verdict);
    if (step == nullptr || step->why.exact || (!weakest.empty() && bits <= step->why.bits)) continue;
    weakest = evidence(verdict);
    bits = step->why.bits;
  }
  const bool certain = outcome == Outcome::proved && !weakest.empty();
  fmt::print("certificate: {}\n", certain ? weakest : text(outcome));
  return outcome;
}

/// The certificates in what `prove` or `analyze` printed, or a certificate by itself. The answer around one says what it shows.
std::vector<Data> certificates_in(const Data& data) {
  const auto of = [](const Data& answer, const std::string& name) {
    const Data* inner = answer.find("certificate");
    if (inner == nullptr || inner->record() == nullptr) return static_cast<const Data*>(nullptr);
    const std::vector<std::string> parts = name.empty() ? std::vector<std::string>{} : question(name).parts;
    require_same_answer(answer, name, parts, *inner);
    return inner;
  };
  if (const Data* own = of(data, "")) return {*own};
  const Data* questions = data.find("questions");
  if (questions == nullptr || questions->record() == nullptr) return {data};
  std::vector<Data> all;
  for (const Data::Field& asked : *questions->record()) {
    if (const Data* one = of(asked.value, asked.key)) all.push_back(*one);
  }
  if (all.empty()) {
    throw Error("bad-certificate", "none of these answers carries a certificate", "",
                "ask a question that leaves one, such as `analyze MODEL --question chaplygin-multiplier`");
  }
  return all;
}

std::vector<Data> read_certificates(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error("unreadable-file", fmt::format("`{}` cannot be read", file), "", "check its name");
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  return certificates_in(data_from_json(content));
}

int check(const std::vector<Data>& certificates, const System* model) {
  Outcome all = Outcome::proved;
  for (const Data& certificate : certificates) {
    const Outcome one = checked(certificate, model);
    if (all == Outcome::proved || one == Outcome::refuted) all = one;
  }
  return exit_code(all);
}

/// The certificate states this model: what is written about it is about the model.
void require_bound(const Data& certificate, const System& model) {
  for (const auto& [what, verdict] : binding_steps(certificate, model)) {
    if (rattleback::proved(verdict)) continue;
    throw Error("bad-certificate", fmt::format("it does not fit `{}`: {}", model.name, evidence(verdict)),
                fmt::format("this has to hold: {}", what), "make the certificate again from this model");
  }
}

int prove(const Arguments& args) {
  if (args.has("--certificate")) {
    const std::vector<Data> certificates = read_certificates(args.get("--certificate"));
    std::optional<System> model;
    if (args.positional()) model = model_argument(args);
    if (args.has("--to")) {
      if (certificates.size() != 1)
        usage_error("--to coq takes one certificate at a time", "save one answer");
      if (model) require_bound(certificates.front(), *model);
      if (write_coq(args, certificates.front(), model ? model->name : "a certificate")) return Exit::done;
    }
    return check(certificates, model ? &*model : nullptr);
  }
  if (!args.positional()) usage_error("`rattleback prove` needs a MODEL", "or a --certificate to check");
  std::string option;
  for (const std::string& kind : kinds_of_claims()) {
    const std::string name = "--" + kind;
    if (!args.has(name)) continue;
    if (!option.empty()) usage_error("one claim at a time", fmt::format("drop {} or {}", option, name));
    option = name;
  }
  if (option.empty()) usage_error("there is no claim to decide", "for example --conserved \"theta'\"");
  const System model = model_argument(args);
  const auto rest = overconstrained(model);
  const System& system = rest ? rest->system : model;
  const std::string claim = args.get(option);
  Answer a;
  try {
    const Budget budget({.time = std::chrono::duration<double>(seconds(args.get("--timeout")))});
    const std::string kind = option.substr(2);
    a = sealed(stated_conjecture(system, kind, claim, command_line(option).file), system, kind, claim);
  } catch (const Exhausted& limit) {
    a = undecided_answer(limit.what(),
                         "give it more time with --timeout, or numbers for parameters with --set");
  }
  if (rest) a = noted(std::move(a), *rest);
  if (args.has("--to") && write_coq(args, a.certificate, system.name)) return exit_code(a.outcome);
  if (args.get("--format") == "json") {
    fmt::print("{}", as_json(system, option.substr(2) + " " + claim, a));
  } else {
    fmt::print("{}", coloured(as_text(option.substr(2) + " " + claim, a), stdout));
  }
  return exit_code(a.outcome);
}

}  // namespace

Verb prove_verb() {
  return {
      "prove",
      "decide a claim of your own",
      "[MODEL]",
      "  One claim at a time; expressions as in a model file. A claim that is false comes with a point where "
      "it fails.\n"
      "  The exit code is the answer: 0 proved, 1 refuted, 3 not found or undecided.",
      {{"--conserved", "EXPR", "the function of configuration and velocities is constant along the motion"},
       {"--zero", "EXPR", "it vanishes at every admissible state"},
       {"--measure", "DENSITY", "the density, with respect to configuration and speeds, is invariant"},
       {"--multiplier", "EXPR", "in the time dtau = EXPR dt the reduced motion is Hamiltonian (Chaplygin)"},
       {"--lagrangian", "EXPR", "without constraints it has the motions of the model among its own"},
       {"--hessian", "MATRIX", "it satisfies Helmholtz' conditions for the second-order equations"},
       {"--symmetry", "FIELD",
        "\"x = -y, y = x, theta = 1\" leaves Lagrangian, forces and constraints as they are"},
       {"--integral-of", "EXPR", "the constraints keep this function of the configuration constant"},
       {"--agrees", "FORM FORM", "two forms of the equations describe the same motion"},
       {"--certificate", "FILE",
        "check the certificates that `prove` or `analyze --format json` printed, by the algebra alone; with "
        "a "
        "MODEL, that they were made for it and state its system"},
       {"--timeout", "S", "seconds of computing", "60"},
       to_option(),
       format_option({"text", "json"}),
       set_option()},
      {"rattleback prove chaplygin-sleigh --conserved \"m*u^2 + (J + m*a^2)*omega^2\"",
       "rattleback prove nonholonomic-particle --measure \"sqrt(1 + y^2)\"",
       "rattleback prove nonholonomic-particle --multiplier \"1/sqrt(1 + y^2)\"",
       "rattleback prove cart-pendulum --hessian \"[[M + m, m*l*cos(theta)], [m*l*cos(theta), m*l^2]]\"",
       "rattleback prove chaplygin-sleigh --agrees hamel vakonomic",
       "rattleback prove chaplygin-sleigh --certificate proof.json"},
      prove};
}

}  // namespace rattleback::app
