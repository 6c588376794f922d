/// rattleback: derive, prove and run nonholonomic systems from one model file.
#include <csignal>
#include <cstdio>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/all_errors.hpp>

#include "import_verb.hpp"
#include "manual.hpp"
#include "plan_verb.hpp"
#include "print_errors.hpp"
#include "studio_worker.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {

std::string Arguments::get(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() || found->second.empty() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::all(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> listed(const std::string& value, const std::vector<std::string>& all) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string name = value.substr(begin, end - begin);
    if (name == "all") return all;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
      check_verb(), derive_verb(),   analyze_verb(), prove_verb(),   export_verb(),  simulate_verb(),
      sweep_verb(), continue_verb(), map_verb(),     measure_verb(), doubt_verb(),   report_verb(),
      plan_verb(),  studio_verb(),   models_verb(),  import_verb(),  explain_verb(),
  };
  return all;
}

Option set_option() {
  return {"--set", "NAME=VALUE,...", "put these values in place of the parameters", "", {}, true};
}

Option format_option(std::vector<std::string> choices) {
  return {"--format", "F", fmt::format("how to print: {}", fmt::join(choices, ", ")), "text",
          std::move(choices)};
}

namespace {

std::string usage(const Verb& verb) {
  return fmt::format("rattleback {}{}{}{}", verb.name, verb.argument.empty() ? "" : " ", verb.argument,
                     verb.options.empty() ? "" : " [options]");
}

/// The text in lines of at most 100 columns, the later ones indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t widest = 100;
  std::string out;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool first = column == indent;
    if (!first && column + 1 + word.size() > widest) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

/// Lines that are wider than a terminal are broken, the others stay.
std::string in_short_lines(const std::string& text) {
  constexpr std::size_t widest = 116;
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out += (out.empty() ? "" : "\n") + (line.size() > widest ? "  " + wrapped(line, 2) : line);
  return out;
}

std::string help(const Verb& verb) {
  std::string s = fmt::format("{}\n\n  {}\n", usage(verb), verb.summary);
  if (!verb.details.empty()) s += "\n" + in_short_lines(verb.details) + "\n";
  if (!verb.options.empty()) {
    s += "\noptions:\n";
    for (const Option& o : verb.options) {
      const std::string left = o.name + (o.value.empty() ? "" : " " + o.value);
      const std::string fallback = o.fallback.empty() ? "" : fmt::format(" (default {})", o.fallback);
      s += fmt::format("  {:<24} {}\n", left, wrapped(o.help + fallback, 27));
    }
  }
  s += "\nexamples:\n";
  for (const std::string& e : verb.examples) s += fmt::format("  {}\n", e);
  return s;
}

std::string overview() {
  std::string s =
      "Rattleback: describe a nonholonomic system once; derive it, prove things about it, run it.\n\n";
  for (const Verb& verb : verbs())
    s += fmt::format("  rattleback {:<8} {:<8}  {}\n", verb.name, verb.argument, verb.summary);
  s += "\nMODEL is a file, the name of a model in the zoo, or - for standard input.\n"
       "`rattleback VERB --help` shows options and examples.\n"
       "Exit codes: 0 done or proved, 1 refuted, 2 error, 3 not found or undecided.\n";
  return s;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  return names;
}

Place on_command_line() {
  Place place;
  place.file = "command line";
  return place;
}

[[noreturn]] void usage_error(std::string summary, std::string fix) {
  throw Error("usage", std::move(summary), "", std::move(fix)).at(on_command_line());
}

/// An option at the end, or before another option, has lost its value.
void require_values(const Verb& verb, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto o = std::find_if(verb.options.begin(), verb.options.end(),
                                [&](const Option& option) { return option.name == words[i]; });
    if (o == verb.options.end() || o->value.empty()) continue;
    if (i + 1 < words.size() && !words[i + 1].starts_with("--")) continue;
    usage_error(fmt::format("{} needs a value", o->name),
                o->choices.empty()
                    ? fmt::format("write {} {}; see `rattleback {} --help`", o->name, o->value, verb.name)
                    : fmt::format("choose from {}{}", o->list ? "all, " : "", fmt::join(o->choices, ", ")));
  }
}

