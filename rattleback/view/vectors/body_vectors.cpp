#include <rattleback/view/vectors/body_vectors.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/view/vectors/attitude_vector.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

/// "Omega" of Omega1, Omega2, Omega3.
std::string common_stem(const std::vector<Symbol>& components) {
  std::string stem = components[0].name();
  if (stem.size() < 2 || stem.back() != '1') return "";
  stem.pop_back();
  for (std::size_t k = 0; k < 3; ++k)
    if (components[k].name() != stem + std::to_string(k + 1)) return "";
  return stem;
}

/// Parameters that divide every entry, with the sign that most entries have: −m g of (−m g c1, −m g c2, 0).
Expr common_part(const Matrix& v) {
  std::optional<std::vector<Expr>> shared;
  int minus = 0;
  for (const Expr e : v.entries()) {
    if (e.is_zero()) continue;
    const Scaled s = split_coefficient(e);
    minus += s.coefficient < Rational(0) ? 1 : -1;
    std::vector<Expr> factors;
    if (s.rest.is(Kind::product)) {
      factors.assign(s.rest.args().begin(), s.rest.args().end());
    } else {
      factors.push_back(s.rest);
    }
    if (!shared) {
      shared = factors;
      continue;
    }
    std::erase_if(*shared, [&](Expr f) { return std::ranges::find(factors, f) == factors.end(); });
  }
  return shared ? Expr(minus > 0 ? -1 : 1) * product(*shared) : Expr(1);
}

class BodyVectorSearch {
 public:
  BodyVectorSearch(const System& system, const EquationsOfMotion& equations, const BodyMotion& body,
                   VectorNames& names)
      : system_(system),
        equations_(equations),
        body_(body),
        names_(names),
        state_(state_symbols(system, equations.speeds)) {}

  std::optional<BodyVectors> found() {
    name_rotation();
    name_axes();
    find_rolling();
    if (!find_momentum() || !find_torque() || !find_constraint_axes()) return std::nullopt;
    return found_;
  }

 private:
  Matrix across(const Matrix& m) const { return across_axes(body_, equations_, m); }

  void name_rotation() {
    const std::string stem = common_stem(body_.speeds);
    found_.Omega = stem.empty() ? names_.defined(constant_term(body_.Omega()), {"Omega", "w"})
                                : named_term(stem, body_.Omega());
  }

  /// Is m the same after every rotation about space axis k?
  bool is_unchanged_about(int k, const Matrix& m) const {
    SymbolMap turning;
    const Matrix turned = hat(unit_vector(k)) * body_.B;
    for (int i = 0; i < 9; ++i) turning.emplace(body_.B[i].symbol(), turned[i]);
    return vanish_at_random_states(derivative_along(m, turning));
  }

  /// Axes of space on which momentum, torque and constraints depend: γ alone when nothing changes under rotations about the vertical.
  void name_axes() {
    if (!body_.has_attitude()) return;
    constexpr std::array letters{"alpha", "beta", "gamma"};
    Matrix felt = above(body_.momentum, body_.torque);
    for (const Matrix& a : body_.axes) felt = above(felt, a);
    std::vector<int> unchanged;
    for (const int k : {2, 0, 1})
      if (is_unchanged_about(k, felt)) unchanged.push_back(k);
    if (unchanged.size() > 1) return;
    for (const int k : {2, 0, 1}) {
      if (!unchanged.empty() && k != unchanged.front()) continue;
      const Matrix value = body_.row(k);
      found_.rows.emplace_back(
          k, named_term(names_.name_of(value, {letters[static_cast<std::size_t>(k)]}), value));
    }
  }

