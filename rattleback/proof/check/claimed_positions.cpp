#include <rattleback/proof/check/claimed_positions.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>

namespace rattleback {

std::vector<Expr> claimed_positions(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Expr> positions;
  if (certificate.find("positions") == nullptr) return positions;
  for (const Data& item : list_field(certificate, "positions")) {
    if (item.text() == nullptr) bad_certificate("a position constraint is missing");
    positions.push_back(claim.formula(*item.text()));
  }
  require_listed(positions, {&claim.functions, &time_alone()}, "a position constraint");
  return positions;
}

std::span<const Expr> positions_of_check() {
  const auto& variety = Variety::current();
  return variety ? variety->relations() : std::span<const Expr>();
}

Verdict keeps_positions(const ClaimedSystem& claim, const std::vector<Expr>& positions, Positions where) {
  const std::vector<Expr> independent = independent_relations(positions, claim.frame);
  if (independent.empty())
    return Undecided{"on N the differentials of the position constraints vanish",
                     "write them so that they do not: x = 0 instead of x^2 = 0"};
  SymbolMap rates = claim.motion;
  for (const Symbol z : claim.speeds) rates.erase(z);
  if (where == Positions::on_n) {
    // Where the independent ones hold, all are constant: a motion keeps these and stays where the others are 0, too.
    const OnVariety here(variety_of(independent));
    const Verdict found = is_zero(derivative_along(positions, rates));
    if (independent.size() == positions.size() || proved(found)) return found;
  }
  const InAmbientSpace everywhere;
  return is_zero(derivative_along(independent, rates));
}

std::vector<Expr> spreading_of_positions(const ClaimedSystem& claim) {
  SymbolMap rates = claim.motion;
  for (const Symbol z : claim.speeds) rates.erase(z);
  const std::vector<Expr> changes =
      derivative_along(independent_relations(positions_of_check(), claim.frame), rates);
  std::vector<Expr> all;
  for (const SymbolMap& leg : claim.frame) {
    for (const Expr e : derivative_along(changes, leg)) all.push_back(e);
  }
  return all;
}

}  // namespace rattleback
