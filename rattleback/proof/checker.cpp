#include <rattleback/proof/checker.hpp>

#include <array>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/proof/claimed_system.hpp>
#include <rattleback/proof/control_claim.hpp>
#include <rattleback/proof/hamiltonian_claims.hpp>
#include <rattleback/proof/refutation_claims.hpp>

namespace rattleback {
namespace {

/// X_i X_j f − X_j X_i f − C_ij^k X_k f for i < j and every f.
std::vector<Expr> bracket_residuals(const ClaimedSystem& claim) {
  const int n = static_cast<int>(claim.frame.size());
  std::map<std::pair<int, int>, std::vector<ClaimedSystem::Coefficient>> of_pair;
  for (const auto& c : claim.structure) of_pair[{c.i, c.j}].push_back(c);
  const auto leg = [&](int i) -> const SymbolMap& { return claim.frame[static_cast<std::size_t>(i)]; };
  std::vector<Expr> residuals;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (const Symbol f : claim.functions) {
        Expr r = derivative_along(leg(j).at(f), leg(i)) - derivative_along(leg(i).at(f), leg(j));
        if (const auto found = of_pair.find({i, j}); found != of_pair.end()) {
          for (const auto& c : found->second) r -= c.value * leg(c.k).at(f);
        }
        if (!r.is_zero()) residuals.push_back(r);
      }
    }
  }
  return residuals;
}

/// X_i of BᵀB and of γ·γ: rotation matrices stay rotation matrices, unit vectors stay unit vectors.
std::vector<Expr> tangency_residuals(const ClaimedSystem& claim) {
  std::map<std::pair<Role, std::string>, std::map<int, Expr>> families;
  for (const Symbol f : claim.functions) {
    if (f.role() == Role::rotation || f.role() == Role::direction)
      families[{f.role(), f.attributes().family}][f.attributes().entry] = Expr(f);
  }
  std::vector<Expr> constants;  // the entries of BᵀB, the square of γ
  for (const auto& [family, entry] : families) {
    const int rows = 3, columns = family.first == Role::rotation ? 3 : 1;
    for (int e = 0; e < rows * columns; ++e) {
      if (!entry.contains(e)) bad_certificate(fmt::format("`{}` lacks an entry", family.second));
    }
    for (int a = 0; a < columns; ++a) {
      for (int b = a; b < columns; ++b) {
        std::vector<Expr> terms;
        for (int r = 0; r < rows; ++r) terms.push_back(entry.at(columns * r + a) * entry.at(columns * r + b));
        constants.push_back(sum(terms));
      }
    }
  }
  std::vector<Expr> residuals;
  for (const Expr constant : constants) {
    for (const SymbolMap& leg : claim.frame) residuals.push_back(derivative_along(constant, leg));
  }
  return residuals;
}

Matrix on_admissible(Matrix a, const ClaimedSystem& claim) {
  for (Expr& entry : a.entries()) entry = substitute(entry, claim.psi);
  return a;
}

/// rank ∂ψ/∂z + rank ∂C/∂v = n: the speeds reach every velocity that the constraints leave.
Verdict all_admissible(const ClaimedSystem& claim) {
  const int free = rank(jacobian(claim.admissible, claim.speeds)).value;
  const int bound = rank(on_admissible(jacobian(claim.constraints, claim.velocities), claim)).value;
  return at_least(free + bound, static_cast<int>(claim.velocities.size()), "the ranks of ∂ψ/∂z and ∂C/∂v");
}

/// (∂²L/∂v^i∂v^j) ∂ψ^i/∂z^α ∂ψ^j/∂z^β is regular. So is then ∂ψ/∂z: no speed is idle.
Verdict one_motion(const ClaimedSystem& claim) {
  const Matrix metric =
      on_admissible(jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities), claim);
  const Matrix direction = jacobian(claim.admissible, claim.speeds);
  return at_least(rank(transpose(direction) * metric * direction).value,
                  static_cast<int>(claim.speeds.size()), "the rank of the metric on D");
}

