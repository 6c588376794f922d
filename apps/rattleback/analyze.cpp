/// rattleback analyze MODEL: verdicts with their evidence.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/coq_checker.hpp>
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

std::vector<std::string> names_of_questions() {
  std::vector<std::string> names;
  for (const Question& q : all_questions()) names.push_back(q.name);
  return names;
}

/// The questions that --question names: one, several separated by commas, or all.
std::vector<Question> requested(const std::string& names) {
  std::vector<Question> rows;
  for (const std::string& name : listed(names, names_of_questions())) rows.push_back(question(name));
  return rows;
}

/// The exit code answers a single question.
int exit_code_of_all(const std::vector<std::pair<std::string, Answer>>& answers) {
  if (answers.size() != 1) return Exit::done;
  return exit_code(answers.front().second.outcome);
}

int analyze(const Arguments& args) {
  const System system = model_argument(args);
  const double limit = seconds(args.get("--timeout"));
  const bool json = args.get("--format") == "json", lines = args.get("--format") == "jsonl";
  std::vector<std::pair<std::string, Answer>> answers;
  const std::vector<Question> questions = requested(args.get("--question"));
  const bool coq = args.has("--to"), quiet = coq && args.get("--to") == "coq";
  if (coq && questions.size() != 1)
    throw Error("usage", "--to coq takes one question at a time", "", "name it with --question")
        .at(command_line("--to"));
  Stages stages(questions.size());
  const auto rest = overconstrained(system);
  QuestionSession session(rest ? rest->system : system, limit);
  std::optional<CoqChecker> checker;
  if (args.has("--coq")) checker.emplace();
  for (const Question& q : questions) {
    stages.next(q.name);
    answers.emplace_back(q.name, rest ? noted(session.answer(q), *rest) : session.answer(q));
    if (checker) checker->check(answers.back().second, system.name);
    stages.clear();
    if (lines)
      fmt::print("{}\n", nlohmann::ordered_json::parse(as_json(system, {answers.back()})).dump());
    else if (!json && !quiet)
      fmt::print("{}", coloured(as_text(q.name, answers.back().second), stdout));
    std::fflush(stdout);
  }
  if (json) fmt::print("{}", as_json(system, answers));
  if (coq) write_coq(args, answers.front().second.certificate, system.name);
  return exit_code_of_all(answers);
}

/// "energy (the energy is conserved), …" from the table of questions.
Option question_option() {
  std::vector<std::string> described;
  for (const Question& q : all_questions()) described.push_back(fmt::format("{} ({})", q.name, q.about));
  return {"--question",
          "Q,...",
          fmt::format("what to decide, or `all`: {}", fmt::join(described, ", ")),
          "all",
          names_of_questions(),
          false,
          true};
}

}  // namespace

double seconds(const std::string& given) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(given, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != given.size() || !(value > 0)) {
    Place place;
    place.file = "command line, --timeout";
    throw Error("usage", fmt::format("`{}` is not a number of seconds", given), "", "write --timeout 60")
        .at(place);
  }
  return value;
}

Option timeout_option(std::string about) { return {"--timeout", "S", std::move(about)}; }

Limits time_limits(const Arguments& args) {
  Limits limits;
  if (args.has("--timeout")) limits.time = std::chrono::duration<double>(seconds(args.get("--timeout")));
  return limits;
}

std::optional<Limits> limits_of_a_foundation(const Arguments& args) {
  constexpr std::chrono::duration<double> least{5};
  Limits limits = time_limits(args);
  if (!limits.time) return std::nullopt;
  limits.time = std::max(*limits.time, least);
  return limits;
}

Verb analyze_verb() {
  return {"analyze",
          "decide questions about the motion, each with its evidence",
          "MODEL",
          "  Parameters stay symbols: where the answer depends on them, `unless` says for which values it is "
          "the other "
          "one,\n  and whether that list is complete.\n  Of a single question the exit code is the answer: 0 "
          "proved, 1 refuted, 3 not found (a "
          "search ended; it says where it looked), undecided, or a question that does not apply.",
          {question_option(),
           {"--timeout", "S", "seconds of computing for each question; what takes longer is undecided", "60"},
           to_option(),
           coq_option(),
           format_option({"text", "json", "jsonl"}),
           set_option()},
          {"rattleback analyze chaplygin-sleigh", "rattleback analyze chaplygin-sleigh --question energy",
           "rattleback analyze my-model.toml --question integrability --format json",
           "rattleback analyze chaplygin-sleigh --question energy --to coq energy.v"},
          analyze};
}

}  // namespace rattleback::app
