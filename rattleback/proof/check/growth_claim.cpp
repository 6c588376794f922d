#include <rattleback/proof/check/growth_claim.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>

namespace rattleback {
namespace {

std::vector<int> ranks_in(const Data& d) {
  std::vector<int> ranks;
  for (const Data& r : list_field(d, "ranks")) ranks.push_back(number_of(r));
  if (ranks.empty()) bad_certificate("no rank is claimed");
  return ranks;
}

/// The dimension that brackets can reach: that of the configurations, plus 1 for time where the constraints have a drift.
int reach(const ClaimedSystem& claim, const std::vector<ClaimedField>& legs) {
  const bool drifts = legs.size() > claim.speeds.size();
  return static_cast<int>(claim.velocities.size()) + (drifts ? 1 : 0);
}

std::size_t count_up_to(const BracketTree& tree, int length) {
  return static_cast<std::size_t>(std::ranges::count_if(tree.length, [&](int l) { return l <= length; }));
}

/// [X_α, W_j] − c_αj^k W_k for every bracket that has to follow from those listed. Relations with longer W_k are rejected.
std::vector<Expr> relation_residuals(const ClaimedSystem& claim, const Data& certificate,
                                     const BracketTree& tree, const std::vector<ClaimedField>& legs,
                                     const std::vector<int>& ranks) {
  const auto c = coefficients_field(claim, certificate, "relations", static_cast<int>(tree.fields.size()));
  std::vector<Expr> residuals;
  for (int j = 0; j < static_cast<int>(tree.fields.size()); ++j) {
    const int next = tree.length[static_cast<std::size_t>(j)] + 1;
    const int rank_there = ranks[std::min(static_cast<std::size_t>(next), ranks.size()) - 1];
    if (rank_there == reach(claim, legs)) continue;
    for (int a = 0; a < static_cast<int>(legs.size()); ++a) {
      if (std::ranges::find(tree.pairs, std::pair(a, j)) != tree.pairs.end()) continue;
      ClaimedField Z =
          field_bracket(claim, legs[static_cast<std::size_t>(a)], tree.fields[static_cast<std::size_t>(j)]);
      for (const auto& r : c) {
        if (r.i != a || r.j != j) continue;
        if (tree.length[static_cast<std::size_t>(r.k)] > next)
          bad_certificate("a bracket is said to follow from longer ones");
        Z = Z - r.value * tree.fields[static_cast<std::size_t>(r.k)];
      }
      for (const Expr e : std::move(Z).entries()) residuals.push_back(e);
    }
  }
  return residuals;
}

/// All [X_a, [X_b, …]] of length at most `longest`, as columns of matrices, one for each length.
std::vector<Matrix> all_brackets(const ClaimedSystem& claim, const std::vector<ClaimedField>& legs,
                                 std::size_t longest) {
  std::vector<ClaimedField> all = legs;
  std::vector<Matrix> spans{side_by_side(all, all.size())};
  std::size_t first = 1;  // no leg stands before the first
  while (spans.size() < longest) {
    const std::size_t end = all.size();
    for (std::size_t j = first; j < end; ++j) {
      for (std::size_t a = 0; a < std::min(j, legs.size()); ++a)  // each pair of legs once
        all.push_back(field_bracket(claim, legs[a], all[j]));
    }
    first = end;
    spans.push_back(side_by_side(all, all.size()));
  }
  return spans;
}

std::string span_text(std::size_t length, int rank) {
  return length == 1 ? fmt::format("D has rank {}", rank)
                     : fmt::format("brackets of up to {} fields span {} directions", length, rank);
}

void add_special_steps(const ClaimedSystem& claim, const Data& certificate,
                       const std::vector<ClaimedField>& legs, std::vector<CheckedStep>& steps) {
  if (certificate.find("special") == nullptr) return;
  for (const Data& place : list_field(certificate, "special")) {
    const std::vector<int> ranks = ranks_in(place);
    const Expr q = claim.formula(text_field(place, "symbol")),
               value = claim.formula(text_field(place, "value"));
    if (!q.is(Kind::symbol) || ranks.size() > input_limits::ranks_at_a_place.count)
      bad_certificate("a special place is not one");
    const std::vector<Matrix> spans = all_brackets(claim, legs, ranks.size());
    for (std::size_t k = 0; k < ranks.size(); ++k)
      steps.push_back({fmt::format("where {} = {}, {}", text_field(place, "symbol"),
                                   text_field(place, "value"), span_text(k + 1, ranks[k])),
                       has_rank(substitute(spans[k], {{q.symbol(), value}}), ranks[k])});
  }
}

void add_integral_steps(const ClaimedSystem& claim, const Data& certificate,
                        const std::vector<ClaimedField>& legs, std::vector<CheckedStep>& steps) {
  const Data::List& given = list_field(certificate, "integrals");
  if (given.empty()) return;
  const std::vector<Expr> F = formulas_field(claim, certificate, "integrals", given.size());
  std::vector<Expr> rates;
  Matrix differentials(static_cast<int>(F.size()), static_cast<int>(claim.frame.size()));
  for (int k = 0; k < differentials.rows(); ++k) {
    const Expr f = F[static_cast<std::size_t>(k)];
    for (const ClaimedField& X : legs) rates.push_back(along_field(claim, X, f));
    for (const Symbol z : claim.speeds) rates.push_back(derivative(f, z));
    if (legs.size() == claim.speeds.size())  // no leg moves the time
      rates.push_back(derivative(f, Symbol::make("t", {.role = Role::time})));
    for (int i = 0; i < differentials.columns(); ++i)
      differentials(k, i) = derivative_along(f, claim.frame[static_cast<std::size_t>(i)]);
  }
  steps.push_back({"the integrals are constant along D", is_zero(rates)});
  steps.push_back({"they are independent", at_least(rank(differentials).value, differentials.rows(),
                                                    "the rank of their differentials")});
}

/// The steps of a growth vector and of integrability, which claims one rank; `ranks` are those claimed.
std::vector<CheckedStep> growth_steps(const ClaimedSystem& claim, const Data& certificate,
                                      const std::vector<int>& ranks) {
  const std::vector<ClaimedField> legs = legs_of_D(claim);
  const BracketTree tree = bracket_tree(claim, certificate, legs);
  if (std::ranges::any_of(tree.pairs,
                          [&](const auto& p) { return p.first >= static_cast<int>(legs.size()); }))
    bad_certificate("a bracket does not begin with a leg of D");
  if (std::ranges::any_of(tree.length, [&](int l) { return l > static_cast<int>(ranks.size()); }))
    bad_certificate("there are longer brackets than ranks");
  std::vector<CheckedStep> steps;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const std::size_t count = count_up_to(tree, static_cast<int>(k) + 1);
    if (static_cast<int>(count) != ranks[k]) bad_certificate("the fields are not as many as the ranks say");
    steps.push_back({span_text(k + 1, ranks[k]),
                     at_least(rank(side_by_side(tree.fields, count)).value, ranks[k], "the rank")});
  }
  steps.push_back(
      {"no other bracket leads further", is_zero(relation_residuals(claim, certificate, tree, legs, ranks))});
  add_integral_steps(claim, certificate, legs, steps);
  add_special_steps(claim, certificate, legs, steps);
  return steps;
}

}  // namespace

std::vector<CheckedStep> holonomic_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::vector<int> ranks = ranks_in(certificate);
  if (ranks.size() > 1) bad_certificate("brackets that leave D belong to constraints that are not holonomic");
  return growth_steps(claim, certificate, ranks);
}

std::vector<CheckedStep> nonholonomic_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::vector<int> ranks = ranks_in(certificate);
  if (ranks.size() < 2 || ranks[1] <= ranks[0]) bad_certificate("no bracket is said to leave D");
  return growth_steps(claim, certificate, ranks);
}

}  // namespace rattleback
