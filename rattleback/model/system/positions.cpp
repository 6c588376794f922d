#include <rattleback/model/system/positions.hpp>

#include <algorithm>

#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {

std::vector<Expr> position_relations(const System& system) {
  std::vector<Expr> relations;
  for (const Constraint& c : system.constraints) {
    if (c.position) relations.push_back(*c.position);
  }
  return relations;
}

namespace {

bool may_meet(const std::vector<Expr>& relations, const std::vector<Expr>& locus) {
  SymbolMap zeros;
  for (const Expr e : locus) {
    if (e.is(Kind::symbol) && e.symbol().role() == Role::coordinate) zeros.emplace(e.symbol(), Expr(0));
  }
  const std::vector<Expr> there = substitute(relations, zeros);
  return std::none_of(there.begin(), there.end(),
                      [](Expr e) { return !e.is_zero() && known_nonzero(short_form(e)); });
}

}  // namespace

bool may_meet_positions(const System& system, const std::vector<Expr>& locus) {
  return may_meet(position_relations(system), locus);
}

bool is_nonzero_on_positions(const System& system, Expr f) {
  for (const Expr phi : position_relations(system)) {
    for (const Rational& k : {Rational(1), Rational(2), Rational(4), Rational(1, 2), Rational(1, 4)}) {
      if (known_nonzero(short_form(f - Expr(k) * phi)) || known_nonzero(short_form(f + Expr(k) * phi)))
        return true;
    }
  }
  return false;
}

bool drops_somewhere(const Matrix& m, const std::vector<Expr>& relations) {
  const RankDrop drop = rank_drop(m);
  return std::any_of(drop.loci.begin(), drop.loci.end(), [&](const std::vector<Expr>& locus) {
    const auto stated = common_zeros(locus);
    return stated && may_meet(relations, *stated);
  });
}

std::shared_ptr<const Variety> variety_with_points(const System& system) {
  auto variety = variety_of(position_relations(system));
  return variety && variety->has_points() ? variety : nullptr;
}

}  // namespace rattleback
