#include <rattleback/proof/checker.hpp>

#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/proof/claimed_system.hpp>
#include <rattleback/proof/hamiltonian_claims.hpp>

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

/// C_ij^k + C_ji^k, and Σ X_i[C_jk^l] + C_jk^m C_im^l over the cyclic i, j, k: all that is left to ask of legs that move
/// no function.
std::vector<Expr> jacobi_residuals(const ClaimedSystem& claim) {
  std::map<std::array<int, 3>, Expr> c;
  std::set<int> legs;
  for (const auto& [i, j, k, value] : claim.structure) {
    c[{i, j, k}] += value;
    legs.insert({i, j, k});
  }
  const auto coefficient = [&](int i, int j, int k) {
    const auto found = c.find({i, j, k});
    return found == c.end() ? Expr(0) : found->second;
  };
  std::vector<Expr> residuals;
  for (const auto& [index, value] : c) residuals.push_back(value + coefficient(index[1], index[0], index[2]));
  // [X_i, [X_j, X_k]] = X_i[C_jk^l] X_l + C_jk^m C_im^l X_l.
  const auto nested = [&](int i, int j, int k, int l) {
    std::vector<Expr> terms{derivative_along(coefficient(j, k, l), claim.frame[static_cast<std::size_t>(i)])};
    for (const int m : legs) terms.push_back(coefficient(j, k, m) * coefficient(i, m, l));
    return sum(terms);
  };
  for (const int i : legs) {
    for (const int j : legs) {
      for (const int k : legs) {
        if (i >= j || j >= k) continue;
        for (const int l : legs)
          residuals.push_back(nested(i, j, k, l) + nested(j, k, i, l) + nested(k, i, j, l));
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

/// A minor that does not vanish proves a rank from below, and that is the side that is asked.
Verdict at_least(int found, int asked, const char* of) {
  if (found >= asked) return Proved{};
  return Refuted{{.point = {}, .value = fmt::format("{} instead of {}", found, asked), .note = of}};
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

std::vector<Expr> formulas(const ClaimedSystem& claim, const Data& certificate, const std::string& key,
                           std::size_t count) {
  const Data* found = certificate.find(key);
  if (found == nullptr || found->list() == nullptr || found->list()->size() != count)
    bad_certificate(fmt::format("`{}` is not a list of {} formulas", key, count));
  std::vector<Expr> all;
  for (const Data& item : *found->list()) {
    if (item.text() == nullptr) bad_certificate(fmt::format("`{}` holds something that is no formula", key));
    all.push_back(substitute(claim.formula(*item.text()), claim.psi));
  }
  return all;
}

/// (C.30): the multiplier sees the configuration alone, and dΘ is symplectic on the reduced space.
std::vector<CheckedStep> multiplier_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Expr f = claim.formula(text_field(certificate, "multiplier"));
  const std::vector<Expr> theta = formulas(claim, certificate, "form", claim.velocities.size());
  const int asked = 2 * static_cast<int>(claim.speeds.size());
  std::vector<Expr> slopes = gradient(f, claim.speeds);
  for (const Symbol v : claim.velocities) slopes.push_back(derivative(f, v));
  return {
      {"the multiplier is a function of the configuration", is_zero(slopes)},
      {"in its time the motion is Hamiltonian for the form", is_zero(conformal_residuals(claim, f, theta))},
      {"the form is symplectic on the reduced space",
       at_least(rank(exterior_derivative(claim, theta)).value, asked, "the rank of dΘ")}};
}

/// What is claimed of the motion, for each kind of certificate.
std::vector<CheckedStep> claims(const ClaimedSystem& claim, const Data& certificate) {
  const std::string& kind = text_field(certificate, "certificate");
  if (kind == "chaplygin-multiplier") return multiplier_steps(claim, certificate);
  if (kind == "conditionally-variational") {
    const std::vector<Expr> mu = formulas(claim, certificate, "multipliers", claim.constraints.size());
    return {{"with these multipliers the motion is variational", is_zero(variational_residuals(claim, mu))}};
  }
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
  for (const auto& more : {jacobi_residuals(claim), tangency_residuals(claim)})
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

std::vector<std::string> stated_in(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const auto names = [](const std::vector<Symbol>& symbols) {
    std::string s;
    for (const Symbol symbol : symbols) s += (s.empty() ? "" : ", ") + symbol.name();
    return s;
  };
  std::vector<std::string> lines;
  for (const char* key : {"function", "density", "multiplier"}) {
    if (certificate.find(key) != nullptr)
      lines.push_back(fmt::format("{}: {}", key, text_field(certificate, key)));
  }
  if (const Data* mu = certificate.find("multipliers"); mu != nullptr && mu->list() != nullptr) {
    for (const Data& item : *mu->list()) lines.push_back("multiplier of a constraint: " + *item.text());
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
