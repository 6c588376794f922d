#include <rattleback/simulate/steppers/discrete_mechanics.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/states/quaternion.hpp>
#include <rattleback/simulate/states/rotation_vector.hpp>

namespace rattleback {
namespace {

/// v^i in the local velocities: V = W⁻¹ where w = W v.
SymbolMap velocities_in(const Space& space, const std::vector<Expr>& local, const std::vector<Symbol>& w) {
  SymbolMap v;
  const int n = space.dimension();
  Matrix W(n, n), right(n, 1);
  for (int j = 0; j < n; ++j) {
    const std::vector<Expr> row = gradient(local[static_cast<std::size_t>(j)], space.velocities());
    for (int i = 0; i < n; ++i) W(j, i) = row[static_cast<std::size_t>(i)];
    right[j] = Expr(w[static_cast<std::size_t>(j)]);
  }
  const Matrix solved = inverse(W).x * right;
  for (int i = 0; i < n; ++i) v.emplace(space.velocities()[static_cast<std::size_t>(i)], solved[i]);
  return v;
}

Vector3 part(const Eigen::VectorXd& v, Eigen::Index at, double scale = 1) {
  return {scale * v[at], scale * v[at + 1], scale * v[at + 2]};
}

Inapplicable does_not_apply(const std::string& method, const std::string& why, const std::string& fix) {
  return {"method-does-not-apply", fmt::format("the method `{}` does not apply to this model", method), why,
          fix};
}

}  // namespace

void require_second_order(const Flow& flow, const std::string& method) {
  if (flow.equations().form == "first-order")
    throw does_not_apply(
        method,
        "the Lagrangian is linear in the velocities: the coordinates are the whole state, and no "
        "velocities are left to discretise",
        "use --method gauss4, gauss6 or taylor");
}

void require_parametrized(const Flow& flow, const std::string& method) {
  require_second_order(flow, method);
  if (flow.projection() == nullptr) return;
  throw does_not_apply(
      method,
      "the program finds no frame of the constraint that stays regular, so all velocities are integrated",
      "name quasi-velocities in [velocities], or use --method dla-midpoint or taylor");
}

DiscreteFormulas::DiscreteFormulas(const Flow& flow) {
  const System& system = flow.system();
  const Space& space = system.space;
  std::vector<std::pair<int, Symbol>> derivations;  // leg of a rotation, or −1 and the coordinate
  std::size_t state = 0;
  for (const Factor& factor : space.factors()) {
    const int first = first_leg(space, factor);
    if (factor.pieces.empty()) {
      has_algebra = true;
      for (int k = 0; k < factor.dimension(); ++k) {
        local.emplace_back(factor.velocities[static_cast<std::size_t>(k)]);
        derivations.emplace_back(first + k, factor.velocities[static_cast<std::size_t>(k)]);
      }
    }
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        rotations.push_back({state, legs()});
        for (int k = 0; k < 3; ++k) {
          local.emplace_back(factor.velocities[static_cast<std::size_t>(k)]);
          derivations.emplace_back(first + k, piece.functions.front());
        }
        state += 4;
        continue;
      }
      for (const Symbol q : piece.functions) {
        coordinates.emplace_back(state++, legs());
        local.push_back(space.motion().at(q));
        derivations.emplace_back(-1, q);
      }
    }
  }
  for (std::size_t j = 0; j < local.size(); ++j) symbols.push_back(Symbol::make("#w" + std::to_string(j)));
  frame = velocities_in(space, local, symbols);

  std::vector<Expr> velocity;
  for (const Expr e : local) velocity.push_back(flow.on_state(e));
  for (std::size_t j = 0; j < local.size(); ++j) {
    for (const Expr slope : gradient(velocity[j], flow.equations().speeds)) velocity.push_back(slope);
  }
  admissible = flow.code_of(velocity);

  const Expr lagrangian = substitute(on_frame(system, system.lagrangian), frame);
  std::vector<Expr> d = gradient(lagrangian, symbols);
  for (std::size_t j = 0; j < local.size(); ++j) {
    const auto& [leg, q] = derivations[j];
    Expr force = leg < 0 ? derivative(lagrangian, q) : space.derivative(leg, lagrangian);
    for (std::size_t i = 0; i < system.forces.size(); ++i) {
      const Symbol v = space.velocities()[i];
      force += substitute(on_frame(system, system.forces[i]), frame) * derivative(frame.at(v), symbols[j]);
    }
    d.push_back(force);
  }
  for (Expr& e : d) e = flow.in_quaternions(e);
  std::vector<Symbol> inputs(flow.state().begin(),
                             flow.state().begin() + static_cast<std::ptrdiff_t>(flow.first_speed()));
  inputs.insert(inputs.end(), symbols.begin(), symbols.end());
  inputs.push_back(system.time);
  differential = straight_line(inputs, flow.parameters(), d);
}

