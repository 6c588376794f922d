// Declared in proof/coq/coq_kinds.hpp. No multiplier under a group: linear equations for its slopes, at one configuration and several speeds.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

std::size_t unsigned_of(int i) { return static_cast<std::size_t>(i); }

/// A group, and the equations of (C.36): what stands at σ_1, …, σ_m, F_12, F_13, …, and without them, for every leg.
struct MultiplierGroup {
  std::string name;
  Matrix orbits, coframe, legs, equations;
  std::vector<Expr> slopes;  ///< of the one candidate; empty when the equations contradict each other
  Matrix gyroscopic;
};

/// (σ_β z^β) p_α − (p_β z^β) σ_α + F_βα z^β + (i_Γ dp̂ + dE)(X_α) = 0.
Matrix coq_slope_equations(const ClaimedSystem& claim, const Matrix& legs, const Matrix& coframe) {
  const int n = legs.rows(), m = legs.columns();
  const std::vector<Expr> p = momenta_of_legs(claim, legs);
  std::vector<Expr> theta, power{Expr(0)};
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < m; ++a) terms.push_back(p[unsigned_of(a)] * coframe(a, i));
    theta.push_back(sum(terms));
  }
  for (int b = 0; b < m; ++b) power.push_back(p[unsigned_of(b)] * claim.speeds[unsigned_of(b)]);
  const std::vector<Expr> twist = contracted_differential(claim, theta);
  const std::vector<Expr> dE = differential(claim, energy_on_D(claim));
  Matrix rows(m, m + m * (m - 1) / 2 + 1);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) rows(a, b) = p[unsigned_of(a)] * claim.speeds[unsigned_of(b)];
    rows(a, a) -= sum(power);
    int column = m;
    for (int b = 0; b < m; ++b) {
      for (int c = b + 1; c < m; ++c, ++column) {
        if (a == c) rows(a, column) = claim.speeds[unsigned_of(b)];
        if (a == b) rows(a, column) = -Expr(claim.speeds[unsigned_of(c)]);
      }
    }
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < n; ++i) terms.push_back(legs(i, a) * (twist[unsigned_of(i)] + dE[unsigned_of(i)]));
    rows(a, column) = sum(terms);
  }
  return rows;
}

MultiplierGroup group_in(const ClaimedSystem& claim, const Data& d) {
  const int n = static_cast<int>(claim.velocities.size()), m = static_cast<int>(claim.speeds.size());
  MultiplierGroup g{text_field(d, "group"),
                    rows_field(claim, d, "orbits", n - m),
                    rows_field(claim, d, "coframe", m),
                    directions(claim),
                    {},
                    {},
                    Matrix(n, n)};
  g.equations = coq_slope_equations(claim, g.legs, g.coframe);
  if (d.find("slopes") != nullptr) {
    g.slopes = formulas_field(claim, d, "slopes", claim.velocities.size());
    if (const Data* entries = d.find("gyroscopic")) g.gyroscopic = two_form(claim, *entries);
  }
  return g;
}

/// The speeds of the k-th sample: small, and in general position.
std::vector<Rational> sample_speeds(std::size_t count, int k) {
  std::vector<Rational> all;
  for (std::size_t a = 0; a < count; ++a) {
    const int mixed =
        (7 * k * k + 5 * k * static_cast<int>(a + 1) + 3 * static_cast<int>(a * a) + k) % 11 - 5;
    all.emplace_back(mixed == 0 && k % 2 == 0 ? 6 : mixed);
  }
  return all;
}

/// The equations at one configuration and several speeds, as numbers: rows with their leg and speeds.
struct SampledEquations {
  std::vector<std::pair<int, std::vector<Rational>>> samples;
  Matrix rows;
};
std::optional<SampledEquations> equations_at_samples(const ClaimedSystem& claim, CoqSystem& file,
                                                     const Matrix& equations, const CoqPoint& base) {
  const int m = equations.rows(), count = m * (m + 3) / 2 + 3;
  SampledEquations all;
  all.rows = Matrix(m * count, equations.columns());
  for (int k = 0; k < count; ++k) {
    const std::vector<Rational> z = sample_speeds(claim.speeds.size(), k + 1);
    CoqPoint here;
    here.turned = base.turned;
    for (std::size_t a = 0; a < z.size(); ++a) here.plain.emplace_back(claim.speeds[a], z[a]);
    here.plain.insert(here.plain.end(), base.plain.begin(), base.plain.end());
    const auto numbers = file.defined_at(here) ? values_at(here, equations) : std::nullopt;
    if (!numbers) return std::nullopt;
    for (int a = 0; a < m; ++a) {
      for (int j = 0; j < equations.columns(); ++j) all.rows(k * m + a, j) = (*numbers)(a, j);
      all.samples.emplace_back(a, z);
    }
  }
  return all;
}

