#include <rattleback/view/vectors/vector_equations.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/body_vectors.hpp>
#include <rattleback/view/vectors/cleared_denominators.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>
#include <rattleback/view/vectors/newton_euler_vectors.hpp>

namespace rattleback {
namespace {

/// The printed K, N and a_k against (X.1), on the constraint.
Verdict proof_of(const BodyVectors& v, const BodyMotion& body, const EquationsOfMotion& equations) {
  const Matrix K = on_constraint(body, equations, v.K.value - body.momentum);
  const Matrix N = across_axes(body, equations, v.N.value - body.torque);
  std::vector<Expr> differences(K.entries().begin(), K.entries().end());
  differences.insert(differences.end(), N.entries().begin(), N.entries().end());
  for (std::size_t k = 0; k < v.axes.size(); ++k) {
    const Matrix a = v.axes[k].value - body.axes[k];
    differences.insert(differences.end(), a.entries().begin(), a.entries().end());
  }
  std::vector<Expr> parts;
  for (const Expr e : differences) {
    const std::vector<Expr> of_e = parts_by_velocities(e);
    parts.insert(parts.end(), of_e.begin(), of_e.end());
  }
  Verdict cleared = is_zero(without_roots_below(parts));
  const auto* done = std::get_if<Proved>(&cleared);
  return done != nullptr && done->why.exact ? cleared : is_zero(differences);
}

/// K' − N along the motion of Lagrange and d'Alembert at a random state: zero, λ a, or a combination of the a_k.
class LagrangeCheck {
 public:
  explicit LagrangeCheck(const BodyVectors& v)
      : exact_(v.axes.empty() || v.multiplier),
        K_{ModularProgram(v.K.value[0]), ModularProgram(v.K.value[1]), ModularProgram(v.K.value[2])},
        right_(right_sides(v)),
        axes_(exact_ ? 0 : static_cast<int>(v.axes.size())) {}

  /// Nothing when the state is not in the domain.
  std::optional<bool> holds(const ModularMotion& motion, const ModularMotion::State& state) const {
    const auto at = right_.run(state.point);
    if (!at) return std::nullopt;
    ModularMatrix rest(3, 1), a(3, axes_);
    for (int i = 0; i < 3; ++i) {
      const auto rate = motion.rate(K_[static_cast<std::size_t>(i)], state);
      if (!rate) return std::nullopt;
      rest(i, 0) = *rate - at->value(static_cast<std::size_t>(i));
      for (int k = 0; k < axes_; ++k) {
        const int place = 3 + 3 * k + i;
        a(i, k) = at->value(static_cast<std::size_t>(place));
      }
    }
    if (exact_) return rest(0, 0).is_zero() && rest(1, 0).is_zero() && rest(2, 0).is_zero();
    return solve(a, rest).has_value();
  }

 private:
  static ModularProgram right_sides(const BodyVectors& v) {
    Matrix right = v.N.value;
    if (v.multiplier) right = right + v.multiplier->value[0] * v.axes.front().value;
    std::vector<Expr> all(right.entries().begin(), right.entries().end());
    for (const CovariantTerm& a : v.axes)
      all.insert(all.end(), a.value.entries().begin(), a.value.entries().end());
    return ModularProgram(all);
  }

  bool exact_;
  std::array<ModularProgram, 3> K_;
  ModularProgram right_;
  int axes_;
};

/// Shares no code with (X.1).
bool agrees_with_lagrange(const System& system, const BodyVectors& v) {
  constexpr int states = 2, draws = search_limits::states_of_vectors.count;
  const ModularMotion motion(system);
  const LagrangeCheck check(v);
  int agreed = 0;
  for (std::uint64_t seed = 1; seed < draws && agreed < states; ++seed) {
    const auto state = motion.state(seed);
    const auto holds = state ? check.holds(motion, *state) : std::nullopt;
    if (!holds) continue;
    if (!*holds) return false;
    ++agreed;
  }
  return agreed > 0;
}

Notations rate_of(const Notations& name) {
  return {name.text + "'", "\\dot{" + name.latex + "}", name.code + "'"};
}

class VectorPage {
 public:
  VectorPage(const System& system, const BodyMotion& body, const BodyVectors& vectors, VectorNames& names)
      : system_(system), body_(body), v_(vectors), names_(names) {}

