#include <rattleback/proof/hamiltonian/jacobi.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>
#include <rattleback/proof/hamiltonian/jacobi_certificate.hpp>
#include <rattleback/proof/hamiltonian/reduced_bracket.hpp>

namespace rattleback {
namespace {

/// The first that is not zero, for a person.
std::string example(const std::vector<Expr>& values) {
  for (const Expr e : values) {
    if (written_size(e) > 100 * legible::in_a_sentence.count || vanishes_at_random_points(e)) continue;
    const Expr shown = short_form_on_variety(e);
    if (fits(shown, legible::in_a_sentence)) return fmt::format(", e.g. {}", text(shown));
  }
  return {};
}

Data truth(const Verdict& v) {
  if (undecided(v)) return {};
  return proved(v);
}

/// One way to divide by a group.
struct Reduced {
  std::string group;
  int dimension = 0;
  Verdict holds;
  std::vector<Expr> values;  ///< of the Jacobiator
  int rank = 0;
  Casimirs casimirs;
  ConformalFactor conformal;              ///< 1 where the identity holds
  std::optional<ReducedBracket> bracket;  ///< nothing when the group does not suit
};

/// Where a conformal factor may become singular: zeros of det G, of momenta.
std::vector<Expr> hints_of(const ConstrainedBracket& b) {
  std::vector<Expr> hints{determinant(jacobian(b.definitions, b.D.speeds))};
  hints.insert(hints.end(), b.momenta.begin(), b.momenta.end());
  return hints;
}

/// `holonomic`: functions that the constraints keep constant, Casimirs where the group leaves them alone.
Reduced reduced_by(const ConstrainedBracket& b, const Trivector& J, std::string group,
                   const std::vector<VectorField>& generators, const std::vector<Expr>& holonomic) {
  const Undecided unsuited{"the symmetries do not preserve the constraint", "declare a group in [symmetry]"};
  Reduced r{
      std::move(group), static_cast<int>(generators.size()), unsuited, {}, 0, {}, {unsuited, {}, {}}, {}};
  const auto bracket_there = reduced_bracket(b, generators);
  if (!bracket_there) return r;
  r.rank = rank(bracket_there->tensor);
  r.values = jacobiator_on(J, *bracket_there);
  r.holds = r.values.empty() ? Verdict(Proved{{.method = "fewer than three reduced variables"}, {}})
                             : is_zero(r.values);
  r.casimirs = casimirs(*bracket_there, holonomic);
  if (proved(r.holds))
    r.conformal = {r.holds, Expr(1), {}};
  else if (refuted(r.holds))
    r.conformal = conformal_factor(*bracket_there, r.values, hints_of(b));
  r.bracket = bracket_there;
  return r;
}

std::vector<VectorField> fields_of(const std::vector<Generator>& generators) {
  std::vector<VectorField> fields;
  for (const Generator& g : generators) fields.push_back(g.field);
  return fields;
}

/// Are the fields tangent to N? A shift of the height moves the floor.
bool keeps_positions(const System& system, const std::vector<VectorField>& fields) {
  const std::vector<Expr> relations = position_relations(system);
  const OnPositions here(system);
  return std::all_of(fields.begin(), fields.end(), [&](const VectorField& X) {
    return std::all_of(relations.begin(), relations.end(),
                       [&](Expr phi) { return vanishes_at_random_points(X(phi)); });
  });
}

/// By the model's own group; without one, by the group that makes it a Chaplygin system, which is the reduction meant in
/// most texts; then by all symmetries that are found.
std::vector<Reduced> reductions(const System& system, const ConstrainedBracket& b, const Trivector& J,
                                const std::vector<Expr>& holonomic) {
  std::vector<Reduced> all;
  if (!legs_without_functions(system.space).empty()) {
    all.push_back(reduced_by(b, J, "G", {}, holonomic));
    return all;
  }
  if (!system.symmetries.empty()) {
    const SymmetryAlgebra group = algebra_of(system, "", symmetry_group(system));
    all.push_back(reduced_by(b, J, group.name, fields_of(group.generators), holonomic));
    return all;
  }
  try {
    visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
      const std::string group = fmt::format("the shifts of {}", bundle.group);
      const std::vector<VectorField> orbits = from_columns(system.space, bundle.orbits);
      if (!keeps_positions(system, orbits)) return false;
      all.push_back(reduced_by(b, J, group, orbits, holonomic));
      return true;
    });
  } catch (const Inapplicable&) {
    all.clear();  // no Chaplygin system
  }
  const SymmetryAlgebra found = found_symmetries(system);
  if (!found.generators.empty() &&
      (all.empty() || static_cast<int>(found.generators.size()) > all[0].dimension))
    all.push_back(reduced_by(b, J, found.name, fields_of(found.generators), holonomic));
  if (all.empty()) all.push_back(reduced_by(b, J, "", {}, holonomic));
  return all;
}