DiscreteMechanics::DiscreteMechanics(const Flow& flow)
    : speeds_(flow.equations().speeds.size()),
      first_speed_(flow.first_speed()),
      all_velocities_(flow.projection() != nullptr),
      chart_(flow),
      formulas_(flow.derived<DiscreteFormulas>()) {
  if (all_velocities_ || has_position_constraints(flow)) stated_.emplace(flow);
  const std::vector<double> parameters = flow.parameter_values<double>();
  for (const Code* code : {&formulas_->admissible, &formulas_->differential}) {
    evaluate_.emplace_back(*code, parameters);
    x_.resize(std::max<std::size_t>(x_.size(), code->inputs));
    out_.resize(std::max(out_.size(), code->outputs.size()));
  }
}

void DiscreteMechanics::require_configurations(const std::string& method) const {
  if (formulas_->has_algebra)
    throw does_not_apply(method,
                         "the model gives a Lie algebra without its group: there is no configuration to move",
                         "use --method hamel or --method discrete-gradient");
}

std::vector<double> DiscreteMechanics::moved(std::span<const double> y, const Eigen::VectorXd& w,
                                             double h) const {
  std::vector<double> to(y.begin(), y.end());
  for (const auto& [state, leg] : formulas_->coordinates) to[state] += h * w[leg];
  for (const DiscreteFormulas::Rotation& r : formulas_->rotations) {
    const Quaternion base{y[r.state], y[r.state + 1], y[r.state + 2], y[r.state + 3]};
    const Quaternion turned = base * exponential(part(w, r.leg, h));
    std::copy(turned.begin(), turned.end(), to.begin() + static_cast<std::ptrdiff_t>(r.state));
  }
  return to;
}

DiscreteMechanics::Velocity DiscreteMechanics::admissible(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), x_.begin());
  x_[y.size()] = t;
  evaluate_[0](x_.data(), out_.data());
  const Eigen::Map<const Eigen::VectorXd> w(out_.data(), legs());
  const Eigen::Map<const Eigen::MatrixXd> transposed(out_.data() + legs(), speeds(), legs());  // row by row
  return {w, transposed.transpose()};
}

DiscreteMechanics::Differential DiscreteMechanics::differential(double t, std::span<const double> y,
                                                                const Eigen::VectorXd& w) {
  const auto q = static_cast<std::ptrdiff_t>(first_speed_);
  std::copy(y.begin(), y.begin() + q, x_.begin());
  std::copy(w.begin(), w.end(), x_.begin() + q);
  x_[first_speed_ + static_cast<std::size_t>(w.size())] = t;
  evaluate_[1](x_.data(), out_.data());
  return {Eigen::Map<const Eigen::VectorXd>(out_.data(), legs()),
          Eigen::Map<const Eigen::VectorXd>(out_.data() + legs(), legs())};
}