/// --agrees hamel voronets is --agrees hamel,voronets: a value that is announced as two words may be written as two.
std::vector<std::string> with_joined_values(const Verb& verb, std::vector<std::string> words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const auto o = std::find_if(verb.options.begin(), verb.options.end(),
                                [&](const Option& option) { return option.name == words[i]; });
    if (o == verb.options.end() || o->value.find(' ') == std::string::npos) continue;
    if (words[i + 1].find(',') != std::string::npos || words[i + 2].starts_with("--")) continue;
    const std::size_t dot = o->value.rfind('.');  // FILE.v: a word of another kind is not the file
    if (dot != std::string::npos && !words[i + 2].ends_with(o->value.substr(dot))) continue;
    words[i + 1] += "," + words[i + 2];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
  }
  return words;
}

/// -o and --output are one option, whichever of them a verb has.
std::vector<std::string> with_one_output(const Verb& verb, std::vector<std::string> words) {
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(verb.options, [&](const Option& o) { return o.name == name; });
  };
  const std::string brief = "-o", full = "--output";
  if (has(brief)) std::ranges::replace(words, full, brief);
  if (has(full)) std::ranges::replace(words, brief, full);
  return words;
}

/// The options that a misspelt one may mean: one that has it for a value, `--format json` for `--json`; those that it begins; then
/// those that look alike.
std::vector<std::string> meant(const Verb& verb, const std::string& misspelt) {
  std::vector<std::string> names, begun;
  for (const Option& o : verb.options) {
    const auto value = std::ranges::find(o.choices, misspelt.substr(std::string_view("--").size()));
    if (value != o.choices.end()) return {o.name + " " + *value};
    names.push_back(o.name);
    if (o.name.starts_with(misspelt)) begun.push_back(o.name);
  }
  return begun.empty() ? nearest(misspelt, names) : begun;
}

/// What to do about an option that a verb does not have: spell it otherwise, or give it to a verb that has it.
std::string advice(const Verb& verb, const std::string& option) {
  std::vector<std::string> others;
  for (const Verb& other : verbs()) {
    if (std::ranges::any_of(other.options, [&](const Option& o) { return o.name == option; }))
      others.push_back(fmt::format("`rattleback {}`", other.name));
  }
  const auto close = meant(verb, option);
  const std::string own = close.empty() ? "" : fmt::format("did you mean `{}`?", close[0]);
  if (!others.empty())
    return fmt::format("{}{} belongs to {}", own.empty() ? "" : own + " ", own.empty() ? "it" : option,
                       fmt::join(others, ", "));
  return own.empty() ? fmt::format("see `rattleback {} --help`", verb.name) : own;
}

