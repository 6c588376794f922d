#include <rattleback/model/impossible_constraint.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/text.hpp>

namespace rattleback {

std::optional<OneSigned> one_signed(const Constraint& constraint) {
  constexpr std::size_t readable = 200;  // what a person squares and adds
  const Expr built = constraint.position.value_or(constraint.expression);
  if (written_size(built) > readable) return std::nullopt;
  const Expr f = short_form(built);
  switch (known_sign(f)) {
    case KnownSign::positive: return OneSigned{true, text(f) + " is always positive"};
    case KnownSign::negative: return OneSigned{true, text(f) + " is always negative"};
    case KnownSign::nonnegative: return OneSigned{false, text(f) + " is never negative"};
    case KnownSign::nonpositive: return OneSigned{false, text(f) + " is never positive"};
    default: return std::nullopt;
  }
}

Error impossible_constraint(const Constraint& constraint, const std::string& why, bool definite) {
  Error error =
      definite ? Error("inconsistent-constraints",
                       fmt::format("constraint `{}` cannot be satisfied", constraint.name), why,
                       "correct it or delete it")
               : Error("singular-constraint",
                       fmt::format("constraint `{}` determines no direction where it holds", constraint.name),
                       why + ", so its slopes vanish wherever it is 0, and with them every reaction",
                       "write the conditions that it stands for one by one, such as x' = 0 and y' = 0");
  return error.at(constraint.place);
}

void require_possible_constraints(const System& system) {
  for (const Constraint& c : system.constraints) {
    if (const auto sign = one_signed(c)) throw impossible_constraint(c, sign->claim, sign->definite);
  }
}

}  // namespace rattleback