/// (M.8), one for each speed.
std::vector<Expr> dalembert_residuals(const ClaimedSystem& claim) {
  const std::vector<Expr> p = substitute(gradient(claim.lagrangian, claim.velocities), claim.psi);
  const std::size_t n = claim.velocities.size();
  std::vector<Expr> force;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr along_leg = substitute(derivative_along(claim.lagrangian, claim.frame[i]), claim.psi);
    force.push_back(derivative_along(p[i], claim.motion) - along_leg -
                    substitute(claim.forces[i], claim.psi));
  }
  for (const auto& [i, l, m, value] : claim.structure) {
    force[static_cast<std::size_t>(i)] +=
        value * claim.admissible[static_cast<std::size_t>(l)] * p[static_cast<std::size_t>(m)];
  }
  std::vector<Expr> residuals;
  for (const Symbol z : claim.speeds) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(force[i] * derivative(claim.admissible[i], z));
    residuals.push_back(sum(terms));
  }
  return residuals;
}

/// Γ[ρ] + ρ div Γ with div of (M.1).
Expr measure_residual(const ClaimedSystem& claim, Expr rho) {
  std::vector<Expr> divergence{Expr(0)};
  for (std::size_t i = 0; i < claim.velocities.size(); ++i)
    divergence.push_back(derivative_along(claim.admissible[i], claim.frame[i]));
  for (const auto& [i, j, k, value] : claim.structure) {
    if (j == k) divergence.push_back(-claim.admissible[static_cast<std::size_t>(i)] * value);
  }
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    divergence.push_back(derivative(claim.speed_rates[a], claim.speeds[a]));
  return derivative_along(rho, claim.motion) + rho * sum(divergence);
}

/// What is claimed of the motion, for each kind of certificate.
std::vector<CheckedStep> claims(const ClaimedSystem& claim, const Data& certificate) {
  const std::string& kind = text_field(certificate, "certificate");
  if (kind == "chaplygin-multiplier" || kind == "routh-hamiltonization")
    return hamiltonian_steps(claim, certificate);
  if (kind == "suslov-hamiltonization") return lie_poisson_steps(claim, certificate);
  if (kind == "inverse-problem") return lagrangian_steps(claim, certificate);
  if (kind == "conditionally-variational") return variational_steps(claim, certificate);
  if (const Data* constants = certificate.find("constants"); kind == "conserved" && constants != nullptr) {
    if (constants->list() == nullptr || constants->list()->empty()) bad_certificate("it claims nothing");
    std::vector<CheckedStep> steps;
    for (const Expr f : formulas_field(claim, certificate, "constants", constants->list()->size()))
      steps.push_back({"a function is constant along it", is_zero(derivative_along(f, claim.motion))});
    return steps;
  }
  if (kind == "no-chaplygin-multiplier") return no_multiplier_steps(claim, certificate);
  if (kind == "no-suslov-hamiltonization") return no_lie_bracket_steps(claim, certificate);
  if (kind == "no-lagrangian") return no_lagrangian_steps(claim, certificate);
  if (kind == "not-conditionally-variational") return not_variational_steps(claim, certificate);
  if (kind == "optimal-control") return control_steps(claim, certificate);
  if (kind == "conserved") {
    const Expr f = substitute(claim.formula(text_field(certificate, "function")), claim.psi);
    return {{"the function is constant along it", is_zero(derivative_along(f, claim.motion))}};
  }
  if (kind == "invariant-measure") {
    const Expr rho = substitute(claim.formula(text_field(certificate, "density")), claim.psi);
    return {{"the density is invariant", is_zero(measure_residual(claim, rho))}};
  }
  bad_certificate(fmt::format("certificates of kind `{}` are not known", kind));
}

}  // namespace

