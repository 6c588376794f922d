#include <rattleback/view/vectors/covariant_term.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

using Tightness = CovariantTerm::Tightness;

/// The words in brackets where they bind less tightly.
Notations bracketed(const CovariantTerm& a, Tightness at_least) {
  const Notations& w = a.words;
  if (a.tightness >= at_least) return w;
  return {"(" + w.text + ")", "\\left(" + w.latex + "\\right)", "(" + w.code + ")"};
}

Tightness tightness_of(Expr e) {
  if (e.is(Kind::sum)) return Tightness::sum;
  return e.is(Kind::symbol) || e.is(Kind::call) ? Tightness::atom : Tightness::product;
}

bool is_minus(Expr e) { return (-e).is_one(); }

Matrix scalar(Expr e) { return Matrix{{e}}; }

bool is_diagonal(const Matrix& m) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != j && !m(i, j).is_zero()) return false;
  return true;
}

}  // namespace

bool CovariantTerm::is_zero() const {
  return std::ranges::all_of(value.entries(), [](Expr e) { return e.is_zero(); });
}

CovariantTerm named_term(const std::string& name, Matrix value) {
  std::string letters = latex_name(name);
  if (value.rows() > 1) letters = "\\boldsymbol{" + letters + "}";
  return {std::move(value), {name, letters, name}};
}

CovariantTerm named_rate(const std::string& name, Matrix value) {
  return {std::move(value), {name + "'", "\\dot{\\boldsymbol{" + latex_name(name) + "}}", name + "'"}};
}

CovariantTerm scalar_term(Expr e) { return {scalar(e), {text(e), latex(e), text(e)}, tightness_of(e)}; }

CovariantTerm unit_term(int k) { return named_term(fmt::format("e{}", k + 1), unit_vector(k)); }

namespace {

Notations diagonal_words(const Matrix& D) {
  const std::string inside = fmt::format("diag({}, {}, {})", text(D(0, 0)), text(D(1, 1)), text(D(2, 2)));
  return {inside,
          fmt::format("\\mathrm{{diag}}\\left({}, {}, {}\\right)", latex(D(0, 0)), latex(D(1, 1)),
                      latex(D(2, 2))),
          inside};
}

/// Symbols whose sines or cosines occur.
std::vector<Expr> angles_in(const Matrix& m) {
  std::vector<Expr> angles;
  const auto collect = [&](Expr e) {
    if (e.is(Kind::call) && !e.function().is_abstract() && e.args()[0].is(Kind::symbol) &&
        (e.function().kind() == Builtin::sin || e.function().kind() == Builtin::cos) &&
        std::ranges::find(angles, e.args()[0]) == angles.end())
      angles.push_back(e.args()[0]);
    return e;
  };
  rebuild(m.entries(), collect);
  return angles;
}

/// R diag(a, b, c) Rᵀ with R a rotation about one axis by an angle that occurs, where T is that.
std::optional<Notations> in_principal_axes(const Matrix& T) {
  for (const Expr angle : angles_in(T)) {
    const std::array rotations{rotation_z(angle), rotation_x(angle), rotation_y(angle)};
    constexpr std::array names{"z", "x", "y"};
    for (std::size_t k = 0; k < rotations.size(); ++k) {
      Matrix D = short_form(transpose(rotations[k]) * T * rotations[k]);
      if (!is_diagonal(D) || contains(D(0, 0) + D(1, 1) * 2 + D(2, 2) * 3, angle.symbol())) continue;
      const Notations d = diagonal_words(D);
      const std::string a = text(angle), l = latex(angle), n = names[k];
      const auto around = [&](const std::string& inside) {
        return fmt::format("R{}({})*{}*R{}(-{})", n, a, inside, n, a);
      };
      return Notations{around(d.text), fmt::format("R_{}({})\\, {}\\, R_{}(-{})", n, l, d.latex, n, l),
                       around(d.code)};
    }
  }
  return std::nullopt;
}

}  // namespace

CovariantTerm constant_term(const Matrix& value) {
  if (value.columns() == 3) {
    if (is_diagonal(value)) return {value, diagonal_words(value)};
    const std::string plain = text(value);
    if (!fits(plain, legible::matrix_on_a_line))
      if (const auto words = in_principal_axes(value)) return {value, *words};
    return {value, {plain, latex(value), plain}};
  }
  int only = -1, count = 0;
  for (int k = 0; k < 3; ++k) {
    if (value[k].is_zero()) continue;
    only = k;
    ++count;
  }
  if (count == 1) return scaled(value[only], unit_term(only));
  return {value, {text(value), latex(value), text(value)}};
}

