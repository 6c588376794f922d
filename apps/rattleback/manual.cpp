#include "manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/text/keys.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

#include "verb.hpp"

namespace rattleback::app {
namespace {

/// roff takes a leading dot or quote for a request, and a backslash for an escape; a hyphen is a minus here.
std::string roff(const std::string& text) {
  std::string s;
  for (const char c : text) {
    if (s.empty() && (c == '.' || c == '\'')) s += "\\&";
    if (c == '\\')
      s += "\\e";
    else if (c == '-')
      s += "\\-";
    else
      s += c;
  }
  return s;
}

std::string left_of(const Option& o) { return o.name + (o.value.empty() ? "" : " " + o.value); }

std::string help_of(const Option& o) {
  return o.help + (o.fallback.empty() ? "" : fmt::format(" (default {})", o.fallback));
}

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> option_names(const Verb& verb) {
  std::vector<std::string> names{"--help"};
  for (const Option& o : verb.options) names.push_back(o.name);
  return names;
}

bool takes_model(const Verb& verb) { return verb.argument == "MODEL" || verb.argument == "[NAME]"; }

std::string bash_script() {
  std::string verbs_list, cases;
  for (const Verb& verb : verbs()) {
    verbs_list += (verbs_list.empty() ? "" : " ") + verb.name;
    std::string choices;
    for (const Option& o : verb.options) {
      if (!o.choices.empty())
        choices += fmt::format("      {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", o.name,
                               words_of(o.choices));
    }
    cases += fmt::format("    {})\n", verb.name);
    if (!choices.empty()) cases += "      case $before in\n" + choices + "      esac\n";
    cases += fmt::format("      words=\"{}\"{} ;;\n", words_of(option_names(verb)),
                         takes_model(verb) ? "; models=1" : "");
  }
  return fmt::format(R"~(# bash completion for rattleback
_rattleback() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words="" models=""
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word != -* && -n $models ]]; then
    COMPREPLY=($(compgen -W "$(rattleback models 2>/dev/null | sed -n 's/^  \([^ ]*\).*/\1/p')" -- "$word") $(compgen -f -X '!*.toml' -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}}
complete -o default -F _rattleback rattleback
)~",
                     verbs_list, cases);
}

std::string zsh_script() {
  // zsh understands completions of bash.
  return "#compdef rattleback\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script();
}

std::string fish_word(const std::string& text) {
  std::string s;
  for (const char c : text) s += c == '\'' ? std::string("\\'") : std::string(1, c);
  return "'" + s + "'";
}

std::string fish_script() {
  std::string s = "# fish completion for rattleback\n";
  for (const Verb& verb : verbs()) {
    s += fmt::format("complete -c rattleback -f -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                     fish_word(verb.summary));
    const std::string here =
        fmt::format("complete -c rattleback -n '__fish_seen_subcommand_from {}'", verb.name);
    if (takes_model(verb)) s += here + " -a '(rattleback models | string match -rg \"^  (\\S+)\")'\n";
    for (const Option& o : verb.options) {
      const bool is_long = o.name.starts_with("--");
      s += fmt::format("{} {} {}{}{}\n", here, is_long ? "-l" : "-s", o.name.substr(is_long ? 2 : 1),
                       o.value.empty() ? "" : " -r",
                       o.choices.empty() ? "" : " -a " + fish_word(words_of(o.choices)));
    }
  }
  return s;
}

}  // namespace

