// Declared in view/programs/motion_module.hpp. Straight-line code of a motion as a C module.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/code_layout.hpp>

namespace rattleback {
namespace {

/// Keywords of C and C++, what <math.h> brings, and the names of arguments.
const std::set<std::string>& reserved_in_c() {
  static const std::set<std::string> names{
      "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
      "constexpr", "continue", "decltype", "default", "delete", "do", "double", "else", "enum", "explicit",
      "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
      "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
      "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template",
      "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
      "virtual", "void", "volatile", "while", "xor", "main",
      // <math.h>
      "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "sqrt", "sinh", "cosh", "tanh",
      "asinh", "acosh", "atanh", "fabs", "abs", "pow", "gamma", "lgamma", "tgamma", "j0", "j1", "jn", "y0",
      "y1", "yn", "erf", "signgam", "NAN", "INFINITY", "HUGE_VAL", "NULL", "DOMAIN", "SING", "OVERFLOW",
      "UNDERFLOW", "PLOSS", "TLOSS", "M_E", "M_PI",
      // ours
      "state", "params", "configuration", "velocity", "out", "user"};
  return names;
}

std::string c_power(const std::string& base, int n) {
  constexpr int written_out = 4;
  if (n > written_out) return fmt::format("pow({}, {})", base, n);
  std::string s = base;
  for (int i = 1; i < n; ++i) s += "*" + base;
  return s;
}

std::string c_call(Builtin f, const std::string& x) {
  switch (f) {
    case Builtin::cot: return fmt::format("1/tan({})", x);
    case Builtin::sec: return fmt::format("1/cos({})", x);
    case Builtin::csc: return fmt::format("1/sin({})", x);
    case Builtin::abs: return fmt::format("fabs({})", x);
    default: return fmt::format("{}({})", Function::builtin(f).name(), x);
  }
}

class CModule {
 public:
  explicit CModule(const MotionModule& module)
      : module_(module),
        layout_(module, reserved_in_c()),
        dialect_{[](const Rational& c) { return number_text(c, ".0"); }, c_power,
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params->{}({}, params->user)", layout_.name(f),
                                                        fmt::join(xs, ", "))
                                          : c_call(f.kind(), xs[0]);
                 }} {}

  std::string text() const {
    std::string s = comment() + "#include <math.h>\n\n" + counts() + parameters() + prototypes();
    s += default_parameters();
    for (const ModuleFunction& f : module_.members) s += "\n" + definition(f);
    return s;
  }

 private:
  std::string prefixed(const std::string& name) const { return module_.name + "_" + name; }

  std::string comment() const {
    std::string s = "/*\n";
    for (std::string line : layout_.documentation()) {
      for (std::size_t at; (at = line.find("*/")) != std::string::npos;) line.replace(at, 2, "* /");
      s += line.empty() ? " *\n" : " * " + line + "\n";
    }
    return s + " */\n";
  }

  /// How long the arrays are.
  std::string counts() const {
    std::string s = fmt::format("enum {{\n  {} = {},\n  {} = {}", prefixed("STATES"),
                                module_.configuration.size() + module_.speeds.size(), prefixed("VELOCITIES"),
                                module_.velocities.size());
    for (const ModuleFunction& f : module_.members) {
      if (f.name != "multipliers" && f.name != "reactions" && f.name != "constraints") continue;
      std::string upper = f.name;
      for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      s += fmt::format(",\n  {} = {}", prefixed(upper), f.outputs.size());
    }
    return s + "\n};\n\n";
  }

  std::string parameters() const {
    std::string s = "typedef struct {\n";
    for (const MotionModule::Parameter& p : module_.parameters)
      s += fmt::format("  double {};{}\n", layout_.name(p.symbol),
                       p.about.empty() ? "" : "  /* " + p.about + " */");
    for (const Function f : module_.functions) {
      std::string arguments;
      for (int i = 0; i < f.arity(); ++i) arguments += "double, ";
      s += fmt::format("  double (*{})({}void *user);  /* {}: you supply it */\n", layout_.name(f), arguments,
                       rattleback::text(f));
    }
    return s + fmt::format("  void *user;  /* yours; handed to the functions above, if any */\n}} {};\n\n",
                           prefixed("params"));
  }

