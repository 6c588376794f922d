#include <rattleback/view/newton_euler_vectors.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/modular_motion.hpp>
#include <rattleback/view/body_arms.hpp>
#include <rattleback/view/covariant_fit.hpp>
#include <rattleback/view/rotating_bodies.hpp>

namespace rattleback {
namespace {

/// A vector with its rate; the components of the rate are symbols until the motion is known.
struct MovingVector {
  CovariantTerm term, rate;
};

MovingVector moving(const CovariantTerm& term) {
  Matrix rate(3, 1);
  for (int i = 0; i < 3; ++i) rate[i] = symbol(fmt::format("{}'{}", term.words.text, i + 1));
  return {term, named_rate(term.words.text, rate)};
}

/// c (w_1 + w_2 + …) for a common factor c, otherwise the sum.
CovariantTerm combination(const std::vector<CovariantTerm>& vectors, const CovariantFit& fit, Expr& factor) {
  const bool common =
      std::ranges::all_of(fit.terms, [&](const auto& t) { return t.second == fit.terms.front().second; });
  factor = common && !fit.terms.empty() ? fit.terms.front().second : Expr(1);
  std::vector<CovariantTerm> terms;
  for (const auto& [j, c] : fit.terms) terms.push_back(common ? vectors[j] : scaled(c, vectors[j]));
  return sum_of(terms);
}

CovariantTerm in_brackets(CovariantTerm scalar) {
  Notations& w = scalar.words;
  w.text = "(" + w.text + ")";
  w.code = "(" + w.code + ")";
  scalar.tightness = CovariantTerm::Tightness::atom;
  return scalar;
}

/// One body, written in vectors.
struct WrittenBody {
  std::optional<MovingVector> v, w, L;                      ///< none where they vanish
  std::vector<CovariantFit> arms;                           ///< −ρ_ba in the page's vectors, by rotation
  std::vector<bool> turns;                                  ///< w_b contains ω_a
  std::vector<std::optional<CovariantTerm>> axes, strokes;  ///< a_bs and t_bs
  CovariantTerm weight;                                     ///< −F_b/m_b
};

class NewtonEulerPage {
 public:
  NewtonEulerPage(const System& system, const RotatingBodies& all)
      : system_(system), all_(all), names_(system), state_(state_symbols(system, {})) {}

  std::optional<VectorEquations> written() {
    name_rotations();
    arms_ = body_arms(system_, all_, rotation_names_, names_);
    for (const int k : {2, 0, 1}) vectors_.push_back(unit_term(k));
    for (const BodyArm& arm : arms_)
      if (arm.parent >= 0) vectors_.push_back(arm.vector);
    name_normals();
    for (std::size_t b = 0; b < all_.bodies.size(); ++b) {
      bodies_.emplace_back();
      if (!write_angular_velocity(b) || !write_velocity(b)) return std::nullopt;
      write_angular_momentum(b);
    }
    if (!write_forces()) return std::nullopt;
    for (std::size_t a = 0; a < all_.rotations.size(); ++a)
      if (!write_rotation(a)) return std::nullopt;
    for (std::size_t s = 0; s < all_.others.size(); ++s)
      if (!write_other(s)) return std::nullopt;
    if (!write_kinematics()) return std::nullopt;
    page_.definitions = names_.lines;
    std::vector<Expr> defects = all_.defects;
    defects.insert(defects.end(), defects_.begin(), defects_.end());
    page_.proof = is_zero(defects);
    const auto* exact = std::get_if<Proved>(&page_.proof);
    if (exact == nullptr || !exact->why.exact || !agrees_with_lagrange()) return std::nullopt;
    return page_;
  }

 private:
  void prove(const Matrix& m) { defects_.insert(defects_.end(), m.entries().begin(), m.entries().end()); }