CovariantTerm cross(const CovariantTerm& a, const CovariantTerm& b) {
  const Notations u = bracketed(a, Tightness::product), v = bracketed(b, Tightness::product);
  return {cross(a.value, b.value),
          {u.text + " × " + v.text, u.latex + " \\times " + v.latex,
           fmt::format("cross({}, {})", a.words.code, b.words.code)},
          Tightness::cross};
}

CovariantTerm dot(const CovariantTerm& a, const CovariantTerm& b) {
  const Notations u = bracketed(a, Tightness::atom), v = bracketed(b, Tightness::atom);
  return {scalar(dot(a.value, b.value)),
          {u.text + "·" + v.text,
           fmt::format("\\left\\langle {}, {}\\right\\rangle", a.words.latex, b.words.latex),
           fmt::format("dot({}, {})", a.words.code, b.words.code)},
          Tightness::product};
}

CovariantTerm applied(const CovariantTerm& T, const CovariantTerm& a) {
  const Notations v = bracketed(a, Tightness::product);
  return {T.value * a.value,
          {T.words.text + "*" + v.text, T.words.latex + " " + v.latex,
           T.words.code + "*" + bracketed(a, Tightness::product).code},
          Tightness::product};
}

CovariantTerm solved(const CovariantTerm& T, const Matrix& inverse, const CovariantTerm& a) {
  const Notations v = bracketed(a, Tightness::product);
  return {
      inverse * a.value,
      {T.words.text + "^-1*" + v.text, T.words.latex + "^{-1} " + v.latex, T.words.code + "^-1*" + v.code},
      Tightness::product};
}

CovariantTerm scaled(const CovariantTerm& s, const CovariantTerm& a) {
  const Expr factor = s.value[0];
  if (factor.is_one()) return a;
  // A cross product needs no brackets behind a scalar: m*(a × b) is (m*a) × b.
  const Notations v = bracketed(a, Tightness::cross);
  const Matrix value = factor * a.value;
  const Tightness tightness = a.tightness == Tightness::cross ? Tightness::cross : Tightness::product;
  if (is_minus(factor)) return {value, {"-" + v.text, "-" + v.latex, "-" + v.code}, tightness};
  const Notations f = bracketed(s, Tightness::product);
  return {value, {f.text + "*" + v.text, f.latex + "\\, " + v.latex, f.code + "*" + v.code}, tightness};
}

CovariantTerm scaled(Expr s, const CovariantTerm& a) { return scaled(scalar_term(s), a); }

CovariantTerm quotient(const CovariantTerm& a, const CovariantTerm& s) {
  const Notations u = bracketed(a, Tightness::product), d = bracketed(s, Tightness::atom);
  return {pow(s.value[0], -1) * a.value,
          {u.text + "/" + d.text, fmt::format("\\frac{{{}}}{{{}}}", a.words.latex, s.words.latex),
           u.code + "/" + d.code},
          Tightness::product};
}

CovariantTerm root(const CovariantTerm& s) {
  return {scalar(sqrt(s.value[0])),
          {"sqrt(" + s.words.text + ")", "\\sqrt{" + s.words.latex + "}", "sqrt(" + s.words.code + ")"}};
}

CovariantTerm sum_of(const std::vector<CovariantTerm>& terms) {
  CovariantTerm all;
  const auto join = [](std::string& s, const std::string& t) {
    if (s.empty()) {
      s = t;
    } else if (t.starts_with('-')) {
      s += " - " + t.substr(1);
    } else {
      s += " + " + t;
    }
  };
  int count = 0;
  for (const CovariantTerm& t : terms) {
    if (t.is_zero()) continue;
    all.value = ++count == 1 ? t.value : all.value + t.value;
    join(all.words.text, t.words.text);
    join(all.words.latex, t.words.latex);
    join(all.words.code, t.words.code);
    all.tightness = t.tightness;
  }
  if (count == 0) return {terms.empty() ? Matrix(3, 1) : terms.front().value, {"0", "0", "0"}};
  if (count > 1) all.tightness = Tightness::sum;
  return all;
}

}  // namespace rattleback
