// Declared in view/programs/motion_module.hpp: modules and scripts in JavaScript.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/code_layout.hpp>
#include <rattleback/view/programs/exported_text.hpp>
#include <rattleback/view/programs/javascript_pieces.hpp>

namespace rattleback {
namespace {

/// Keywords, globals that the module uses, and the names of arguments.
const std::set<std::string>& reserved_in_javascript() {
  static const std::set<std::string> names{
      "arguments", "async",       "await",      "break",         "case",      "catch",
      "class",     "const",       "continue",   "debugger",      "default",   "delete",
      "do",        "else",        "enum",       "eval",          "export",    "extends",
      "false",     "finally",     "for",        "function",      "if",        "implements",
      "import",    "in",          "instanceof", "interface",     "let",       "new",
      "null",      "package",     "private",    "protected",     "public",    "return",
      "static",    "super",       "switch",     "this",          "throw",     "true",
      "try",       "typeof",      "undefined",  "var",           "void",      "while",
      "with",      "yield",       "Math",       "NaN",           "Infinity",  "Object",
      "Array",     "state",       "params",     "configuration", "velocity",  "out",
      "defaults",  "of",          "get",        "set",           "__proto__", "constructor",
      "scratch",   "Float64Array"};
  return names;
}

/// A product: in JavaScript -x**2 is an error.
std::string javascript_power(const std::string& base, int n) {
  constexpr int written_out = 4;
  if (n > written_out) return fmt::format("Math.pow({}, {})", base, n);
  std::string s = base;
  for (int i = 1; i < n; ++i) s += "*" + base;
  return s;
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

class JavascriptModule {
 public:
  JavascriptModule(const MotionModule& module, std::string before_names)
      : module_(module),
        exported_(std::move(before_names)),
        layout_(module, reserved_in_javascript()),
        dialect_{[](const Rational& c) { return number_text(c, ""); }, javascript_power,
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params.{}({})", layout_.name(f), fmt::join(xs, ", "))
                                          : call_text(f.kind(), xs[0], "Math.");
                 }} {}

  std::string comment() const {
    std::string s = "/**\n";
    for (const std::string& line : layout_.documentation())
      s += line.empty() ? " *\n" : " * " + safe(line) + "\n";
    return s + " */\n\n";
  }

  std::string names() const {
    std::vector<std::string> state, velocities;
    for (const auto* symbols : {&module_.configuration, &module_.speeds}) {
      for (const Symbol q : *symbols) state.push_back(quoted(q.name()));
    }
    for (const Symbol v : module_.velocities) velocities.push_back(quoted(v.name()));
    return fmt::format("{0}const STATE = [{1}];\n{0}const VELOCITIES = [{2}];\n\n", exported_,
                       fmt::join(state, ", "), fmt::join(velocities, ", "));
  }

  std::string parameters() const {
    std::string s = fmt::format(
        "/** The model's own values; NaN where it has none. */\n{}const defaults = {{\n", exported_);
    for (const MotionModule::Parameter& p : module_.parameters)
      s += fmt::format("  {}: {},{}\n", layout_.name(p.symbol), p.value ? shortest(*p.value) : "NaN",
                       p.about.empty() ? "" : "  // " + on_one_line(p.about));
    for (const Function f : module_.functions)
      s += fmt::format("  {}: undefined,  // {}: you supply it\n", layout_.name(f), rattleback::text(f));
    return s + "};\n";
  }

  std::string definition(const ModuleFunction& f) const {
    std::vector<Expr> outputs;
    std::vector<std::string> output_names;
    for (const Statement& o : f.outputs) {
      outputs.push_back(o.value);
      output_names.push_back(o.name);
    }
    const StraightLine code = straight_line(outputs, layout_.names(), dialect_);
    const std::string time = layout_.name(module_.time),
                      of = f.of == ModuleFunction::Of::state ? "state" : "configuration, velocity";
    JavascriptFunction function{
        f.name,
        fmt::format("{}, {}, params{}", time, of, f.scalar ? "" : ", out"),
        fmt::format("\n/** {}{}. */\n{}function {}({}, {}, params = defaults{}) {{\n", safe(f.about),
                    f.scalar || output_names.front().empty()
                        ? ""
                        : fmt::format(": {}", safe(fmt::format("{}", fmt::join(output_names, ", ")))),
                    exported_, f.name, time, of,
                    f.scalar ? "" : fmt::format(", out = new Array({})", f.outputs.size())),
        {},
        "  return out;\n"};
    for (const Symbol input : code.inputs)
      if (const std::string line = read(input, f.of); !line.empty())
        function.body.push_back({layout_.name(input), line,
                                 layout_.source(input, f.of).kind == CodeLayout::Source::Kind::parameter});
    for (const auto& [name, value] : code.temporaries)
      function.body.push_back(
          {name, fmt::format("  const {} = {};\n", name, wrapped_formula(value, name.size() + 11, 6))});
    if (f.scalar) {
      function.last = fmt::format("  return {};\n", wrapped_formula(code.outputs[0], 9, 6));
      return in_pieces(function);
    }
    for (std::size_t i = 0; i < code.outputs.size(); ++i) {
      const std::string left = fmt::format("out[{}]", i);
      function.body.push_back(
          {"", fmt::format("  {} = {};\n", left, wrapped_formula(code.outputs[i], left.size() + 5, 6))});
    }
    return in_pieces(function);
  }

  std::string key(Symbol s) const { return layout_.name(s); }

 private:
  /// What may stand in a comment.
  static std::string safe(std::string line) {
    for (std::size_t at; (at = line.find("*/")) != std::string::npos;) line.replace(at, 2, "* /");
    return line;
  }
  static std::string on_one_line(std::string text) {
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    for (const char* separator : {"\u2028", "\u2029"})  // they end lines, too
      for (std::size_t at; (at = text.find(separator)) != std::string::npos;) text.replace(at, 3, " ");
    return text;
  }

  std::string read(Symbol input, ModuleFunction::Of of) const {
    return input_text(
        layout_, input, of,
        {.parameter = "  const {0} = params.{0};\n", .element = "  const {0} = {1}[{2}];\n", .first = 0});
  }

  const MotionModule& module_;
  std::string exported_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_javascript(const MotionModule& module) {
  const JavascriptModule js(module, "export ");
  std::string s = js.comment() + js.names() + js.parameters();
  for (const ModuleFunction& f : module.members) s += js.definition(f);
  return s;
}

std::string as_javascript_object(const MotionModule& module) {
  const JavascriptModule js(module, "");
  std::string s = "(() => {\n" + js.parameters(), names;
  for (const ModuleFunction& f : module.members) {
    s += js.definition(f);
    names += f.name + ", ";
  }
  std::vector<std::string> keys;
  for (const MotionModule::Parameter& p : module.parameters) keys.push_back(quoted(js.key(p.symbol)));
  return s + fmt::format("return {{ defaults, keys: [{}], {}}};\n}})()", fmt::join(keys, ", "), names);
}

}  // namespace rattleback
