#include <rattleback/proof/check/no_measure_claim.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

SymbolMap at_rest(const ClaimedSystem& claim) {
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  return rest;
}

/// X_α with −θ_α, and last y with −θ_0.
struct KnownRates {
  std::vector<ClaimedField> fields;
  std::vector<Expr> rates;
  Expr remainder;  ///< div Γ − θ_α z^α − θ_0
};
KnownRates known_rates(const ClaimedSystem& claim) {
  const Expr theta = divergence_of_motion(claim);
  const SymbolMap rest = at_rest(claim);
  const int n = static_cast<int>(claim.velocities.size());
  KnownRates known;
  known.remainder = theta - substitute(theta, rest);
  for (const Symbol z : claim.speeds) {
    ClaimedField X(n + 1, 1);
    for (int i = 0; i < n; ++i) X[i] = substitute(derivative(claim.admissible[at(i)], z), rest);
    const Expr slope = substitute(derivative(theta, z), rest);
    known.fields.push_back(X);
    known.rates.push_back(-slope);
    known.remainder -= slope * z;
  }
  ClaimedField y(n + 1, 1);
  for (int i = 0; i < n; ++i) y[i] = substitute(claim.admissible[at(i)], rest);
  known.fields.push_back(y);
  known.rates.push_back(-substitute(theta, rest));
  return known;
}

/// ψ is affine in the speeds, div Γ too, and neither depends on t.
std::vector<Expr> degree_residuals(const ClaimedSystem& claim, const KnownRates& known) {
  std::vector<Expr> all{known.remainder};
  const Symbol t = Symbol::make("t", {.role = Role::time});
  for (const Expr psi : claim.admissible) {
    for (const Symbol z : claim.speeds) {
      for (const Symbol s : claim.speeds) all.push_back(derivative(derivative(psi, z), s));
    }
    all.push_back(derivative(psi, t));
  }
  for (const Expr rate : known.rates) all.push_back(derivative(rate, t));
  return all;
}

/// Leg i changes no function of the configuration; or it is ∂/∂angle of a circle, and neither the fields nor their rates change along it.
std::vector<Expr> still_residuals(const ClaimedSystem& claim, const Data& certificate,
                                  const KnownRates& known, int leg) {
  std::vector<Expr> all;
  const SymbolMap& images = claim.frame[at(leg)];
  if (std::ranges::all_of(images, [](const auto& image) { return image.second.is_zero(); })) return all;
  for (const Symbol q : claim.functions) {
    const bool circle = is_circle(certificate, q.name());
    all.push_back(images.at(q) - Expr(circle && images.at(q) == Expr(1) ? 1 : 0));
  }
  ClaimedField X(static_cast<int>(claim.velocities.size()) + 1, 1);
  X[leg] = Expr(1);
  for (std::size_t k = 0; k < known.fields.size(); ++k) {
    for (const Expr e : field_bracket(claim, X, known.fields[k]).entries()) all.push_back(e);
    all.push_back(along_field(claim, X, known.rates[k]));
  }
  return all;
}

/// The fields that are named, with their rates; what has to vanish for legs along which σ has the derivative 0 is noted.
struct Named {
  std::vector<ClaimedField> fields;
  std::vector<Expr> rates, still;
};
Named named_fields(const ClaimedSystem& claim, const Data& certificate, const KnownRates& known) {
  Named named;
  for (const Data& item : list_field(certificate, "given")) {
    if (item.list() == nullptr || item.list()->empty())
      bad_certificate("a field along which the density is known is not named");
    const Data::List& entry = *item.list();
    const std::string& kind = text_of(entry.front());
    if (kind == "drift") {
      named.fields.push_back(known.fields.back());
      named.rates.push_back(known.rates.back());
    } else if (kind == "leg" && entry.size() == 2) {
      const std::size_t leg = at(index_below(entry[1], claim.speeds.size()));
      named.fields.push_back(known.fields[leg]);
      named.rates.push_back(known.rates[leg]);
    } else if (kind == "still" && entry.size() == 2) {
      const int leg = index_below(entry[1], claim.velocities.size());
      ClaimedField X(static_cast<int>(claim.velocities.size()) + 1, 1);
      X[leg] = Expr(1);
      for (const Expr e : still_residuals(claim, certificate, known, leg)) named.still.push_back(e);
      named.fields.push_back(X);
      named.rates.emplace_back(0);
    } else {
      bad_certificate("a field along which the density is known is not named");
    }
  }
  return named;
}

