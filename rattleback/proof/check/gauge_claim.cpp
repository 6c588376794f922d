#include <rattleback/proof/check/gauge_claim.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_prolongation.hpp>
#include <rattleback/proof/check/motion_claims.hpp>
#include <rattleback/proof/check/symmetry_claims.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Coefficients of gauge momenta are functions of the configuration, and so is everything that they satisfy: an f that changes with
/// time would have another rate.
std::vector<Expr> of_configuration(const ClaimedSystem& claim, const Data& list, std::size_t count) {
  return formulas_of(claim, list, count, {&claim.functions}, "a function of the configuration");
}

/// Fields of n components, as columns of n + 1 without time.
std::vector<ClaimedField> fields_named(const ClaimedSystem& claim, const Data& d, const char* key) {
  std::vector<ClaimedField> all;
  for (const Data& row : list_field(d, key)) {
    ClaimedField X(static_cast<int>(claim.velocities.size()) + 1, 1);
    std::ranges::copy(of_configuration(claim, row, claim.velocities.size()), X.entries().begin());
    all.push_back(std::move(X));
  }
  return all;
}

/// Square matrices of the size given, one for each field.
std::vector<Matrix> matrices_named(const ClaimedSystem& claim, const Data& d, const char* key, int size,
                                   std::size_t count) {
  const Data::List& all = list_field(d, key);
  if (all.size() != count) bad_certificate(fmt::format("`{}` is not a list of {} matrices", key, count));
  std::vector<Matrix> found;
  for (const Data& m : all) {
    Matrix M(size, size);
    std::ranges::copy(of_configuration(claim, m, at(size * size)), M.entries().begin());
    found.push_back(std::move(M));
  }
  return found;
}

/// e = e_0 + e_a z^a + e_ab z^a z^b: the coefficients, and e minus that.
struct Quadratic {
  std::vector<Expr> coefficients;
  Expr rest;
};
Quadratic quadratic(Expr e, const std::vector<Symbol>& z) {
  SymbolMap still;
  for (const Symbol s : z) still.emplace(s, Expr(0));
  Quadratic q{{substitute(e, still)}, e};
  std::vector<Expr> terms{e, -q.coefficients[0]};
  for (std::size_t a = 0; a < z.size(); ++a) {
    const Expr slope = derivative(e, z[a]);
    q.coefficients.push_back(substitute(slope, still));
    terms.push_back(-q.coefficients.back() * z[a]);
    for (std::size_t b = a; b < z.size(); ++b) {
      q.coefficients.push_back(substitute(derivative(slope, z[b]), still) / (a == b ? 2 : 1));
      terms.push_back(-q.coefficients.back() * z[a] * z[b]);
    }
  }
  q.rest = sum(terms);
  return q;
}

/// Along legs that move no function nothing changes.
bool nothing_moves(const ClaimedSystem& claim) {
  return std::ranges::all_of(claim.frame, [](const SymbolMap& leg) {
    return std::ranges::all_of(leg, [](const auto& image) { return image.second.is_zero(); });
  });
}

/// The velocity V = s^i h_i + c^a η_a, and V minus that.
struct Split {
  std::vector<ClaimedField> h;
  std::vector<Expr> rates, turns, rest;
};
Split split_velocity(const ClaimedSystem& claim, const std::vector<ClaimedField>& group,
                     const std::vector<ClaimedField>& legs) {
  std::vector<ClaimedField> candidates = group;
  candidates.insert(candidates.end(), legs.begin(), legs.end());
  const Matrix columns = side_by_side(candidates, candidates.size());
  const std::vector<int> basis = independent_columns(columns);
  Matrix V(columns.rows(), 1);
  for (std::size_t i = 0; i < claim.admissible.size(); ++i) V[static_cast<int>(i)] = claim.admissible[i];
  Split s;
  const auto c = solve(columns_of(columns, basis), V);
  if (!c) bad_certificate("the velocity is not along D");
  for (std::size_t i = 0; i < basis.size(); ++i) {
    const bool along_orbit = at(basis[i]) < group.size();
    if (!along_orbit) s.h.push_back(candidates[at(basis[i])]);
    (along_orbit ? s.turns : s.rates).push_back(c->x[static_cast<int>(i)]);
  }
  if (s.turns.size() != group.size()) bad_certificate("the symmetries are not independent");
  s.rest = (columns_of(columns, basis) * c->x - V).entries();
  return s;
}

