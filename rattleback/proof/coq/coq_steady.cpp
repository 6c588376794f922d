// Declared in proof/coq/coq_kinds.hpp. Steady states of the motion, their small motions, and stability in the sense of Lyapunov by a
// conserved function with a positive definite second derivative, at the values that the certificate names.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_state.hpp>
#include <rattleback/proof/check/steady_claim.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>
#include <rattleback/proof/coq/coq_squares.hpp>

namespace rattleback {
namespace {

bool is_among(const std::vector<Symbol>& list, Symbol s) { return std::ranges::find(list, s) != list.end(); }

std::string number_list(const std::vector<Rational>& all) {
  std::string text;
  for (const Rational& r : all) text += (text.empty() ? "" : "; ") + rational_text(r);
  return "[" + text + "]";
}

std::string number_rows(const Matrix& m) {
  std::string text;
  for (int i = 0; i < m.rows(); ++i) {
    std::vector<Rational> row;
    for (int j = 0; j < m.columns(); ++j) row.push_back(m(i, j).value());
    text += (text.empty() ? "" : ";\n    ") + number_list(row);
  }
  return "[" + text + "]";
}

/// The state of a family at the values named: rational values, and rational points of the circle where an angle is not 0.
CoqPoint state_of(const ClaimedSystem& claim, const Data& family, const SymbolMap& at) {
  CoqPoint point;
  for (const auto& [s, value] : at) {
    if (!is_among(claim.functions, s) && !is_among(claim.speeds, s))
      point.plain.emplace_back(s, value.value());
  }
  SymbolMap all;
  for (const auto& [s, value] : values_of_family(claim, family))
    all.emplace(s, canonical(substitute(value, at)));
  for (std::size_t i = 0; i < claim.velocities.size(); ++i) {
    if (!all.contains(claim.velocities[i]))
      all.emplace(claim.velocities[i], canonical(substitute(substitute(claim.admissible[i], all), at)));
  }
  for (const auto& [s, value] : all) {
    if (value.is(Kind::constant)) {
      point.plain.emplace_back(s, value.value());
      continue;
    }
    const Expr c = canonical(cos(value)), d = canonical(sin(value));
    if (!c.is(Kind::constant) || !d.is(Kind::constant))
      no_coq_form(fmt::format("`{}` has no rational value, sine and cosine at the state", s.name()),
                  "the kernel evaluates in rational numbers");
    point.turned.emplace_back(s, std::pair(c.value(), d.value()));
  }
  return point;
}

Matrix exact_values(const CoqPoint& point, const Matrix& m) {
  const auto found = values_at(point, m);
  if (!found)
    no_coq_form("a derivative has no rational value at the state",
                "the kernel evaluates in rational numbers");
  return *found;
}

/// Π of the factors whose odd coefficients vanish there, of A, times A where 0 is an eigenvalue: it vanishes on the imaginary axis.
Matrix centre_of(const ClaimedSystem& claim, const Data& family, const CoqPoint& point, const Matrix& A) {
  Matrix all = Matrix::identity(A.rows());
  int degree = 0;
  for (const Data& item : list_field(family, "factors")) {
    Matrix a(static_cast<int>(item.list()->size()), 1);
    for (int k = 0; k < a.rows(); ++k)
      a[k] = claim.formula(*(*item.list())[static_cast<std::size_t>(k)].text());
    a = exact_values(point, a);
    degree += a.rows() - 1;
    bool even = a.rows() % 2 == 1;
    for (int k = 1; k < a.rows(); k += 2) even = even && a[k].is_zero();
    if (!even) continue;
    Matrix value(A.rows(), A.rows());  // Horner
    for (int k = a.rows() - 1; k >= 0; --k) value = value * A + a[k] * Matrix::identity(A.rows());
    all = all * value;
  }
  return degree < A.rows() ? all * A : all;
}

/// Names that the theorems of one family share.
struct FamilyNames {
  std::string there, suffix;
};

const char* const about_field = "system speeds velocities_by_speeds rates_of_speeds felt";

/// Bounded, or unbounded, solutions of the linearised equations.
std::string small_motions_theorem(const ClaimedSystem& claim, const Data& family, const CoqPoint& point,
                                  const FamilyNames& names, CoqSystem& file) {
  const std::vector<Symbol> felt = influencing_functions(claim);
  if (std::ranges::any_of(felt, [](Symbol f) { return f.role() != Role::coordinate; }))
    no_coq_form("the motion depends on rotation matrices or unit vectors",
                "the kernel linearises in coordinates");
  std::vector<Symbol> places = felt;
  places.insert(places.end(), claim.speeds.begin(), claim.speeds.end());
  std::vector<Expr> rates;
  for (const Symbol s : places) rates.push_back(claim.motion.at(s));
  const Matrix A = exact_values(point, jacobian(rates, places));
  file.define("matrix" + names.suffix, "list (list QArith_base.Q)", number_rows(A));
  const auto define = [&](const char* name, const std::string& type, const std::string& body) {
    file.define(name + names.suffix, type, body);
    return name + names.suffix;
  };
  if (text_field(family, "eigenvalues") == "on the right") {
    const auto found = growing_form(A);
    if (!found) no_coq_form("no quadratic form that grows was found", "the small motions are not decided");
    const std::string form = define("form", "list (list QArith_base.Q)", number_rows(found->P)),
                      d = define("weights", "list QArith_base.Q", number_list(found->grows.d)),
                      l = define("squares", "list (list QArith_base.Q)", number_rows(found->grows.rows)),
                      y = define("start", "list QArith_base.Q", number_list([&] {
                                   std::vector<Rational> all;
                                   for (const Expr e : found->y.entries()) all.push_back(e.value());
                                   return all;
                                 }()));
    return "(* A solution of the linearised equations grows beyond all bounds. *)\n" +
           coq_theorem(
               "small_motions_are_unbounded" + names.suffix,
               fmt::format("Kernel.small_motions {} Kernel.unbounded nonzero positive {}", about_field,
                           names.there),
               fmt::format("Kernel.small_motions_unbounded_ok {} reading {} matrix{} {} {} {} {} {}",
                           about_field, names.there, names.suffix, form, rational_text(found->a), d, l, y));
  }
  const auto found = falling_form(A, centre_of(claim, family, point, A));
  if (!found)
    no_coq_form("no positive quadratic form that never grows was found",
                "an eigenvalue on the imaginary axis may not be simple");
  const std::string form = define("form", "list (list QArith_base.Q)", number_rows(found->P)),
                    d1 = define("weights", "list QArith_base.Q", number_list(found->definite.d)),
                    l1 = define("squares", "list (list QArith_base.Q)", number_rows(found->definite.rows)),
                    d2 = define("losses", "list QArith_base.Q", number_list(found->falls.d)),
                    l2 = define("lost", "list (list QArith_base.Q)", number_rows(found->falls.rows));
  return "(* Every solution of the linearised equations stays bounded. *)\n" +
         coq_theorem("small_motions_are_bounded" + names.suffix,
                     fmt::format("Kernel.small_motions {} Kernel.bounded nonzero positive {}", about_field,
                                 names.there),
                     fmt::format("Kernel.small_motions_bounded_ok {} reading {} matrix{} {} {} {} {} {} {}",
                                 about_field, names.there, names.suffix, form,
                                 rational_text(found->definite.kappa), d1, l1, d2, l2));
}

/// Products of rows and columns of rotation matrices, and γ·γ, minus what they are: constant along every motion, where they are
/// functions of the symbols given.
std::vector<Expr> constants_of_space(const std::vector<Symbol>& given) {
  std::map<std::pair<Role, std::string>, std::map<int, Symbol>> families;
  for (const Symbol f : given) {
    if (f.role() == Role::rotation || f.role() == Role::direction)
      families[{f.role(), f.attributes().family}].emplace(f.attributes().entry, f);
  }
  std::vector<Expr> all;
  const auto add = [&](const std::map<int, Symbol>& entry, std::initializer_list<std::pair<int, int>> pairs,
                       int value) {
    std::vector<Expr> terms{Expr(-value)};
    for (const auto& [i, j] : pairs) {
      if (!entry.contains(i) || !entry.contains(j)) return;
      terms.push_back(Expr(entry.at(i)) * Expr(entry.at(j)));
    }
    all.push_back(sum(terms));
  };
  for (const auto& [family, entry] : families) {
    if (family.first == Role::direction) {
      add(entry, {{0, 0}, {1, 1}, {2, 2}}, 1);
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j)
        add(entry, {{3 * i, 3 * j}, {3 * i + 1, 3 * j + 1}, {3 * i + 2, 3 * j + 2}}, i == j ? 1 : 0);
    }
  }
  return all;
}

/// f = ±(λ_i F_i + μ_j R_j) + N Σ (F_i − F_i(x))² + N Σ R_j² with f' = 0 and f'' > 0 at x, R_j constants of the space.
struct LyapunovFunction {
  Expr f;
  CoqSquares squares;
};
std::optional<LyapunovFunction> lyapunov_function(const std::vector<Expr>& F, const Matrix& lambda,
                                                  const std::vector<Expr>& R,
                                                  const std::vector<Symbol>& places, const CoqPoint& point) {
  const auto slopes = [&](Expr e) { return exact_values(point, Matrix::column(gradient(e, places))); };
  const int n = static_cast<int>(places.size());
  Matrix G(n, 1), across(n, static_cast<int>(R.size()));
  std::vector<Expr> terms, squares, all = F;
  all.insert(all.end(), R.begin(), R.end());
  Matrix bound(n, n);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Matrix g = slopes(all[i]);
    const Expr value = exact_values(point, Matrix::column(std::vector{all[i]}))[0];
    bound = bound + Expr(2) * (g * transpose(g));
    squares.push_back((all[i] - value) * (all[i] - value));
    if (i < F.size()) {
      G = G + lambda[static_cast<int>(i)] * g;
      terms.push_back(lambda[static_cast<int>(i)] * all[i]);
    } else {
      for (int a = 0; a < n; ++a) across(a, static_cast<int>(i - F.size())) = g[a];
    }
  }
  if (!R.empty()) {
    const auto mu = solve(across, -G);
    if (!mu) return std::nullopt;
    for (std::size_t j = 0; j < R.size(); ++j) terms.push_back(mu->x[static_cast<int>(j)] * R[j]);
  }
  const Expr combination = sum(terms), sum_of = sum(squares);
  if (!std::ranges::all_of(slopes(combination).entries(), [](Expr e) { return e.is_zero(); }))
    return std::nullopt;
  const Matrix H = exact_values(point, jacobian(gradient(combination, places), places));
  for (const int N : {0, 1, 16, 256, 4096}) {
    for (const int sign : {1, -1}) {
      if (auto found = definite_squares(Expr(sign) * H + Expr(N) * bound))
        return LyapunovFunction{Expr(sign) * combination + Expr(N) * sum_of, *found};
    }
  }
  return std::nullopt;
}

