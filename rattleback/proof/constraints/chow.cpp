#include <rattleback/proof/constraints/chow.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/geometry/one_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>

namespace rattleback {
namespace {

/// Where brackets span less: at some configurations, or for special parameters at all of them.
struct SpecialPlaces {
  std::vector<std::vector<Expr>> loci;
  bool parameters = false;
};

/// z = 0 for -z^2 = 0, and without what cannot happen. Functions of parameters alone are no sets of configurations.
SpecialPlaces in_simple_words(const RankDrop& drop) {
  SpecialPlaces simple;
  for (const std::vector<Expr>& locus : drop.loci) {
    const auto stated = common_zeros(locus);
    const auto is_place = [](Expr e) {
      const auto symbols = symbols_of(e);
      return std::any_of(symbols.begin(), symbols.end(),
                         [](Symbol s) { return s.role() != Role::parameter && s.role() != Role::constant; });
    };
    if (!stated) continue;
    if (std::any_of(stated->begin(), stated->end(), is_place))
      simple.loci.push_back(*stated);
    else
      simple.parameters = true;
  }
  return simple;
}

/// dφ of the position constraints, one row each.
Matrix position_rows(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) {
    if (c.position) functions.push_back(c.expression);
  }
  return velocity_rows(system.space, functions).a;
}

/// Configurations at which brackets of the admissible fields, a few longer than at a generic place, span less than everything. Nothing
/// where that takes too long.
std::optional<SpecialPlaces> where_brackets_span_less(const System& system, std::size_t steps) {
  constexpr std::size_t most = search_limits::brackets_for_special_places.count;
  constexpr std::size_t longer = 3;  // coefficients such as x^3 and sin(x)^3 need them at x = 0
  std::optional<SpecialPlaces> drop;
  const auto dropped = [&](const std::vector<VectorField>& fields) {
    SpecialPlaces found = in_simple_words(rank_drop(as_columns(system.space, fields)));
    std::erase_if(found.loci, [&](const auto& locus) { return !may_meet_positions(system, locus); });
    return found;
  };
  try {
    const Budget budget(work_limits::integrability_places);
    const Admissible D = admissible_velocities(system);
    std::vector<VectorField> legs, last, all;
    for (int alpha = 0; alpha < D.rank(); ++alpha) legs.push_back(D.leg(alpha));
    last = all = legs;
    for (std::size_t length = 2; length <= steps + longer; ++length) {
      std::vector<VectorField> next;
      for (std::size_t a = 0; a < legs.size(); ++a) {
        for (std::size_t b = length == 2 ? a + 1 : 0; b < last.size(); ++b)
          next.push_back(bracket(legs[a], last[b]));
      }
      if (all.size() + next.size() > most) break;
      all.insert(all.end(), next.begin(), next.end());
      last = std::move(next);
      if (length <= steps) continue;
      drop = dropped(all);
      if (drop->loci.empty()) return drop;
    }
    if (!drop) drop = dropped(all);
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
  return drop;
}

/// "z = 0, or x = 0 and y = 0"; nothing when it is too long to read.
std::optional<std::string> locus_text(const SpecialPlaces& drop) {
  constexpr std::size_t readable = legible::in_a_condition.count;
  std::vector<std::string> places;
  std::size_t size = 0;
  for (const auto& locus : drop.loci) {
    std::vector<std::string> conditions;
    for (const Expr e : locus) conditions.push_back(text(e) + " = 0");
    places.push_back(fmt::format("{}", fmt::join(conditions, " and ")));
    size += places.back().size();
  }
  return size <= readable ? std::optional(fmt::format("{}", fmt::join(places, ", or "))) : std::nullopt;
}

}  // namespace

int dimension_of_configurations(const System& system) {
  const OnVariety here(variety_with_points(system));
  const Matrix rows = position_rows(system);
  return system.space.dimension() - (rows.rows() == 0 ? 0 : rank(rows));
}

bool is_constant_on_positions(const System& system, Expr F) {
  const OnVariety here(variety_with_points(system));
  const Matrix rows = position_rows(system);
  return rows.rows() > 0 &&
         rank(above(rows, as_rows(system.space, {differential(system.space, F)}))) == rank(rows);
}

std::string reach_text(const System& system, const Triage& found, int dimension) {
  if (found.drifts)
    return fmt::format("brackets of the linear part, at a fixed time, span {} of {} dimensions",
                       found.growth_vector.back(), dimension);
  if (found.growth_vector.back() != dimension)
    return fmt::format("motion stays on leaves of dimension {}", found.growth_vector.back());
  const auto drop = where_brackets_span_less(system, found.growth_vector.size());
  const bool on_positions = dimension < found.dimension;
  const std::string of_N = on_positions ? " of N" : "";
  const char* generic = drop && drop->parameters ? ", for parameters in general position" : "";
  const bool limited =
      !domain_of_motion(system, "Q").where.empty() ||
      (found.rank_drop && !found.rank_drop->loci.empty() && !independence_conditions(system).empty());
  if (drop && drop->loci.empty() && limited)
    return fmt::format(
        "brackets span every direction{} at every configuration of the domain: any two in one connected part "
        "of "
        "it can be joined (Chow){}",
        of_N, generic);
  if (drop && drop->loci.empty())
    return fmt::format("brackets span every direction{} at every configuration: {} can be joined (Chow){}",
                       of_N, on_positions ? "any two in one connected part of N" : "any two configurations",
                       generic);
  const auto where = drop ? locus_text(*drop) : std::nullopt;
  if (!where)
    return fmt::format(
        "brackets span every direction{} at a generic configuration: those near it can be joined (Chow); "
        "where "
        "they span less was not found out",
        of_N);
  return fmt::format(
      "brackets span every direction{} off {}: two configurations can be joined within every connected part "
      "of "
      "the rest (Chow){}",
      of_N, *where, generic);
}

}  // namespace rattleback