  void write(VectorEquations& page) {
    write_momentum(page);
    for (const auto& [k, w] : v_.rows)
      page.motion.push_back({named_rate(w.words.text, w.value).words, cross(w, v_.Omega).words});
    if (body_.has_attitude()) write_attitude(page);
    for (std::size_t k = 0; k < v_.axes.size(); ++k)
      page.conditions.push_back({dot(v_.axes[k], v_.Omega).words, scalar_term(-body_.offsets[k]).words});
    page.definitions = std::move(names_.lines);
  }

 private:
  /// K' = N + λ_k a_k.
  void write_momentum(VectorEquations& page) {
    std::vector<CovariantTerm> right{v_.N};
    const bool at_rest = v_.multiplier && vanish_at_random_states(v_.multiplier->value);
    for (std::size_t k = 0; k < v_.axes.size() && !at_rest; ++k) {
      const std::string name =
          names_.name_of(Matrix(2, 2), {v_.axes.size() == 1 ? "lambda" : fmt::format("lambda{}", k + 1)});
      const CovariantTerm lambda = named_term(name, Matrix{{symbol(name)}});
      right.push_back(scaled(lambda, v_.axes[k]));
      if (v_.multiplier) names_.lines.insert(names_.lines.begin() + 1, {lambda.words, v_.multiplier->words});
    }
    page.motion.push_back({named_rate(v_.K.words.text, v_.K.value).words, sum_of(right).words});
  }

  /// B' = B Ω̂ and the positions.
  void write_attitude(VectorEquations& page) {
    const std::string& B = body_.B[0].symbol().attributes().family;
    const CovariantTerm attitude = named_term(B, body_.B);
    const std::string rate = fmt::format("{}*hat({})", B, v_.Omega.words.text);
    page.motion.push_back({named_rate(B, body_.B).words,
                           {rate, attitude.words.latex + " \\widehat{" + v_.Omega.words.latex + "}", rate}});
    for (const auto& [k, w] : v_.rows) {
      const std::string axis = fmt::format("transpose({})*e{}", B, k + 1);
      page.space_axes.push_back(
          {w.words, {axis, attitude.words.latex + "^{T} " + unit_term(k).words.latex, axis}});
    }
    std::vector<Symbol> left;
    for (const Symbol q : system_.space.functions())
      if (q.role() != Role::rotation) left.push_back(q);
    if (v_.rho && !left.empty()) write_position(page, attitude, left);
    if (v_.rho && !left.empty()) write_contact(page, attitude, left);
    for (const Symbol q : left)
      page.motion.push_back(
          {rate_of(scalar_term(q).words), scalar_term(short_form(body_.rates.at(q))).words});
  }

  /// B V with V = ρ × Ω; for ρ = −s γ it is s B(Ω × γ).
  CovariantTerm velocity(const CovariantTerm& attitude) const {
    for (const auto& [k, w] : v_.rows) {
      if (!v_.rho->words.text.starts_with('-') || !vanish_at_random_states(cross(v_.rho->value, w.value)))
        continue;
      const Expr s = short_form(-dot(v_.rho->value, w.value));
      const CovariantTerm turned = applied(attitude, cross(v_.Omega, w));
      for (const Symbol p : symbols_of(s))
        if (p.role() == Role::rotation) return applied(attitude, cross(*v_.rho, v_.Omega));
      return scaled(s, turned);
    }
    return applied(attitude, cross(*v_.rho, v_.Omega));
  }

  /// [x, y, z]' = B (ρ × Ω), with the model's word for a height that is no coordinate. Nothing where no coordinate stands there by itself.
  void write_position(VectorEquations& page, const CovariantTerm& attitude, std::vector<Symbol>& left) const {
    const bool says_something = std::ranges::any_of(v_.position, [&](Expr e) {
      return e.is(Kind::symbol) && std::ranges::find(left, e.symbol()) != left.end();
    });
    if (!says_something) return;
    const CovariantTerm rate = velocity(attitude);
    Notations name{"[", "\\begin{bmatrix}", "["};
    for (int i = 0; i < 3; ++i) {
      const auto entry = coordinate(i, rate.value[i]);
      if (!entry) return;
      const std::string comma = i == 0 ? "" : ", ";
      name = {name.text + comma + entry->text, name.latex + (i == 0 ? "" : " \\\\ ") + entry->latex,
              name.code + comma + entry->code};
    }
    for (const Expr e : v_.position)
      if (e.is(Kind::symbol)) std::erase(left, e.symbol());
    name = {name.text + "]", name.latex + "\\end{bmatrix}", name.code + "]"};
    page.motion.push_back({{name.text + "'", "\\frac{d}{dt}" + name.latex, name.code + "'"}, rate.words});
  }