std::string line_of(const Reduced& r, bool algebra) {
  const std::string space =
      algebra            ? "on the dual of the constraint subspace"
      : r.dimension == 0 ? "no symmetry was found; the reduced space is D* itself"
                         : fmt::format("on D*/G with {} ({} generator{})", r.group.empty() ? "G" : r.group,
                                       r.dimension, r.dimension == 1 ? "" : "s");
  return fmt::format("{}: {}{}", space,
                     proved(r.holds)    ? "the Jacobi identity holds"
                     : refuted(r.holds) ? "the Jacobi identity fails"
                                        : "the Jacobi identity is undecided",
                     refuted(r.holds) ? example(r.values) : "");
}

/// Casimirs as functions over N: what is constant there is none. The certificate has those of the space around N.
Casimirs over_positions(const System& system, Casimirs found) {
  const std::vector<Expr> relations = position_relations(system);
  if (relations.empty() || !found.count) return found;
  const OnPositions here(system);
  std::vector<Symbol> variables(system.space.functions().begin(), system.space.functions().end());
  for (const Symbol s : symbols_of(found.functions)) {
    const bool known = std::find(variables.begin(), variables.end(), s) != variables.end();
    if (!known && s.role() != Role::parameter) variables.push_back(s);
  }
  std::vector<Expr> independent = relations;
  int so_far = rank(jacobian(independent, variables));
  found.count = std::max(0, *found.count - so_far);
  std::erase_if(found.functions, [&](Expr f) {
    independent.push_back(f);
    const int more = rank(jacobian(independent, variables));
    if (more > so_far) {
      so_far = more;
      return false;
    }
    independent.pop_back();
    return true;
  });
  return found;
}

/// Where a function on D* is one: its momenta as functions of the speeds.
std::string where_defined_on_dual(const System& system, const ConstrainedBracket& b, Expr f) {
  SymbolMap momenta;
  for (std::size_t k = 0; k < b.momenta.size(); ++k) momenta.emplace(b.momenta[k], b.definitions[k]);
  return where_defined(system, b.D.speeds, substitute(f, momenta));
}

/// "rank 4, 1 Casimir: p_1^2 + p_2^2".
std::string casimir_line(const System& system, const ConstrainedBracket& b, const Casimirs& all,
                         int rank_of) {
  const Casimirs found = over_positions(system, all);
  if (!found.count)
    return fmt::format("rank {}; Casimirs were not counted: the brackets are too long", rank_of);
  if (*found.count == 0) return fmt::format("rank {}, no Casimirs", rank_of);
  std::vector<std::string> functions;
  for (const Expr f : found.functions)
    functions.push_back(brief(f) + where_defined_on_dual(system, b, f) + cover_note(system.space, f));
  const int missing = *found.count - static_cast<int>(functions.size());
  if (missing > 0) functions.push_back(fmt::format("{} without a closed form that was found", missing));
  return fmt::format("rank {}, {} Casimir{}: {}", rank_of, *found.count, *found.count == 1 ? "" : "s",
                     fmt::join(functions, ", "));
}

std::string conformal_line(const System& system, const ConstrainedBracket& b, const ConformalFactor& x) {
  if (x.factor)  // a factor has neither poles nor zeros
    return fmt::format("{} times the reduced bracket is Poisson{}: {}", brief(*x.factor),
                       where_defined_on_dual(system, b, *x.factor + 1 / *x.factor), evidence(x.exists));
  if (proved(x.exists))
    return "some factor times the reduced bracket is Poisson; no closed form was found for it";
  if (refuted(x.exists)) return fmt::format("no factor makes the reduced bracket Poisson: {}", x.why);
  return fmt::format("factors of the reduced bracket are undecided: {}",
                     std::get<Undecided>(x.exists).obstacle);
}

Data data_of(const System& system, const Casimirs& all) {
  const Casimirs found = over_positions(system, all);
  Data x;
  x["count"] = found.count ? Data(*found.count) : Data();
  x["functions"] = found.functions;
  return x;
}

Data data_of(const ConformalFactor& found) {
  Data x;
  x["exists"] = truth(found.exists);
  x["factor"] = found.factor ? Data(*found.factor) : Data();
  return x;
}

