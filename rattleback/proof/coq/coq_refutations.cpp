// Declared in proof/coq/coq_kinds.hpp. That something does not exist: a contradiction between linear conditions, at a rational point.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {
namespace {

std::string coq_numbers_text(const std::vector<Rational>& numbers) {
  std::string all;
  for (const Rational& r : numbers) all += (all.empty() ? "" : "; ") + rational_text(r);
  return "[" + all + "]";
}

/// y with yᵀ s = 0 and yᵀ b ≠ 0, for rows (s | b) of numbers; nothing when they have a solution.
std::vector<Rational> contradiction_weights(const Matrix& rows) {
  const int k = rows.columns() - 1;
  std::vector<int> left;
  for (int j = 0; j < k; ++j) left.push_back(j);
  const Matrix combinations =
      k == 0 ? Matrix::identity(rows.rows()) : left_kernel(columns_of(rows, left)).basis;
  for (int c = 0; c < combinations.columns(); ++c) {
    Rational right(0);
    for (int i = 0; i < rows.rows(); ++i) right = right + combinations(i, c).value() * rows(i, k).value();
    if (right.is_zero()) continue;
    std::vector<Rational> y;
    for (int i = 0; i < rows.rows(); ++i) y.push_back(combinations(i, c).value());
    return y;
  }
  return {};
}

/// A condition s·μ + b = 0 on the multipliers, and how it follows: combined from the equations, and the rate of an earlier one.
struct MultiplierCondition {
  int from = -1;
  std::vector<Expr> cofactors;  ///< of E_i(L − μ_a C^a) − Q_i
  std::vector<Expr> s;
  Expr b;
};

/// Lagrange's expressions of L and of the constraints along the motion, and fields W_b that cross the constraints one by one.
struct MultiplierEquations {
  Matrix legs, W;      ///< as columns
  Matrix E;            ///< E_i(C^a), a row for each a
  Matrix N, reaction;  ///< E(C^a)(W_b), (E(L) − Q)(W_b)
};
MultiplierEquations multiplier_equations_of(const ClaimedSystem& claim, const Data& certificate) {
  const int n = static_cast<int>(claim.velocities.size()), k = static_cast<int>(claim.constraints.size());
  const Data::List& complement = list_field(certificate, "complement");
  if (static_cast<int>(complement.size()) != k)
    bad_certificate("`complement` needs a field for each constraint");
  MultiplierEquations x{directions(claim), Matrix(n, k), Matrix(k, n), {}, {}};
  for (int b = 0; b < k; ++b) {
    Data one;
    one["field"] = complement[static_cast<std::size_t>(b)];
    const std::vector<Expr> field = formulas_field(claim, one, "field", claim.velocities.size());
    const std::vector<Expr> row = lagrange_expressions(claim, claim.constraints[static_cast<std::size_t>(b)]);
    for (int i = 0; i < n; ++i) {
      x.W(i, b) = field[static_cast<std::size_t>(i)];
      x.E(b, i) = short_form(row[static_cast<std::size_t>(i)]);
    }
  }
  Matrix reaction = Matrix::column(lagrange_expressions(claim, claim.lagrangian));
  for (int i = 0; i < n; ++i) reaction[i] -= substitute(claim.forces[static_cast<std::size_t>(i)], claim.psi);
  x.N = transpose(x.E * x.W);
  x.reaction = transpose(x.W) * reaction;
  return x;
}

/// E_α(C^a) μ_a = 0, from the equations along the legs of D.
std::vector<MultiplierCondition> first_conditions(const MultiplierEquations& x) {
  const Matrix S = transpose(x.E * x.legs);
  std::vector<MultiplierCondition> all;
  for (int a = 0; a < S.rows(); ++a) {
    MultiplierCondition c;
    for (int i = 0; i < x.legs.rows(); ++i) c.cofactors.push_back(short_form(-x.legs(i, a)));
    for (int j = 0; j < S.columns(); ++j) c.s.push_back(short_form(S(a, j)));
    c.b = Expr(0);
    all.push_back(c);
  }
  return all;
}

/// (Γ(s) − s N)·μ + Γ(b) + s·λ = 0 from s·μ + b = 0, with the equations along the W_b.
MultiplierCondition differentiated_condition(const ClaimedSystem& claim, const MultiplierEquations& x,
                                             const MultiplierCondition& before, int index) {
  const int k = static_cast<int>(before.s.size());
  MultiplierCondition c;
  c.from = index;
  for (int i = 0; i < x.W.rows(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int b = 0; b < k; ++b) terms.push_back(before.s[static_cast<std::size_t>(b)] * x.W(i, b));
    c.cofactors.push_back(short_form(sum(terms)));
  }
  std::vector<Expr> right{derivative_along(before.b, claim.motion)};
  for (int a = 0; a < k; ++a) {
    const Expr s = before.s[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{derivative_along(s, claim.motion)};
    for (int b = 0; b < k; ++b) terms.push_back(-before.s[static_cast<std::size_t>(b)] * x.N(b, a));
    c.s.push_back(short_form(sum(terms)));
    right.push_back(s * x.reaction[a]);
  }
  c.b = short_form(sum(right));
  return c;
}

std::vector<MultiplierCondition> all_conditions(const ClaimedSystem& claim, const MultiplierEquations& x,
                                                long rounds) {
  std::vector<MultiplierCondition> all = first_conditions(x);
  std::size_t start = 0;
  for (long round = 1; round < rounds; ++round) {
    const std::size_t end = all.size();
    for (std::size_t j = start; j < end; ++j)
      all.push_back(differentiated_condition(claim, x, all[j], static_cast<int>(j)));
    start = end;
  }
  return all;
}

/// The rows (s | b) of the conditions.
Matrix rows_of_conditions(const std::vector<MultiplierCondition>& conditions) {
  const std::size_t k = conditions.front().s.size();
  Matrix rows(static_cast<int>(conditions.size()), static_cast<int>(k) + 1);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (std::size_t a = 0; a < k; ++a) rows(static_cast<int>(i), static_cast<int>(a)) = conditions[i].s[a];
    rows(static_cast<int>(i), static_cast<int>(k)) = conditions[i].b;
  }
  return rows;
}

/// Those that the contradiction uses, and what they follow from.
std::vector<bool> conditions_in_use(const std::vector<MultiplierCondition>& conditions,
                                    const std::vector<Rational>& y) {
  std::vector<bool> used(conditions.size());
  for (std::size_t j = conditions.size(); j-- > 0;) {
    used[j] = used[j] || !y[j].is_zero();
    if (used[j] && conditions[j].from >= 0) used[static_cast<std::size_t>(conditions[j].from)] = true;
  }
  return used;
}

}  // namespace