  /// The model's name of B Ω, as `space = "omega"` gives it.
  std::string name_of_rotation(const FreeRotation& a) {
    for (const std::string& name : system_.scope.names()) {
      const Value* value = system_.scope.find(name);
      const auto* m = value == nullptr ? nullptr : std::get_if<Matrix>(value);
      if (m != nullptr && m->rows() == 3 && m->is_column() && vanish_at_random_states(*m - a.omega))
        return name;
    }
    return names_.name_of(a.omega, {"omega", "omega_" + a.B[0].symbol().attributes().family});
  }

  /// B, and a letter for the attitude of a body that another carries.
  void name_rotations() {
    for (const FreeRotation& a : all_.rotations) {
      const std::string& B = a.B[0].symbol().attributes().family;
      omegas_.push_back(moving(named_term(name_of_rotation(a), a.omega)));
      if (a.carrier < 0) {
        rotation_names_.push_back(named_term(B, a.B));
        continue;
      }
      const CovariantTerm carrier = rotation_names_[static_cast<std::size_t>(a.carrier)];
      rotation_names_.push_back(named_term(names_.name_of(a.R, {"C", "R_" + B}), a.R));
      page_.space_axes.push_back({rotation_names_.back().words, applied(carrier, named_term(B, a.B)).words});
    }
  }

  /// e_k, or an axis of a body.
  std::optional<CovariantTerm> as_axis(const Matrix& m) const {
    std::vector<CovariantTerm> candidates;
    for (const int k : {2, 0, 1}) {
      candidates.push_back(unit_term(k));
      for (const CovariantTerm& B : rotation_names_) candidates.push_back(applied(B, unit_term(k)));
    }
    for (const CovariantTerm& c : candidates)
      for (const int sign : {1, -1})
        if (vanish_at_random_states(m - Expr(sign) * c.value)) return scaled(sign, c);
    return std::nullopt;
  }

  /// Normals of curved surfaces, where they are none of the vectors yet.
  void name_normals() {
    for (const Contact& contact : system_.contacts) {
      const auto is_known = [&](const CovariantTerm& w) {
        return vanish_at_random_states(cross(w.value, contact.normal));
      };
      if (std::ranges::any_of(vectors_, is_known)) continue;
      vectors_.push_back(
          named_term(names_.name_of(contact.normal, {"n", "n_" + contact.name}), contact.normal));
      page_.space_axes.push_back({vectors_.back().words, constant_term(short_form(contact.normal)).words});
      normals_.push_back({&contact, vectors_.back()});
    }
  }

  /// w_b = ω_a + Σ_s a_s u_s.
  bool write_angular_velocity(std::size_t b) {
    const SolidBody& body = all_.bodies[b];
    WrittenBody& out = bodies_[b];
    out.turns.assign(omegas_.size(), false);
    out.axes.assign(all_.others.size(), std::nullopt);
    if (vanish_at_random_states(body.inertia) || vanish_at_random_states(body.w)) return true;
    std::vector<CovariantTerm> terms;
    for (std::size_t a = 0; a < omegas_.size(); ++a) {
      const Matrix part = all_.partial(body.w, a);
      if (vanish_at_random_states(part)) continue;
      if (!vanish_at_random_states(part - Matrix::identity(3))) return false;
      out.turns[a] = true;
      terms.push_back(omegas_[a].term);
    }
    for (std::size_t s = 0; s < all_.others.size(); ++s) {
      const std::vector<Symbol> one{all_.others[s]};
      const Matrix part = jacobian(body.w.entries(), one);
      if (vanish_at_random_states(part)) continue;
      auto axis = as_axis(part);
      if (!axis) return false;
      if (axis->tightness != CovariantTerm::Tightness::atom) axis = axis_name(*axis);
      out.axes[s] = *axis;
      terms.push_back(scaled(scalar_term(all_.others[s]), *axis));
    }
    const CovariantTerm sum = sum_of(terms);
    prove(sum.value - body.w);
    if (!vanish_at_random_states(sum.value - body.w)) return false;
    if (terms.size() == 1)
      for (const MovingVector& omega : omegas_)
        if (sum.words == omega.term.words) out.w = omega;
    if (!out.w) out.w = moving(names_.defined(sum, {"w", "w_" + body.name}));
    return true;
  }