  /// ρ, where the body rolls; a multiple of γ needs no name.
  void find_rolling() {
    const auto rolling = rolling_vector(system_, body_);
    if (!rolling || vanish_at_random_states(rolling->rho)) return;
    const std::vector<VectorLine> before = std::exchange(names_.lines, {});
    const auto formula = attitude_vector(system_, body_, rolling->rho, found_.rows, names_);
    std::vector<VectorLine> tensors = std::exchange(names_.lines, before);
    if (!formula || !proved(is_zero((formula->value - rolling->rho).entries()))) return;
    found_.position = rolling->position;
    found_.rho = *formula;
    const auto is_along = [&](const auto& row) {
      return vanish_at_random_states(cross(formula->value, row.second.value));
    };
    if (std::ranges::any_of(found_.rows, is_along)) return;
    found_.rho = names_.defined(*formula, {"rho", "rho_C"});
    names_.lines.insert(names_.lines.end(), tensors.begin(), tensors.end());
    rho_rate_ = named_rate(found_.rho->words.text, body_.rate(found_.rho->value));
  }

  /// Vectors that a momentum may be quadratic in.
  std::vector<CovariantTerm> arms() const {
    std::vector<CovariantTerm> arms;
    if (rho_rate_) arms.push_back(*found_.rho);
    for (const auto& [k, w] : found_.rows) arms.push_back(w);
    return arms;
  }

  /// ⟨w, Ω⟩ w, which vanishes on a constraint ⟨w, Ω⟩ = 0.
  std::vector<CovariantTerm> vanishing_terms() const {
    std::vector<CovariantTerm> terms;
    for (const CovariantTerm& w : arms()) {
      for (std::size_t k = 0; k < body_.axes.size(); ++k)
        if (body_.offsets[k].is_zero() && vanish_at_random_states(cross(body_.axes[k], w.value)))
          terms.push_back(scaled(dot(w, found_.Omega), w));
    }
    return terms;
  }

