// Declared in view/programs/more_languages.hpp. Straight-line code of a motion as a Julia module.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/exported_text.hpp>
#include <rattleback/view/programs/more_languages.hpp>

namespace rattleback {
namespace {

const std::set<std::string>& reserved_in_julia() {
  static const std::set<std::string> names{
      "baremodule", "begin",      "break",  "catch",  "const", "continue", "do",
      "else",       "elseif",     "end",    "export", "false", "finally",  "for",
      "function",   "global",     "if",     "import", "let",   "local",    "macro",
      "module",     "quote",      "return", "struct", "true",  "try",      "using",
      "while",      "in",         "isa",    "where",  "state", "params",   "configuration",
      "velocity",   "Parameters", "pi",     "sin",    "cos",   "tan",      "exp",
      "log",        "sqrt",       "abs",    "NaN",    "du",    "ans",      "im"};
  return names;
}

class JuliaModule {
 public:
  explicit JuliaModule(const MotionModule& module)
      : module_(module),
        layout_(module, reserved_in_julia()),
        dialect_{[](const Rational& c) { return number_text(c, ".0"); },
                 [](const std::string& base, int n) { return fmt::format("{}^{}", base, n); },
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params.{}({})", layout_.name(f), fmt::join(xs, ", "))
                                          : call_text(f.kind(), xs[0], "");
                 }} {}

  std::string text() const {
    std::string s;
    for (const std::string& line : layout_.documentation()) s += line.empty() ? "#\n" : "# " + line + "\n";
    s += fmt::format("# Indices of Julia begin at 1: the first entry above is state[1].\nmodule {}\n\n{}{}",
                     module_name(), names(), parameters());
    for (const ModuleFunction& f : module_.members) s += "\n" + definition(f);
    return s +
           "\n\"The order of arguments of DifferentialEquations.jl.\"\n"
           "rhs!(du, u, params, t) = (du .= rhs(t, u, params); nothing)\n\nend\n";
  }

 private:
  std::string module_name() const {
    std::string name = module_.name;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
  }

  std::string names() const {
    std::string state, velocities;
    for (const Symbol s : state_of(module_)) state += fmt::format("\"{}\", ", s.name());
    for (const Symbol v : module_.velocities) velocities += fmt::format("\"{}\", ", v.name());
    return fmt::format("const STATE = ({})\nconst VELOCITIES = ({})\n\n", state, velocities);
  }

  std::string parameters() const {
    std::string s =
        "\"The model's own values; NaN where it has none.\"\nBase.@kwdef mutable struct Parameters\n";
    for (const MotionModule::Parameter& p : module_.parameters)
      s += fmt::format("    {}::Float64 = {}{}\n", layout_.name(p.symbol),
                       p.value ? shortest(*p.value) : "NaN",
                       p.about.empty() ? "" : "  # " + on_one_line(p.about));
    for (const Function f : module_.functions)
      s += fmt::format("    {} = nothing  # {}: you supply it\n", layout_.name(f), rattleback::text(f));
    return s + "end\n";
  }

  std::string definition(const ModuleFunction& f) const {
    const StraightLine code = code_of(f, layout_, dialect_);
    std::string s = fmt::format("\"{}\"\nfunction {}({}, {}, params = Parameters())\n", f.about, f.name,
                                layout_.name(module_.time),
                                f.of == ModuleFunction::Of::state ? "state" : "configuration, velocity");
    for (const Symbol input : code.inputs) s += read(input, f.of);
    for (const auto& [name, value] : code.temporaries)
      s += fmt::format("    {} = {}\n", name, continued(value, name.size() + 8));
    if (f.scalar) return s + fmt::format("    return {}\nend\n", continued(code.outputs[0], 12));
    s += "    return [\n";
    for (const std::string& value : code.outputs) s += fmt::format("        {},\n", continued(value, 8));
    return s + "    ]\nend\n";
  }

  /// On several lines a formula needs brackets.
  static std::string continued(const std::string& value, std::size_t column) {
    const std::string lines = wrapped_formula(value, column, 8);
    if (lines.find('\n') == std::string::npos) return lines;
    std::string joined = "(";  // a line must end with its operator, or the next would begin a new statement
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] != '\n') {
        joined += lines[i];
        continue;
      }
      const std::size_t sign = lines.find_first_not_of(' ', i + 1);
      joined += fmt::format(" {}\n{}", lines[sign], lines.substr(i + 1, sign - i - 1));
      i = sign;
    }
    return joined + ")";
  }

  std::string read(Symbol input, ModuleFunction::Of of) const {
    return input_text(layout_, input, of,
                      {.parameter = "    {0} = params.{0}\n", .element = "    {0} = {1}[{2}]\n", .first = 1});
  }

  const MotionModule& module_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_julia(const MotionModule& module) { return JuliaModule(module).text(); }

}  // namespace rattleback