  /// An axis of a body gets a letter.
  CovariantTerm axis_name(const CovariantTerm& axis) {
    for (const auto& [words, name] : axis_names_)
      if (words == axis.words) return name;
    const CovariantTerm name = named_term(names_.name_of(axis.value, {"a", "b", "a_"}), axis.value);
    page_.space_axes.push_back({name.words, axis.words});
    axis_names_.emplace_back(axis.words, name);
    return name;
  }

  /// −ρ_a of v_b = Σ_a ω_a × (−ρ_a), as a combination of the page's vectors.
  std::optional<CovariantFit> arm_of(const SolidBody& body, std::size_t a) {
    const Matrix M = all_.partial(body.v, a);
    if (!vanish_at_random_states(M + transpose(M))) return std::nullopt;
    const Matrix arm = Matrix::column(std::vector<Expr>{-M(2, 1), -M(0, 2), -M(1, 0)});
    if (vanish_at_random_states(arm)) return CovariantFit{};
    if (auto fit = shortest_fit(system_, state_, arm, vectors_, {})) return fit;
    const auto fixed = fixed_in_body(system_, all_, rotation_names_, arm);
    if (!fixed) return std::nullopt;
    vectors_.push_back(named_term(names_.name_of(arm, {"c", "c_" + body.name}), fixed->value));
    page_.space_axes.push_back({vectors_.back().words, fixed->words});
    return CovariantFit{{{vectors_.size() - 1, Expr(1)}}};
  }

  /// t_s = ∂v_b/∂u_s: a × arm, or an axis.
  std::optional<CovariantTerm> stroke_of(const WrittenBody& out, std::size_t s, const Matrix& t) const {
    if (out.axes[s])
      for (const BodyArm& arm : arms_)
        if (arm.parent >= 0 &&
            vanish_at_random_states(t - cross(out.axes[s]->value, arm.length * arm.vector.value)))
          return cross(*out.axes[s], scaled(arm.length, arm.vector));
    return as_axis(t);
  }

  /// Velocity without the rest: of a turning plane.
  std::optional<CovariantTerm> drift_of(const SolidBody& body) const {
    SymbolMap at_rest;
    for (const auto& [v, value] : all_.psi) at_rest.emplace(v, Expr(0));
    const Matrix drift = substitute(body.v, at_rest);
    if (vanish_at_random_states(drift)) return CovariantTerm{Matrix(3, 1), {"0", "0", "0"}};
    std::vector<CovariantTerm> candidates;
    for (const int k : {2, 0, 1}) candidates.push_back(cross(unit_term(k), constant_term(body.r)));
    for (const int k : {2, 0, 1}) candidates.push_back(unit_term(k));
    const auto fit = shortest_fit(system_, state_, drift, candidates, {});
    if (!fit) return std::nullopt;
    std::vector<CovariantTerm> terms;
    for (const auto& [j, c] : fit->terms) terms.push_back(scaled(c, candidates[j]));
    return sum_of(terms);
  }

  bool write_velocity(std::size_t b) {
    const SolidBody& body = all_.bodies[b];
    WrittenBody& out = bodies_[b];
    out.arms.resize(omegas_.size());
    out.strokes.assign(all_.others.size(), std::nullopt);
    if (vanish_at_random_states(body.v)) return true;
    std::vector<CovariantTerm> terms;
    for (std::size_t a = 0; a < omegas_.size(); ++a) {
      const auto arm = arm_of(body, a);
      if (!arm) return false;
      out.arms[a] = *arm;
      if (arm->terms.empty()) continue;
      Expr factor = 1;
      const CovariantTerm sum = combination(vectors_, *arm, factor);
      terms.push_back(scaled(factor, cross(omegas_[a].term, sum)));
    }
    for (std::size_t s = 0; s < all_.others.size(); ++s) {
      const std::vector<Symbol> one{all_.others[s]};
      const Matrix t = jacobian(body.v.entries(), one);
      if (vanish_at_random_states(t)) continue;
      out.strokes[s] = stroke_of(out, s, t);
      if (!out.strokes[s]) return false;
      terms.push_back(scaled(scalar_term(all_.others[s]), *out.strokes[s]));
    }
    const auto drift = drift_of(body);
    if (!drift) return false;
    terms.push_back(*drift);
    CovariantTerm sum = sum_of(terms);
    if (const auto shorter = from_parent(b)) sum = *shorter;
    prove(sum.value - body.v);
    if (!vanish_at_random_states(sum.value - body.v)) return false;
    const bool alone = all_.bodies.size() == 1;
    out.v = moving(names_.defined(sum, {alone ? "v" : "v_" + body.name, "v_" + body.name}));
    return true;
  }