std::string stable_theorem(const ClaimedSystem& claim, const Data& family, const FamilyNames& names,
                           CoqSystem& file) {
  const Data& extremum = *family.find("extremum");
  const SymbolMap at = claimed_state(claim, extremum).values;
  const CoqPoint point = state_of(claim, family, at);
  std::vector<Expr> F{short_form(energy_on_D(claim))};
  for (const Expr f : formulas_field(claim, extremum, "integrals", list_field(extremum, "integrals").size()))
    F.push_back(short_form(f));
  const Matrix lambda =
      exact_values(point, Matrix::column(formulas_field(claim, extremum, "multipliers", F.size())));
  std::vector<Symbol> places = influencing_functions(claim), constants;
  for (const Symbol s : symbols_of(F)) {
    if (is_among(claim.functions, s) && !is_among(places, s)) places.push_back(s);
    if (s.role() == Role::parameter) constants.push_back(s);
  }
  const std::vector<Expr> R = constants_of_space(places);
  places.insert(places.end(), claim.speeds.begin(), claim.speeds.end());
  const auto found = lyapunov_function(F, lambda, R, places, point);
  if (!found)
    no_coq_form("no combination of the integrals has a positive definite second derivative",
                "the kernel shows stability by one");
  const CoqElimination x = coq_elimination(claim);
  const Expr in_velocities = substitute(found->f, x.in_velocities);
  std::string coordinates, values;
  for (const Symbol s : places) {
    const auto speed = x.in_velocities.find(s);
    coordinates += fmt::format("{}({}%positive, {})", coordinates.empty() ? "" : "; ", file.number(s),
                               file.formula(speed == x.in_velocities.end() ? Expr(s) : speed->second));
  }
  for (const Symbol s : constants)
    values += fmt::format("{}({}%positive, {})", values.empty() ? "" : "; ", file.number(s),
                          rational_text(at.at(s).value()));
  const std::string k = names.suffix;
  file.define("coordinates" + k, "list (BinNums.positive * Kernel.E)", "[" + coordinates + "]");
  file.define("values" + k, "list (BinNums.positive * QArith_base.Q)", "[" + values + "]");
  file.define("lyapunov" + k, "Kernel.E", file.formula(found->f));
  file.define("cofactors_stable" + k, "list Kernel.E",
              file.formulas(coq_combination(claim, x, short_form(in_velocities))));
  file.define("place" + k, "Kernel.point", file.point_text(point));
  file.define("minimum" + k, "list QArith_base.Q", number_list(found->squares.d));
  file.define("minimum_rows" + k, "list (list QArith_base.Q)", number_rows(found->squares.rows));
  return "(* Stable in the sense of Lyapunov: a motion that starts near stays near, in these coordinates. "
         "*)\n" +
         coq_theorem(
             "steady_state_is_stable" + k,
             fmt::format("Kernel.stable system coordinates{0} values{0} nonzero positive place{0}", k),
             fmt::format("Kernel.stable_ok system coordinates{0} values{0} reading solved place{0} "
                         "cofactors_stable{0} lyapunov{0} {1} minimum{0} minimum_rows{0}",
                         k, rational_text(found->squares.kappa)));
}

