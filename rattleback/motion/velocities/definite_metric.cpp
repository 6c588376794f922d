#include <rattleback/motion/velocities/definite_metric.hpp>

#include <algorithm>
#include <numeric>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/conditions/definiteness.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/solving/elimination.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/regularity.hpp>
#include <rattleback/motion/velocities/written_velocities.hpp>

namespace rattleback {
namespace {

bool contains_any(std::span<const Expr> es, std::span<const Symbol> symbols) {
  const std::vector<Symbol> found = symbols_of(es);
  return std::ranges::any_of(symbols, [&](Symbol s) { return std::ranges::find(found, s) != found.end(); });
}

bool depends_on_parameters_alone(Expr e) {
  allow_recursion();
  return std::ranges::all_of(
      symbols_of(e), [](Symbol s) { return s.role() == Role::parameter || s.role() == Role::constant; });
}

/// The same inertia for every attitude: I₁₁Ω₁ + I₁₃Ω₃ of ½⟨Ω, IΩ⟩ is no velocity of its own beside Ω.
bool has_constant_coefficients(Expr form, std::span<const Symbol> velocities) {
  return std::ranges::all_of(velocities,
                             [&](Symbol v) { return depends_on_parameters_alone(derivative(form, v)); });
}

/// The written velocities, those with constant coefficients in terms of the frame's own.
WrittenVelocities independent_velocities(const System& system) {
  const std::span<const Symbol> velocities = system.space.velocities();
  const WrittenVelocities written = written_velocities(system.lagrangian, velocities);
  WrittenVelocities out;
  SymbolMap constant;
  for (std::size_t k = 0; k < written.names.size(); ++k) {
    if (has_constant_coefficients(written.forms[k], velocities)) {
      constant.emplace(written.names[k], written.forms[k]);
      continue;
    }
    out.names.push_back(written.names[k]);
    out.forms.push_back(written.forms[k]);
  }
  for (const Symbol v : velocities) {
    out.names.push_back(v);
    out.forms.emplace_back(v);
  }
  out.function = substitute(written.function, constant);
  return out;
}

/// Rows that are coupled to each other, directly or by others.
std::vector<std::vector<int>> blocks_of(const Matrix& H) {
  std::vector<std::vector<int>> blocks;
  std::vector<bool> seen(static_cast<std::size_t>(H.rows()));
  for (int first = 0; first < H.rows(); ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    std::vector<int> block{first};
    seen[static_cast<std::size_t>(first)] = true;
    for (std::size_t at = 0; at < block.size(); ++at) {
      for (int l = 0; l < H.rows(); ++l) {
        if (seen[static_cast<std::size_t>(l)] || H(block[at], l).is_zero()) continue;
        seen[static_cast<std::size_t>(l)] = true;
        block.push_back(l);
      }
    }
    std::ranges::sort(block);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// What is known of one block of H.
struct Inertia {
  enum class Kind : std::uint8_t { positive, not_negative, unknown } kind = Kind::positive;
  Assumptions where;
};

bool is_at_least_zero(Expr e) {
  const KnownSign sign = known_sign(e);
  return sign == KnownSign::positive || sign == KnownSign::nonnegative || sign == KnownSign::zero;
}

bool is_positive(Expr e) { return is_at_least_zero(e) && never_vanishes(e); }

/// By the leading principal minors [Sylvester].
Inertia inertia_of(const Matrix& block) {
  Inertia found;
  for (const Expr minor : leading_principal_minors(block)) {
    if (is_positive(minor)) continue;
    const Expr e = short_form(minor);
    if (is_positive(e)) continue;
    if (block.rows() == 1 && is_at_least_zero(e)) return {Inertia::Kind::not_negative, {}};
    if (e.is(Kind::constant) || !depends_on_parameters_alone(e)) return {Inertia::Kind::unknown, {}};
    found.where.push_back({e, Assumption::Kind::positive, "the inertia is positive"});
  }
  return found;
}

/// Θ_kα for some k.
Matrix along_legs(const WrittenVelocities& written, const Admissible& D, const std::vector<int>& rows) {
  Matrix theta(static_cast<int>(rows.size()), D.rank());
  for (int alpha = 0; alpha < D.rank(); ++alpha) {
    SymbolMap leg;
    for (int i = 0; i < D.space.dimension(); ++i) leg.emplace(D.space.velocities()[i], D.psi(i, alpha));
    const std::vector<Expr> w = substitute(written.forms, leg);
    for (int k = 0; k < theta.rows(); ++k)
      theta(k, alpha) = w[static_cast<std::size_t>(rows[static_cast<std::size_t>(k)])];
  }
  return theta;
}

/// The largest minors that are not zero, as they stand, small ones first.
std::vector<Expr> largest_minors(const Matrix& theta) {
  constexpr std::size_t most_minors = search_limits::minors_of_constraints.count;
  const auto choices = subsets(theta.rows(), theta.columns());
  if (choices.size() > most_minors) return {};
  std::vector<int> columns(static_cast<std::size_t>(theta.columns()));
  std::iota(columns.begin(), columns.end(), 0);
  std::vector<std::pair<std::size_t, Expr>> by_size;
  for (const std::vector<int>& rows : choices) {
    const Expr e = minor(theta, rows, columns);
    if (!e.is_zero()) by_size.emplace_back(graph_size(std::span(&e, 1)), e);
  }
  std::ranges::stable_sort(by_size, {}, [](const auto& m) { return m.first; });
  std::vector<Expr> minors;
  for (const auto& [size, e] : by_size) minors.push_back(e);
  return minors;
}

/// The bases of the factors of a product: x and z of 4 x² z.
std::vector<Expr> bases_of(Expr e) {
  std::vector<Expr> bases;
  for (const Expr f : e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1)) {
    if (!f.is(Kind::constant)) bases.push_back(f.is(Kind::power) ? f.args()[0] : f);
  }
  return bases;
}

/// Does e vanish wherever all minors do: a sum of multiples of them as it is written, or a multiple of the sum of their squares?
bool vanishes_with(Expr e, const std::vector<Expr>& minors) {
  const auto is_multiple = [](Expr term, Expr m) {
    const std::vector<Expr> of_term = bases_of(term);
    return std::ranges::all_of(bases_of(m), [&](Expr b) {
      return std::ranges::any_of(of_term, [&](Expr t) {
        return t == b || (t.is(Kind::sum) && b.is(Kind::sum) && canonical(t / b).is(Kind::constant));
      });
    });
  };
  const auto terms = e.is(Kind::sum) ? e.args() : std::span<const Expr>(&e, 1);
  const bool by_terms = std::ranges::all_of(terms, [&](Expr term) {
    return std::ranges::any_of(minors, [&](Expr m) { return is_multiple(term, m); });
  });
  if (by_terms) return true;
  std::vector<Expr> squares;
  for (const Expr m : minors) squares.push_back(m * m);
  const Expr all = sum(squares);
  if (!fits(e, legible::in_a_sentence) || !fits(all, legible::in_data)) return false;
  const Expr ratio = canonical(e / all);
  return denominators({&ratio, 1}).empty();
}

/// Is c a factor of m, so that m vanishes where c does?
bool has_factor(Expr m, Expr c) {
  const Assumptions factors = simplified({{m, Assumption::Kind::nonzero, {}}});
  return std::ranges::any_of(
      factors, [&](const Assumption& a) { return a.expression == c || (a.expression + c).is_zero(); });
}

/// Where the columns of Θ are independent: where not all of the largest minors vanish. What is known already need not be said. A condition
/// is stated only where all minors vanish with it: some of them may vanish elsewhere.
std::optional<Assumptions> full_rank(const Matrix& theta, const Assumptions& known) {
  constexpr std::size_t kept = search_limits::minors_beside_a_rank.count;
  const Elimination eliminated(theta);
  if (eliminated.rank() < theta.columns()) return std::nullopt;
  if (eliminated.assumptions().empty()) return Assumptions{};
  const auto is_known = [&](Expr e) {
    return std::ranges::find(known, e, &Assumption::expression) != known.end();
  };
  const std::vector<Expr> all = largest_minors(theta);
  std::vector<Expr> minors;
  for (const Expr m : std::span(all).first(std::min(kept, all.size()))) {
    const Assumptions factors = simplified({{m, Assumption::Kind::nonzero, {}}});
    if (std::ranges::all_of(factors, [&](const Assumption& a) { return is_known(a.expression); }))
      return Assumptions{};
    minors.push_back(short_form(m));
  }
  if (minors.empty()) return std::nullopt;
  const auto fails_with_all = [&](const Assumption& a) {
    return a.kind == Assumption::Kind::nonzero && vanishes_with(a.expression, all);
  };
  if (std::ranges::any_of(known, fails_with_all)) return Assumptions{};
  for (const std::size_t count : {std::size_t{2}, minors.size()}) {
    const auto zeros = common_zeros(std::span(minors).first(std::min(count, minors.size())));
    if (!zeros || std::ranges::any_of(*zeros, is_known)) return Assumptions{};
    if (count != minors.size() || zeros->size() != 1) continue;
    const Expr c = zeros->front();
    if (std::ranges::all_of(all, [c](Expr m) { return has_factor(m, c); }))
      return Assumptions{{c, Assumption::Kind::nonzero, "the frame of the velocities"}};
  }
  return std::nullopt;
}

/// How many conditions are not among the known ones.
std::size_t beyond(const Assumptions& known, const Assumptions& where) {
  return static_cast<std::size_t>(std::ranges::count_if(where, [&](const Assumption& a) {
    return std::ranges::find(known, a.expression, &Assumption::expression) == known.end();
  }));
}

/// A kinetic energy that is positive definite on all velocities is so on D wherever the legs of D are independent; its determinant has
/// no zeros but theirs. Nothing where that is not seen.
std::optional<Assumptions> where_frame_is_independent(const System& system, const Admissible& D,
                                                      const Assumptions& frame) {
  constexpr int most = search_limits::metric_by_cramer.count;
  if (D.rank() == 0 || D.rank() > most || D.space.dimension() > 2 * most) return std::nullopt;
  const Regularity found = regularity(system);
  const bool definite = found.kind == Regularity::Kind::positive_definite && !found.generic;
  if (!definite || !found.regular_everywhere || !found.quadratic) return std::nullopt;
  return full_rank(D.psi, frame);
}

}  // namespace

std::optional<Assumptions> definite_metric(const System& system, const Admissible& D) {
  constexpr std::size_t most_velocities = search_limits::definite_metric.count;
  const WrittenVelocities written = independent_velocities(system);
  if (written.names.size() > most_velocities || D.rank() == 0) return std::nullopt;
  const Matrix H = jacobian(gradient(written.function, written.names), written.names);
  if (contains_any(H.entries(), written.names)) return std::nullopt;
  Assumptions where;
  std::vector<int> rows;
  for (const std::vector<int>& block : blocks_of(H)) {
    const Inertia inertia = inertia_of(columns_of(rows_of(H, block), block));
    if (inertia.kind == Inertia::Kind::unknown) return std::nullopt;
    if (inertia.kind == Inertia::Kind::not_negative) continue;
    rows.insert(rows.end(), block.begin(), block.end());
    where.insert(where.end(), inertia.where.begin(), inertia.where.end());
  }
  if (static_cast<int>(rows.size()) < D.rank()) return std::nullopt;
  const auto frame = full_rank(along_legs(written, D, rows), simplified(D.where));
  if (!frame) return std::nullopt;
  where.insert(where.end(), frame->begin(), frame->end());
  return where;
}

Assumptions where_regular(const System& system, const Admissible& D, const Assumptions& pivots) {
  constexpr int by_cramer = search_limits::metric_by_cramer
                                .count;  // up to here the determinant of the metric is all that is divided by
  if (D.rank() > by_cramer) return pivots;
  const bool are_short = std::ranges::all_of(
      pivots, [](const Assumption& a) { return fits(a.expression, legible::in_a_sentence); });
  const Assumptions frame = simplified(D.where);
  const std::size_t by_pivots = are_short ? beyond(frame, simplified(pivots)) : 0;
  if (are_short && by_pivots == 0) return {};
  auto definite = definite_metric(system, D);
  if (!definite) definite = where_frame_is_independent(system, D, frame);
  if (!definite) return pivots;
  const bool suffices_only = std::ranges::any_of(
      *definite, [](const Assumption& a) { return a.kind == Assumption::Kind::positive; });
  const bool says_more = are_short && (suffices_only || beyond(frame, *definite) >= by_pivots);
  return says_more ? pivots : *definite;
}

}  // namespace rattleback
