#include <rattleback/proof/check/agreement_claim.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// Formulas as they are written, in velocities or speeds of the form.
std::vector<Expr> formulas_of_form(const ClaimedSystem& claim, const Data& d, const char* key,
                                   std::size_t count) {
  std::vector<Expr> all;
  for (const Data& item : list_field(d, key)) {
    if (item.text() == nullptr) bad_certificate("a formula of a form of the equations is missing");
    all.push_back(claim.formula(*item.text()));
  }
  if (all.size() != count) bad_certificate(fmt::format("`{}` of a form does not fit its speeds", key));
  return all;
}

}  // namespace

std::vector<ClaimedFormOfEquations> claimed_forms(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<ClaimedFormOfEquations> all;
  for (const Data& d : list_field(certificate, "forms")) {
    ClaimedFormOfEquations f{text_field(d, "form"), {}, {}, {}, {}};
    const std::size_t count = list_field(d, "speeds").size();
    for (const Expr w : formulas_of_form(claim, d, "speeds", count)) {
      if (!w.is(Kind::symbol) || (w.symbol().role() != Role::velocity && w.symbol().role() != Role::momentum))
        bad_certificate("a speed of a form is none");
      f.speeds.push_back(w.symbol());
    }
    f.definitions = formulas_of_form(claim, d, "definitions", count);
    f.rates = formulas_of_form(claim, d, "rates", count);
    f.velocities = formulas_of_form(claim, d, "velocities", claim.velocities.size());
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