/// [A, B][σ] = A[r_B] − B[r_A].                                                                            (M.3)
std::vector<Expr> all_rates(const ClaimedSystem& claim, const BracketTree& tree, std::vector<Expr> rates) {
  for (const auto& [i, j] : tree.pairs)
    rates.push_back(along_field(claim, tree.fields[at(i)], rates[at(j)]) -
                    along_field(claim, tree.fields[at(j)], rates[at(i)]));
  return rates;
}

std::vector<CheckedStep> contradiction_steps(const ClaimedSystem& claim, const Data& certificate,
                                             const BracketTree& tree, const std::vector<Expr>& rates) {
  if (tree.fields.empty()) bad_certificate("no field is named");
  const std::size_t last = tree.fields.size() - 1;
  const std::vector<Expr> c =
      formulas_field(claim, certificate, "combination", list_field(certificate, "combination").size());
  if (c.size() > last) bad_certificate("a field is combined of itself");
  ClaimedField Z = tree.fields[last];
  std::vector<Expr> terms{rates[last]};
  for (std::size_t k = 0; k < c.size(); ++k) {
    Z = Z - c[k] * tree.fields[k];
    terms.push_back(-c[k] * rates[k]);
  }
  return {{"the last field is the stated combination of the others", is_zero(Z.entries())},
          {"the rates of a density along them differ by the condition stated",
           is_zero(sum(terms) - claim.formula(text_field(certificate, "condition")))},
          {"which does not vanish", some_do_not_vanish({sum(terms)})}};
}

std::vector<CheckedStep> candidate_steps(const ClaimedSystem& claim, const Data& certificate,
                                         const Named& named, const BracketTree& tree) {
  const Expr sigma = claim.formula(text_field(certificate, "candidate"));
  const Expr q = claim.formula(text_field(certificate, "turns"));
  const bool circle = is_circle(certificate, text_field(certificate, "turns"));
  if (!q.is(Kind::symbol) || std::ranges::count(claim.functions, q.symbol()) == 0 || !circle)
    bad_certificate("`turns` does not name a circle");
  std::vector<Expr> residuals = slopes(claim, sigma);
  for (std::size_t k = 0; k < named.fields.size(); ++k)
    residuals.push_back(along_field(claim, named.fields[k], sigma) - named.rates[k]);
  const Expr once_around = substitute(sigma, {{q.symbol(), q + 2 * pi()}}) - sigma;
  return {{"the fields span every direction",
           at_least(rank(side_by_side(tree.fields, tree.fields.size())).value,
                    static_cast<int>(claim.velocities.size()), "the rank of the fields")},
          {"the only logarithm of a density is the stated one", is_zero(residuals)},
          {"it is not periodic", some_do_not_vanish({once_around})}};
}

/// v = ψ is linear in the speeds and their rates are quadratic: N(q, z) implies N(q, 0).
std::vector<Expr> homogeneity_residuals(const ClaimedSystem& claim) {
  std::vector<Expr> all;
  const auto add = [&](Expr f, int degree) {
    std::vector<Expr> terms{-degree * f};
    for (const Symbol z : claim.speeds) terms.push_back(z * derivative(f, z));
    all.push_back(sum(terms));
  };
  for (const Expr psi : claim.admissible) add(psi, 1);
  for (const Expr rate : claim.speed_rates) add(rate, 2);
  return all;
}

}  // namespace

std::vector<CheckedStep> no_measure_steps(const ClaimedSystem& claim, const Data& certificate) {
  const KnownRates known = known_rates(claim);
  const Named named = named_fields(claim, certificate, known);
  const BracketTree tree = bracket_tree(claim, certificate, named.fields);
  std::vector<CheckedStep> steps{
      {"the divergence of the motion has degree one in the speeds", is_zero(degree_residuals(claim, known))},
      {"a density may be taken that stands still where stated", is_zero(named.still)}};
  const std::vector<CheckedStep> more =
      certificate.find("candidate") != nullptr
          ? candidate_steps(claim, certificate, named, tree)
          : contradiction_steps(claim, certificate, tree, all_rates(claim, tree, named.rates));
  steps.insert(steps.end(), more.begin(), more.end());
  const std::string& scope = text_field(certificate, "scope");
  if (scope == "every smooth density")
    steps.push_back({"the motion is homogeneous in the speeds, so this excludes every smooth density",
                     is_zero(homogeneity_residuals(claim))});
  else if (scope != "densities of the configuration")
    bad_certificate("it is not known what is excluded");
  return steps;
}

}  // namespace rattleback