std::vector<CheckedStep> check_certificate(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  std::vector<Expr> structure = bracket_residuals(claim);
  for (const auto& more : {jacobi_residuals(claim.structure, claim.frame), tangency_residuals(claim)})
    structure.insert(structure.end(), more.begin(), more.end());
  std::vector<CheckedStep> steps{
      {"the brackets of the frame are as stated", is_zero(structure)},
      {"the admissible velocities satisfy the constraints",
       is_zero(substitute(claim.constraints, claim.psi))},
      {"they are all that do", all_admissible(claim)},
      {"the motion obeys d'Alembert's principle", is_zero(dalembert_residuals(claim))},
      {"it is the only one", one_motion(claim)}};
  for (CheckedStep& step : claims(claim, certificate)) steps.push_back(std::move(step));
  return steps;
}

namespace {

/// What is denied, in words, and of what; nothing for certificates of something that exists.
std::vector<std::string> denied_in(const Data& certificate) {
  constexpr std::array<std::pair<const char*, const char*>, 4> claims{
      {{"no-chaplygin-multiplier",
        "claim: no multiplier makes the motion Hamiltonian, under the groups named"},
       {"no-suslov-hamiltonization", "claim: the projected bracket is not a Lie bracket"},
       {"no-lagrangian", "claim: no second-order system of those stated has a regular Lagrangian"},
       {"not-conditionally-variational",
        "claim: along a general motion no multipliers make it variational"}}};
  std::vector<std::string> lines;
  const std::string& kind = text_field(certificate, "certificate");
  for (const auto& [name, what] : claims) {
    if (kind == name) lines.emplace_back(what);
  }
  const Data* groups = certificate.find("groups");
  if (groups != nullptr && groups->list() != nullptr) {
    for (const Data& g : *groups->list()) lines.push_back(fmt::format("group: {}", text_field(g, "group")));
  }
  const Data* systems = certificate.find("systems");
  if (systems == nullptr || systems->list() == nullptr) return lines;
  for (const Data& s : *systems->list()) {
    std::string all;
    const Data* f = s.find("accelerations");
    if (f == nullptr || f->list() == nullptr) bad_certificate("a second-order system has no accelerations");
    for (const Data& e : *f->list()) {
      if (e.text() == nullptr) bad_certificate("an acceleration is not a formula");
      all += (all.empty() ? "" : ", ") + *e.text();
    }
    lines.push_back(fmt::format("accelerations of type {}: {}", text_field(s, "type"), all));
  }
  return lines;
}

}  // namespace

std::vector<std::string> stated_in(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const auto names = [](const std::vector<Symbol>& symbols) {
    std::string s;
    for (const Symbol symbol : symbols) s += (s.empty() ? "" : ", ") + symbol.name();
    return s;
  };
  std::vector<std::string> lines = denied_in(certificate);
  constexpr std::array<std::pair<const char*, const char*>, 5> claims{
      {{"function", "function"},
       {"density", "density"},
       {"multiplier", "multiplier"},
       {"unconstrained", "free of constraints"},
       {"cost", "cost"}}};
  for (const auto& [key, what] : claims) {
    if (certificate.find(key) != nullptr)
      lines.push_back(fmt::format("{}: {}", what, text_field(certificate, key)));
  }
  for (const auto& [key, what] :
       {std::pair("multipliers", "multiplier of a constraint"), std::pair("momenta", "momentum"),
        std::pair("constants", "function"), std::pair("driven", "controlled rate")}) {
    const Data* all = certificate.find(key);
    if (all == nullptr || all->list() == nullptr) continue;
    for (const Data& item : *all->list()) {
      if (item.text() == nullptr) bad_certificate("a formula is missing in the certificate");
      lines.push_back(fmt::format("{}: {}", what, *item.text()));
    }
  }
  lines.insert(lines.end(), {fmt::format("configuration: {}", names(claim.functions)),
                             fmt::format("speeds: {}", names(claim.speeds)),
                             fmt::format("Lagrangian: {}", text_field(certificate, "lagrangian"))});
  for (const Data& c : *certificate.find("constraints")->list())
    lines.push_back("constraint: " + *c.text() + " = 0");
  const Data::List& forces = *certificate.find("forces")->list();
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (!claim.forces[i].is_zero())
      lines.push_back(fmt::format("force along {}: {}", claim.velocities[i].name(), *forces[i].text()));
  }
  return lines;
}

}  // namespace rattleback
