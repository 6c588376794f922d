#include <rattleback/model/checks/wrong_parametrization.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {

std::optional<Error> wrong_parametrization(const System& system) {
  if (!system.parametrization) return std::nullopt;
  const Parametrization& given = *system.parametrization;
  const auto wrong = [&](std::string what, std::string why) {
    return Error("bad-parametrization", std::move(what), std::move(why),
                 "every velocity that satisfies the constraints must be given once")
        .at(given.place);
  };
  const auto v = system.space.velocities();
  SymbolMap psi;
  for (std::size_t i = 0; i < v.size(); ++i) psi.emplace(v[i], given.psi[i]);
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) {
    functions.push_back(c.expression);
    if (!vanishes_at_random_points(substitute(c.expression, psi)))
      return wrong(fmt::format("the parametrization violates constraint `{}`", c.name),
                   "the constraint does not vanish when the velocities are put in");
  }
  const int r = static_cast<int>(given.speeds.size()), n = system.space.dimension();
  if (rank(jacobian(given.psi, given.speeds)) < r)
    return wrong("the speeds of the parametrization depend on each other",
                 "the velocities change along fewer directions than there are speeds");
  const int k = functions.empty() ? 0 : rank(substitute(jacobian(functions, v), psi)).value;
  if (r + k != n)
    return wrong("the parametrization has the wrong number of speeds",
                 fmt::format("{} given, but the constraints leave {} degree{} of freedom", r, n - k,
                             n - k == 1 ? "" : "s"));
  return std::nullopt;
}

}  // namespace rattleback
