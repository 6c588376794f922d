#include <rattleback/simulate/runs/contact_phases.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/algebra/solving/ldlt.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/equations/opening_contacts.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

System without(System system, const std::vector<std::size_t>& dropped) {
  std::vector<Constraint> kept;
  for (std::size_t s = 0; s < system.constraints.size(); ++s)
    if (std::ranges::find(dropped, s) == dropped.end()) kept.push_back(system.constraints[s]);
  system.constraints = std::move(kept);
  return system;
}

std::vector<OpeningContact> opening(const System& system) {
  std::vector<OpeningContact> found;
  for (Contact& contact : contacts_that_open(system)) {
    OpeningContact c;
    for (std::size_t s = 0; s < system.constraints.size(); ++s) {
      const Constraint& constraint = system.constraints[s];
      if (!goes_with(constraint, contact)) continue;
      c.all.push_back(s);
      if (forbids_slipping(constraint, contact))
        c.slipping.push_back(s);
      else if (constraint.reaction->direction == ContactReaction::Direction::normal)
        c.gap = s;
    }
    c.contact = std::move(contact);
    found.push_back(std::move(c));
  }
  if (!found.empty()) return found;
  throw Error(
      "cannot-fly", "nothing in this model can lift off",
      system.contacts.empty()
          ? "it has no [contacts], whose normal forces would say so"
          : "its coordinates keep every contact closed, and other forces than weight and contacts act on it",
      "give the body a coordinate for its height, so that the contact is a constraint");
}

System all_open(const System& system, const std::vector<OpeningContact>& contacts) {
  std::vector<std::size_t> dropped;
  for (const OpeningContact& c : contacts) dropped.insert(dropped.end(), c.all.begin(), c.all.end());
  return without(system, dropped);
}

void add_gradient(const System& system, Expr e, std::vector<Expr>& all) {
  const std::vector<Expr> row = gradient(e, system.space.velocities());
  all.insert(all.end(), row.begin(), row.end());
}

/// A number from 0 to `most` that the model gives for a contact.
std::optional<double> coefficient(const System& system, const Flow& flow, const Contact& contact,
                                  const std::string& what, double most) {
  const Value* given = system.scope.find(fmt::format("#{} {}", what, contact.name));
  if (given == nullptr) return std::nullopt;
  const Expr e = std::get<Expr>(*given);
  Observer value(flow, {what}, std::span(&e, 1));
  const double x = value(0, std::vector<double>(flow.dimension()))[0];
  if (x >= 0 && x <= most) return x;
  throw Error("cannot-fly", fmt::format("the {} of contact `{}` is {:g}", what, contact.name, x), "",
              most == 1 ? "it is a number from 0 to 1" : "it is a number that is not negative")
      .at(contact.place);
}

/// A contact that slips, its coefficient of friction and the velocities that vanish when it does not.
struct Rubbing {
  std::string contact;
  Expr mu;
  std::vector<Expr> slips;
};

/// D_i = Σ_j (s_j/|s|) ∂s_j/∂v^i: a force 1 against slipping has the power −|s|.
Matrix against_slipping(const System& system, const Rubbing& rubbing) {
  std::vector<Expr> squares;
  for (const Expr s : rubbing.slips) squares.push_back(s * s);
  const Expr speed = sqrt(sum(squares));
  const auto n = system.space.dimension();
  Matrix D(n, 1);
  for (const Expr s : rubbing.slips) {
    const std::vector<Expr> row = gradient(s, system.space.velocities());
    for (int i = 0; i < n; ++i) D[i] = D[i] + s / speed * row[static_cast<std::size_t>(i)];
  }
  return D;
}

/// Coulomb's friction κ_a = μ_a N_a against slipping. With M̃ = M + AᵀA, S = A M̃⁻¹Aᵀ the multipliers are
///     λ = c − S⁻¹(c + A M̃⁻¹b) + Σ_a κ_a S⁻¹A M̃⁻¹D_a,                                                  (S.25)
/// linear in κ; N_a is the multiplier of the gap in the measure of a length.
void add_friction(System& system, const std::vector<Rubbing>& rubbing) {
  if (rubbing.empty()) return;
  const ConstraintRows rows = constraint_rows(system);
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix transposed = transpose(rows.a);
  const LDLt mass = ldlt(lagrange.mass + transposed * rows.a), S = ldlt(rows.a * solve(mass, transposed));
  std::vector<Matrix> multipliers{rows.c - solve(S, rows.c + rows.a * solve(mass, lagrange.force))}, D;
  for (const Rubbing& r : rubbing) {
    D.push_back(against_slipping(system, r));
    multipliers.push_back(solve(S, rows.a * solve(mass, D.back())));
  }
  const auto normal_force = [&](const Rubbing& r, const Matrix& lambda) {
    const std::string name = r.contact + ".normal";
    for (const Statement& s : named_reactions(system, rows, lambda).reactions)
      if (s.name == name) return s.value;
    throw Bug("a contact without a normal force");
  };
  const auto k = static_cast<int>(rubbing.size());
  Matrix balance = Matrix::identity(k), N0(k, 1);
  for (int a = 0; a < k; ++a) {
    const Rubbing& r = rubbing[static_cast<std::size_t>(a)];
    N0[a] = normal_force(r, multipliers[0]);
    for (int b = 0; b < k; ++b)
      balance(a, b) = balance(a, b) - rubbing[static_cast<std::size_t>(b)].mu *
                                          normal_force(r, multipliers[static_cast<std::size_t>(b) + 1]);
  }
  Matrix N(k, 1);
  if (k == 1) {
    N[0] = N0[0] / balance(0, 0);
  } else {
    const auto solved = solve(balance, N0);
    if (!solved) throw Bug("normal forces that friction does not determine");
    N = solved->x;
  }
  for (int a = 0; a < k; ++a)
    for (std::size_t i = 0; i < system.forces.size(); ++i)
      system.forces[i] -= rubbing[static_cast<std::size_t>(a)].mu * N[a] *
                          D[static_cast<std::size_t>(a)][static_cast<int>(i)];
}

