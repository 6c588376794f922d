#include <rattleback/motion/equations/solved_equations.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/orthonormal.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/dyad.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/regrouped.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>

namespace rattleback {
namespace {

/// What is still that long after a search for a short form has none.
constexpr std::size_t hopeless = search_limits::rates_after_a_search.count;
/// Parts of a larger graph have no short forms either.
constexpr std::size_t worth_shortening = search_limits::parts_of_rates.count;

std::vector<int> all_but(int n, int omitted) {
  std::vector<int> kept;
  for (int i = 0; i < n; ++i)
    if (i != omitted) kept.push_back(i);
  return kept;
}

/// (−1)^(α+β) times the minor of G without row β and column α: the entry (α, β) of det G · G⁻¹.
Expr cofactor(const Matrix& G, int alpha, int beta) {
  const std::vector<int> rows = all_but(G.rows(), beta), columns = all_but(G.rows(), alpha);
  const Expr m = minor(G, rows, columns);
  return (alpha + beta) % 2 == 0 ? m : -m;
}

/// An entry of G, which is in its short form, up to a number, or a product of such: of a diagonal matrix every minor is one.
bool is_product_of_entries(Expr e, const Matrix& G) {
  const auto is_entry = [&](Expr f) {
    return f.is(Kind::constant) || std::ranges::find(G.entries(), f) != G.entries().end();
  };
  return is_entry(e) || (e.is(Kind::product) && std::ranges::all_of(e.args(), is_entry));
}

/// ż^α = Σ_β cofactor(α, β) b_β / det G. Minors of a large metric stay as they are: its entries are what recurs.
std::vector<Expr> by_cramer(const Matrix& G, const Matrix& b) {
  constexpr std::size_t small = search_limits::minors_of_metrics.count;
  const bool shortens = G.rows() <= 2 || graph_size(G.entries()) <= small;
  const auto tidy = [&](Expr e) { return shortens && !is_product_of_entries(e, G) ? short_form(e) : e; };
  const Expr common = pow(tidy(determinant(G)), -1);
  std::vector<Expr> rates;
  for (int alpha = 0; alpha < G.rows(); ++alpha) {
    std::vector<Expr> terms;
    for (int beta = 0; beta < G.rows(); ++beta) terms.push_back(tidy(cofactor(G, alpha, beta)) * b[beta]);
    rates.push_back(sum(terms) * common);
  }
  return rates;
}

/// By Cramer's rule; a rate that has a short form after all in this form, where all together are shorter then.
std::vector<Expr> from_short_parts(const Matrix& G, const Matrix& b) {
  constexpr int most_rows = search_limits::rates_by_cramer.count;
  const auto solved = unique_solution(G, b);
  if (G.rows() > most_rows) return {solved->x.entries().begin(), solved->x.entries().end()};
  std::vector<Expr> rates = by_cramer(G, b);
  std::size_t size = graph_size(rates);
  for (int alpha = 0; alpha < G.rows(); ++alpha) {
    std::vector<Expr> other = rates;
    other[static_cast<std::size_t>(alpha)] = short_form(solved->x[alpha]);
    if (const std::size_t now = graph_size(other); now < size) {
      rates = std::move(other);
      size = now;
    }
  }
  return rates;
}

/// Each in its short form, small ones first. All have one determinant and one set of forces, so where one has no short form those
/// that are as large have none either, and are not searched: they stay as built or are regrouped, all in the same way.
std::vector<Expr> in_short_form(std::span<const Expr> rates) {
  std::vector<std::pair<std::size_t, std::size_t>> by_size;  // size, place
  for (std::size_t k = 0; k < rates.size(); ++k) by_size.emplace_back(graph_size(rates.subspan(k, 1)), k);
  std::sort(by_size.begin(), by_size.end());
  std::vector<Expr> out(rates.begin(), rates.end()), grouped = out;
  bool has_none = false;
  for (const auto& [size, k] : by_size) {
    grouped[k] = has_none ? regrouped(rates[k]) : short_form(rates[k]);
    const bool is_smaller = graph_size(std::span(grouped).subspan(k, 1)) < size;
    has_none = has_none || (!is_smaller && written_size(grouped[k]) > hopeless);
    if (!has_none) out[k] = grouped[k];
  }
  return graph_size(grouped) <= graph_size(out) ? grouped : out;
}

/// By (H.8), where the metric is a constant and a dyad. With s < 0 the constant part is larger than the metric, so it is regular
/// where the metric is definite: a product of inertia may hide that.
std::optional<ShortSolution> by_dyad(const Matrix& G, const Matrix& b, const Assumptions& regular) {
  Matrix metric = G;
  for (Expr& e : metric.entries()) e = with_third_row(e);
  const auto parts = constant_and_dyad(metric);
  if (!parts) return std::nullopt;
  ShortSolution found{{}, regular};
  const Expr det = determinant(parts->constant);
  if (!known_nonzero(det)) {
    if (known_sign(parts->scale) != KnownSign::negative) return std::nullopt;
    found.where.push_back({det, Assumption::Kind::nonzero, "the constant part of the metric"});
  }
  const Matrix rates = readable_solution(*parts, short_form(b));
  found.rates.assign(rates.entries().begin(), rates.entries().end());
  return found;
}

}  // namespace

std::optional<ShortSolution> short_solution(const Matrix& G, const Matrix& b, Metric metric) {
  const auto solved = unique_solution(G, b);
  if (!solved) return std::nullopt;
  const auto short_metric = [&] { return metric == Metric::in_short_form ? G : short_form(G); };
  if (G.rows() >= 3) {
    if (auto rates = by_dyad(short_metric(), b, solved->where)) return rates;
  }
  ShortSolution found{in_short_form(solved->x.entries()), solved->where};
  const bool is_long =
      std::ranges::any_of(found.rates, [](Expr e) { return !fits(e, legible::without_named_parts); });
  if (is_long && graph_size(b.entries()) <= worth_shortening) {
    std::vector<Expr> other = from_short_parts(short_metric(), short_form(b));
    if (graph_size(other) < graph_size(found.rates)) found.rates = std::move(other);
  }
  return found;
}

EquationsOfMotion solved_equations(EquationsOfMotion kinematic, const System& system, const Admissible& D,
                                   const Matrix& G, const Matrix& b, Metric metric) {
  auto solved = short_solution(G, b, metric);
  if (!solved) throw degenerate_energy();
  kinematic.speed_rates = std::move(solved->rates);
  const Assumptions regular = where_regular(system, D, solved->where);
  kinematic.where.insert(kinematic.where.end(), regular.begin(), regular.end());
  kinematic.where = simplified(kinematic.where);
  return kinematic;
}

Expr short_rate(Symbol f, Expr rate) { return f.role() == Role::rotation ? rate : short_form(rate); }

}  // namespace rattleback
