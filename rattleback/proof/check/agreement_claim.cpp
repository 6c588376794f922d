#include <rattleback/proof/check/agreement_claim.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {}  // namespace

std::vector<ClaimedFormOfEquations> claimed_forms(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<ClaimedFormOfEquations> all;
  for (const Data& d : list_field(certificate, "forms")) {
    ClaimedFormOfEquations f{text_field(d, "form"), {}, {}, {}, {}};
    f.speeds =
        symbols_in(claim, Data(list_field(d, "speeds")), {Role::velocity, Role::momentum}, "speed of a form");
    const auto of_form = [&](const char* key, std::size_t count, Variables variables) {
      return formulas_of(claim, Data(list_field(d, key)), count, variables, "a form of the equations");
    };
    const Variables own{&claim.functions, &f.speeds, &time_alone()};
    f.definitions = of_form("definitions", f.speeds.size(),
                            {&claim.functions, &claim.velocities, &claim.speeds, &time_alone()});
    f.rates = of_form("rates", f.speeds.size(), own);
    f.velocities = of_form("velocities", claim.velocities.size(), own);
    all.push_back(f);
  }
  if (all.size() < 2) bad_certificate("there are no two forms to compare");
  return all;
}

std::vector<CheckedStep> agreement_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  for (const ClaimedFormOfEquations& f : claimed_forms(claim, certificate)) {
    const std::vector<Expr> W = substitute(f.definitions, claim.psi);
    SymbolMap here;
    for (std::size_t a = 0; a < W.size(); ++a) here.emplace(f.speeds[a], W[a]);
    std::vector<Expr> velocities, rates;
    for (std::size_t i = 0; i < claim.velocities.size(); ++i)
      velocities.push_back(substitute(f.velocities[i], here) - claim.admissible[i]);
    for (std::size_t a = 0; a < W.size(); ++a)
      rates.push_back(derivative_along(W[a], claim.motion) - substitute(f.rates[a], here));
    steps.push_back({f.name + ": its speeds give the admissible velocities", is_zero(velocities)});
    steps.push_back({f.name + ": along the motion they have the rates stated", is_zero(rates)});
  }
  return steps;
}

std::vector<std::string> agreement_stated(const Data& certificate) {
  std::vector<std::string> lines;
  for (const Data& d : list_field(certificate, "forms")) lines.push_back("form: " + text_field(d, "form"));
  return lines;
}

}  // namespace rattleback