  /// v_b = v_parent + w × arm, with w = w_b or a combination of angular velocities.
  std::optional<CovariantTerm> from_parent(std::size_t b) const {
    const BodyArm& arm = arms_[b];
    if (arm.parent < 0) return std::nullopt;
    const WrittenBody& parent = bodies_[static_cast<std::size_t>(arm.parent)];
    const SolidBody& body = all_.bodies[b];
    std::vector<CovariantTerm> terms;
    Matrix rest = body.v;
    if (parent.v) {
      terms.push_back(parent.v->term);
      rest = rest - parent.v->term.value;
    }
    const CovariantTerm whole = scaled(arm.length, arm.vector);
    if (bodies_[b].w && vanish_at_random_states(rest - cross(bodies_[b].w->term.value, whole.value))) {
      terms.push_back(scaled(arm.length, cross(bodies_[b].w->term, arm.vector)));
      return sum_of(terms);
    }
    std::vector<CovariantTerm> spins, candidates;
    for (const MovingVector& omega : omegas_) {
      spins.push_back(omega.term);
      candidates.push_back(cross(omega.term, arm.vector));
    }
    const auto fit = shortest_fit(system_, state_, rest, candidates, {});
    if (!fit) return std::nullopt;
    Expr factor = 1;
    const CovariantTerm spin = combination(spins, *fit, factor);
    terms.push_back(scaled(factor, cross(spin, arm.vector)));
    return sum_of(terms);
  }

  /// L = J w, J1 w + (J3 − J1) ⟨a, w⟩ a, or R J Rᵀ w.
  void write_angular_momentum(std::size_t b) {
    WrittenBody& out = bodies_[b];
    const SolidBody& body = all_.bodies[b];
    if (!out.w) return;
    const CovariantTerm& w = out.w->term;
    if (const auto J = multiple_of_unit(body.inertia)) {
      const Expr moment = short_form(*J);
      out.L = MovingVector{scaled(moment, w), scaled(moment, out.w->rate)};
      return;
    }
    const Matrix L = body.R * (body.inertia * (transpose(body.R) * w.value));
    std::optional<CovariantTerm> formula;
    for (int k = 0; k < 3 && !formula; ++k) formula = with_axis(body, w, k);
    if (!formula) formula = with_tensor(body, w);
    prove(formula->value - L);
    out.L = moving(names_.defined(*formula, {"L", "L_" + body.name}));
  }

  /// J = J1 + (J3 − J1) e eᵀ with e = e_k.
  std::optional<CovariantTerm> with_axis(const SolidBody& body, const CovariantTerm& w, int k) {
    const Matrix e = unit_vector(k);
    const Expr along = short_form(body.inertia(k, k)),
               across = short_form(body.inertia((k + 1) % 3, (k + 1) % 3));
    if (!vanish_at_random_states(body.inertia - across * Matrix::identity(3) -
                                 (along - across) * e * transpose(e)))
      return std::nullopt;
    auto axis = as_axis(body.R * e);
    if (!axis) return std::nullopt;
    if (axis->tightness != CovariantTerm::Tightness::atom) axis = axis_name(*axis);
    return sum_of(
        {scaled(across, w), scaled(short_form(along - across), scaled(in_brackets(dot(*axis, w)), *axis))});
  }

