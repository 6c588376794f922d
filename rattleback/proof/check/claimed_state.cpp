#include <rattleback/proof/check/claimed_state.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>

namespace rattleback {
namespace {

/// The nine entries of a matrix, in their order.
Matrix entries_of(const std::string& family, const std::map<int, Expr>& entry) {
  if (entry.size() != 9) bad_certificate(fmt::format("`{}` does not have nine entries", family));
  Matrix B(3, 3);
  for (int e = 0; e < 9; ++e) {
    if (!entry.contains(e)) bad_certificate(fmt::format("`{}` lacks an entry", family));
    B(e / 3, e % 3) = entry.at(e);
  }
  return B;
}

}  // namespace

std::vector<Expr> relations(const ClaimedSystem& claim) {
  std::map<std::string, std::map<int, Expr>> families;
  for (const Symbol f : claim.functions) {
    if (f.role() != Role::rotation) continue;
    if (!families[f.attributes().family].emplace(f.attributes().entry, f).second)
      bad_certificate(fmt::format("`{}` is an entry that there is already", f.name()));
  }
  std::vector<Expr> all;
  for (const auto& [family, entry] : families) {
    const Matrix B = entries_of(family, entry);
    for (const Expr e : (transpose(B) * B - Matrix::identity(3)).entries()) all.push_back(e);
    all.push_back(determinant(B) - 1);
  }
  return all;
}

std::vector<Expr> formulas_in(const SymbolMap& values) {
  std::vector<Expr> all;
  for (const auto& [symbol, value] : values) all.push_back(value);
  return all;
}

ClaimedState claimed_state(const ClaimedSystem& claim, const Data& certificate) {
  const Data* at = certificate.find("at");
  if (at == nullptr || at->record() == nullptr) bad_certificate("`at` does not name a state");
  ClaimedState state;
  for (const Data::Field& field : *at->record()) {
    const Expr symbol = claim.formula(field.key);
    const Expr value = field.value.text() == nullptr ? Expr(0) : claim.formula(*field.value.text());
    if (!symbol.is(Kind::symbol) || symbol == pi() || field.value.text() == nullptr ||
        !value.is(Kind::constant))
      bad_certificate(fmt::format("`{}` does not get a rational value", field.key));
    if (!state.values.emplace(symbol.symbol(), value).second)
      bad_certificate(fmt::format("`{}` gets two values", field.key));
    state.point.set(symbol.symbol(), value.value());
  }
  return state;
}

Verdict positive_values(const ClaimedState& state) {
  for (const auto& [symbol, value] : state.values) {
    if (symbol.is_positive() && value.value().sign() <= 0)
      return Refuted{{.point = {}, .value = value.value().text(), .note = symbol.name() + " is positive"}};
  }
  return Proved{};
}

Verdict real_values(const ClaimedState& state, const std::vector<Expr>& formulas) {
  require_values(state, formulas);
  constexpr long bits = 128;
  for (const Expr e : formulas) {
    if (!evaluate_ball(e, state.point, bits))
      return Refuted{{.point = {}, .value = "none", .note = "a value is not real"}};
  }
  return positive_values(state);
}

Verdict is_a_configuration(const ClaimedSystem& claim, const SymbolMap& values) {
  std::vector<Expr> all = relations(claim);
  const std::span<const Expr> positions = positions_of_check();
  all.insert(all.end(), positions.begin(), positions.end());
  return is_zero(substitute(all, values));
}

Verdict is_a_state(const ClaimedSystem& claim, const ClaimedState& state) {
  const Verdict positive = positive_values(state);
  return proved(positive) ? is_a_configuration(claim, state.values) : positive;
}

void require_values(const ClaimedState& state, const std::vector<Expr>& es) {
  for (const Symbol s : symbols_of(es)) {
    if (Expr(s) != pi() && !state.values.contains(s))
      bad_certificate(fmt::format("`{}` has no value at the state", s.name()));
  }
}

Verdict some_do_not_vanish_at(const ClaimedState& state, const std::vector<Expr>& es) {
  require_values(state, es);
  const bool seen = std::ranges::any_of(es, [&](Expr e) {
    const auto value = evaluate_until_nonzero(e, state.point);
    return value && !value->contains_zero();
  });
  if (seen) return Proved{};
  return Refuted{{.point = {}, .value = "0", .note = "it vanishes there"}};
}

}  // namespace rattleback
