// Declared in view/programs/motion_module.hpp. Straight-line code of a motion as a Python module.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/code_layout.hpp>
#include <rattleback/view/programs/exported_text.hpp>

namespace rattleback {
namespace {

/// Keywords, builtins that the module calls, and its own names.
const std::set<std::string>& reserved_in_python() {
  static const std::set<std::string> names{
      "False",   "None",          "True",     "and",        "as",    "assert",        "async",    "await",
      "break",   "class",         "continue", "def",        "del",   "elif",          "else",     "except",
      "finally", "for",           "from",     "global",     "if",    "import",        "in",       "is",
      "lambda",  "nonlocal",      "not",      "or",         "pass",  "raise",         "return",   "try",
      "while",   "with",          "yield",    "abs",        "math",  "print",         "self",     "state",
      "params",  "configuration", "velocity", "Parameters", "types", "functions_for", "collected"};
  return names;
}

/// abs() is a builtin for numbers and arrays alike.
std::string python_call(Builtin f, const std::string& x) {
  return call_text(f, x, f == Builtin::abs ? "" : "math.");
}

/// A state of arrays is as many states as they have entries: functions and results are then those of NumPy.
constexpr const char* for_arrays = R"py(def functions_for(values):
    """math for numbers; NumPy's functions for arrays, so that one call serves many states."""
    if not any(getattr(value, "shape", ()) for value in values):
        return math
    import numpy as np
    return types.SimpleNamespace(
        sin=np.sin, cos=np.cos, tan=np.tan, asin=np.arcsin, acos=np.arccos, atan=np.arctan, exp=np.exp, log=np.log,
        sqrt=np.sqrt, sinh=np.sinh, cosh=np.cosh, tanh=np.tanh, asinh=np.arcsinh, acosh=np.arccosh, atanh=np.arctanh)


def collected(outputs, values):
    """The list itself for numbers; for arrays one array, a row for each output."""
    if not any(getattr(value, "shape", ()) for value in values):
        return outputs
    import numpy as np
    return np.array(np.broadcast_arrays(*outputs, *values)[:len(outputs)])


)py";

/// A list of strings as Python writes it.
std::string tuple_text(const std::vector<std::string>& names) {
  std::string s;
  for (const std::string& name : names) s += fmt::format("\"{}\", ", name);
  return "(" + s + ")";
}

class PythonModule {
 public:
  explicit PythonModule(const MotionModule& module)
      : module_(module),
        layout_(module, reserved_in_python()),
        dialect_{[](const Rational& c) { return number_text(c, ""); },
                 [](const std::string& base, int n) { return fmt::format("{}**{}", base, n); },
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params.{}({})", layout_.name(f), fmt::join(xs, ", "))
                                          : python_call(f.kind(), xs[0]);
                 }} {}

  std::string text() const {
    std::string s = "\"\"\"";
    for (std::string line : layout_.documentation()) {
      for (std::size_t at = 0; (at = line.find_first_of("\\\"", at)) != std::string::npos; at += 2)
        line.insert(at, "\\");
      s += line + "\n";
    }
    s += "\"\"\"\n\nimport math\nimport types\n\n" + names() + "\n\n" + for_arrays + parameters();
    for (const ModuleFunction& f : module_.members) s += "\n\n" + definition(f);
    return s;
  }

 private:
  std::string names() const {
    std::vector<std::string> state, velocities;
    for (const auto* symbols : {&module_.configuration, &module_.speeds}) {
      for (const Symbol q : *symbols) state.push_back(q.name());
    }
    for (const Symbol v : module_.velocities) velocities.push_back(v.name());
    return fmt::format("STATE = {}\nVELOCITIES = {}\n", tuple_text(state), tuple_text(velocities));
  }

  std::string parameters() const {
    std::string s =
        "class Parameters:\n    \"\"\"The model's own values; nan where it has none.\"\"\"\n\n"
        "    def __init__(self";
    std::string arguments, body;
    for (const MotionModule::Parameter& p : module_.parameters) {
      const std::string name = layout_.name(p.symbol);
      arguments += fmt::format(", {}={}", name, p.value ? shortest(*p.value) : "math.nan");
      body += fmt::format("        self.{0} = {0}{1}\n", name, p.about.empty() ? "" : "  # " + p.about);
    }
    for (const Function f : module_.functions) {
      arguments += fmt::format(", {}=None", layout_.name(f));
      body +=
          fmt::format("        self.{0} = {0}  # {1}: you supply it\n", layout_.name(f), rattleback::text(f));
    }
    return s + arguments + "):\n" + (body.empty() ? "        pass\n" : body);
  }

  std::string definition(const ModuleFunction& f) const {
    std::vector<Expr> outputs;
    std::vector<std::string> output_names;
    for (const Statement& o : f.outputs) {
      outputs.push_back(o.value);
      output_names.push_back(o.name);
    }
    const StraightLine code = straight_line(outputs, layout_.names(), dialect_);
    std::string s = fmt::format(
        "def {}({}, {}, params=Parameters()):\n    \"\"\"{}{}\"\"\"\n", f.name, layout_.name(module_.time),
        f.of == ModuleFunction::Of::state ? "state" : "configuration, velocity", f.about,
        f.scalar ? "." : fmt::format(": {}.", fmt::join(output_names, ", ")));
    const char* values = f.of == ModuleFunction::Of::state ? "state" : "(*configuration, *velocity)";
    std::string body;
    for (const auto& [name, value] : code.temporaries)
      body += fmt::format("    {} = {}\n", name, continued(value, name.size() + 8));
    if (f.scalar) {
      body += fmt::format("    return {}\n", continued(code.outputs[0], 12));
    } else {
      body += "    return collected([\n";
      for (const std::string& value : code.outputs)
        body += fmt::format("        {},\n", wrapped_formula(value, 8, 12));
      body += fmt::format("    ], {})\n", values);
    }
    if (body.find("math.") != std::string::npos) s += fmt::format("    math = functions_for({})\n", values);
    for (const Symbol input : code.inputs) s += read(input, f.of);
    return s + body;
  }

  /// On several lines a formula needs brackets.
  static std::string continued(const std::string& value, std::size_t column) {
    const std::string lines = wrapped_formula(value, column, 8);
    return lines.find('\n') == std::string::npos ? lines : "(" + lines + ")";
  }

  std::string read(Symbol input, ModuleFunction::Of of) const {
    return input_text(layout_, input, of,
                      {.parameter = "    {0} = params.{0}\n", .element = "    {0} = {1}[{2}]\n", .first = 0});
  }

  const MotionModule& module_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_python(const MotionModule& module) { return PythonModule(module).text(); }

}  // namespace rattleback