  CovariantTerm with_tensor(const SolidBody& body, const CovariantTerm& w) {
    std::optional<CovariantTerm> R;
    for (const CovariantTerm& B : rotation_names_)
      if (vanish_at_random_states(B.value - body.R)) R = B;
    if (!R) {
      const std::string name = names_.name_of(body.R, {"R", "R_" + body.name});
      R = named_term(name, body.R);
      page_.space_axes.push_back({R->words, constant_term(short_form(body.R)).words});
    }
    const CovariantTerm J = names_.defined(constant_term(body.inertia), {"I", "J", "I_" + body.name});
    const Notations &r = R->words, &j = J.words, &o = w.words;
    return {body.R * (body.inertia * (transpose(body.R) * w.value)),
            {r.text + "*" + j.text + "*transpose(" + r.text + ")*" + o.text,
             r.latex + " " + j.latex + " " + r.latex + "^{T} " + o.latex,
             r.code + "*" + j.code + "*transpose(" + r.code + ")*" + o.code},
            CovariantTerm::Tightness::product};
  }

  /// U = −Σ_b ⟨F_b, r_b⟩ up to a constant, with constant forces along e_k.
  bool write_forces() {
    for (WrittenBody& out : bodies_) out.weight = CovariantTerm{Matrix(3, 1), {"0", "0", "0"}};
    std::vector<CovariantTerm> heights;
    std::vector<std::pair<std::size_t, int>> places;
    for (const int k : {2, 0, 1}) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        heights.push_back(scalar_term(all_.bodies[b].r[k]));
        places.emplace_back(b, k);
      }
    }
    const auto fit = shortest_fit(system_, state_, Matrix{{all_.potential}}, heights, {Matrix{{Expr(1)}}});
    if (!fit) return false;
    Expr rest = all_.potential;
    for (const auto& [j, c] : fit->terms) {
      const auto [b, k] = places[j];
      rest = rest - c * all_.bodies[b].r[k];
      if (vanish_at_random_states(Matrix{{all_.bodies[b].v[k]}})) continue;  // does no work
      bodies_[b].weight =
          sum_of({bodies_[b].weight, scaled(short_form(c / all_.bodies[b].mass), unit_term(k))});
    }
    for (const Factor& f : system_.space.factors())
      for (const SymbolMap& leg : f.frame) defects_.push_back(derivative_along(Matrix{{rest}}, leg)[0]);
    return vanish_at_random_states(Matrix{{defects_.back()}});
  }

  /// v_b' − F_b/m_b.
  CovariantTerm acceleration(const WrittenBody& out) const { return sum_of({out.v->rate, out.weight}); }