/// (Y.1) as A (h_1[f], …, h_m[f]) + C f = 0, one row for each monomial in the speeds.
struct Conservation {
  Matrix A, C;
  std::vector<Expr> rest;  ///< of degree above two
};
Conservation conservation(const ClaimedSystem& claim, const std::vector<ClaimedField>& sections,
                          const Split& split, const std::vector<Matrix>& turns) {
  const Matrix P = Matrix::column(substitute(gradient(claim.lagrangian, claim.velocities), claim.psi));
  std::vector<Expr> J, rates;
  for (const ClaimedField& xi : sections) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < P.rows(); ++i) terms.push_back(P[i] * xi[i]);
    J.push_back(sum(terms));
    rates.push_back(derivative_along(J.back(), claim.motion));
  }
  J.emplace_back(1);
  rates.emplace_back(0);
  std::vector<std::vector<Expr>> columns;
  Conservation found;
  const auto add = [&](Expr e) {
    Quadratic q = quadratic(e, claim.speeds);
    columns.push_back(std::move(q.coefficients));
    found.rest.push_back(q.rest);
  };
  for (const Expr s : split.rates) {
    for (const Expr j : J) add(s * j);
  }
  const int k = static_cast<int>(J.size());
  for (int b = 0; b < k; ++b) {
    std::vector<Expr> terms{rates[at(b)]};
    for (std::size_t a = 0; a < turns.size(); ++a) {
      for (int c = 0; c < k; ++c) terms.push_back(split.turns[a] * J[at(c)] * turns[a](c, b));
    }
    add(sum(terms));
  }
  const int rows = static_cast<int>(columns.front().size()), m = static_cast<int>(split.h.size());
  found.A = Matrix(rows, m * k);
  found.C = Matrix(rows, k);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < m * k; ++j) found.A(i, j) = columns[at(j)][at(i)];
    for (int j = 0; j < k; ++j) found.C(i, j) = columns[at(m * k + j)][at(i)];
  }
  return found;
}

int count_field(const Data& d, const char* key) {
  const int count = number_field(d, key);
  if (count < 0) bad_certificate(fmt::format("`{}` is negative", key));
  return count;
}

/// Solutions f of what was given.
std::vector<CheckedStep> solution_steps(const ClaimedSystem& claim, const Data& certificate,
                                        const Prolonged& known, const Matrix& N, int k) {
  const Data::List& given = list_field(certificate, "solutions");
  if (given.empty()) return {};
  std::vector<Expr> residuals;
  Matrix all(k, static_cast<int>(given.size()) + 1);
  for (std::size_t s = 0; s < given.size(); ++s) {
    const Matrix f = Matrix::column(of_configuration(claim, given[s], at(k)));
    for (std::size_t t = 0; t < known.given; ++t) {
      const ClaimedTransport& y = known.transports[t];
      for (const Expr e : (along(claim, y.Y, f) - y.M * f).entries()) residuals.push_back(e);
    }
    for (const Expr e : (N * f).entries()) residuals.push_back(e);
    for (int b = 0; b < k; ++b) all(b, static_cast<int>(s)) = f[b];
  }
  all(k - 1, static_cast<int>(given.size())) = Expr(1);
  return {{"the coefficients stated make conserved momenta", is_zero(residuals)},
          {"they are independent", at_least(rank(all).value, all.columns(), "the rank of the coefficients")}};
}

/// ξ_b lie in D and along the orbits, and no others do.
std::vector<CheckedStep> section_steps(const ClaimedSystem& claim, const std::vector<ClaimedField>& group,
                                       const std::vector<ClaimedField>& sections,
                                       const std::vector<ClaimedField>& legs, bool formal) {
  const Matrix rows = jacobian(claim.constraints, claim.velocities);
  std::vector<Expr> forbidden;
  for (const ClaimedField& xi : sections) {
    for (int c = 0; c < rows.rows(); ++c) {
      std::vector<Expr> terms{Expr(0)};
      for (int i = 0; i < rows.columns(); ++i) terms.push_back(rows(c, i) * xi[i]);
      forbidden.push_back(sum(terms));
    }
  }
  const int k = static_cast<int>(sections.size()), r = static_cast<int>(claim.speeds.size()),
            g = static_cast<int>(group.size());
  std::vector<ClaimedField> orbits = group, both = group;
  orbits.insert(orbits.end(), sections.begin(), sections.end());
  both.insert(both.end(), legs.begin(), legs.begin() + r);
  const int most = formal ? r : r + g - rank(side_by_side(both, both.size())).value;
  std::vector<CheckedStep> steps{{"the sections lie in D", is_zero(forbidden)}};
  if (!formal)
    steps.push_back({"they are along the orbits", has_rank(side_by_side(orbits, orbits.size()), g)});
  steps.push_back({"they are independent, and no others are independent of them",
                   at_least(rank(side_by_side(sections, sections.size())).value, std::max(k, most),
                            "the rank of the sections")});
  return steps;
}

}  // namespace

