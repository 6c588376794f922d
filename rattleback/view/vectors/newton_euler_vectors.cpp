#include <rattleback/view/vectors/newton_euler_vectors.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/newton_euler_page.hpp>

namespace rattleback {

std::optional<VectorEquations> NewtonEulerPage::written() {
  name_rotations();
  arms_ = body_arms(system_, all_, rotation_names_, names_);
  for (const int k : {2, 0, 1}) vectors_.push_back(unit_term(k));
  for (const BodyArm& arm : arms_)
    if (arm.parent >= 0) vectors_.push_back(arm.vector);
  name_normals();
  name_rims();
  name_ellipsoids();
  name_centres();
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

void NewtonEulerPage::prove(const Matrix& m) {
  defects_.insert(defects_.end(), m.entries().begin(), m.entries().end());
}

std::string NewtonEulerPage::name_of_rotation(const FreeRotation& a) {
  for (const std::string& name : system_.scope.names()) {
    const Value* value = system_.scope.find(name);
    const auto* m = value == nullptr ? nullptr : std::get_if<Matrix>(value);
    if (m != nullptr && m->rows() == 3 && m->is_column() && vanish_at_random_states(*m - a.omega))
      return name;
  }
  return names_.name_of(a.omega, {"omega", "omega_" + a.B[0].symbol().attributes().family});
}

void NewtonEulerPage::name_rotations() {
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

std::optional<CovariantTerm> NewtonEulerPage::as_axis(const Matrix& m) const {
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

void NewtonEulerPage::name_normals() {
  for (const Contact& contact : system_.contacts) {
    const auto is_known = [&](const CovariantTerm& w) {
      return vanish_at_random_states(cross(w.value, contact.normal));
    };
    if (std::ranges::any_of(vectors_, is_known)) continue;
    CovariantTerm n = shortest_in_axes(contact.normal, rotation_names_);
    n.value = contact.normal;
    add_space_vector({"n", "n_" + contact.name}, n);
  }
}

void NewtonEulerPage::name_rims() {
  for (const Contact& contact : system_.contacts) {
    if (contact.surface.kind != Surface::Kind::disk) continue;
    const auto body = std::ranges::find(all_.bodies, contact.body, &SolidBody::name);
    const auto n = normal_of(contact);
    auto axis = body == all_.bodies.end() ? std::nullopt : as_axis(body->R * contact.surface.axis);
    if (!axis || !n) continue;
    if (axis->tightness != CovariantTerm::Tightness::atom) axis = axis_name(*axis);
    const CovariantTerm across = cross(*axis, *n);
    const CovariantTerm rim = quotient(cross(*axis, across), root(dot(across, across)));
    add_space_vector({"u", "u_" + contact.name}, rim);
  }
}

std::optional<CovariantTerm> NewtonEulerPage::normal_of(const Contact& contact) const {
  const auto n = std::ranges::find_if(vectors_, [&](const CovariantTerm& w) {
    return vanish_at_random_states(cross(w.value, contact.normal));
  });
  return n == vectors_.end() ? std::nullopt : std::optional(*n);
}

void NewtonEulerPage::add_space_vector(const std::vector<std::string>& letters,
                                       const CovariantTerm& formula) {
  vectors_.push_back(named_term(names_.name_of(formula.value, letters), formula.value));
  page_.space_axes.push_back({vectors_.back().words, formula.words});
}

void NewtonEulerPage::name_ellipsoids() {
  for (const Contact& contact : system_.contacts) {
    if (contact.surface.kind != Surface::Kind::ellipsoid) continue;
    const auto body = std::ranges::find(all_.bodies, contact.body, &SolidBody::name);
    const auto n = normal_of(contact);
    if (body == all_.bodies.end() || !n) continue;
    const auto B = std::ranges::find_if(
        rotation_names_, [&](const CovariantTerm& R) { return vanish_at_random_states(R.value - body->R); });
    if (B == rotation_names_.end()) continue;
    const CovariantTerm turned_back = applied(
        {transpose(B->value),
         {"transpose(" + B->words.text + ")", B->words.latex + "^{T}", "transpose(" + B->words.code + ")"}},
        *n);
    const CovariantTerm gamma =
        named_term(names_.name_of(turned_back.value, {"gamma", "gamma_" + contact.name}), turned_back.value);
    const CovariantTerm squares = constant_term(contact.surface.semiaxes_squared);
    const CovariantTerm D =
        named_term(names_.name_of(squares.value, {"D", "D_" + contact.name}), squares.value);
    page_.space_axes.push_back({gamma.words, turned_back.words});
    page_.space_axes.push_back({D.words, squares.words});
    const CovariantTerm Dgamma = applied(D, gamma);
    const CovariantTerm u = scaled(-1, quotient(applied(*B, Dgamma), root(dot(gamma, Dgamma))));
    add_space_vector({"u", "u_" + contact.name}, u);
  }
}

void NewtonEulerPage::name_centres() {
  const auto add = [&](const std::string& name, const Matrix& center) {
    const auto body = std::ranges::find(all_.bodies, name, &SolidBody::name);
    if (body == all_.bodies.end() || center.rows() == 0 || vanish_at_random_states(center)) return;
    const Matrix c = body->R * center;
    const auto formula = fixed_in_body(system_, all_, rotation_names_, c);
    const auto is_known = [&](const CovariantTerm& w) { return vanish_at_random_states(w.value - c); };
    if (formula && std::ranges::none_of(vectors_, is_known)) add_space_vector({"c", "c_" + name}, *formula);
  };
  for (const Contact& contact : system_.contacts) {
    add(contact.body, contact.surface.center);
    add(contact.support.body, contact.support.center);
  }
}

CovariantTerm NewtonEulerPage::axis_name(const CovariantTerm& axis) {
  for (const auto& [words, name] : axis_names_)
    if (words == axis.words) return name;
  const CovariantTerm name = named_term(names_.name_of(axis.value, {"a", "b", "a_"}), axis.value);
  page_.space_axes.push_back({name.words, axis.words});
  axis_names_.emplace_back(axis.words, name);
  return name;
}

std::optional<VectorEquations> newton_euler_vectors(const System& system) {
  const auto all = rotating_bodies(system);
  return all ? NewtonEulerPage(system, *all).written() : std::nullopt;
}

}  // namespace rattleback
