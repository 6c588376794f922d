#include <rattleback/motion/forms/formalism.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/equations/first_order_motion.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/lagrange_poincare.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/forms/routh.hpp>
#include <rattleback/motion/forms/suslov.hpp>
#include <rattleback/motion/forms/vakonomic.hpp>
#include <rattleback/motion/forms/voronets.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {
namespace {

/// A constraint that follows from the others on the position constraints is left out first: off them it would be independent.
template <EquationsOfMotion (*derive)(const System&)>
EquationsOfMotion independent(const System& system) {
  const std::optional<System> fewer = without_dependent_constraints(system);
  return derive(fewer ? *fewer : system);
}

}  // namespace

const std::vector<Formalism>& all_formalisms() {
  static const std::vector<Formalism> rows{
      {"hamel", "Hamel's equations", independent<hamel_equations>},
      {"gibbs-appell", "Gibbs-Appell equations", independent<gibbs_appell_equations>},
      {"multipliers", "Lagrange's equations with multipliers", independent<multiplier_equations>},
      {"voronets", "Voronets' equations", independent<voronets_equations>},
      {"chaplygin", "Chaplygin's reduced equations", independent<chaplygin_equations>},
      {"suslov", "Euler-Poincare-Suslov equations", independent<suslov_equations>},
      {"reduced", "Lagrange-d'Alembert-Poincare equations", independent<reduced_equations>},
      {"routh", "Routh's equations", independent<routh_equations>},
      {"bracket", "almost-Poisson form", independent<bracket_equations>},
      {"vakonomic", "variational (vakonomic) equations", independent<vakonomic_equations>, false},
  };
  return rows;
}

namespace {

/// The only form of what it applies to, and no form of anything else: it takes no part in comparisons.
const Formalism& first_order_formalism() {
  static const Formalism row{"first-order", "first-order equations", first_order_equations};
  return row;
}

}  // namespace

const Formalism& formalism(const std::string& name) {
  if (name == first_order_formalism().name) return first_order_formalism();
  std::vector<std::string> names;
  for (const Formalism& f : all_formalisms()) {
    if (f.name == name) return f;
    names.push_back(f.name);
  }
  const auto close = nearest(name, names);
  throw Error("unknown-form", fmt::format("`{}` is not a form of the equations of motion", name), "",
              close.empty() ? fmt::format("choose from {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", close[0]));
}

const Formalism& usual_formalism(const System& system) {
  if (is_first_order(system)) return first_order_formalism();
  const VelocityRows rows = velocity_rows(system.space, constraint_functions(system));
  if (std::ranges::all_of(rows.affine, std::identity())) return formalism("hamel");
  try {
    solved_velocities(system);
    return formalism("gibbs-appell");
  } catch (const NoParametrization&) {
    return formalism("multipliers");
  }
}

}  // namespace rattleback
