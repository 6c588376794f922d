/// rattleback doubt MODEL: tries to break every statement about a model by independent means.
#include <chrono>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/trial/doubt.hpp>
#include <rattleback/trial/random_model.hpp>

#include "model_argument.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

using Result = Finding::Result;

const char* word(Result result) {
  switch (result) {
    case Result::stands: return "stands";
    case Result::contradicted: return "CONTRADICTED";
    case Result::not_tried: break;
  }
  return "not tried";
}

struct Tally {
  std::size_t tried = 0, contradicted = 0, not_tried = 0;

  void count(const Findings& findings) {
    for (const Finding& f : findings) {
      tried += f.result != Result::not_tried ? 1 : 0;
      contradicted += f.result == Result::contradicted ? 1 : 0;
      not_tried += f.result == Result::not_tried ? 1 : 0;
    }
  }
  void print() const {
    fmt::print("{} statements tried, {} contradicted, {} without an experiment\n", tried, contradicted,
               not_tried);
  }
};

void print_finding(const Finding& f) {
  fmt::print("{}: {}: {}\n  by {}{}{}\n", f.question, f.statement.empty() ? "-" : f.statement, word(f.result),
             f.method, f.detail.empty() ? "" : ": ", f.detail);
}

DoubtOptions options_of(const Arguments& args) {
  DoubtOptions options;
  std::vector<std::string> names;
  for (const Question& q : all_questions()) names.push_back(q.name);
  options.questions = listed(args.get("--question"), names);
  options.seconds = seconds(args.get("--timeout"));
  options.seed = std::stoul("0" + args.get("--seed"));
  return options;
}

/// The contradicted question still is on a part of the text.
std::string smallest_example(const std::string& text, const std::string& question, DoubtOptions options) {
  options.questions = {question};
  options.progress = nullptr;
  return shrunk(text, [&](const std::string& part) {
    try {
      for (const Finding& f : doubt(part, read_model(part, "part"), options)) {
        if (f.result == Result::contradicted) return true;
      }
    } catch (const std::exception&) {  // not a model any more
    }
    return false;
  });
}

/// Random models until the time is up; every contradiction is printed with the smallest model that shows it.
int doubt_generated(const Arguments& args) {
  DoubtOptions options = options_of(args);
  const double limit = seconds(args.get("--seconds"));
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Random random(options.seed);
  Tally tally;
  std::size_t models = 0;
  while (elapsed() < limit) {
    const std::string text = random_model(random);
    try {
      const Findings findings = doubt(text, read_model(text, "generated"), options);
      ++models;
      tally.count(findings);
      for (const Finding& f : findings) {
        if (f.result != Result::contradicted) continue;
        print_finding(f);
        fmt::print("in this model:\n{}\n", smallest_example(text, f.question, options));
      }
    } catch (const Error&) {  // a text that is no model: refused, as it should be
    }
  }
  fmt::print("{} generated models\n", models);
  tally.print();
  return tally.contradicted == 0 ? Exit::done : Exit::refuted;
}

int doubt_model(const Arguments& args) {
  if (!args.positional()) return doubt_generated(args);
  const std::string text = model_text(*args.positional());
  DoubtOptions options = options_of(args);
  const Findings findings = doubt(text, model_argument(args), options);
  Tally tally;
  tally.count(findings);
  for (const Finding& f : findings) {
    if (f.result == Result::contradicted || !args.has("--quiet")) print_finding(f);
  }
  tally.print();
  return tally.contradicted == 0 ? Exit::done : Exit::refuted;
}

}  // namespace

Verb doubt_verb() {
  return {
      "doubt",
      "try to break every statement about a model by independent means",
      "[MODEL]",
      "  Functions called constant are watched along motions in 32 digits, densities by differences of "
      "compiled code, growth\n"
      "  vectors by numerical ranks, conditions of the equations at states where they fail; every question "
      "is asked again at\n"
      "  other parameters, in other descriptions of the same system, and on each part where a position "
      "constraint is a product;\n"
      "  certificates are checked, and forged with a wider domain. Without a MODEL, random models are "
      "tried. Exit code 1\n"
      "  means that a statement was contradicted: please report it.",
      {{"--question", "Q,...", "which statements, or `all`", "all", {}, false, true},
       {"--timeout", "S",
        "seconds of computing for each question, and three times as much for all experiments on its answer",
        "20"},
       {"--seconds", "S", "without a MODEL: how long to go on", "60"},
       {"--seed", "N", "of the random numbers: the same seed makes the same experiments", "1"},
       {"--quiet", "", "print contradictions only"},
       set_option()},
      {"rattleback doubt chaplygin-sleigh", "rattleback doubt my-model.toml --question momenta",
       "rattleback doubt --seconds 3600 --seed 7"},
      doubt_model};
}

}  // namespace rattleback::app