std::string coq_not_variational_theorem(const ClaimedSystem& claim, const Data& certificate,
                                        std::string& preamble) {
  const Data* rounds = certificate.find("rounds");
  if (rounds == nullptr || rounds->get_if<long>() == nullptr || *rounds->get_if<long>() < 1 ||
      *rounds->get_if<long>() > 20)
    bad_certificate("`rounds` is not a small number");
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  std::vector<Symbol> mu, nu;
  for (std::size_t a = 0; a < claim.constraints.size(); ++a) {
    mu.push_back(Symbol::make(fmt::format("mu#{}", a + 1), {.role = Role::multiplier}));
    nu.push_back(Symbol::make(fmt::format("mu'#{}", a + 1), {.role = Role::multiplier}));
    file.set_apart(mu.back());
    file.set_apart(nu.back());
  }
  file.define("multipliers", "list BinNums.positive", file.numbers(mu));
  file.define("rates_of_multipliers", "list BinNums.positive", file.numbers(nu));
  const MultiplierEquations x = multiplier_equations_of(claim, certificate);
  std::vector<MultiplierCondition> conditions;
  std::vector<Rational> y;
  CoqPoint there;
  for (long round = 1; y.empty(); ++round) {  // as few rounds as a point needs
    conditions = all_conditions(claim, x, round);
    const Matrix rows = rows_of_conditions(conditions);
    for (const MultiplierCondition& c : conditions) {
      for (const Expr e : c.s) file.formula(e);  // notes what they divide by
      file.formula(c.b);
    }
    const auto contradicted = [&](const CoqPoint& p) {
      const auto numbers = values_at(p, rows);
      if (numbers) y = contradiction_weights(*numbers);
      return !y.empty();
    };
    try {
      there = file.point(CoqValues::on_field, contradicted);
    } catch (const NoCoqForm&) {
      if (round >= *rounds->get_if<long>()) throw;
    }
  }
  const std::vector<bool> used = conditions_in_use(conditions, y);
  std::vector<int> place(conditions.size(), -1);
  std::string steps;
  std::vector<Rational> weights;
  for (std::size_t j = 0; j < conditions.size(); ++j) {
    if (!used[j]) continue;
    const MultiplierCondition& c = conditions[j];
    place[j] = static_cast<int>(weights.size());
    weights.push_back(y[j]);
    std::vector<Expr> terms{c.b};
    for (std::size_t a = 0; a < mu.size(); ++a) terms.push_back(c.s[a] * mu[a]);
    const std::string from =
        c.from < 0 ? "None" : fmt::format("Some {}%nat", place[static_cast<std::size_t>(c.from)]);
    steps += fmt::format("{}({}, {}, {})", steps.empty() ? "" : ";\n    ", from, file.formulas(c.cofactors),
                         file.formula(sum(terms)));
  }
  file.define("conditions", "list (option nat * list Kernel.E * Kernel.E)", "[" + steps + "]");
  file.define("weights", "list QArith_base.Q", coq_numbers_text(weights));
  file.define("there", "Kernel.point", file.point_text(there));
  preamble = file.preamble();
  const std::string about = fmt::format("{} multipliers rates_of_multipliers", coq_along_the_field);
  return field + "(* A state through which no motion has multipliers mu(t) with E_i(L - mu C) = Q_i. *)\n" +
         coq_theorem("motion_is_not_variational",
                     fmt::format("Kernel.not_variational {} nonzero positive", about),
                     fmt::format("Kernel.not_variational_ok {} reading there conditions weights", about));
}

