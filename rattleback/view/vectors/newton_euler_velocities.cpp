// Declared in view/vectors/newton_euler_page.hpp. Angular velocities, velocities and angular momenta of the bodies, in vectors.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/newton_euler_page.hpp>

namespace rattleback {
namespace {

CovariantTerm in_brackets(CovariantTerm scalar) {
  Notations& w = scalar.words;
  w.text = "(" + w.text + ")";
  w.code = "(" + w.code + ")";
  scalar.tightness = CovariantTerm::Tightness::atom;
  return scalar;
}

}  // namespace

MovingVector moving(const CovariantTerm& term) {
  Matrix rate(3, 1);
  for (int i = 0; i < 3; ++i) rate[i] = symbol(fmt::format("{}'{}", term.words.text, i + 1));
  return {term, named_rate(term.words.text, rate)};
}

CovariantTerm combination(const std::vector<CovariantTerm>& vectors, const CovariantFit& fit, Expr& factor) {
  const bool common =
      std::ranges::all_of(fit.terms, [&](const auto& t) { return t.second == fit.terms.front().second; });
  factor = common && !fit.terms.empty() ? fit.terms.front().second : Expr(1);
  std::vector<CovariantTerm> terms;
  for (const auto& [j, c] : fit.terms) terms.push_back(common ? vectors[j] : scaled(c, vectors[j]));
  return sum_of(terms);
}

bool NewtonEulerPage::write_angular_velocity(std::size_t b) {
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

std::optional<CovariantFit> NewtonEulerPage::arm_of(const SolidBody& body, std::size_t a) {
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

std::optional<CovariantTerm> NewtonEulerPage::stroke_of(const WrittenBody& out, std::size_t s,
                                                        const Matrix& t) const {
  if (out.axes[s])
    for (const BodyArm& arm : arms_)
      if (arm.parent >= 0 &&
          vanish_at_random_states(t - cross(out.axes[s]->value, arm.length * arm.vector.value)))
        return cross(*out.axes[s], scaled(arm.length, arm.vector));
  return as_axis(t);
}

std::optional<CovariantTerm> NewtonEulerPage::drift_of(const SolidBody& body) const {
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

bool NewtonEulerPage::write_velocity(std::size_t b) {
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

std::optional<CovariantTerm> NewtonEulerPage::from_parent(std::size_t b) const {
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

void NewtonEulerPage::write_angular_momentum(std::size_t b) {
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

std::optional<CovariantTerm> NewtonEulerPage::with_axis(const SolidBody& body, const CovariantTerm& w,
                                                        int k) {
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

CovariantTerm NewtonEulerPage::with_tensor(const SolidBody& body, const CovariantTerm& w) {
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

}  // namespace rattleback