std::string list_of_numbers(const std::vector<Rational>& numbers) {
  std::string all;
  for (const Rational& r : numbers) all += (all.empty() ? "" : "; ") + rational_text(r);
  return "[" + all + "]";
}

std::string samples_text(const SampledEquations& x) {
  std::string all;
  for (const auto& [a, z] : x.samples)
    all += fmt::format("{}({}%nat, {})", all.empty() ? "" : ";\n    ", a, list_of_numbers(z));
  return "[" + all + "]";
}

std::vector<Rational> column_numbers(const Matrix& m, int column) {
  std::vector<Rational> all;
  for (int i = 0; i < m.rows(); ++i) all.push_back(m(i, column).value());
  return all;
}

Matrix unknowns_of(const Matrix& rows) {
  std::vector<int> left;
  for (int j = 0; j + 1 < rows.columns(); ++j) left.push_back(j);
  return columns_of(rows, left);
}

/// Weights that remove every unknown and leave a number; empty when the rows have a solution.
std::vector<Rational> weights_of_contradiction(const Matrix& rows) {
  const Matrix combinations = left_kernel(unknowns_of(rows)).basis;
  for (int c = 0; c < combinations.columns(); ++c) {
    Rational right(0);
    for (int i = 0; i < rows.rows(); ++i)
      right = right + combinations(i, c).value() * rows(i, rows.columns() - 1).value();
    if (!right.is_zero()) return column_numbers(combinations, c);
  }
  return {};
}

/// Only the samples that some weights use.
void keep_used(SampledEquations& x, std::vector<std::vector<Rational>>& weights) {
  SampledEquations kept;
  std::vector<std::vector<Rational>> shorter(weights.size());
  for (std::size_t j = 0; j < x.samples.size(); ++j) {
    bool used = false;
    for (const auto& w : weights) used = used || !w[j].is_zero();
    if (!used) continue;
    kept.samples.push_back(x.samples[j]);
    for (std::size_t k = 0; k < weights.size(); ++k) shorter[k].push_back(weights[k][j]);
  }
  x = kept;
  weights = shorter;
}

/// The configuration alone: its speeds come with the samples.
CoqPoint without_speeds(const ClaimedSystem& claim, CoqPoint p) {
  std::erase_if(p.plain, [&](const auto& value) {
    return std::find(claim.speeds.begin(), claim.speeds.end(), value.first) != claim.speeds.end();
  });
  return p;
}

std::string contradiction_theorem(const ClaimedSystem& claim, CoqSystem& file, const MultiplierGroup& g,
                                  const std::string& tag, const std::string& about) {
  SampledEquations x;
  std::vector<std::vector<Rational>> weights(1);
  const auto contradicted = [&](const CoqPoint& p) {
    const auto found = equations_at_samples(claim, file, g.equations, without_speeds(claim, p));
    if (!found) return false;
    weights[0] = weights_of_contradiction(found->rows);
    x = *found;
    return !weights[0].empty();
  };
  const CoqPoint there = without_speeds(claim, file.point(CoqValues::on_field, contradicted));
  keep_used(x, weights);
  file.define("there" + tag, "Kernel.point", file.point_text(there));
  file.define("samples" + tag, "list (nat * list QArith_base.Q)", samples_text(x));
  file.define("weights" + tag, "list QArith_base.Q", list_of_numbers(weights[0]));
  return coq_theorem(
      "no_multiplier" + tag, fmt::format("Kernel.no_multiplier {} nonzero positive orbits{}", about, tag),
      fmt::format("Kernel.no_multiplier_ok {} reading there{} solved orbits{} samples{} weights{}", about,
                  tag, tag, tag, tag));
}

/// Rows w_k with w_k · (column l) = δ_kl: the equations have one solution at most. Empty when they have more.
std::vector<std::vector<Rational>> weights_of_unknowns(const Matrix& rows) {
  const Matrix s = unknowns_of(rows);
  const std::vector<int> chosen = independent_columns(transpose(s));
  if (static_cast<int>(chosen.size()) < s.columns()) return {};
  const Matrix inverted = inverse(rows_of(s, chosen)).x;
  std::vector<std::vector<Rational>> all(unsigned_of(s.columns()),
                                         std::vector<Rational>(unsigned_of(rows.rows()), Rational(0)));
  for (int k = 0; k < s.columns(); ++k) {
    for (std::size_t j = 0; j < chosen.size(); ++j)
      all[unsigned_of(k)][unsigned_of(chosen[j])] = inverted(k, static_cast<int>(j)).value();
  }
  return all;
}

