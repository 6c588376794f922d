#pragma once
/// Language-independent layout of exported programs: names, functions to be supplied, and where values are stored.

#include <map>
#include <string>
#include <vector>

#include <rattleback/view/programs/motion_module.hpp>
#include <rattleback/view/programs/straight_line.hpp>

namespace rattleback {

/// A module with its names chosen for one language.
class CodeLayout {
 public:
  CodeLayout(const MotionModule& module, std::set<std::string> reserved);

  const CodeNames& names() const { return names_; }
  std::string name(Symbol s) const { return names_.identifier(s); }
  /// A, A_d1, V_d1_0: an abstract function with its orders of differentiation.
  const std::string& name(Function f) const { return function_names_.at(text_of(f)); }

  /// Where the inputs of a function come from: `parameter`, `state[3]` …
  struct Source {
    enum class Kind : std::uint8_t { time, parameter, state, configuration, velocity } kind;
    std::size_t index = 0;
  };
  /// Throws Bug for a symbol that the function does not have.
  Source source(Symbol s, ModuleFunction::Of of) const;

  /// Lines of a comment for people: state, velocities, conditions, notes.
  std::vector<std::string> documentation() const;

 private:
  static std::string text_of(Function f);

  const MotionModule& module_;
  CodeNames names_;
  std::map<std::string, std::string> function_names_;
};

/// The shortest decimal that is this double again.
std::string shortest(double number);
/// Exactly an integer, a decimal of few digits, or numerator/denominator without brackets; `integer_suffix` makes the two parts, and integers of ten
/// digits and more, floating.
std::string number_text(const Rational& c, const char* integer_suffix);

}  // namespace rattleback
