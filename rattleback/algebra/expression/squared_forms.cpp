#include <rattleback/algebra/expression/squared_forms.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

bool moves(Expr e) {
  return std::ranges::any_of(symbols_of(e), [](Symbol s) { return s.role() >= Role::velocity; });
}

Expr rebuilt(const Tape& tape, const std::vector<std::pair<Expr, Expr>>& names) {
  std::vector<Expr> built, args;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    const auto named = std::ranges::find(names, e, &std::pair<Expr, Expr>::first);
    args.clear();
    for (const std::uint32_t a : tape.args(slot)) args.push_back(built[a]);
    built.push_back(named != names.end() ? named->second : args.empty() ? e : with_args(e, args));
  }
  return built[tape.outputs()[0]];
}

}  // namespace

std::optional<InSquaredForms> in_squared_forms(Expr e) {
  constexpr std::size_t most = search_limits::squared_forms_of_a_formula.count,
                        largest = search_limits::squared_forms.count;
  const Tape tape(std::span<const Expr>(&e, 1));
  if (tape.size() > largest) return std::nullopt;
  std::vector<std::pair<Expr, Expr>> names;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr square = tape.node(slot);
    if (!square.is(Kind::power) || square.exponent() != 2) continue;
    const Expr form = square.args()[0];
    if (!form.is(Kind::sum) || !moves(form)) continue;
    const auto order = static_cast<int>(names.size());
    names.emplace_back(form, Expr(Symbol::make(fmt::format("squared form {}", order + 1),
                                               {.role = Role::velocity, .order = order})));
  }
  if (names.empty() || names.size() > most) return std::nullopt;
  InSquaredForms squares{rebuilt(tape, names), {}};
  for (const auto& [form, name] : names) squares.back.emplace(name.symbol(), form);
  return squares;
}

}  // namespace rattleback
