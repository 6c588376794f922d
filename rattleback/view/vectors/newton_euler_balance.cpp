// Declared in view/vectors/newton_euler_page.hpp. Forces and the balances (X.4), and their comparison with the motion of Lagrange and d'Alembert.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/newton_euler_page.hpp>

namespace rattleback {

bool NewtonEulerPage::write_forces() {
  for (WrittenBody& out : bodies_) out.weight = CovariantTerm{Matrix(3, 1), {"0", "0", "0"}};
  std::vector<CovariantTerm> heights;
  std::vector<std::pair<std::size_t, int>> places;
  for (const int k : {2, 0, 1}) {  // of all bodies: one weight, however many share a place
    Expr moment = 0;
    for (const SolidBody& body : all_.bodies) moment = moment + body.mass * body.r[k];
    heights.push_back(scalar_term(moment));
    places.emplace_back(bodies_.size(), k);
  }
  for (const int k : {2, 0, 1}) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      heights.push_back(scalar_term(all_.bodies[b].r[k]));
      places.emplace_back(b, k);
    }
  }
  auto fit = shortest_fit(system_, state_, Matrix{{all_.potential}}, heights, {Matrix{{Expr(1)}}});
  if (!fit) {
    springs_ = potential_of_others();
    if (springs_.is_zero()) return false;
    fit = shortest_fit(system_, state_, Matrix{{all_.potential - springs_}}, heights, {Matrix{{Expr(1)}}});
  }
  if (!fit) return false;
  Expr rest = all_.potential - springs_;
  for (const auto& [j, c] : fit->terms) {
    const auto [which, k] = places[j];
    const bool all = which == bodies_.size();
    for (std::size_t b = all ? 0 : which; b < (all ? bodies_.size() : which + 1); ++b) {
      const Expr weight = all ? c : short_form(c / all_.bodies[b].mass);
      rest = rest - weight * all_.bodies[b].mass * all_.bodies[b].r[k];
      if (vanish_at_random_states(Matrix{{all_.bodies[b].v[k]}})) continue;  // does no work
      bodies_[b].weight = sum_of({bodies_[b].weight, scaled(weight, unit_term(k))});
    }
  }
  for (const Factor& f : system_.space.factors())
    for (const SymbolMap& leg : f.frame) defects_.push_back(derivative_along(Matrix{{rest}}, leg)[0]);
  return vanish_at_random_states(Matrix{{defects_.back()}});
}

std::optional<Symbol> NewtonEulerPage::coordinate_of(Symbol velocity) const {
  for (int i = 0; i < system_.space.dimension(); ++i)
    if (system_.space.velocities()[static_cast<std::size_t>(i)] == velocity)
      return system_.space.coordinate(i);
  return std::nullopt;
}

Expr NewtonEulerPage::potential_of_others() const {
  SymbolMap at_zero;
  for (const Symbol z : all_.others)
    if (const auto q = coordinate_of(z)) at_zero.emplace(*q, Expr(0));
  const Expr springs = short_form(all_.potential - substitute(all_.potential, at_zero));
  const auto is_own = [&](Symbol s) { return s.role() == Role::parameter || at_zero.contains(s); };
  return std::ranges::all_of(symbols_of(springs), is_own) ? springs : Expr(0);
}

Expr NewtonEulerPage::force_on(std::size_t s) const {
  const auto q = coordinate_of(all_.others[s]);
  if (!q || springs_.is_zero()) return all_.forces[s];
  const std::vector<Symbol> one{*q};
  return short_form(all_.forces[s] - gradient(springs_, one)[0]);
}

CovariantTerm NewtonEulerPage::acceleration(const WrittenBody& out) const {
  return sum_of({out.v->rate, out.weight});
}

bool NewtonEulerPage::write_rotation(std::size_t a) {
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

bool NewtonEulerPage::write_other(std::size_t s) {
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
  push(sum_of(terms), scalar_term(force_on(s)));
  return true;
}

void NewtonEulerPage::push(const CovariantTerm& left, const CovariantTerm& right) {
  page_.motion.push_back({left.words, right.words});
  const Matrix rest = right.words.text == "0" ? left.value : left.value - right.value;
  residuals_.insert(residuals_.end(), rest.entries().begin(), rest.entries().end());
}

bool NewtonEulerPage::agrees_with_lagrange() const {
  std::vector<std::pair<Symbol, Expr>> rates;
  const auto add = [&](const MovingVector& m) {
    for (int i = 0; i < 3; ++i) rates.emplace_back(m.rate.value[i].symbol(), m.term.value[i]);
  };
  for (const MovingVector& omega : omegas_) add(omega);
  for (const WrittenBody& out : bodies_)
    for (const auto* m : {&out.v, &out.w, &out.L})
      if (*m && (*m)->rate.value[0].is(Kind::symbol)) add(**m);
  return vanish_along_motion(system_, residuals_, rates);
}

}  // namespace rattleback