/// On D* itself: Casimirs are what the constraints keep constant; and since the image of π projects onto D whatever the factor,
/// a factor exists iff D is integrable.                                                                    (J.5)
Casimirs add_unreduced(const System& system, const ConstrainedBracket& b, const std::vector<Expr>& holonomic,
                       const Verdict& holds, const Trivector& J, Answer& a) {
  const auto whole = reduced_bracket(b, {});
  const Casimirs found = casimirs(*whole, holonomic);
  a.answer["casimirs"] = data_of(system, found);
  a.answer["conformal_factor"]["exists"] = truth(holds);
  a.answer["conformal_factor"]["factor"] = proved(holds) ? Data(Expr(1)) : Data();
  a.why.push_back(proved(holds) ? "the bracket on D* is Poisson: D is integrable"
                                : fmt::format("the Jacobiator on D* is not zero{}", example(J)));
  a.why.back() += "; " + casimir_line(system, b, found, rank(b.tensor));
  if (refuted(holds))
    a.why.emplace_back(
        "no factor makes the bracket on D* Poisson: its image projects onto D, which is not integrable");
  return found;
}

/// What the checker is to find again: the spaces of which it is decided, exactly or by a point.
Data certificate_of(const System& system, const ConstrainedBracket& b, bool algebra, const Verdict& on_D,
                    const Casimirs& unreduced, const std::vector<Reduced>& ways) {
  std::vector<BracketClaim> claims;
  const auto add = [&](std::string group, const ReducedBracket& bracket, const Verdict& holds,
                       const Casimirs& C, const ConformalFactor& conformal) {
    if (undecided(holds) || !answer_of(holds).evidence.exact) return;
    claims.push_back({std::move(group), &bracket, proved(holds), C, conformal});
  };
  const auto whole = reduced_bracket(b, {});
  if (!algebra) add("", *whole, on_D, unreduced, {on_D, {}, {}});
  for (const Reduced& r : ways) {
    if (r.bracket && (r.dimension > 0 || algebra))
      add(r.group.empty() ? "G" : r.group, *r.bracket, r.holds, r.casimirs, r.conformal);
  }
  return claims.empty() ? Data() : jacobi_certificate(system, b, claims);
}

}  // namespace

Answer jacobi_answer(const System& system) {
  const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
  const Trivector J = jacobiator(b.tensor);
  const bool algebra = !legs_without_functions(system.space).empty();
  const Verdict unreduced = is_zero(J);
  const std::vector<Expr> holonomic = holonomic_integrals(system);
  const std::vector<Reduced> ways = reductions(system, b, J, holonomic);

  Answer a = answer_of(algebra ? ways.front().holds : unreduced);
  state_dependence(a.outcome == Outcome::refuted
                       ? Dependence{{algebra ? ways.front().values : J}, true, false}
                       : on_nothing());
  if (algebra) {
    a.statement = "the bracket of the constrained motion on D*/G satisfies Jacobi's identity";
    a.answer["domain"] = as_data({"D*/G", {}, false});
  }
  a.answer["holds"] = algebra ? Data() : truth(unreduced);
  a.answer["reduced_holds"] = truth(ways.front().holds);
  a.answer["rank"] = rank(b.tensor);
  a.answer["group"] = ways.front().group;
  Data::List list;
  for (const Reduced& r : ways) {
    Data way;
    way["group"] = r.group;
    way["dimension"] = r.dimension;
    way["holds"] = truth(r.holds);
    way["rank"] = r.rank;
    way["casimirs"] = data_of(system, r.casimirs);
    way["conformal_factor"] = data_of(r.conformal);
    list.push_back(way);
  }
  a.answer["reductions"] = list;
  Casimirs on_D;
  if (!algebra) on_D = add_unreduced(system, b, holonomic, unreduced, J, a);
  a.certificate = certificate_of(system, b, algebra, unreduced, on_D, ways);
  for (const Reduced& r : ways) {
    if (r.dimension == 0 && !algebra) continue;
    a.why.push_back(line_of(r, algebra));
    a.why.back() += "; " + casimir_line(system, b, r.casimirs, r.rank);
    if (!proved(r.holds)) a.why.push_back(conformal_line(system, b, r.conformal));
  }
  const auto W = b.drift.coefficients();
  if (!std::all_of(W.begin(), W.end(), [](Expr e) { return vanishes_at_random_points(e); }))
    a.why.emplace_back(
        "affine or moving constraints or forces add a field W to the motion, f' = {f, H} + W[f]: Casimirs "
        "need not be "
        "constant (P.3)");
  return a;
}

}  // namespace rattleback
