// Declared in view/programs/more_languages.hpp. Motions as equations of other programs: exact expressions of SymPy, a Modelica model.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/exported_text.hpp>
#include <rattleback/view/programs/more_languages.hpp>

namespace rattleback {
namespace {

const std::set<std::string>& reserved_in_sympy() {
  static const std::set<std::string> names{
      "False",  "None",   "True",        "and",         "as",        "assert",      "async",
      "await",  "break",  "class",       "continue",    "def",       "del",         "elif",
      "else",   "except", "finally",     "for",         "from",      "global",      "if",
      "import", "in",     "is",          "lambda",      "nonlocal",  "not",         "or",
      "pass",   "raise",  "return",      "try",         "while",     "with",        "yield",
      "sp",     "state",  "velocities",  "parameters",  "values",    "functions",   "rhs",
      "energy", "speeds", "constraints", "multipliers", "reactions", "speed_names", "jacobian"};
  return names;
}

/// Exact: 1/3 is Rational(1, 3).
std::string exact_text(const Rational& c) {
  return c.is_integer() ? fmt::format("sp.Integer({})", c.text())
                        : fmt::format("sp.Rational({}, {})", c.numerator().text(), c.denominator().text());
}

std::string sympy_call(Builtin f, const std::string& x) {
  return f == Builtin::abs ? fmt::format("sp.Abs({})", x)
                           : fmt::format("sp.{}({})", Function::builtin(f).name(), x);
}

std::string bracketed(const std::string& value, std::size_t column) {
  const std::string lines = wrapped_formula(value, column, 4);
  return lines.find('\n') == std::string::npos ? lines : "(" + lines + ")";
}

/// A function of the state as a variable of a Modelica model.
struct ModelicaVariable {
  const ModuleFunction* from;
  std::string size;  ///< "", "[3]" or "[5, 5]"