std::string coq_no_density_theorem(const ClaimedSystem& claim, const Data& certificate,
                                   std::string& preamble) {
  if (certificate.find("candidate") != nullptr)
    no_coq_form("the only density is not periodic",
                "the kernel refutes densities by their slopes at a point, not by their turns");
  std::vector<std::string> origins;
  std::vector<int> still;
  for (const Data& item : list_field(certificate, "given")) {
    const Data::List* entry = item.list();
    if (entry == nullptr || entry->empty() || entry->front().text() == nullptr)
      bad_certificate("a field along which the density is known is not named");
    const std::string& kind = *entry->front().text();
    const long* index = entry->size() < 2 ? nullptr : (*entry)[1].get_if<long>();
    if (kind != "drift" && index == nullptr)
      bad_certificate("a field along which the density is known is not named");
    if (kind == "still") still.push_back(static_cast<int>(*index));
    origins.push_back(kind == "drift"   ? "Kernel.Drift"
                      : kind == "still" ? fmt::format("Kernel.Still {}%nat", *index)
                                        : fmt::format("Kernel.Leg {}%nat", *index));
  }
  for (const Data& item : list_field(certificate, "brackets")) {
    const Data::List* pair = item.list();
    if (pair == nullptr || pair->size() != 2 || (*pair)[0].get_if<long>() == nullptr ||
        (*pair)[1].get_if<long>() == nullptr)
      bad_certificate("a bracket is no pair of fields");
    origins.push_back(
        fmt::format("Kernel.Bracket {}%nat {}%nat", *(*pair)[0].get_if<long>(), *(*pair)[1].get_if<long>()));
  }
  const std::vector<Expr> c =
      formulas_field(claim, certificate, "combination", list_field(certificate, "combination").size());
  const Expr condition = claim.formula(text_field(certificate, "condition"));
  CoqSystem file(claim, true);
  const std::string field = coq_field_theorem(claim, file);
  for (const Expr e : c) file.formula(e);
  std::vector<Rational> weights;
  const auto contradicted = [&](const CoqPoint& p) {
    const auto right = value_at(p, condition);
    const auto numbers = values_at(p, Matrix::column(c));
    if (!right || right->is_zero() || !numbers) return false;
    weights.assign(origins.size(), Rational(0));
    for (std::size_t k = 0; k < c.size(); ++k) weights[k] = -numbers->entries()[k].value();
    weights.back() = Rational(1);
    return true;
  };
  const CoqPoint there = file.point(CoqValues::everything, contradicted);
  std::string fields, legs;
  for (const std::string& origin : origins) fields += (fields.empty() ? "" : "; ") + origin;
  for (const int i : still) legs += fmt::format("{}{}%nat", legs.empty() ? "" : "; ", i);
  file.define("still", "list nat", "[" + legs + "]");
  file.define("fields", "list Kernel.origin", "[" + fields + "]");
  file.define("weights", "list QArith_base.Q", coq_numbers_text(weights));
  file.define("there", "Kernel.point", file.point_text(there));
  preamble = file.preamble();
  const std::string about = fmt::format("{} still", coq_along_the_field);
  return field +
         "(* No density of the configuration is invariant that is constant along the legs `still` (numbered "
         "from 0): they move nothing,\n"
         "   or turn circles along which nothing changes, so that a density may be averaged over them. *)\n" +
         coq_theorem("no_density_is_invariant", fmt::format("Kernel.no_density {} nonzero positive", about),
                     fmt::format("Kernel.no_density_ok {} reading there fields weights", about));
}

}  // namespace rattleback
