#include <rattleback/proof/hamiltonian/jacobi_certificate.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

Data row_of(std::vector<Expr> es, std::vector<Expr>& noted) {
  for (Expr& e : es) e = short_form(e);
  noted.insert(noted.end(), es.begin(), es.end());
  return texts(es);
}

Data claimed_on(const BracketClaim& claim, std::vector<Expr>& noted) {
  Data d;
  d["group"] = claim.group;
  Data::List orbits, covectors;
  for (const VectorField& xi : claim.bracket->orbits) orbits.push_back(row_of(xi.coefficients(), noted));
  for (int a = 0; a < claim.bracket->dimension(); ++a)
    covectors.push_back(row_of(claim.bracket->covectors.column(a).entries(), noted));
  d["orbits"] = orbits;
  d["covectors"] = covectors;
  return d;
}

/// Pairs of fields whose brackets span with them as many directions as asked; nothing when that takes too many, or too much work.
std::optional<Data::List> spanning_brackets(std::vector<VectorField> fields, int directions) try {
  constexpr std::size_t most = search_limits::spanning_brackets.count;
  const Budget budget(work_limits::jacobi_certificate);
  const Space space = fields.front().space();
  int found = rank(as_columns(space, fields));
  Data::List pairs;
  for (std::size_t j = 1; found < directions && j < fields.size() && j < most; ++j) {
    for (std::size_t i = 0; found < directions && i < j; ++i) {
      Budget::check();
      fields.push_back(bracket(fields[i], fields[j]));
      const int more = rank(as_columns(space, fields));
      if (more > found)
        pairs.push_back(Data::List{static_cast<int>(i), static_cast<int>(j)});
      else
        fields.pop_back();
      found = more;
    }
  }
  return found == directions ? std::optional(pairs) : std::nullopt;
} catch (const Exhausted&) {
  Budget::check();
  return std::nullopt;
}

void add_casimirs(const BracketClaim& claim, Data& d, std::vector<Expr>& noted) {
  d["casimirs"] = row_of(claim.casimirs.functions, noted);
  if (!claim.casimirs.count) return;
  std::vector<VectorField> fields = claim.bracket->fields;
  fields.insert(fields.end(), claim.bracket->orbits.begin(), claim.bracket->orbits.end());
  const int dimension = fields.front().space().dimension();
  const auto pairs = spanning_brackets(std::move(fields), dimension - *claim.casimirs.count);
  if (!pairs) return;
  d["casimir_count"] = *claim.casimirs.count;
  d["brackets"] = *pairs;
}

/// The fields of the closure are some of those given, and brackets; here all that are given come first.
void add_contradiction(const ConformalFactor& none, std::size_t given, Data& d, std::vector<Expr>& noted) {
  const DirectionalCondition& violated = none.closure.conditions.front();
  std::vector<std::size_t> place;  // of the closure's equations among the fields
  Data::List brackets;
  const auto placed = [&](const Descent& from) {
    if (from.given >= 0) return static_cast<std::size_t>(from.given);
    const auto at = [&](int k) { return static_cast<int>(place[static_cast<std::size_t>(k)]); };
    brackets.push_back(Data::List{at(from.first), at(from.second)});
    return given + brackets.size() - 1;
  };
  for (std::size_t k = 0; k < violated.coefficients.size(); ++k)
    place.push_back(placed(none.closure.equations[k].from));
  const std::size_t last = placed(violated.from);
  std::vector<Expr> c(given + brackets.size(), Expr(0));
  for (std::size_t k = 0; k < violated.coefficients.size(); ++k) c[place[k]] = -violated.coefficients[k];
  c[last] = Expr(1);
  d["slopes"] = row_of(none.slopes, noted);
  d["brackets"] = brackets;
  d["combination"] = row_of(c, noted);
}

/// Null when the formulas are too long or take too much work: what else is claimed does not wait for them.
Data contradiction(const ConformalFactor& none, std::size_t given, std::vector<Expr>& noted) try {
  constexpr std::size_t longest = search_limits::bracket_contradiction.count;
  const Budget budget(work_limits::jacobi_certificate);
  Data d;
  std::vector<Expr> own;
  d["reason"] = "contradiction";
  add_contradiction(none, given, d, own);
  std::size_t size = 0;
  for (const Expr e : own) size += written_size(e);
  if (size > longest) return {};
  noted.insert(noted.end(), own.begin(), own.end());
  return d;
} catch (const Exhausted&) {
  Budget::check();
  return {};
}

void add_factor(const BracketClaim& claim, Data& d, std::vector<Expr>& noted) {
  const ConformalFactor& x = claim.conformal;
  if (claim.holds) return;
  if (x.factor) {
    d["factor"] = *x.factor;
    noted.push_back(*x.factor);
  }
  Data none;
  switch (x.obstacle) {
    case ConformalFactor::Obstacle::none:
      if (!claim.group.empty()) return;
      none["reason"] = "not integrable";
      break;
    case ConformalFactor::Obstacle::rank_two: none["reason"] = "rank two"; break;
    case ConformalFactor::Obstacle::no_slopes: none["reason"] = "no slopes"; break;
    case ConformalFactor::Obstacle::contradiction:
      none = contradiction(x, claim.bracket->fields.size() + claim.bracket->orbits.size(), noted);
      if (none.is_null()) return;
      break;
  }
  d["no_factor"] = none;
}

/// Can the checker follow the group?
bool is_checkable(const System& system, const BracketClaim& claim) {
  return std::ranges::all_of(claim.bracket->orbits, [&](const VectorField& orbit) {
    std::vector<Expr> xi = orbit.coefficients();
    xi.resize(static_cast<std::size_t>(system.space.dimension()));
    return keeps_lagrangian_beside_positions(system, VectorField(system.space, xi));
  });
}

void add_claim(const BracketClaim& claim, Data& d, std::vector<Expr>& noted) {
  d["holds"] = claim.holds;
  add_casimirs(claim, d, noted);
  add_factor(claim, d, noted);
}

}  // namespace

Data jacobi_certificate(const System& system, const ConstrainedBracket& b,
                        const std::vector<BracketClaim>& claims) {
  return certificate_within_budget([&] {
    std::vector<Expr> noted(b.momenta.begin(), b.momenta.end());
    Data own;
    Data::List reductions, names;
    const Data speeds = row_of(b.speeds, noted);
    for (const BracketClaim& claim : claims) {
      if (claim.group.empty()) {
        add_claim(claim, own, noted);
        continue;
      }
      if (!is_checkable(system, claim)) continue;
      Data d = claimed_on(claim, noted);
      add_claim(claim, d, noted);
      reductions.push_back(std::move(d));
    }
    Data d = certified_constraints(system, b.D.speeds, b.D.substitution(), noted);
    if (d.is_null()) return d;
    d["certificate"] = "jacobi";
    for (const Symbol p : b.momenta) names.emplace_back(p.name());
    d["momentum_names"] = names;
    d["speeds_by_momenta"] = speeds;
    for (const char* key : {"holds", "casimirs", "casimir_count", "brackets", "no_factor"}) {
      if (own.find(key) != nullptr) d[key] = *own.find(key);
    }
    d["reductions"] = reductions;
    return d;
  });
}

}  // namespace rattleback