  /// (X.4) for ω_a.
  bool write_rotation(std::size_t a) {
    std::vector<CovariantTerm> left, right;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const WrittenBody& out = bodies_[b];
      if (out.L && out.turns[a]) left.push_back(out.L->rate);
      if (!out.v || out.arms[a].terms.empty()) continue;
      Expr factor = 1;
      const CovariantTerm arm = combination(vectors_, out.arms[a], factor);
      right.push_back(scaled(short_form(all_.bodies[b].mass * factor), cross(acceleration(out), arm)));
    }
    if (left.empty()) return false;
    if (!vanish_at_random_states(all_.torques[a])) {
      std::vector<CovariantTerm> spins;
      for (const MovingVector& omega : omegas_) spins.push_back(omega.term);
      const auto fit = shortest_fit(system_, state_, all_.torques[a], spins, {});
      if (!fit) return false;
      for (const auto& [k, c] : fit->terms) right.push_back(scaled(c, spins[k]));
    }
    push(sum_of(left), sum_of(right));
    return true;
  }

  /// (X.4) for another speed.
  bool write_other(std::size_t s) {
    std::optional<CovariantTerm> axis;
    std::vector<CovariantTerm> turned, terms;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const WrittenBody& out = bodies_[b];
      if (out.axes[s]) {
        if (axis && axis->words != out.axes[s]->words) return false;
        axis = out.axes[s];
        if (out.L) turned.push_back(out.L->rate);
      }
      if (!out.strokes[s] || !out.v) continue;
      const BodyArm& arm = arms_[b];
      const CovariantTerm inertial = acceleration(out);
      if (out.axes[s] && arm.parent >= 0 &&
          vanish_at_random_states(out.strokes[s]->value -
                                  cross(out.axes[s]->value, arm.length * arm.vector.value))) {
        turned.push_back(scaled(short_form(all_.bodies[b].mass * arm.length), cross(arm.vector, inertial)));
      } else {
        terms.push_back(scaled(all_.bodies[b].mass, dot(*out.strokes[s], inertial)));
      }
    }
    if (axis && !turned.empty()) terms.insert(terms.begin(), dot(*axis, sum_of(turned)));
    if (terms.empty()) return false;
    push(sum_of(terms), scalar_term(all_.forces[s]));
    return true;
  }

  void push(const CovariantTerm& left, const CovariantTerm& right) {
    page_.motion.push_back({left.words, right.words});
    const Matrix rest = right.words.text == "0" ? left.value : left.value - right.value;
    residuals_.insert(residuals_.end(), rest.entries().begin(), rest.entries().end());
  }

  /// n' = (v_b − v_parent)/length, B' = hat(ω) B, and positions.
  bool write_kinematics() {
    std::vector<Symbol> left;
    for (const Symbol q : system_.space.functions())
      if (q.role() != Role::rotation) left.push_back(q);
    for (std::size_t b = 0; b < arms_.size(); ++b) {
      const BodyArm& arm = arms_[b];
      if (arm.parent < 0) continue;
      page_.space_axes.push_back({arm.vector.words, arm.formula.words});
      if (arm.is_fixed) continue;
      for (const Symbol q : symbols_of(arm.formula.value.entries())) std::erase(left, q);
      const WrittenBody& parent = bodies_[static_cast<std::size_t>(arm.parent)];
      std::vector<CovariantTerm> difference;
      if (bodies_[b].v) difference.push_back(bodies_[b].v->term);
      if (parent.v) difference.push_back(scaled(-1, parent.v->term));
      page_.motion.push_back({named_rate(arm.vector.words.text, arm.vector.value).words,
                              quotient_by(arm.length, sum_of(difference))});
    }
    for (std::size_t a = 0; a < omegas_.size(); ++a) {
      const CovariantTerm &B = rotation_names_[a], &omega = omegas_[a].term;
      const std::string rate = fmt::format("hat({})*{}", omega.words.text, B.words.text);
      page_.motion.push_back({named_rate(B.words.text, B.value).words,
                              {rate, "\\widehat{" + omega.words.latex + "} " + B.words.latex, rate}});
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      write_position(b, left);
      write_position_over_contact(b, left);
    }
    for (const Symbol z : all_.others)
      for (int i = 0; i < system_.space.dimension(); ++i)
        if (system_.space.velocities()[static_cast<std::size_t>(i)] == z)
          if (const auto q = system_.space.coordinate(i)) std::erase(left, *q);
    for (const Symbol q : left) {
      const CovariantTerm rate = scalar_term(short_form(all_.rates.at(q)));
      constexpr std::size_t longest = 100;
      if (rate.length() > longest) return false;
      const std::string name = q.name();
      page_.motion.push_back(
          {{name + "'", "\\dot{" + scalar_term(q).words.latex + "}", name + "'"}, rate.words});
    }
    return true;
  }

  static Notations quotient_by(Expr length, const CovariantTerm& sum) {
    return length.is_one() ? sum.words : quotient(sum, scalar_term(length)).words;
  }

  /// [x, y, 0]' = v where the position is made of coordinates and numbers.
  void write_position(std::size_t b, std::vector<Symbol>& left) {
    const SolidBody& body = all_.bodies[b];
    if (!bodies_[b].v) return;
    std::vector<Symbol> own;
    Matrix shown = body.r;
    for (int i = 0; i < 3; ++i) {
      if (shown[i].is(Kind::symbol) && std::ranges::find(left, shown[i].symbol()) != left.end()) {
        own.push_back(shown[i].symbol());
      } else if (vanish_at_random_states(Matrix{{body.v[i]}})) {
        shown[i] = Expr(0);
      } else {
        return;
      }
    }
    if (own.empty()) return;
    for (const Symbol q : own) std::erase(left, q);
    const CovariantTerm r = constant_term(shown);
    page_.motion.push_back({{r.words.text + "'", "\\frac{d}{dt}" + r.words.latex, r.words.code + "'"},
                            bodies_[b].v->term.words});
  }

  /// r' = v with r = C + s n, C the point of contact on a curved surface at rest.
  void write_position_over_contact(std::size_t b, std::vector<Symbol>& left) {
    const SolidBody& body = all_.bodies[b];
    for (const auto& [contact, n] : normals_) {
      if (contact->body != body.name || !bodies_[b].v) continue;
      const auto fit = shortest_fit(system_, state_, body.r - contact->point, {n}, {});
      if (!fit || fit->terms.empty()) continue;
      const CovariantTerm C = constant_term(contact->point);
      const CovariantTerm formula = sum_of({C, scaled(fit->terms.front().second, n)});
      prove(formula.value - body.r);
      const CovariantTerm r = names_.defined(formula, {"r", "r_" + body.name});
      page_.motion.push_back({named_rate(r.words.text, r.value).words, bodies_[b].v->term.words});
      for (const Symbol q : symbols_of(contact->point.entries())) std::erase(left, q);
    }
  }

  /// Residuals of (X.4) along the motion of Lagrange and d'Alembert at random states; shares no code with it.
  bool agrees_with_lagrange() const {
    constexpr int states = 2, draws = 20;
    const ModularMotion motion(system_);
    std::vector<MovingVector> all = omegas_;
    for (const WrittenBody& out : bodies_)
      for (const auto* m : {&out.v, &out.w, &out.L})
        if (*m && (*m)->rate.value[0].is(Kind::symbol)) all.push_back(**m);
    const ModularProgram residual(residuals_);
    int agreed = 0;
    for (std::uint64_t seed = 1; seed < draws && agreed < states; ++seed) {
      const auto state = motion.state(seed);
      if (!state) continue;
      ModularPoint point = state->point;
      bool complete = true;
      for (const MovingVector& m : all)
        for (int i = 0; i < 3 && complete; ++i) {
          const auto rate = motion.rate(ModularProgram(m.term.value[i]), *state);
          complete = rate.has_value();
          if (complete) point.set(m.rate.value[i].symbol(), *rate);
        }
      const auto run = complete ? residual.run(point) : std::nullopt;
      if (!run) continue;
      for (std::size_t k = 0; k < residuals_.size(); ++k)
        if (!run->value(k).is_zero()) return false;
      ++agreed;
    }
    return agreed > 0;
  }

  const System& system_;
  const RotatingBodies& all_;
  VectorNames names_;
  std::vector<Symbol> state_;
  std::vector<CovariantTerm> rotation_names_, vectors_;
  std::vector<MovingVector> omegas_;
  std::vector<BodyArm> arms_;  ///< by body
  std::vector<std::pair<const Contact*, CovariantTerm>> normals_;
  std::vector<WrittenBody> bodies_;
  std::vector<std::pair<Notations, CovariantTerm>> axis_names_;
  std::vector<Expr> defects_, residuals_;
  VectorEquations page_;
};

}  // namespace

std::optional<VectorEquations> newton_euler_vectors(const System& system) {
  const auto all = rotating_bodies(system);
  return all ? NewtonEulerPage(system, *all).written() : std::nullopt;
}

}  // namespace rattleback