Eigen::MatrixXd DiscreteMechanics::rates_of_configuration(std::span<const double> y) const {
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(first_speed_), legs());
  for (const auto& [state, leg] : formulas_->coordinates) T(static_cast<Eigen::Index>(state), leg) = 1;
  for (const DiscreteFormulas::Rotation& r : formulas_->rotations) {
    const Quaternion base{y[r.state], y[r.state + 1], y[r.state + 2], y[r.state + 3]};
    for (std::size_t k = 0; k < 3; ++k) {
      Quaternion half{0, 0, 0, 0};
      half[k + 1] = 0.5;
      const Quaternion rate = base * half;  // (S.1)
      for (std::size_t i = 0; i < 4; ++i)
        T(static_cast<Eigen::Index>(r.state + i), r.leg + static_cast<Eigen::Index>(k)) = rate[i];
    }
  }
  return T;
}

/// Unknown are v and ν: ∂L/∂w − p = Aᵀν at w = W v, C(q, w, t) = 0.
bool DiscreteMechanics::set_velocities(double t, const Eigen::VectorXd& p, std::vector<double>& y) {
  const auto first = static_cast<std::ptrdiff_t>(first_speed_);
  const Eigen::Index n = speeds(), m = stated_->all();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n + m);
  x.head(n) = Eigen::Map<const Eigen::VectorXd>(y.data() + first, n);
  const bool solved = solve_by_newton(
      [&](const Eigen::VectorXd& at) -> Eigen::VectorXd {
        std::copy(at.begin(), at.begin() + n, y.begin() + first);
        const Eigen::VectorXd w = admissible(t, y).w;
        const StatedConstraints::Velocity c = stated_->velocity(t, y, w);
        Eigen::VectorXd f(n + m);
        f << differential(t, y, w).momentum - p - c.rows.transpose() * at.tail(m), c.values;
        return f;
      },
      x);
  std::copy(x.begin(), x.begin() + n, y.begin() + first);
  return solved;
}

bool DiscreteMechanics::set_speeds(double t, const Eigen::VectorXd& p, std::vector<double>& y) {
  if (all_velocities_) return set_velocities(t, p, y);
  const auto first = static_cast<std::ptrdiff_t>(first_speed_);
  Eigen::VectorXd z = Eigen::Map<const Eigen::VectorXd>(y.data() + first, speeds());
  const bool solved = solve_by_newton(
      [&](const Eigen::VectorXd& at) -> Eigen::VectorXd {
        std::copy(at.begin(), at.end(), y.begin() + first);
        return momenta(t, y) - admissible(t, y).legs.transpose() * p;
      },
      z);
  std::copy(z.begin(), z.end(), y.begin() + first);
  return solved;
}

template <class Map>
void DiscreteMechanics::on_rotations(Eigen::VectorXd& p, const Eigen::VectorXd& w, double h, Map map) const {
  for (const DiscreteFormulas::Rotation& r : formulas_->rotations) {
    const Vector3 result = map(part(w, r.leg, h), part(p, r.leg));
    for (Eigen::Index k = 0; k < 3; ++k) p[r.leg + k] = result[static_cast<std::size_t>(k)];
  }
}

Eigen::VectorXd DiscreteMechanics::momentum_before(double t, std::span<const double> y,
                                                   const Eigen::VectorXd& w, double h, double alpha) {
  const double rest = (1 - alpha) * h;
  Differential d = differential(t + alpha * h, moved(y, w, alpha * h), w);
  on_rotations(d.force, w, rest, angular_velocity);
  Eigen::VectorXd p = d.momentum - rest * d.force;
  on_rotations(p, w, h, rotation_vector_rate);
  return p;
}

Eigen::VectorXd DiscreteMechanics::momentum_after(double t, std::span<const double> y,
                                                  const Eigen::VectorXd& w, double h, double alpha) {
  Differential d = differential(t + alpha * h, moved(y, w, alpha * h), w);
  on_rotations(d.force, w, -alpha * h, angular_velocity);
  Eigen::VectorXd p = d.momentum + alpha * h * d.force;
  on_rotations(p, w, -h, rotation_vector_rate);
  return p;
}

}  // namespace rattleback