/// CLI11 does the splitting; what it finds is checked against the table here, so that errors read like ours.
Arguments parse(const Verb& verb, const std::vector<std::string>& written) {
  const std::vector<std::string> given_words = with_one_output(verb, written);
  require_values(verb, given_words);
  const std::vector<std::string> words = with_joined_values(verb, given_words);
  CLI::App app;
  app.allow_extras();
  app.set_help_flag();
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> switches;
  for (const Option& o : verb.options) {
    if (o.value.empty()) {
      app.add_flag(o.name, switches[o.name]);
    } else {
      app.add_option(o.name, values[o.name])
          ->type_size(1)
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& e) {
    usage_error(e.what(), fmt::format("see `rattleback {} --help`", verb.name));
  } catch (const CLI::ParseError& e) {
    usage_error(e.what(), fmt::format("see `rattleback {} --help`", verb.name));
  }

  Arguments args;
  for (const std::string& extra : app.remaining()) {
    if (extra.starts_with("--"))
      usage_error(fmt::format("`{}` is not an option of `rattleback {}`", extra, verb.name),
                  advice(verb, extra.substr(0, extra.find('='))));
    if (args.positional_ || verb.argument.empty())
      usage_error(fmt::format("`{}` is one argument too many", extra),
                  fmt::format("the form is `{}`", usage(verb)));
    args.positional_ = extra;
  }
  if (!args.positional_ && !verb.argument.empty() && verb.argument[0] != '[') {
    usage_error(fmt::format("`rattleback {}` needs a {}", verb.name, verb.argument),
                fmt::format("for example `{}`", verb.examples.front()));
  }
  for (const Option& o : verb.options) {
    if (o.value.empty()) {
      if (switches[o.name]) args.values_[o.name] = {};
      continue;
    }
    std::vector<std::string>& given = values[o.name];
    if (given.size() > 1 && !o.repeats) usage_error(fmt::format("{} is given twice", o.name), "give it once");
    if (given.empty() && !o.fallback.empty()) given.push_back(o.fallback);
    for (const std::string& v : given) {
      if (o.choices.empty() || o.list || std::find(o.choices.begin(), o.choices.end(), v) != o.choices.end())
        continue;
      const auto close = nearest(v, o.choices);
      usage_error(fmt::format("`{}` is not possible for {}", v, o.name),
                  close.empty() ? fmt::format("choose from {}", fmt::join(o.choices, ", "))
                                : fmt::format("did you mean `{}`?", close[0]));
    }
    if (!given.empty()) args.values_[o.name] = given;
  }
  return args;
}

int run(const std::vector<std::string>& words) {
  const auto wants_help = [](const std::string& w) { return w == "--help" || w == "-h" || w == "help"; };
  if (words.empty() || wants_help(words[0])) {
    if (words.size() < 2) {
      fmt::print("{}", overview());
      return words.empty() ? Exit::error : Exit::done;
    }
  }
  if (words[0] == "--studio-worker") return studio_worker();
  if (words[0] == "--studio-films") return studio_films();
  if (words[0] == "--version") {
    fmt::print("rattleback {}\n", RATTLEBACK_VERSION);
    return Exit::done;
  }
  if (words[0] == "--man-page") {
    fmt::print("{}", man_page(RATTLEBACK_VERSION));
    return Exit::done;
  }
  if (words[0] == "--reference") {
    fmt::print("{}", reference(words.size() > 1 ? words[1] : "commands"));
    return Exit::done;
  }
  if (words[0] == "--completions") {
    fmt::print("{}", completions(words.size() > 1 ? words[1] : ""));
    return Exit::done;
  }
  const std::string& name = wants_help(words[0]) ? words[1] : words[0];
  const auto verb =
      std::find_if(verbs().begin(), verbs().end(), [&](const Verb& v) { return v.name == name; });
  if (verb == verbs().end()) {
    const auto close = nearest(name, verb_names());
    usage_error(fmt::format("`{}` is not a verb", name),
                close.empty() ? fmt::format("choose from {}", fmt::join(verb_names(), ", "))
                              : fmt::format("did you mean `{}`?", close[0]));
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (wants_help(words[0]) || std::any_of(rest.begin(), rest.end(),
                                          [](const std::string& w) { return w == "--help" || w == "-h"; })) {
    fmt::print("{}", help(*verb));
    return Exit::done;
  }
  return verb->run(parse(*verb, rest));
}

}  // namespace
}  // namespace rattleback::app

int main(int argc, char** argv) {
  using namespace rattleback;
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit becomes a write error with a message
  try {
    const int code = app::run(words);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("unwritable-output", "the output could not be written", "", "check the disk or the pipe");
    return code;
  } catch (Error& error) {
    std::fflush(stdout);
    if (error.where.empty()) error.at(app::on_command_line());
    app::print_errors(all_errors(error), words);
  } catch (const Exhausted& limit) {
    std::fflush(stdout);
    const Error over(
        "budget", limit.what(), "",
        "simplify the model, give numbers for parameters with --set, or raise the limit where the "
        "verb has one (--timeout)");
    app::print_errors({over}, words);
  } catch (const std::exception& broken) {
    fmt::print(stderr, "bug[{}]: please report this with the command `rattleback {}` and the model file\n",
               broken.what(), fmt::join(words, " "));
  }
  return app::Exit::error;
}