  std::string signature(const ModuleFunction& f) const {
    const std::string time = layout_.name(module_.time);
    const std::string arguments = f.of == ModuleFunction::Of::state
                                      ? "const double *state"
                                      : "const double *configuration, const double *velocity";
    return fmt::format("{} {}(double {}, {}, const {} *params{})", f.scalar ? "double" : "void",
                       prefixed(f.name), time, arguments, prefixed("params"),
                       f.scalar ? "" : ", double *out");
  }

  std::string prototypes() const {
    std::string s = fmt::format("/* The model's own values; NAN where it has none. */\n{0} {1}(void);\n",
                                prefixed("params"), prefixed("default_params"));
    for (const ModuleFunction& f : module_.members) {
      std::vector<std::string> names;
      for (const Statement& o : f.outputs) names.push_back(o.name);
      s += fmt::format("/* {}{} */\n{};\n", f.about,
                       f.scalar ? "" : fmt::format(": {}", fmt::join(names, ", ")), signature(f));
    }
    return s + "\n";
  }

  std::string default_parameters() const {
    std::string s = fmt::format("{0} {1}(void) {{\n  {0} params = {{0}};\n", prefixed("params"),
                                prefixed("default_params"));
    for (const MotionModule::Parameter& p : module_.parameters)
      s += fmt::format("  params.{} = {};\n", layout_.name(p.symbol), p.value ? shortest(*p.value) : "NAN");
    return s + "  return params;\n}\n";
  }

  std::string definition(const ModuleFunction& f) const {
    std::vector<Expr> outputs;
    for (const Statement& o : f.outputs) outputs.push_back(o.value);
    const StraightLine code = straight_line(outputs, layout_.names(), dialect_);
    std::string s = signature(f) + " {\n", body;
    std::set<std::string> used;
    for (const Symbol input : code.inputs) s += read(input, f.of, used);
    for (const auto& [name, value] : code.temporaries) {
      body += assignment("const double " + name, value);
      if (value.find("params->") != std::string::npos) used.insert("params");
    }
    for (std::size_t i = 0; i < code.outputs.size(); ++i) {
      const std::string& value = code.outputs[i];
      body += f.scalar ? fmt::format("  return {};\n", wrapped_formula(value, 9, 6))
                       : assignment(fmt::format("out[{}]", i), value);
      if (value.find("params->") != std::string::npos) used.insert("params");
    }
    std::vector<std::string> arguments{layout_.name(module_.time), "params"};
    if (f.of == ModuleFunction::Of::state) {
      arguments.push_back("state");
    } else {
      arguments.insert(arguments.end(), {"configuration", "velocity"});
    }
    for (const std::string& a : arguments) {
      if (!used.contains(a)) s += fmt::format("  (void){};\n", a);
    }
    return s + body + "}\n";
  }

  static std::string assignment(const std::string& left, const std::string& value) {
    return fmt::format("  {} = {};\n", left, wrapped_formula(value, left.size() + 5, 6));
  }

  std::string read(Symbol input, ModuleFunction::Of of, std::set<std::string>& used) const {
    using From = CodeLayout::Source::Kind;
    const CodeLayout::Source from = layout_.source(input, of);
    const std::string name = layout_.name(input);
    const char* array = from.kind == From::state           ? "state"
                        : from.kind == From::configuration ? "configuration"
                                                           : "velocity";
    if (from.kind == From::time) {
      used.insert(name);
      return "";
    }
    if (from.kind == From::parameter) {
      used.insert("params");
      return fmt::format("  const double {0} = params->{0};\n", name);
    }
    used.insert(array);
    return fmt::format("  const double {} = {}[{}];\n", name, array, from.index);
  }

  const MotionModule& module_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_c(const MotionModule& module) { return CModule(module).text(); }

}  // namespace rattleback
