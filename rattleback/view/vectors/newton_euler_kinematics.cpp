// Declared in view/vectors/newton_euler_page.hpp. Rates of directions, attitudes and positions.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/newton_euler_page.hpp>

namespace rattleback {

bool NewtonEulerPage::write_kinematics() {
  std::vector<Symbol> left;
  for (const Symbol q : system_.space.functions())
    if (q.role() != Role::rotation) left.push_back(q);
  for (const Symbol z : all_.others)
    if (const auto q = coordinate_of(z)) std::erase(left, *q);
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
  write_normals(left);
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
  for (const Symbol q : left) {
    const CovariantTerm rate = scalar_term(short_form(all_.rates.at(q)));
    constexpr std::size_t longest = legible::rate_in_vectors.count;
    if (rate.length() > longest) return false;
    const std::string& name = q.name();
    page_.motion.push_back(
        {{name + "'", "\\dot{" + scalar_term(q).words.latex + "}", name + "'"}, rate.words});
  }
  return true;
}

void NewtonEulerPage::write_normals(std::vector<Symbol>& left) {
  for (const Contact& contact : system_.contacts) {
    const Support& support = contact.support;
    const auto n = normal_of(contact);
    if (!n || contact.surface.kind != Surface::Kind::sphere || support.kind != Support::Kind::sphere ||
        support.coordinates.rows() == 0)
      continue;
    const std::vector<Symbol> own = symbols_of(support.coordinates.entries());
    if (std::ranges::none_of(own, [&](Symbol q) { return std::ranges::find(left, q) != left.end(); }))
      continue;
    const Expr length =
        support.inside ? support.radius - contact.surface.radius : support.radius + contact.surface.radius;
    const Matrix rate = length * derivative_along(n->value, all_.rates);
    std::vector<CovariantTerm> spins, candidates;
    for (const MovingVector& omega : omegas_) {
      spins.push_back(omega.term);
      candidates.push_back(cross(omega.term, *n));
    }
    const auto fit = shortest_fit(system_, state_, rate, candidates, {});
    if (!fit || fit->terms.empty()) continue;
    Expr factor = 1;
    const CovariantTerm spin = combination(spins, *fit, factor);
    const CovariantTerm moved = scaled(factor, cross(spin, *n));
    prove(moved.value - rate);
    page_.motion.push_back({named_rate(n->words.text, n->value).words, quotient_by(length, moved)});
    for (const Symbol q : own) std::erase(left, q);
  }
}

Notations NewtonEulerPage::quotient_by(Expr length, const CovariantTerm& sum) {
  return length.is_one() ? sum.words : quotient(sum, scalar_term(length)).words;
}

void NewtonEulerPage::write_position(std::size_t b, std::vector<Symbol>& left) {
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
  page_.motion.push_back(
      {{r.words.text + "'", "\\frac{d}{dt}" + r.words.latex, r.words.code + "'"}, bodies_[b].v->term.words});
}

void NewtonEulerPage::write_position_over_contact(std::size_t b, std::vector<Symbol>& left) {
  const SolidBody& body = all_.bodies[b];
  for (const Contact& contact : system_.contacts) {
    if (contact.body != body.name || !bodies_[b].v) continue;
    const std::vector<Symbol> own = symbols_of(contact.point.entries());
    if (std::ranges::none_of(own, [&](Symbol q) { return std::ranges::find(left, q) != left.end(); }))
      continue;
    const auto fit = shortest_fit(system_, state_, body.r - contact.point, vectors_, {});
    if (!fit || fit->terms.empty()) continue;
    std::vector<CovariantTerm> terms{constant_term(contact.point)};
    for (const auto& [k, c] : fit->terms) terms.push_back(scaled(c, vectors_[k]));
    const CovariantTerm formula = sum_of(terms);
    prove(formula.value - body.r);
    const CovariantTerm r = names_.defined(formula, {"r", "r_" + body.name});
    page_.motion.push_back({named_rate(r.words.text, r.value).words, bodies_[b].v->term.words});
    for (const Symbol q : own) std::erase(left, q);
  }
}

}  // namespace rattleback