  /// K = T Ω + k + Σ c_j w_j × (Ω × w_j).
  bool find_momentum() {
    const CovariantTerm& Omega = found_.Omega;
    std::vector<CovariantTerm> candidates = vanishing_terms();
    const std::size_t vanishing = candidates.size();
    for (const CovariantTerm& w : arms()) candidates.push_back(cross(w, cross(Omega, w)));
    for (const CovariantTerm& w : arms()) candidates.push_back(scaled(dot(w, Omega), w));
    std::vector<Matrix> free{unit_vector(0), unit_vector(1), unit_vector(2)};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) free.push_back(Omega.value[b] * unit_vector(a));
    const auto fit = shortest_fit(system_, state_, body_.momentum, candidates, free);
    if (!fit) return false;
    Matrix rest = body_.momentum;
    std::vector<CovariantTerm> moving;
    for (const auto& [j, c] : fit->terms) {
      rest = rest - c * candidates[j].value;
      if (j >= vanishing) moving.push_back(scaled(c, candidates[j]));
    }
    const auto constants = constants_of(rest);
    if (!constants) return false;
    write_momentum(constants->first, constants->second, moving);
    return true;
  }

  /// T and k of T Ω + k, from simple states.
  std::optional<std::pair<Matrix, Matrix>> constants_of(const Matrix& rest) const {
    for (const Matrix& attitude : simple_attitudes()) {
      const auto k = value_at(system_, body_, rest, attitude, Matrix(3, 1));
      if (!k) continue;
      Matrix T(3, 3);
      bool complete = true;
      for (int b = 0; b < 3 && complete; ++b) {
        const auto column = value_at(system_, body_, rest, attitude, unit_vector(b));
        complete = column.has_value();
        for (int a = 0; complete && a < 3; ++a) T(a, b) = short_form((*column)[a] - (*k)[a]);
      }
      if (complete) return std::pair(T, *k);
    }
    return std::nullopt;
  }

  /// The line of K stands before those of ρ and the tensors.
  void write_momentum(const Matrix& T, const Matrix& k, const std::vector<CovariantTerm>& moving) {
    const std::vector<VectorLine> before = std::exchange(names_.lines, {});
    inertia_ = moving.empty() ? std::optional(T) : std::nullopt;
    if (!multiple_of_unit(T)) tensor_ = names_.defined(constant_term(T), {"I", "J", "Theta"});
    std::vector<CovariantTerm> terms{tensor_ ? applied(*tensor_, found_.Omega)
                                             : scaled(T(0, 0), found_.Omega)};
    terms.insert(terms.end(), moving.begin(), moving.end());
    terms.push_back(constant_term(k));
    const std::vector<VectorLine> tensors = std::exchange(names_.lines, {});
    found_.K = names_.defined(sum_of(terms), {"K", "M", "P"});
    names_.lines.insert(names_.lines.end(), before.begin(), before.end());
    names_.lines.insert(names_.lines.end(), tensors.begin(), tensors.end());
  }

  /// γ × ∂U/∂γ with L = T − U, where U depends on the attitude through one axis.
  std::optional<CovariantTerm> potential_torque() {
    SymbolMap at_rest;
    for (const Symbol v : system_.space.velocities()) at_rest.emplace(v, Expr(0));
    const Expr U = -substitute(system_.lagrangian, at_rest);
    for (const auto& [k, w] : found_.rows) {
      std::vector<Symbol> own;
      SymbolMap components;
      for (int i = 0; i < 3; ++i) {
        own.push_back(w.value[i].symbol());
        components.emplace(own.back(), symbol(w.words.text + std::to_string(i + 1)));
      }
      const CovariantTerm slope{
          Matrix::column(gradient(U, own)),
          {"dU/d" + w.words.text, "\\frac{\\partial U}{\\partial " + w.words.latex + "}",
           "dU/d" + w.words.code}};
      const CovariantTerm torque = cross(w, slope);
      if (vanish_at_random_states(torque.value)) continue;
      potential_ = {named_term("U", Matrix{{U}}).words,
                    scalar_term(short_form(substitute(U, components))).words};
      return torque;
    }
    return std::nullopt;
  }

  std::vector<CovariantTerm> torques() const {
    const CovariantTerm& Omega = found_.Omega;
    std::vector<CovariantTerm> terms;
    if (rho_rate_) {
      const CovariantTerm& rho = *found_.rho;
      terms.push_back(cross(*rho_rate_, cross(Omega, rho)));
      for (const auto& [k, w] : found_.rows) terms.push_back(cross(rho, w));
      terms.push_back(cross(rho, cross(Omega, *rho_rate_)));
    }
    terms.push_back(Omega);
    for (const CovariantTerm& w : arms()) {
      terms.push_back(cross(w, cross(Omega, w)));
      terms.push_back(cross(w, Omega));
      terms.push_back(scaled(dot(w, Omega), cross(w, Omega)));
      terms.push_back(w);
    }
    if (tensor_)
      for (const auto& [k, w] : found_.rows) terms.push_back(cross(w, applied(*tensor_, w)));
    return terms;
  }

  /// N = K × Ω + Σ c_j t_j, + χ × γ with a constant vector χ, or + γ × ∂U/∂γ, where these do not suffice.
  bool find_torque() {
    const CovariantTerm gyroscopic = cross(found_.K, found_.Omega);
    const Matrix target = body_.torque - gyroscopic.value;
    std::vector<CovariantTerm> candidates = torques();
    const auto fit_of = [&](const std::vector<Matrix>& free) {
      std::vector<CovariantTerm> seen;
      for (const CovariantTerm& t : candidates) seen.push_back({across(t.value), t.words, t.tightness});
      return shortest_fit(system_, state_, across(target), seen, free);
    };
    if (const auto fit = fit_of({})) return write_torque(gyroscopic, candidates, *fit, std::nullopt);
    if (found_.rows.size() == 1) {
      std::vector<Matrix> free;
      for (int a = 0; a < 3; ++a) free.push_back(across(cross(unit_vector(a), found_.rows[0].second.value)));
      if (const auto fit = fit_of(free))
        return write_torque(gyroscopic, candidates, *fit, constant_arm(target, candidates, *fit));
    }
    const auto U = potential_torque();
    if (!U) return false;
    candidates.insert(candidates.begin(), *U);
    const auto fit = fit_of({});
    return fit && write_torque(gyroscopic, candidates, *fit, std::nullopt);
  }

  /// χ with χ × γ = what is left of the torque, from simple attitudes at rest.
  Matrix constant_arm(Matrix rest, const std::vector<CovariantTerm>& candidates,
                      const CovariantFit& fit) const {
    for (const auto& [j, c] : fit.terms) rest = rest - c * candidates[j].value;
    Matrix chi(3, 1);
    for (const Matrix& attitude : simple_attitudes()) {
      const auto torque = value_at(system_, body_, rest, attitude, Matrix(3, 1));
      if (!torque) continue;
      const Matrix gamma = transpose(attitude.row(found_.rows.front().first));
      const Matrix part = cross(gamma, *torque);  // χ without its part along γ
      for (int i = 0; i < 3; ++i)
        if (gamma[i].is_zero()) chi[i] = part[i];
    }
    return short_form(chi);
  }

  bool write_torque(const CovariantTerm& gyroscopic, const std::vector<CovariantTerm>& candidates,
                    const CovariantFit& fit, const std::optional<Matrix>& chi) {
    std::vector<CovariantTerm> terms{gyroscopic};
    for (const auto& [j, c] : fit.terms) {
      terms.push_back(scaled(c, candidates[j]));
      if (candidates[j].words.text.find("dU/d") != std::string::npos) names_.lines.push_back(potential_);
    }
    if (chi && !vanish_at_random_states(*chi)) {
      const CovariantTerm& w = found_.rows.front().second;
      const Expr s = common_part(*chi);
      CovariantTerm arm = constant_term(pow(s, -1) * *chi);
      if (arm.words.text.starts_with('[')) arm = names_.defined(arm, {"c", "chi"});
      terms.push_back(split_coefficient(s).coefficient < Rational(0) ? scaled(-s, cross(w, arm))
                                                                     : scaled(s, cross(arm, w)));
    }
    if (vanish_at_random_states(sum_of(terms).value)) terms.clear();
    found_.N = sum_of(terms);
    return true;
  }

  bool find_constraint_axes() {
    for (const Matrix& a : body_.axes) {
      const auto written = attitude_vector(system_, body_, a, found_.rows, names_);
      if (!written) return false;
      found_.axes.push_back(*written);
    }
    if (found_.axes.size() == 1) found_.multiplier = multiplier();
    return true;
  }

  /// λ = −⟨a, T⁻¹N⟩/⟨a, T⁻¹a⟩ for K = T Ω + k with constant T and k, where ⟨a', Ω⟩ = 0.                        (X.2)
  std::optional<CovariantTerm> multiplier() const {
    if (!inertia_) return std::nullopt;
    const CovariantTerm& a = found_.axes.front();
    const Matrix drift{{dot(body_.rate(a.value), found_.Omega.value)}};
    if (!vanish_at_random_states(on_constraint(body_, equations_, drift))) return std::nullopt;
    if (!tensor_) return scaled(-1, quotient(dot(a, found_.N), dot(a, a)));
    const Matrix T = inverse(*inertia_).x;
    return scaled(-1, quotient(dot(a, solved(*tensor_, T, found_.N)), dot(a, solved(*tensor_, T, a))));
  }

  const System& system_;
  const EquationsOfMotion& equations_;
  const BodyMotion& body_;
  VectorNames& names_;
  std::vector<Symbol> state_;
  BodyVectors found_;
  std::optional<CovariantTerm> rho_rate_, tensor_;
  std::optional<Matrix> inertia_;  ///< T, when K = T Ω + k
  VectorLine potential_;
};

}  // namespace

Matrix on_constraint(const BodyMotion& body, const EquationsOfMotion& equations, const Matrix& m) {
  if (body.axes.empty()) return m;
  SymbolMap speeds;
  for (const Symbol s : body.speeds) speeds.emplace(s, equations.velocities.at(s));
  return substitute(m, speeds);
}

Matrix across_axes(const BodyMotion& body, const EquationsOfMotion& equations, const Matrix& m) {
  if (body.axes.empty()) return m;
  if (body.axes.size() == 1) return on_constraint(body, equations, cross(body.axes[0], m));
  if (body.axes.size() == 2)
    return on_constraint(body, equations, Matrix{{dot(cross(body.axes[0], body.axes[1]), m)}});
  return Matrix(1, 1);
}

std::optional<BodyVectors> body_vectors(const System& system, const EquationsOfMotion& equations,
                                        const BodyMotion& body, VectorNames& names) {
  return BodyVectorSearch(system, equations, body, names).found();
}

}  // namespace rattleback