  /// Left side of the equation for output k.
  std::string entry(std::size_t k, std::size_t columns) const {
    if (from->scalar) return from->name;
    return from->name == "jacobian" ? fmt::format("jacobian[{}, {}]", k / columns + 1, k % columns + 1)
                                    : fmt::format("{}[{}]", from->name, k + 1);
  }
};

/// The rates first; what is a function of arbitrary velocities is none of a model that moves.
std::vector<ModelicaVariable> modelica_variables(const MotionModule& module) {
  std::vector<ModelicaVariable> all;
  const std::size_t n = state_of(module).size();
  for (const ModuleFunction& f : module.members) {
    if (f.of != ModuleFunction::Of::state || f.outputs.empty()) continue;
    all.push_back({&f, f.scalar               ? ""
                       : f.name == "jacobian" ? fmt::format("[{0}, {0}]", n)
                                              : fmt::format("[{}]", f.outputs.size())});
  }
  return all;
}

}  // namespace

std::string as_sympy(const MotionModule& module) {
  const CodeLayout layout(module, reserved_in_sympy());
  const Dialect dialect{exact_text,
                        [](const std::string& base, int n) { return fmt::format("{}**{}", base, n); },
                        [&](Function f, std::span<const std::string> xs) {
                          return f.is_abstract() ? fmt::format("{}({})", layout.name(f), fmt::join(xs, ", "))
                                                 : sympy_call(f.kind(), xs[0]);
                        },
                        "sp.pi"};
  std::string s = "\"\"\"";
  for (std::string line : layout.documentation()) {
    for (std::size_t at = 0; (at = line.find_first_of("\\\"", at)) != std::string::npos; at += 2)
      line.insert(at, "\\");
    s += line + "\n";
  }
  s += "\nEverything is exact; `values` are the model's own.\n\"\"\"\n\nimport sympy as sp\n\n";
  const auto declared = [&](Symbol symbol, bool positive) {
    s += fmt::format("{} = sp.Symbol(\"{}\", real=True{})\n", layout.name(symbol), symbol.name(),
                     positive ? ", positive=True" : "");
  };
  declared(module.time, false);
  std::vector<std::string> state, velocities, parameters, values;
  for (const Symbol q : state_of(module)) {
    declared(q, false);
    state.push_back(layout.name(q));
  }
  for (const Symbol v : module.velocities) {
    const std::vector<Symbol> known = state_of(module);
    if (std::find(known.begin(), known.end(), v) == known.end()) declared(v, false);
    velocities.push_back(layout.name(v));
  }
  for (const MotionModule::Parameter& p : module.parameters) {
    declared(p.symbol, p.symbol.attributes().sign == Sign::positive);
    parameters.push_back(layout.name(p.symbol));
    if (p.value) values.push_back(fmt::format("{}: {}", parameters.back(), shortest(*p.value)));
  }
  for (const Function f : module.functions)
    s += fmt::format("{0} = sp.Function(\"{0}\")  # {1}\n", layout.name(f), rattleback::text(f));
  const auto list = [](const std::vector<std::string>& all) {
    return fmt::format("[{}]", fmt::join(all, ", "));
  };
  s += fmt::format("\nstate = {}\nvelocities = {}\nparameters = {}\nvalues = {{{}}}\n", list(state),
                   list(velocities), list(parameters), fmt::join(values, ", "));
  for (const ModuleFunction& f : module.members) {
    const StraightLine code = code_of(f, layout, dialect);
    s += fmt::format("\n# {}\n", f.about);
    for (const auto& [name, value] : code.temporaries)
      s += fmt::format("{} = {}\n", name, bracketed(value, name.size() + 3));
    const std::string name = f.name == "velocities" ? "velocities_of_state" : f.name;
    if (f.scalar) {
      s += fmt::format("{} = {}\n", name, bracketed(code.outputs[0], name.size() + 3));
      continue;
    }
    s += fmt::format("{} = sp.Matrix([\n", name);
    for (const std::string& value : code.outputs) s += fmt::format("    {},\n", wrapped_formula(value, 4, 8));
    s += "])\n";
  }
  return s;
}

std::string as_modelica(const MotionModule& module) {
  require_formulas(module, "Modelica");
  static const std::set<std::string> reserved{
      "algorithm",   "and",          "annotation", "block",       "break",    "class",      "connect",
      "connector",   "constant",     "der",        "discrete",    "each",     "else",       "elseif",
      "elsewhen",    "encapsulated", "end",        "enumeration", "equation", "expandable", "extends",
      "external",    "false",        "final",      "flow",        "for",      "function",   "if",
      "import",      "impure",       "in",         "initial",     "inner",    "input",      "loop",
      "model",       "not",          "operator",   "or",          "outer",    "output",     "package",
      "parameter",   "partial",      "protected",  "public",      "pure",     "record",     "redeclare",
      "replaceable", "return",       "stream",     "then",        "true",     "type",       "when",
      "while",       "within",       "time",       "energy",      "sin",      "cos",        "tan",
      "jacobian",    "velocities",   "reactions",  "multipliers"};
  const CodeLayout layout(module, reserved);
  const std::string t = layout.name(module.time);
  const Dialect dialect{
      [](const Rational& c) { return number_text(c, ""); },
      [](const std::string& base, int n) { return fmt::format("{}^{}", base, n); },
      [&](Function f, std::span<const std::string> xs) { return call_text(f.kind(), xs[0], ""); }};
  const std::vector<ModelicaVariable> results = modelica_variables(module);
  std::vector<Expr> outputs;
  for (const ModelicaVariable& v : results)
    for (const Statement& o : v.from->outputs) outputs.push_back(o.value);
  const StraightLine code = straight_line(outputs, layout.names(), dialect);
  const std::vector<Symbol> state = state_of(module);
  std::string s;
  for (const std::string& line : layout.documentation()) s += line.empty() ? "//\n" : "// " + line + "\n";
  s += fmt::format("model {}\n", module.name);
  const auto quoted = [](const std::string& text) {
    std::string all;
    for (const char c : on_one_line(text))
      all += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return all.empty() ? all : " \"" + all + "\"";
  };
  for (const MotionModule::Parameter& p : module.parameters)
    s += fmt::format("  parameter Real {}{}{};\n", layout.name(p.symbol),
                     p.value ? " = " + shortest(*p.value) : "", quoted(p.about));
  for (const Symbol q : state) s += fmt::format("  Real {}(start = 0);\n", layout.name(q));
  for (const ModelicaVariable& v : results)
    if (v.from->name != "rhs")
      s += fmt::format("  Real {}{}{};\n", v.from->name, v.size, quoted(v.from->about));
  s += fmt::format("protected\n  Real {} = time;\n", t);
  for (const auto& [name, value] : code.temporaries) s += fmt::format("  Real {};\n", name);
  s += "equation\n";
  for (const auto& [name, value] : code.temporaries)
    s += fmt::format("  {} = {};\n", name, wrapped_formula(value, name.size() + 5, 6));
  std::size_t next = 0;
  for (const ModelicaVariable& v : results)
    for (std::size_t k = 0; k < v.from->outputs.size(); ++k) {
      const std::string left =
          v.from->name == "rhs" ? fmt::format("der({})", layout.name(state[k])) : v.entry(k, state.size());
      s += fmt::format("  {} = {};\n", left, wrapped_formula(code.outputs[next++], left.size() + 5, 6));
    }
  return s + fmt::format("end {};\n", module.name);
}

}  // namespace rattleback