std::vector<CheckedStep> gauge_steps(const ClaimedSystem& claim, const Data& certificate) {
  const int n = static_cast<int>(claim.velocities.size());
  const std::vector<ClaimedField> group = fields_named(claim, certificate, "fields"),
                                  sections = fields_named(claim, certificate, "sections");
  const bool formal = group.empty();
  if (formal && !nothing_moves(claim)) bad_certificate("no group is named");
  std::vector<ClaimedField> legs = legs_of_D(claim);
  for (ClaimedField& X : legs) X[n] = Expr(0);
  for (const auto* formulas : {&claim.admissible, &claim.speed_rates})
    require_listed(*formulas, {&claim.functions, &claim.speeds}, "a motion that does not depend on time");
  require_listed({claim.lagrangian}, {&claim.functions, &claim.velocities}, "a Lagrangian without time");
  const int k = static_cast<int>(sections.size()) + 1;
  const int count = count_field(certificate, "gauge_count");
  std::vector<CheckedStep> steps;
  if (certificate.find("constants") != nullptr) steps = constant_steps(claim, certificate);
  if (!formal) {
    for (CheckedStep& step : symmetry_steps(claim, certificate)) steps.push_back(std::move(step));
  }
  for (CheckedStep& step : section_steps(claim, group, sections, legs, formal))
    steps.push_back(std::move(step));

  const std::vector<Matrix> turns = matrices_named(claim, certificate, "turns", k, group.size());
  std::vector<Expr> turned;
  Prolonged known;
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (int b = 0; b < k; ++b) {
      turned.push_back(turns[a](k - 1, b));
      turned.push_back(turns[a](b, k - 1));
      if (b == k - 1) continue;
      ClaimedField Z = field_bracket(claim, group[a], sections[at(b)]);
      for (int c = 0; c + 1 < k; ++c) Z = Z + turns[a](c, b) * sections[at(c)];
      for (const Expr e : Z.entries()) turned.push_back(e);
    }
    known.transports.push_back({group[a], turns[a]});
  }
  steps.push_back({"the group turns the sections as stated", is_zero(turned)});

  const Split split = formal ? Split{} : split_velocity(claim, group, legs);
  const Conservation equations = conservation(claim, sections, split, turns);
  std::vector<Expr> shape = split.rest;
  shape.insert(shape.end(), equations.rest.begin(), equations.rest.end());
  steps.push_back({"the rates of the momenta are quadratic in the speeds", is_zero(shape)});
  const std::vector<Matrix> M = matrices_named(claim, certificate, "slopes", k, split.h.size());
  Matrix solved(static_cast<int>(M.size()) * k, k);
  for (std::size_t i = 0; i < M.size(); ++i) {
    known.transports.push_back({split.h[i], M[i]});
    for (int b = 0; b < k; ++b) {
      for (int c = 0; c < k; ++c) solved(static_cast<int>(i) * k + b, c) = M[i](b, c);
    }
  }
  known.given = known.transports.size();
  const Matrix left = equations.C + equations.A * solved;
  std::vector<int> satisfied, open;
  std::vector<Expr> residuals;
  for (int r = 0; r < left.rows(); ++r) {
    const Matrix row = left.row(r);
    const bool zero = std::ranges::all_of(row.entries(), [](Expr e) { return vanishes_at_random_points(e); });
    (zero ? satisfied : open).push_back(r);
    if (zero) residuals.insert(residuals.end(), row.entries().begin(), row.entries().end());
  }
  steps.push_back({"the coefficients have the slopes stated", is_zero(residuals)});
  if (!M.empty())
    steps.push_back({"and no others", at_least(rank(rows_of(equations.A, satisfied)).value, solved.rows(),
                                               "the rank of their equations")});
  const Matrix N = independent_rows_of(rows_of(left, open));
  known.N = N;
  for (CheckedStep& step : solution_steps(claim, certificate, known, N, k)) steps.push_back(std::move(step));

  for (int p = count_field(certificate, "prolongations"); p > 0 && known.N.rows() > 0; --p)
    known.N = prolonged_conditions(claim, known);
  add_brackets(claim, certificate, known);
  const Matrix Y = fields_of(known, n), rows = pointwise_rows(known, n, k);
  const int directions = rank(Y).value, found = rank(rows).value;
  steps.push_back({"brackets span no other direction", has_rank(Y, directions)});
  steps.push_back({"the equations leave no more momenta than counted",
                   at_least(found, k * (1 + directions) - 1 - count, "their rank")});
  if (static_cast<int>(list_field(certificate, "solutions").size()) < count) {
    const Verdict enough = at_least(k * (1 + directions) - 1 - found, count, "what the rank leaves");
    steps.push_back({"the equations close, so there are as many as counted",
                     refuted(enough) ? enough : closes(claim, known, n, k, found)});
  }
  return steps;
}

std::vector<std::string> gauge_stated(const Data& certificate) {
  const std::size_t sections = list_field(certificate, "sections").size();
  return {fmt::format("gauge momenta over {} section{}: {}", sections, sections == 1 ? "" : "s",
                      number_field(certificate, "gauge_count"))};
}

}  // namespace rattleback