std::string man_page(const std::string& version) {
  std::string s = fmt::format(
      ".TH RATTLEBACK 1 \"\" \"rattleback {}\"\n.SH NAME\nrattleback \\- a workbench for nonholonomic "
      "mechanics\n.SH SYNOPSIS\n.B rattleback\n.I VERB\n[argument] [options]\n.SH DESCRIPTION\nDescribe a "
      "nonholonomic system once; derive it, prove things about it, run it. MODEL is a file, the name of a "
      "model in the zoo, or - for standard input.\n.SH VERBS\n",
      version);
  for (const Verb& verb : verbs()) {
    s += fmt::format(".SS rattleback {} {}\n{}\n", verb.name, roff(verb.argument), roff(verb.summary));
    for (const Option& o : verb.options)
      s += fmt::format(".TP\n.B {}\n{}\n", roff(left_of(o)), roff(help_of(o)));
    s += ".PP\nExamples:\n.nf\n";
    for (const std::string& e : verb.examples) s += fmt::format("  {}\n", roff(e));
    s += ".fi\n";
  }
  return s + ".SH EXIT STATUS\n0 done or proved, 1 refuted, 2 error, 3 not found or undecided.\n";
}

namespace {

std::string commands() {
  std::string s = "# The command line\n";
  for (const Verb& verb : verbs()) {
    s += fmt::format("\n## rattleback {}{}{}\n\n{}.\n", verb.name, verb.argument.empty() ? "" : " ",
                     verb.argument, verb.summary);
    if (!verb.options.empty()) s += "\n| option | meaning |\n|---|---|\n";
    for (const Option& o : verb.options) s += fmt::format("| `{}` | {} |\n", left_of(o), help_of(o));
    s += "\n```text\n";
    for (const std::string& e : verb.examples) s += e + "\n";
    s += "```\n";
  }
  return s + "\nExit codes: 0 done or proved, 1 refuted, 2 error, 3 not found or undecided.\n";
}

/// "bodies.*" as people write it: [bodies.NAME].
std::string section_name(std::string_view table) {
  std::string s(table);
  if (s.empty()) return "At the top of the file";
  if (s.starts_with("space.")) return fmt::format("A factor {} of [space]", s.substr(6));
  if (const std::size_t star = s.find('*'); star != std::string::npos) s.replace(star, 1, "NAME");
  return "[" + s + "]";
}

std::string keys() {
  std::string s =
      "# Keys of a model file\n\nSections whose keys are names of the model, such as [space] and [define], "
      "are "
      "described in [the model language](model-language.md).\n";
  std::string_view table = "none yet";
  for (const KeyInfo& k : known_keys()) {
    if (k.table != table) {
      s += fmt::format("\n## {}\n\n| key | example | meaning |\n|---|---|---|\n", section_name(k.table));
      table = k.table;
    }
    s += fmt::format("| `{}` | `{}` | {} |\n", k.key, k.example, k.about);
  }
  return s;
}

std::string questions() {
  std::string s =
      "# Questions and their claims\n\n`rattleback analyze MODEL --question Q`; [what the answers "
      "hold](questions.md).\n\n| question | the statement that is proved or refuted |\n|---|---|\n";
  for (const Question& q : all_questions()) s += fmt::format("| `{}` | {} |\n", q.name, q.about);
  return s;
}

std::string steppers() {
  std::string s =
      "# Orders of the steppers\n\n`rattleback simulate MODEL --method NAME`; [more about "
      "them](steppers.md).\n\n"
      "| name | method | order | steps | keeps, besides the constraints |\n|---|---|---|---|---|\n";
  for (const StepperRow& row : all_steppers())
    s += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.title,
                     row.order == 0 ? "automatic" : std::to_string(row.order),
                     row.adaptive ? "adaptive" : "constant", row.keeps);
  return s;
}

}  // namespace

std::string reference(const std::string& what) {
  if (what == "commands") return commands();
  if (what == "keys") return keys();
  if (what == "questions") return questions();
  if (what == "steppers") return steppers();
  throw Error("usage", fmt::format("there is no reference of `{}`", what), "",
              "choose from commands, keys, questions, steppers");
}

std::string completions(const std::string& shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  throw Error("usage", fmt::format("there are no completions for `{}`", shell), "",
              "choose from bash, zsh, fish");
}

}  // namespace rattleback::app
