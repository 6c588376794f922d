// Declared in model/reading/reading.hpp. [parametrization] without [constraints]: the constraints that it satisfies.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/reading/reading.hpp>

namespace rattleback {

/// v = Ψ(q) z + y(q) satisfies Y (v − y) = 0 for every row Y with Y Ψ = 0, and nothing else. Velocities that are not
/// linear in the speeds have constraints that cannot be found this way.
void constrain_by_parametrization(Reading& reading) {
  System& system = reading.system;
  if (!system.parametrization || !system.constraints.empty()) return;
  const Parametrization& given = *system.parametrization;
  const Matrix slopes = jacobian(given.psi, given.speeds);
  if (rank(slopes) == system.space.dimension()) return;
  SymbolMap at_rest;
  for (const Symbol z : given.speeds) at_rest.emplace(z, Expr(0));
  const Matrix psi = substitute(slopes, at_rest);
  for (std::size_t k = 0; k < slopes.entries().size(); ++k) {
    if (vanishes_at_random_points(slopes.entries()[k] - psi.entries()[k])) continue;
    throw Error("missing-key", "a parametrization that is not linear in its speeds needs its constraints too",
                "the constraints that it satisfies are not linear, and cannot be read off from it",
                "state them in [constraints]")
        .at(given.place);
  }
  const std::vector<Expr> drift = substitute(given.psi, at_rest);
  const Matrix forms = left_kernel(psi).basis;
  for (int s = 0; s < forms.columns(); ++s) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < forms.rows(); ++i) {
      terms.push_back(short_form(forms(i, s)) * (system.space.velocities()[i] - drift[i]));
    }
    system.constraints.push_back(
        {fmt::format("parametrization_{}", s + 1), sum(terms), std::nullopt, given.place, std::nullopt});
  }
}

}  // namespace rattleback