Eigen::MatrixXd matrix(const double* from, std::size_t rows, std::size_t columns) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(from, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

}  // namespace

ContactPhases::ContactPhases(System system)
    : system_(std::move(system)),
      contacts_(opening(system_)),
      free_(all_open(system_, contacts_), Flow::Effort::quick, Flow::Speeds::all) {
  const LagrangeEquations lagrange = lagrange_equations(system_);
  std::vector<Expr> all(lagrange.mass.entries().begin(), lagrange.mass.entries().end()), gaps;
  for (const Constraint& c : system_.constraints) add_gradient(system_, c.expression, all);
  for (const OpeningContact& c : contacts_) add_gradient(system_, leaving_velocity(system_, c.contact), all);
  for (const Constraint& c : system_.constraints) all.push_back(c.expression);
  for (const OpeningContact& c : contacts_) {
    all.push_back(leaving_velocity(system_, c.contact));
    gaps.push_back(*system_.constraints[c.gap].position);
  }
  mechanics_.emplace(free_, std::vector<std::string>(all.size()), all);
  gaps_.emplace(free_, std::vector<std::string>(gaps.size()), gaps);
  for (OpeningContact& c : contacts_) {
    c.law.restitution = coefficient(system_, free_, c.contact, "restitution", 1).value_or(0);
    c.law.friction = coefficient(system_, free_, c.contact, "friction", INFINITY);
  }
}

void ContactPhases::choose_sides(std::span<const double> y) {
  const ContactMechanics here = mechanics(0, y);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const auto gap = here.rows.row(static_cast<Eigen::Index>(contacts_[k].gap));
    if (gap.dot(here.leaving.row(static_cast<Eigen::Index>(k))) < 0) contacts_[k].side = -1;
  }
}

ContactMechanics ContactPhases::mechanics(double t, std::span<const double> y) {
  const std::vector<double>& v = (*mechanics_)(t, y);
  const auto n = static_cast<std::size_t>(system_.space.dimension());
  const std::size_t m = system_.constraints.size(), k = contacts_.size();
  const double* at = v.data();
  ContactMechanics found;
  found.mass = matrix(at, n, n);
  found.rows = matrix(at + n * n, m, n);
  found.leaving = matrix(at + (n + m) * n, k, n);
  found.values = matrix(at + (n + m + k) * n, m, 1);
  found.leaving_values = matrix(at + (n + m + k) * n + m, k, 1);
  return found;
}

double ContactPhases::gap(std::size_t k, double t, std::span<const double> y) {
  return contacts_[k].side * (*gaps_)(t, y)[k];
}

std::vector<std::size_t> ContactPhases::constraints(const Touches& touches) const {
  std::vector<std::size_t> dropped, kept;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    for (const std::size_t s : contacts_[k].all)
      if (touches[k] == Touch::open || (touches[k] == Touch::sliding && s != contacts_[k].gap))
        dropped.push_back(s);
  }
  for (std::size_t s = 0; s < system_.constraints.size(); ++s)
    if (std::ranges::find(dropped, s) == dropped.end()) kept.push_back(s);
  return kept;
}

System ContactPhases::system_of(const Touches& touches) const {
  const std::vector<std::size_t> kept = constraints(touches);
  std::vector<std::size_t> dropped;
  for (std::size_t s = 0; s < system_.constraints.size(); ++s)
    if (std::ranges::find(kept, s) == kept.end()) dropped.push_back(s);
  System system = without(system_, dropped);
  std::vector<Rubbing> rubbing;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const OpeningContact& c = contacts_[k];
    if (touches[k] != Touch::sliding) continue;
    Rubbing r{c.contact.name, std::get<Expr>(*system_.scope.find("#friction " + c.contact.name)), {}};
    for (const std::size_t s : c.slipping) r.slips.push_back(system_.constraints[s].expression);
    rubbing.push_back(std::move(r));
  }
  add_friction(system, rubbing);
  return system;
}

ContactPhases::Phase& ContactPhases::phase(const Touches& touches) {
  std::unique_ptr<Phase>& found = phases_[touches];
  if (!found) found = std::make_unique<Phase>(system_of(touches));
  return *found;
}

RestrictedInertia::RestrictedInertia(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& kept) {
  const Eigen::MatrixXd whole = mass + kept.transpose() * kept;
  const Eigen::MatrixXd inverse = dense::inverse_symmetric(whole);
  if (kept.rows() == 0) {
    K = inverse;
    kept_impulse = Eigen::MatrixXd(0, mass.cols());
    return;
  }
  const Eigen::MatrixXd X = inverse * kept.transpose();
  kept_impulse = -dense::least_norm_columns(kept * X, X.transpose());
  K = inverse + X * kept_impulse;
}

}  // namespace rattleback