/// The parameter values without which an integral that a family names is not constant; none when there is no such.
SymbolMap needed_values(const ClaimedSystem& claim, const Data& certificate) {
  SymbolMap values;
  for (const Data& family : list_field(certificate, "families")) {
    const Data* extremum = family.find("extremum");
    if (extremum == nullptr) continue;
    for (const Expr f :
         formulas_field(claim, *extremum, "integrals", list_field(*extremum, "integrals").size())) {
      if (vanishes_at_random_points(derivative_along(f, claim.motion))) continue;
      for (const auto& [s, value] : claimed_state(claim, *extremum).values) {
        if (s.role() == Role::parameter) values.emplace(s, value);
      }
    }
  }
  return values;
}

std::string commented(std::string text) {
  std::ranges::replace(text, '*', '.');
  std::ranges::replace(text, '"', '\'');
  return text;
}

}  // namespace

std::string coq_steady_theorem(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  CoqSystem file(claim, true, needed_values(claim, certificate));
  std::string theorems = coq_field_theorem(claim, file);
  file.define("felt", "list BinNums.positive", file.numbers(influencing_functions(claim)));
  int k = 0, written = 0;
  std::string why;
  for (const Data& family : list_field(certificate, "families")) {
    const FamilyNames names{fmt::format("there{}", ++k), std::to_string(k)};
    theorems += fmt::format("(* {} *)\n", commented(text_field(family, "point")));
    const auto attempt = [&](auto theorem) {
      try {
        theorems += theorem();
        ++written;
      } catch (const NoCoqForm& e) {
        why = e.summary;
        theorems += fmt::format("(* No theorem: {}. *)\n", commented(why));
      }
    };
    if (family.find("at") != nullptr) {
      std::optional<CoqPoint> point;
      attempt([&] {
        point = state_of(claim, family, claimed_state(claim, family).values);
        file.define(names.there, "Kernel.point", file.point_text(*point));
        return "(* The rates of the speeds, and of the functions that they depend on, vanish there. *)\n" +
               coq_theorem(
                   "state_is_steady" + names.suffix,
                   fmt::format("Kernel.steady_state {} nonzero positive {}", about_field, names.there),
                   fmt::format("Kernel.steady_state_ok {} reading {}", about_field, names.there));
      });
      if (point && family.find("factors") != nullptr)
        attempt([&] { return small_motions_theorem(claim, family, *point, names, file); });
    }
    if (family.find("extremum") != nullptr)
      attempt([&] { return stable_theorem(claim, family, names, file); });
  }
  if (written == 0) no_coq_form("none of the steady motions has a form in Coq", why);
  preamble = file.preamble();
  return theorems;
}

}  // namespace rattleback
