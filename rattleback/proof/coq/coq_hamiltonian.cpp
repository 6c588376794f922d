// Declared in proof/coq/coq_kinds.hpp. The Hamiltonian form that a multiplier gives to the motion reduced by a group.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

/// f, Θ and S of (C.30), and dΘ + S in the frame (X_i, ∂/∂z^α).
struct ClaimedForm {
  Expr f;
  std::vector<Expr> theta;
  Matrix twist, form;
};

ClaimedForm claimed_form(const ClaimedSystem& claim, const Data& certificate) {
  if (certificate.find("momenta") != nullptr)
    no_coq_form("the claim is about the motion at fixed momenta",
                "the kernel states Hamiltonian forms of the whole motion");
  const int n = static_cast<int>(claim.velocities.size()), r = static_cast<int>(claim.speeds.size());
  ClaimedForm c{claim.formula(text_field(certificate, "multiplier")),
                formulas_field(claim, certificate, "form", claim.velocities.size()), Matrix(n, n),
                Matrix(n + r, n + r)};
  if (certificate.find("twist") != nullptr) {
    const Data::List& forms = list_field(certificate, "twist");
    if (forms.size() != 1) bad_certificate("`twist` needs one two-form");
    c.twist = two_form(claim, forms.front());
  }
  const auto theta = [&](int i) { return c.theta[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < n; ++i) {
    const SymbolMap& leg = claim.frame[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j)
      c.form(i, j) = c.twist(i, j) + derivative_along(theta(j), leg) -
                     derivative_along(theta(i), claim.frame[static_cast<std::size_t>(j)]);
    for (int a = 0; a < r; ++a) {
      c.form(n + a, i) = derivative(theta(i), claim.speeds[static_cast<std::size_t>(a)]);
      c.form(i, n + a) = -c.form(n + a, i);
    }
  }
  for (const auto& [i, j, k, value] : claim.structure) c.form(i, j) -= value * theta(k);
  return c;
}

/// c with df = c^l (dΘ + S)(e_l, ·): f does not change where the form vanishes.
std::vector<Expr> slopes_by_form(const ClaimedSystem& claim, const ClaimedForm& c,
                                 const std::vector<int>& rows) {
  const std::vector<Expr> df = differential(claim, c.f);
  std::vector<Expr> all(df.size(), Expr(0));
  if (std::all_of(df.begin(), df.end(), [](Expr e) { return e.is_zero(); })) return all;
  const Matrix minor = columns_of(rows_of(c.form, rows), rows);
  Matrix right(static_cast<int>(rows.size()), 1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    right[static_cast<int>(k)] = df[static_cast<std::size_t>(rows[k])];
  const auto x = unique_solution(transpose(minor), right);
  if (!x) no_coq_form("the form is singular on its support", "its slopes are not combined from it");
  for (std::size_t k = 0; k < rows.size(); ++k)
    all[static_cast<std::size_t>(rows[k])] = short_form(x->x[static_cast<int>(k)]);
  return all;
}

std::string matrix_of_numbers(const Matrix& m) {
  std::string all;
  for (int i = 0; i < m.rows(); ++i) {
    std::string row;
    for (int j = 0; j < m.columns(); ++j) row += (row.empty() ? "" : "; ") + rational_text(m(i, j).value());
    all += (all.empty() ? "[" : ";\n    [") + row + "]";
  }
  return "[" + all + "]";
}

}  // namespace

std::string coq_multiplier_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble) {
  const ClaimedForm c = claimed_form(claim, certificate);
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  file.define("multiplier", "Kernel.E", file.formula(c.f));
  file.define("form", "list Kernel.E", file.formulas(c.theta));
  std::string twist;
  for (int i = 0; i < c.twist.rows(); ++i) {
    for (int j = i + 1; j < c.twist.rows(); ++j) {
      if (!c.twist(i, j).is_zero())
        twist += fmt::format("{}({}%nat, {}%nat, {})", twist.empty() ? "" : "; ", i, j,
                             file.formula(c.twist(i, j)));
    }
  }
  file.define("twist", "list (nat * nat * Kernel.E)", "[" + twist + "]");
  const int rank = 2 * static_cast<int>(claim.speeds.size());
  std::vector<int> rows;
  Matrix inverted;
  const auto regular = [&](const CoqPoint& p) {
    const auto value = value_at(p, c.f);
    const auto numbers = value && !value->is_zero() ? values_at(p, c.form) : std::nullopt;
    if (!numbers) return false;
    rows = independent_columns(*numbers);  // of a skew form: its principal minor is regular
    if (static_cast<int>(rows.size()) < rank) return false;
    rows.resize(static_cast<std::size_t>(rank));
    const Matrix minor = columns_of(rows_of(*numbers, rows), rows);
    if (determinant(minor).is_zero()) return false;
    inverted = inverse(minor).x;
    return true;
  };
  const CoqPoint there = file.point(CoqValues::everything, regular);
  const std::vector<Expr> slopes = slopes_by_form(claim, c, rows);
  file.define("slopes", "list Kernel.E", file.formulas(slopes));
  file.define("there", "Kernel.point", file.point_text(there));
  std::string support;
  for (const int i : rows) support += fmt::format("{}{}%nat", support.empty() ? "" : "; ", i);
  file.define("support", "list nat", "[" + support + "]");
  file.define("inverse", "list (list QArith_base.Q)", matrix_of_numbers(inverted));
  preamble = file.preamble();
  return field +
         "(* In the time d tau = multiplier dt the motion is Hamiltonian for the closed form d(form) + "
         "twist, which\n"
         "   has rank twice the number of speeds: it is symplectic on the reduced space. *)\n" +
         coq_theorem(
             "motion_is_hamiltonian",
             fmt::format("Kernel.hamiltonian_in_time {} form twist nonzero positive multiplier slopes",
                         coq_along_the_field),
             fmt::format("Kernel.hamiltonian_in_time_ok {} form twist reading there there support "
                         "inverse multiplier slopes",
                         coq_along_the_field));
}

}  // namespace rattleback
