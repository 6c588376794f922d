#pragma once
/// What the writers of exported programs share: a function of a module as straight-line code in a dialect.

#include <string>
#include <vector>

#include <rattleback/view/programs/code_layout.hpp>

namespace rattleback {

/// Outputs of one function, in the names of the module.
inline StraightLine code_of(const ModuleFunction& f, const CodeLayout& layout, const Dialect& dialect) {
  std::vector<Expr> outputs;
  for (const Statement& o : f.outputs) outputs.push_back(o.value);
  return straight_line(outputs, layout.names(), dialect);
}

/// 1/tan(x) for cot, and so on; `prefix` stands before the names of functions.
inline std::string call_text(Builtin f, const std::string& x, const std::string& prefix) {
  switch (f) {
    case Builtin::cot: return "1/" + prefix + "tan(" + x + ")";
    case Builtin::sec: return "1/" + prefix + "cos(" + x + ")";
    case Builtin::csc: return "1/" + prefix + "sin(" + x + ")";
    default: return prefix + Function::builtin(f).name() + "(" + x + ")";
  }
}

/// How a language reads the inputs of a function: formats of fmt, {0} is the name, {1} the array, {2} the place in it.
struct InputSyntax {
  const char *parameter, *element;
  std::size_t first;  ///< the place of the first entry
};
/// The line that reads an input; empty for the time, which is an argument by itself.
std::string input_text(const CodeLayout& layout, Symbol input, ModuleFunction::Of of,
                       const InputSyntax& syntax);

/// Names of the state, in order.
inline std::vector<Symbol> state_of(const MotionModule& module) {
  std::vector<Symbol> all = module.configuration;
  all.insert(all.end(), module.speeds.begin(), module.speeds.end());
  return all;
}

/// What may stand behind the sign of a comment.
inline std::string on_one_line(std::string text) {
  for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
  return text;
}

/// The module with names that differ also without regard to capitals, all in small letters, for languages that see none.
MotionModule in_small_letters(const MotionModule& module);

/// Throws Error[form-does-not-apply] for a language without functions that the user supplies.
void require_formulas(const MotionModule& module, const std::string& language);

}  // namespace rattleback
