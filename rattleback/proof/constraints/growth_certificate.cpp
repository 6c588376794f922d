#include <rattleback/proof/constraints/growth_certificate.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

/// Fields that span what brackets lead to: the legs, and [leg a, field j].
struct Spanning {
  std::vector<VectorField> fields;
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> length, ranks;
  int legs = 0;

  std::vector<VectorField> up_to(int most) const {
    std::vector<VectorField> some;
    for (std::size_t k = 0; k < fields.size() && length[k] <= most; ++k) some.push_back(fields[k]);
    return some;
  }
};

VectorField shortened(VectorField Z) {
  for (int i = 0; i < Z.space().dimension(); ++i) Z[i] = short_form(Z[i]);
  return Z;
}

/// The fields of D, on Q × time with the drift where there is one.
Spanning legs_of(const System& system, const Admissible& D, bool timed) {
  const Space space =
      timed ? system.space * Space::chart(std::span<const Symbol>(&system.time, 1)) : system.space;
  Spanning s;
  const auto add = [&](const Matrix& column, Expr in_time) {
    std::vector<Expr> x(column.entries().begin(), column.entries().end());
    if (timed) x.push_back(in_time);
    s.fields.emplace_back(space, x);
    s.length.push_back(1);
  };
  for (int a = 0; a < D.rank(); ++a) add(D.psi.column(a), 0);
  if (timed) add(D.drift, 1);
  s.legs = static_cast<int>(s.fields.size());
  s.ranks.push_back(s.legs);
  return s;
}

/// Do the admissible velocities drift or depend on time? A factor of a constraint may depend on it where they do not.
bool is_timed(const System& system, const Admissible& D) {
  const auto moves = [&](Expr e) { return contains(e, system.time); };
  return std::ranges::any_of(D.psi.entries(), moves) ||
         std::ranges::any_of(D.drift.entries(), [](Expr e) { return !vanishes_at_random_points(e); });
}

/// Brackets of one length more; false when none leads further.
bool grow(Spanning& s) {
  const std::size_t before = s.fields.size();
  const int last = s.length.back();
  for (std::size_t j = 0; j < before; ++j) {
    if (s.length[j] != last) continue;
    for (int a = 0; a < s.legs; ++a) {
      if (last == 1 && a >= static_cast<int>(j)) continue;
      const VectorField Z = shortened(bracket(s.fields[static_cast<std::size_t>(a)], s.fields[j]));
      std::vector<VectorField> longer = s.fields;
      longer.push_back(Z);
      if (rank(as_columns(Z.space(), longer)) < static_cast<int>(longer.size())) continue;
      s.fields.push_back(Z);
      s.pairs.emplace_back(a, static_cast<int>(j));
      s.length.push_back(last + 1);
    }
  }
  if (s.fields.size() == before) return false;
  s.ranks.push_back(static_cast<int>(s.fields.size()));
  return true;
}

/// c_αj^k of (W.1), for the brackets that are not among the fields.
Data relations(const Spanning& s, std::vector<Expr>& noted) {
  const Space& space = s.fields.front().space();
  Data::List all;
  for (int j = 0; j < static_cast<int>(s.fields.size()); ++j) {
    const int next = s.length[static_cast<std::size_t>(j)] + 1;
    if (s.ranks[std::min(static_cast<std::size_t>(next), s.ranks.size()) - 1] == space.dimension()) continue;
    const Matrix basis = as_columns(space, s.up_to(next));
    for (int a = 0; a < s.legs; ++a) {
      if (std::ranges::find(s.pairs, std::pair(a, j)) != s.pairs.end()) continue;
      const VectorField Z =
          bracket(s.fields[static_cast<std::size_t>(a)], s.fields[static_cast<std::size_t>(j)]);
      const auto c = solve(basis, Matrix::column(Z.coefficients()));
      for (int k = 0; c && k < c->x.rows(); ++k) {
        const Expr value = short_form(c->x[k]);
        if (value.is_zero()) continue;
        noted.push_back(value);
        all.push_back(Data::List{a, j, k, value});
      }
    }
  }
  return all;
}

}  // namespace

Data growth_certificate(const System& system, const Triage& found,
                        const std::vector<SpecialGrowth>& special) {
  return certificate_within_budget([&] {
    const Admissible D = admissible_velocities(system);
    const bool timed = is_timed(system, D);
    Spanning s = legs_of(system, D, timed);
    if (s.fields.empty()) return Data();
    while (grow(s)) {
    }
    std::vector<Expr> noted = found.integrals;
    const Data related = relations(s, noted);
    Data d = certified_constraints(system, D.speeds, D.substitution(), noted);
    if (d.is_null()) return d;
    d["certificate"] = s.ranks.size() == 1 ? "holonomic" : "nonholonomic";
    d["ranks"] = s.ranks;
    Data::List pairs, places;
    for (const auto& [a, j] : s.pairs) pairs.push_back(Data::List{a, j});
    d["brackets"] = pairs;
    d["relations"] = related;
    d["integrals"] = texts(found.integrals);
    for (const SpecialGrowth& g : special) {
      Data place;
      place["symbol"] = g.symbol.name();
      place["value"] = g.value;
      place["ranks"] = g.ranks;
      places.push_back(std::move(place));
    }
    if (!places.empty() && !timed) d["special"] = places;
    return d;
  });
}

}  // namespace rattleback
