#pragma once
/// The command line as a table: every verb with its options and examples. Help is generated from it, and nothing
/// about a verb is written anywhere else.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback::app {

/// What the exit code answers.
enum Exit : int { done = 0, refuted = 1, error = 2, undecided = 3 };

struct Option {
  std::string name;   ///< "--form"
  std::string value;  ///< what to write behind it, e.g. "F"; empty for a switch
  std::string help;
  std::string fallback = {};              ///< the value when it is not given
  std::vector<std::string> choices = {};  ///< when only these are possible
  bool repeats = false;  ///< may be given several times; a value may list several, separated by commas
  bool list = false;     ///< some of the choices, separated by commas, or `all`: see listed()
};

/// What the user wrote.
class Arguments {
 public:
  bool has(const std::string& option) const { return values_.contains(option); }
  std::string get(const std::string& option) const;
  std::vector<std::string> all(const std::string& option) const;
  const std::optional<std::string>& positional() const { return positional_; }

  std::map<std::string, std::vector<std::string>> values_;
  std::optional<std::string> positional_;
};

struct Verb {
  std::string name, summary;
  std::string argument;  ///< "MODEL"; "[NAME]" when it may be left out; empty when there is none
  std::string details;   ///< a paragraph of --help
  std::vector<Option> options;
  std::vector<std::string> examples;
  int (*run)(const Arguments&);
};

/// The names in a list such as `hamel,voronets`, each once; `all` stands for all of them.
std::vector<std::string> listed(const std::string& value, const std::vector<std::string>& all);

/// All verbs, in the order in which --help lists them.
const std::vector<Verb>& verbs();

Verb analyze_verb();
Verb prove_verb();
Verb check_verb();
Verb derive_verb();
Verb export_verb();
Verb simulate_verb();
Verb continue_verb();
Verb map_verb();
Verb measure_verb();
Verb sweep_verb();
Verb report_verb();
Verb models_verb();
Verb explain_verb();
Verb doubt_verb();

/// --set name=value,... as every verb that reads a model has it.
Option set_option();
/// The number behind --timeout. Throws Error[usage].
double seconds(const std::string& given);
/// --timeout S for verbs that end with Error[budget] when the time is up.
Option timeout_option(std::string about);
/// What --timeout allows: nothing is limited when it is not given.
Limits time_limits(const Arguments& args);
/// The same for the model and its equations, on which everything rests: five seconds at least. Nothing without --timeout.
std::optional<Limits> limits_of_a_foundation(const Arguments& args);
Option format_option(std::vector<std::string> choices);

}  // namespace rattleback::app
