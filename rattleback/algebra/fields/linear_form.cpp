#include <rattleback/algebra/fields/linear_form.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {
namespace {

/// Adds k·e when e is linear in symbols and numbers as it stands.
bool add_plainly(Expr e, const Rational& k, std::vector<LinearForm::Term>& terms) {
  allow_recursion();
  const Scaled s = split_coefficient(e);
  const Rational scale = k * s.coefficient;
  if (s.rest.is(Kind::sum)) {
    return std::ranges::all_of(s.rest.args(), [&](Expr t) { return add_plainly(t, scale, terms); });
  }
  if (!s.rest.is(Kind::symbol) && !s.rest.is_one()) return false;
  terms.push_back({s.rest, scale});
  return true;
}

LinearForm collected(std::vector<LinearForm::Term> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return written_order(a.atom, b.atom) < 0; });
  LinearForm form;
  for (const auto& [atom, coefficient] : terms) {
    if (atom == pi()) {
      form.turns = form.turns + coefficient;
    } else if (!form.terms.empty() && form.terms.back().atom == atom) {
      form.terms.back().coefficient = form.terms.back().coefficient + coefficient;
    } else {
      form.terms.push_back({atom, coefficient});
    }
  }
  std::erase_if(form.terms, [](const auto& t) { return t.coefficient.is_zero(); });
  return form;
}

}  // namespace

LinearForm linear_form(Expr argument) {
  std::vector<LinearForm::Term> terms;
  if (!add_plainly(argument, 1, terms)) {
    terms.clear();
    for (const Expr t : canonical_terms(argument)) {
      const Scaled s = split_coefficient(t);
      terms.push_back({s.rest, s.coefficient});
    }
  }
  return collected(std::move(terms));
}

bool has_fractions(const LinearForm& form) {
  return std::ranges::any_of(form.terms, [](const LinearForm::Term& t) {
    const auto below = [](Expr f) { return f.is(Kind::power) && f.exponent() < 0; };
    return below(t.atom) || (t.atom.is(Kind::product) && std::ranges::any_of(t.atom.args(), below));
  });
}

Expr expression(const LinearForm& form) {
  std::vector<Expr> terms{Expr(form.turns) * pi()};
  for (const auto& [atom, coefficient] : form.terms) terms.push_back(Expr(coefficient) * atom);
  return sum(terms);
}

std::optional<std::vector<long>> integer_coordinates(const LinearForm& form,
                                                     std::span<const LinearForm> basis) {
  // One equation per atom, one unknown per basis element; Gauss–Jordan over the rationals.
  std::vector<Expr> atoms;
  const auto note = [&](const LinearForm& f) {
    for (const auto& t : f.terms) {
      if (std::ranges::find(atoms, t.atom) == atoms.end()) atoms.push_back(t.atom);
    }
  };
  for (const LinearForm& b : basis) note(b);
  note(form);
  const auto coefficient = [](const LinearForm& f, Expr atom) {
    const auto found = std::ranges::find(f.terms, atom, &LinearForm::Term::atom);
    return found == f.terms.end() ? Rational(0) : found->coefficient;
  };
  const std::size_t n = basis.size();
  std::vector<std::vector<Rational>> rows;
  for (const Expr atom : atoms) {
    std::vector<Rational> row;
    for (const LinearForm& b : basis) row.push_back(coefficient(b, atom));
    row.push_back(coefficient(form, atom));
    rows.push_back(std::move(row));
  }
  std::size_t rank = 0;
  for (std::size_t column = 0; column < n; ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
                                    [&](const auto& r) { return !r[column].is_zero(); });
    if (pivot == rows.end()) return std::nullopt;  // the basis is dependent
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(rank), pivot);
    const Rational head = rows[rank][column];
    for (Rational& x : rows[rank]) x = x / head;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Rational k = rows[i][column];
      if (i == rank || k.is_zero()) continue;
      for (std::size_t j = 0; j <= n; ++j) rows[i][j] = rows[i][j] - k * rows[rank][j];
    }
    ++rank;
  }
  std::vector<long> coordinates;
  constexpr long none = 1L << 40;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= rank && !rows[i][n].is_zero()) return std::nullopt;
    if (i < rank) coordinates.push_back(rows[i][n].to_long(none));
  }
  if (std::ranges::find(coordinates, none) != coordinates.end()) return std::nullopt;
  return coordinates;
}

}  // namespace rattleback
