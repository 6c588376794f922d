#include <rattleback/view/programs/exported_text.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

std::string input_text(const CodeLayout& layout, Symbol input, ModuleFunction::Of of,
                       const InputSyntax& syntax) {
  using From = CodeLayout::Source::Kind;
  const CodeLayout::Source from = layout.source(input, of);
  const std::string name = layout.name(input);
  const auto element = [&](const char* array) {
    return fmt::format(fmt::runtime(syntax.element), name, array, from.index + syntax.first);
  };
  switch (from.kind) {
    case From::time: return "";
    case From::parameter: return fmt::format(fmt::runtime(syntax.parameter), name);
    case From::state: return element("state");
    case From::configuration: return element("configuration");
    case From::velocity: return element("velocity");
  }
  return "";
}

MotionModule in_small_letters(const MotionModule& module) {
  MotionModule small = module;
  std::set<std::string> taken{"pi"};
  SymbolMap renamed;
  const auto rename = [&](Symbol& s) {
    if (const auto known = renamed.find(s); known != renamed.end()) {
      s = known->second.symbol();
      return;
    }
    std::string stem = as_identifier(s.name());
    std::transform(stem.begin(), stem.end(), stem.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (stem[0] == '_') stem = "v" + stem;
    std::string name = stem;
    for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}_{}", stem, k);
    const Symbol fresh = Symbol::make(name);
    renamed.emplace(s, Expr(fresh));
    s = fresh;
  };
  rename(small.time);
  for (MotionModule::Parameter& p : small.parameters) rename(p.symbol);
  for (auto* symbols : {&small.configuration, &small.speeds, &small.velocities})
    for (Symbol& s : *symbols) rename(s);
  for (ModuleFunction& f : small.members)
    for (Statement& o : f.outputs) o.value = substitute(o.value, renamed);
  return small;
}

void require_formulas(const MotionModule& module, const std::string& language) {
  if (module.functions.empty()) return;
  throw Error("form-does-not-apply",
              fmt::format("`{}` is a function without a formula", module.functions[0].name()),
              fmt::format("a program in {} cannot leave it open", language),
              "export to c, python, julia, matlab or fortran, where it is a parameter");
}

}  // namespace rattleback
