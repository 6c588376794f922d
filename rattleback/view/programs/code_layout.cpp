#include <rattleback/view/programs/code_layout.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>

namespace rattleback {
namespace {

std::optional<std::size_t> place_of(Symbol s, const std::vector<Symbol>& among) {
  const auto found = std::find(among.begin(), among.end(), s);
  if (found == among.end()) return std::nullopt;
  return static_cast<std::size_t>(found - among.begin());
}

std::string with_orders(Function f) {
  std::string name = f.name();
  const auto orders = f.orders();
  if (std::any_of(orders.begin(), orders.end(), [](int n) { return n > 0; }))
    name += fmt::format("_d{}", fmt::join(orders, "_"));
  return name;
}

}  // namespace

std::string CodeLayout::text_of(Function f) { return text(f); }

CodeLayout::CodeLayout(const MotionModule& module, std::set<std::string> reserved)
    : module_(module), names_(std::move(reserved)) {
  names_.of(module.time);
  for (const MotionModule::Parameter& p : module.parameters) names_.of(p.symbol);
  for (const auto* symbols : {&module.configuration, &module.speeds, &module.velocities}) {
    for (const Symbol s : *symbols) names_.of(s);
  }
  for (const Function f : module.functions) function_names_.emplace(text_of(f), names_.fresh(with_orders(f)));
}

CodeLayout::Source CodeLayout::source(Symbol s, ModuleFunction::Of of) const {
  using From = Source::Kind;
  if (s == module_.time) return {From::time};
  for (const MotionModule::Parameter& p : module_.parameters) {
    if (p.symbol == s) return {From::parameter};
  }
  const bool state = of == ModuleFunction::Of::state;
  if (const auto i = place_of(s, module_.configuration))
    return {state ? From::state : From::configuration, *i};
  if (const auto a = place_of(s, state ? module_.speeds : module_.velocities))
    return state ? Source{From::state, module_.configuration.size() + *a} : Source{From::velocity, *a};
  throw Bug("an exported function needs `" + s.name() + "`, which is no argument of it");
}

std::vector<std::string> CodeLayout::documentation() const {
  std::vector<std::string> lines{module_.title + ": " + module_.form, "Written by Rattleback.", "", "State:"};
  std::size_t index = 0;
  for (const Symbol q : module_.configuration) lines.push_back(fmt::format("  [{}] {}", index++, q.name()));
  for (std::size_t a = 0; a < module_.speeds.size(); ++a) {
    const std::string& name = module_.speeds[a].name();
    const std::string meaning = a < module_.speed_texts.size() ? module_.speed_texts[a] : name;
    lines.push_back(fmt::format("  [{}] {}{}", index++, name, meaning == name ? "" : " = " + meaning));
  }
  std::vector<std::string> frame;
  for (const Symbol v : module_.velocities) frame.push_back(v.name());
  lines.push_back(fmt::format("Velocities: {}", fmt::join(frame, ", ")));
  if (!module_.where.empty())
    lines.push_back(fmt::format("It holds where {}.", fmt::join(module_.where, ", ")));
  for (const std::string& note : module_.notes) lines.push_back("Note: " + note);
  return lines;
}

std::string shortest(double number) {
  std::string s = fmt::format("{}", number);
  if (s.find_first_of(".eEn") == std::string::npos) s += ".0";
  return s;
}

std::string number_text(const Rational& c, const char* integer_suffix) {
  constexpr long large = 1'000'000'000;
  if (c.is_integer()) {
    const long n = c.to_long(large);
    return c.text() + (n > -large && n < large ? "" : integer_suffix);
  }
  for (long scale = 2; scale <= 1'000'000;
       scale *= 10) {  // 5·scale = 10, 100, …: a decimal of few digits, exact or not at all
    const Rational digits = c * Rational(scale) * Rational(5);
    if (digits.is_integer()) return shortest(c.to_double());
  }
  return c.numerator().text() + integer_suffix + "/" + c.denominator().text() + integer_suffix;
}

}  // namespace rattleback
