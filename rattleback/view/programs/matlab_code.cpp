// Declared in view/programs/more_languages.hpp. Straight-line code of a motion for MATLAB and Octave.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/exported_text.hpp>
#include <rattleback/view/programs/more_languages.hpp>

namespace rattleback {
namespace {

const std::set<std::string>& reserved_in_matlab() {
  static const std::set<std::string> names{"break",
                                           "case",
                                           "catch",
                                           "classdef",
                                           "continue",
                                           "else",
                                           "elseif",
                                           "end",
                                           "for",
                                           "function",
                                           "global",
                                           "if",
                                           "otherwise",
                                           "parfor",
                                           "persistent",
                                           "return",
                                           "spmd",
                                           "switch",
                                           "try",
                                           "while",
                                           "state",
                                           "params",
                                           "out",
                                           "module",
                                           "configuration",
                                           "velocity",
                                           "pi",
                                           "sin",
                                           "cos",
                                           "tan",
                                           "exp",
                                           "log",
                                           "sqrt",
                                           "abs",
                                           "NaN",
                                           "i",
                                           "j",
                                           "eps",
                                           "Inf",
                                           "ans",
                                           "asin",
                                           "acos",
                                           "atan",
                                           "do",
                                           "until",
                                           "unwind_protect",
                                           "endfunction",
                                           "endif"};
  return names;
}

class MatlabFile {
 public:
  explicit MatlabFile(const MotionModule& module)
      : module_(module),
        layout_(module, reserved_in_matlab()),
        dialect_{[](const Rational& c) { return number_text(c, ""); },
                 [](const std::string& base, int n) { return fmt::format("{}^{}", base, n); },
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params.{}({})", layout_.name(f), fmt::join(xs, ", "))
                                          : call_text(f.kind(), xs[0], "");
                 }} {}

  std::string text() const {
    std::string s = fmt::format("function module = {}()\n", module_.name);
    for (const std::string& line : layout_.documentation()) s += line.empty() ? "%\n" : "% " + line + "\n";
    s += "% Indices begin at 1: the first entry above is state(1). Use: m = " + module_.name +
         "(); ode45(@(t, y) m.rhs(t, y, m.defaults), [0 1], y0)\n" + names() + defaults();
    for (const ModuleFunction& f : module_.members) s += fmt::format("  module.{0} = @{0};\n", f.name);
    s += "end\n";
    for (const ModuleFunction& f : module_.members) s += "\n" + definition(f);
    return s;
  }

 private:
  std::string names() const {
    std::vector<std::string> state, velocities;
    const auto quoted = [](const std::string& name) {
      std::string s = "'";
      for (const char c : name) s += c == '\'' ? std::string("''") : std::string(1, c);
      return s + "'";
    };
    for (const Symbol s : state_of(module_)) state.push_back(quoted(s.name()));
    for (const Symbol v : module_.velocities) velocities.push_back(quoted(v.name()));
    return fmt::format("  module.state = {{{}}};\n  module.velocity_names = {{{}}};\n",
                       fmt::join(state, ", "), fmt::join(velocities, ", "));
  }

  std::string defaults() const {
    std::string s = "  module.defaults = struct();\n";
    for (const MotionModule::Parameter& p : module_.parameters)
      s += fmt::format("  module.defaults.{} = {};{}\n", layout_.name(p.symbol),
                       p.value ? shortest(*p.value) : "NaN",
                       p.about.empty() ? "" : "  % " + on_one_line(p.about));
    for (const Function f : module_.functions)
      s += fmt::format("  module.defaults.{} = [];  % {}: you supply it\n", layout_.name(f),
                       rattleback::text(f));
    return s;
  }

  std::string definition(const ModuleFunction& f) const {
    const StraightLine code = code_of(f, layout_, dialect_);
    std::string s =
        fmt::format("% {}\nfunction out = {}({}, {}, params)\n", f.about, f.name, layout_.name(module_.time),
                    f.of == ModuleFunction::Of::state ? "state" : "configuration, velocity");
    for (const Symbol input : code.inputs) s += read(input, f.of);
    for (const auto& [name, value] : code.temporaries)
      s += fmt::format("  {} = {};\n", name, continued(value, name.size() + 6));
    if (f.scalar) return s + fmt::format("  out = {};\nend\n", continued(code.outputs[0], 9));
    s += fmt::format("  out = zeros({}, 1);\n", code.outputs.size());
    for (std::size_t k = 0; k < code.outputs.size(); ++k)
      s += fmt::format("  out({}) = {};\n", k + 1, continued(code.outputs[k], 12));
    return s + "end\n";
  }

  /// Lines of one statement end with three points.
  static std::string continued(const std::string& value, std::size_t column) {
    std::string lines = wrapped_formula(value, column, 6);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 5)
      lines.insert(at, " ...");
    return lines;
  }

  std::string read(Symbol input, ModuleFunction::Of of) const {
    return input_text(layout_, input, of,
                      {.parameter = "  {0} = params.{0};\n", .element = "  {0} = {1}({2});\n", .first = 1});
  }

  const MotionModule& module_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_matlab(const MotionModule& module) { return MatlabFile(module).text(); }

}  // namespace rattleback
