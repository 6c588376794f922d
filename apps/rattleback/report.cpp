/// rattleback report MODEL: one page with everything.
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/proof/question.hpp>
#include <rattleback/view/report.hpp>

#include "model_argument.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& page) {
  std::ofstream file(path, std::ios::binary);
  file << page;
  file.close();
  if (!file) {
    throw Error("unwritable-output", fmt::format("`{}` could not be written", path), "",
                "check the folder and its permissions");
  }
}

/// What the user may type to get this page again.
std::string command(const Arguments& args) {
  std::string s = fmt::format("rattleback report {}", *args.positional());
  for (const std::string& values : args.all("--set")) s += fmt::format(" --set {}", values);
  return s + fmt::format(" -o {}", args.get("-o"));
}

int report(const Arguments& args) {
  Report page;
  page.system = model_argument(args);
  page.source = contents(find_model(*args.positional()));
  page.command = command(args);
  page.found = triage(page.system);
  if (!page.found.problems.empty()) throw page.found.problems.front();
  page.equations = derivation(page.system, all_formalisms(), false);
  for (const Question& q : all_questions()) page.answers.emplace_back(q.name, asked(q, page.system, 10));
  const std::string html = as_html(page);
  write(args.get("-o"), html);
  fmt::print("{}: {} kB\n", args.get("-o"), html.size() / 1000);
  return Exit::done;
}

}  // namespace

Verb report_verb() {
  return {
      "report",
      "everything on one page: model, equations, verdicts, a run, an animation",
      "MODEL",
      "  The page needs no network and no other file. [scene] in the model says what to draw, [simulation] "
      "what to run.",
      {{"-o", "FILE", "where to write the page", "report.html"}, set_option()},
      {"rattleback report rattleback -o rattleback.html", "rattleback report chaplygin-sleigh --set a=1/4"},
      report};
}

}  // namespace rattleback::app