/// Which component of dσ, or of dF + σ∧F, does not vanish: its text and its value.
std::pair<std::string, Expr> open_component(const ClaimedSystem& claim, const MultiplierGroup& g) {
  const int n = static_cast<int>(claim.velocities.size());
  const std::vector<Expr> curls = curl(claim, g.slopes);
  std::size_t next = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (const Expr e = curls.at(unsigned_of(i * n + j)); !vanishes_at_random_points(e))
        return {fmt::format("(inl ({}%nat, {}%nat))", i, j), e};
    }
  }
  const std::vector<Expr> closures = twisted_closure(claim, g.slopes, g.gyroscopic);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        if (const Expr e = closures.at(next++); !vanishes_at_random_points(e))
          return {fmt::format("(inr ({}%nat, {}%nat, {}%nat))", i, j, k), e};
      }
    }
  }
  no_coq_form("the stated slopes are closed", "the certificate does not show that no function has them");
}

std::string candidate_theorem(const ClaimedSystem& claim, CoqSystem& file, const MultiplierGroup& g,
                              const std::string& tag, const std::string& about) {
  file.define("slopes" + tag, "list Kernel.E", file.formulas(g.slopes));
  std::string twist;
  for (int i = 0; i < g.gyroscopic.rows(); ++i) {
    for (int j = i + 1; j < g.gyroscopic.rows(); ++j) {
      if (!g.gyroscopic(i, j).is_zero())
        twist += fmt::format("{}({}%nat, {}%nat, {})", twist.empty() ? "" : "; ", i, j,
                             file.formula(g.gyroscopic(i, j)));
    }
  }
  file.define("twist" + tag, "list (nat * nat * Kernel.E)", "[" + twist + "]");
  const auto [open, value] = open_component(claim, g);
  const std::string where_open = file.point_where(value);
  SampledEquations x;
  std::vector<std::vector<Rational>> weights;
  const auto determined = [&](const CoqPoint& p) {
    const auto found = equations_at_samples(claim, file, g.equations, without_speeds(claim, p));
    if (!found) return false;
    weights = weights_of_unknowns(found->rows);
    x = *found;
    return !weights.empty();
  };
  const CoqPoint there = without_speeds(claim, file.point(CoqValues::on_field, determined));
  keep_used(x, weights);
  std::string rows;
  for (const auto& w : weights) rows += (rows.empty() ? "" : ";\n    ") + list_of_numbers(w);
  file.define("there" + tag, "Kernel.point", file.point_text(there));
  file.define("open" + tag, "Kernel.point", where_open);
  file.define("samples" + tag, "list (nat * list QArith_base.Q)", samples_text(x));
  file.define("weights" + tag, "list (list QArith_base.Q)", "[" + rows + "]");
  return coq_theorem(
      "no_multiplier" + tag,
      fmt::format("Kernel.no_closed_candidate {} slopes{} twist{} nonzero positive orbits{}", about, tag, tag,
                  tag),
      fmt::format(
          "Kernel.no_closed_candidate_ok {} reading there{} slopes{} twist{} solved orbits{} samples{} "
          "weights{} open{} {}",
          about, tag, tag, tag, tag, tag, tag, tag, open));
}

}  // namespace

std::string coq_no_multiplier_theorem(const ClaimedSystem& claim, const Data& certificate,
                                      std::string& preamble) {
  const Data::List& groups = list_field(certificate, "groups");
  if (groups.empty()) bad_certificate("no group is named under which there is no multiplier");
  CoqSystem file(claim, true);
  std::string theorems = coq_field_theorem(claim, file);
  int number = 0;
  for (const Data& d : groups) {
    const MultiplierGroup g = group_in(claim, d);
    const std::string tag = std::to_string(++number);
    file.define("orbits" + tag, "list (list Kernel.E)", file.rows(g.orbits));
    file.define("coframe" + tag, "list (list Kernel.E)", file.rows(g.coframe));
    const std::string about = fmt::format("{} coframe{}", coq_along_the_field, tag);
    theorems += fmt::format(
        "(* Group {}: the fields `orbits{}` leave the system as it is and complement D. {} *)\n", tag, tag,
        g.slopes.empty() ? "No numbers are slopes of a multiplier, at a configuration."
                         : "The slopes of a multiplier could only be `slopes`, and no function "
                           "has them.");
    theorems += g.slopes.empty() ? contradiction_theorem(claim, file, g, tag, about)
                                 : candidate_theorem(claim, file, g, tag, about);
  }
  preamble = file.preamble();
  return theorems;
}

}  // namespace rattleback