  /// [x, y, 0]' = B ρ' where the coordinates are those of the point of contact, r + B ρ.
  void write_contact(VectorEquations& page, const CovariantTerm& attitude, std::vector<Symbol>& left) const {
    if (v_.rho->tightness != CovariantTerm::Tightness::atom || v_.position.size() != 3) return;
    const CovariantTerm rho_rate = named_rate(v_.rho->words.text, body_.rate(v_.rho->value));
    const Matrix r = Matrix::column(v_.position) + body_.B * v_.rho->value, rate = body_.B * rho_rate.value;
    Matrix shown(3, 1);
    std::vector<Symbol> own;
    for (int i = 0; i < 3; ++i) {
      const auto is_this = [&](Symbol q) { return vanish_at_random_states(Matrix{{r[i] - q}}); };
      const auto q = std::ranges::find_if(left, is_this);
      if (q != left.end()) {
        own.push_back(*q);
        shown[i] = *q;
      } else if (!vanish_at_random_states(Matrix{{rate[i]}})) {
        return;
      }
    }
    if (own.empty() || !vanish_at_random_states(body_.rate(shown) - rate)) return;
    for (const Symbol q : own) std::erase(left, q);
    const Notations name = constant_term(shown).words;
    page.motion.push_back({{name.text + "'", "\\frac{d}{dt}" + name.latex, name.code + "'"},
                           applied(attitude, rho_rate).words});
  }

  /// Component i of the position: a coordinate, a scalar that the model defines and that has this rate, or 0 at rest.
  std::optional<Notations> coordinate(int i, Expr rate) const {
    if (static_cast<std::size_t>(i) < v_.position.size() &&
        v_.position[static_cast<std::size_t>(i)].is(Kind::symbol))
      return scalar_term(v_.position[static_cast<std::size_t>(i)]).words;
    if (vanish_at_random_states(Matrix{{rate}})) return scalar_term(0).words;
    for (const Definition& d : system_.definitions) {
      const auto* e = std::get_if<Expr>(&d.value);
      if (e != nullptr && vanish_at_random_states(body_.rate(Matrix{{*e}}) - Matrix{{rate}}))
        return Notations{d.name, latex_name(d.name), d.name};
    }
    if (static_cast<std::size_t>(i) < v_.position.size()) {
      const Notations words = scalar_term(v_.position[static_cast<std::size_t>(i)]).words;
      if (fits(words.text, legible::position_in_vectors)) return words;
    }
    return std::nullopt;
  }

  const System& system_;
  const BodyMotion& body_;
  const BodyVectors& v_;
  VectorNames& names_;
};

}  // namespace

namespace {

/// One body that determines every other velocity: (X.1).
std::optional<VectorEquations> one_body(const System& system, const EquationsOfMotion& equations) {
  const auto body = body_motion(system);
  if (!body) return std::nullopt;
  for (const Symbol s : body->speeds)
    if (!equations.velocities.contains(s)) return std::nullopt;
  VectorNames names(system);
  const auto vectors = body_vectors(system, equations, *body, names);
  if (!vectors) return std::nullopt;
  VectorEquations page;
  page.proof = proof_of(*vectors, *body, equations);
  const auto* proved_here = std::get_if<Proved>(&page.proof);
  if (proved_here == nullptr || !proved_here->why.exact || !agrees_with_lagrange(system, *vectors))
    return std::nullopt;
  VectorPage(system, *body, *vectors, names).write(page);
  return page;
}

}  // namespace

std::optional<VectorEquations> vector_equations(const System& system,
                                                const EquationsOfMotion& equations) try {
  if (auto page = one_body(system, equations)) return page;
  return newton_euler_vectors(system);
} catch (const OutOfDomain&) {
  return std::
      nullopt;  // degenerate energies, poles at every simple attitude: the components say what is wrong
} catch (const Exhausted&) {
  return std::nullopt;
}

}  // namespace rattleback
