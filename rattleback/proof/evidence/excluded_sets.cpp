#include <rattleback/proof/evidence/excluded_sets.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/positivity.hpp>

namespace rattleback {

std::string Excluded::condition() const {
  const bool fit = std::all_of(zero.begin(), zero.end(), [](Expr e) { return fits(e, legible::on_a_line); });
  if (zero.empty() || (!fit && zero.size() == 1)) return words;
  if (zero.size() == 1) return fmt::format("{} {} 0", text(zero.front()), positive ? ">" : "!=");
  std::vector<std::string> equations;
  for (const Expr e : zero) equations.push_back(text(e) + " = 0");
  return fmt::format("not ({})", fmt::join(equations, " and "));
}

std::vector<std::string> conditions_of(const std::vector<Excluded>& all) {
  std::vector<std::string> texts;
  for (const Excluded& x : all) texts.push_back(x.condition());
  return texts;
}

namespace {

bool is_never_negative(Expr e) {
  const KnownSign sign = known_sign(e);
  return sign == KnownSign::zero || sign == KnownSign::nonnegative || sign == KnownSign::positive;
}

/// A sum of terms that are never negative, a power of each of the others among them: 4*y^2 + 9*x^4 of x and y.
bool is_sum_of_powers(Expr e, const std::vector<Expr>& others) {
  if (!e.is(Kind::sum)) return false;
  const auto terms = e.args();
  return std::all_of(terms.begin(), terms.end(), is_never_negative) &&
         std::all_of(others.begin(), others.end(), [&](Expr f) {
           return std::any_of(terms.begin(), terms.end(), [&](Expr t) {
             const Factors parts = factors(without_constant_factors(t));
             return parts.below.empty() && parts.above.size() == 1 && parts.above.front() == f;
           });
         });
}

/// Is every zero of e a common zero of f, g, ...? So it is where e - f^2 - g^2 - ... is never negative.
bool vanishes_only_with(Expr e, const std::vector<Expr>& others) {
  if (is_sum_of_powers(e, others)) return true;
  std::vector<Expr> terms{e};
  for (const Expr f : others) terms.push_back(-pow(f, 2));
  return is_never_negative(short_form(sum(terms)));
}

}  // namespace

bool is_same_up_to_sign(Expr e, Expr f) {
  return e == f || e == -f || vanishes_at_random_points(e - f) || vanishes_at_random_points(e + f);
}

bool is_within(Expr e, const std::vector<Excluded>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Excluded& x) {
    if (x.zero.size() == 1 && is_same_up_to_sign(x.zero.front(), e)) return true;
    return x.zero.size() > 1 && (vanishes_only_with(e, x.zero) || vanishes_only_with(-e, x.zero));
  });
}

void add_excluded(Excluded x, std::vector<Excluded>& all) {
  const std::string condition = x.condition();
  if (std::any_of(all.begin(), all.end(), [&](const Excluded& y) { return y.condition() == condition; }))
    return;
  if (x.zero.size() == 1 && !x.positive && is_within(x.zero.front(), all)) return;
  const auto is_one_of = [](const Excluded& single, const Excluded& several) {
    return single.zero.size() == 1 && several.zero.size() > 1 &&
           std::find(several.zero.begin(), several.zero.end(), single.zero.front()) != several.zero.end();
  };
  if (std::any_of(all.begin(), all.end(), [&](const Excluded& y) { return is_one_of(y, x); })) return;
  std::erase_if(all, [&](const Excluded& y) { return is_one_of(x, y); });
  if (x.zero.size() > 1)
    std::erase_if(all, [&](const Excluded& y) {
      return y.zero.size() == 1 && !y.positive && is_within(y.zero.front(), {x});
    });
  all.push_back(std::move(x));
}

}  // namespace rattleback
