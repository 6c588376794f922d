#include <rattleback/motion/symmetry/symmetry_search.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>

namespace rattleback {
namespace {

using Vector = std::vector<ModP>;

/// The frame of a space at a point: what its legs make of its functions, and its structure coefficients.
class FrameOutputs {
 public:
  FrameOutputs(const Space& space, std::vector<Expr>& roots)
      : n_(space.dimension()), functions_(space.functions()) {
    for (int i = 0; i < n_; ++i) {
      for (std::size_t f = 0; f < functions_.size(); ++f) {
        const auto found = space.leg(i).find(functions_[f]);
        if (found != space.leg(i).end()) legs_.push_back({i, f, added(roots, found->second)});
      }
      for (int j = 0; j < n_; ++j) {
        for (int k = 0; k < n_; ++k) {
          if (!space.c()(i, j, k).is_zero()) c_.push_back({i, j, k, added(roots, space.c()(i, j, k))});
        }
      }
    }
    roots.insert(roots.end(), functions_.begin(), functions_.end());
  }

  /// FieldRates of the functions along v^i X_i.
  Vector function_rates(const ModularRun& run, const Vector& v) const {
    Vector rates(functions_.size());
    for (const Leg& leg : legs_)
      rates[leg.function] += v[static_cast<std::size_t>(leg.i)] * run.value(leg.output);
    return rates;
  }
  /// X_i f from the gradient of f by the functions.
  Vector along_legs(const ModularRun& run, const Vector& slopes) const {
    Vector rates(static_cast<std::size_t>(n_));
    for (const Leg& leg : legs_)
      rates[static_cast<std::size_t>(leg.i)] += slopes[leg.function] * run.value(leg.output);
    return rates;
  }
  /// Σ visit(i, j, k, C_ij^k).
  template <class Visit>
  void for_each_bracket(const ModularRun& run, Visit visit) const {
    for (const Bracket& b : c_)
      visit(static_cast<std::size_t>(b.i), static_cast<std::size_t>(b.j), static_cast<std::size_t>(b.k),
            run.value(b.output));
  }

 private:
  struct Leg {
    int i;
    std::size_t function, output;
  };
  struct Bracket {
    int i, j, k;
    std::size_t output;
  };
  static std::size_t added(std::vector<Expr>& roots, Expr e) {
    roots.push_back(e);
    return roots.size() - 1;
  }
  int n_;
  std::span<const Symbol> functions_;
  std::vector<Leg> legs_;
  std::vector<Bracket> c_;
};

/// Constraint functions: those of the model, or those that a parametrisation satisfies.
std::vector<Expr> constraints_to_keep(const System& system) {
  if (!system.constraints.empty() || !system.parametrization) return constraint_functions(system);
  try {
    const Admissible D = admissible_velocities(system);
    const std::vector<Expr> v(system.space.velocities().begin(), system.space.velocities().end());
    return (transpose(left_kernel(D.psi).basis) * (Matrix::column(v) - D.drift)).entries();
  } catch (const NonlinearConstraint&) {
    throw Inapplicable("form-does-not-apply", "the parametrisation is not linear in its speeds",
                       "symmetries are looked for with linear, affine or written constraints",
                       "write the constraints");
  }
}

class InvarianceConditions {
 public:
  InvarianceConditions(const System& system, const InvariantParts& parts)
      : system_(system),
        C_(constraints_to_keep(system)),
        positions_(position_relations(system)),
        roots_(C_),
        frame_((roots_.push_back(system.lagrangian), system_.space), roots_),
        parts_(parts),
        program_(Expr(0)) {
    first_force_ = roots_.size();
    has_forces_ = parts.forces && std::any_of(system.forces.begin(), system.forces.end(),
                                              [](Expr q) { return !q.is_zero(); });
    roots_.insert(roots_.end(), system.forces.begin(), system.forces.end());
    first_position_ = roots_.size();
    roots_.insert(roots_.end(), positions_.begin(), positions_.end());
    for (std::size_t a = 0; a < system.constraints.size() && a < C_.size(); ++a)
      if (system.constraints[a].position) rates_of_positions_.push_back(a);
    for (std::size_t a = 0; a < C_.size(); ++a) all_constraints_.push_back(a);
    for (const Symbol v : system_.space.velocities()) roots_.emplace_back(v);
    program_ = ModularProgram(roots_);
    linear_ = velocity_rows_are_affine();
    if (!linear_) motion_ = std::make_shared<const ModularMotion>(system_);
  }

  bool operator()(const ModularPoint& point, const FieldsAt& fields,
                  std::vector<std::vector<ModP>>& rows) const {
    if (parts_.lagrangian && !parts_.horizontal) {
      const auto run = program_.run(point);
      const auto tangent = run ? on_linear(*run, rates_of_positions_) : std::nullopt;
      if (!tangent) return false;
      rows.push_back(complete_lift_row(*tangent, C_.size(), fields));
      add_tangency_rows(*tangent, fields, rows);
    }
    const bool constrained = parts_.constraints && !C_.empty();
    if (!constrained && !has_forces_ && !parts_.horizontal) return true;
    const auto run = on_constraint(point);
    if (!run) return false;
    if (constrained) {
      for (std::size_t a = 0; a < C_.size(); ++a) rows.push_back(complete_lift_row(*run, a, fields));
    }
    if (has_forces_) add_force_rows(*run, fields, rows);
    if (parts_.horizontal) {
      rows.push_back(complete_lift_row(*run, C_.size(), fields));
      add_horizontal_rows(*run, fields, rows);
    }
    return true;
  }

 private:
  bool velocity_rows_are_affine() const {
    const VelocityRows rows = velocity_rows(system_.space, C_);
    return std::all_of(rows.affine.begin(), rows.affine.end(), [](bool yes) { return yes; });
  }

  std::size_t n() const { return static_cast<std::size_t>(system_.space.dimension()); }

  Vector at(std::span<const Symbol> symbols, const Vector& by_symbol) const {
    Vector out;
    for (const Symbol s : symbols) {
      const auto i = program_.index_of(s);
      out.push_back(i ? by_symbol[*i] : ModP());
    }
    return out;
  }
  Vector velocities(const ModularRun& run) const {
    Vector v;
    for (const Symbol s : system_.space.velocities()) v.push_back(run.symbol(*program_.index_of(s)));
    return v;
  }

  /// The point with its velocities moved onto the constraint.
  std::optional<ModularRun> on_constraint(ModularPoint point) const {
    if (!linear_) {
      const auto state = motion_->state(point.seed());
      if (!state || state->point.seed() != point.seed()) return std::nullopt;
      return program_.run(state->point);
    }
    const auto run = program_.run(point);
    if (!run) return run;
    return on_linear(*run, all_constraints_);
  }

  /// The state with velocities that satisfy these constraints, which are affine in them.
  std::optional<ModularRun> on_linear(const ModularRun& run, const std::vector<std::size_t>& which) const {
    if (which.empty()) return run;
    ModularMatrix A(static_cast<int>(which.size()), static_cast<int>(n())),
        b(static_cast<int>(which.size()), 1);
    for (int a = 0; a < A.rows(); ++a) {
      const std::size_t output = which[static_cast<std::size_t>(a)];
      const Vector row = at(system_.space.velocities(), run.gradient(output));
      std::copy(row.begin(), row.end(), A.row(a).begin());
      b(a, 0) = -run.value(output);
    }
    const auto step = solve(A, b);
    if (!step) return std::nullopt;
    const Vector v = velocities(run);
    ModularPoint point = run.point();
    for (std::size_t i = 0; i < n(); ++i)
      point.set(system_.space.velocities()[i], v[i] + (*step)(static_cast<int>(i), 0));
    return program_.run(point);
  }

  /// ξ^i X_i φ: a symmetry is tangent to N = {φ = 0}.
  void add_tangency_rows(const ModularRun& run, const FieldsAt& fields,
                         std::vector<std::vector<ModP>>& rows) const {
    for (std::size_t s = 0; s < positions_.size(); ++s) {
      const Vector slopes =
          frame_.along_legs(run, at(system_.space.functions(), run.gradient(first_position_ + s)));
      Vector row;
      for (int k = 0; k < fields.fields(); ++k) {
        ModP value;
        for (std::size_t i = 0; i < n(); ++i) value += slopes[i] * fields.value(k, static_cast<int>(i));
        row.push_back(value);
      }
      rows.push_back(std::move(row));
    }
  }

  /// ξ^C f = ξ^i (X_i f + C_ji^k v^j f_{v^k}) + v[ξ^i] f_{v^i}, for every ξ of the ansatz.
  Vector complete_lift_row(const ModularRun& run, std::size_t output, const FieldsAt& fields) const {
    const Vector gradient = run.gradient(output), v = velocities(run),
                 p = at(system_.space.velocities(), gradient);
    Vector a = frame_.along_legs(run, at(system_.space.functions(), gradient));
    frame_.for_each_bracket(
        run, [&](std::size_t j, std::size_t i, std::size_t k, ModP c) { a[i] += c * v[j] * p[k]; });
    const Vector ahead = fields.along(frame_.function_rates(run, v));
    Vector row;
    for (int k = 0; k < fields.fields(); ++k) {
      ModP rate;
      for (std::size_t i = 0; i < n(); ++i) {
        const int leg = static_cast<int>(i);
        rate += fields.value(k, leg) * a[i] + ahead[fields.index(k, leg)] * p[i];
      }
      row.push_back(rate);
    }
    return row;
  }

  /// (L_ξ Q)_j of (N.4).
  void add_force_rows(const ModularRun& run, const FieldsAt& fields,
                      std::vector<std::vector<ModP>>& rows) const {
    for (std::size_t j = 0; j < n(); ++j) {
      Vector row = complete_lift_row(run, first_force_ + j, fields), one(n()), twist(n());
      one[j] = 1;
      const Vector along_j = fields.along(frame_.function_rates(run, one));
      frame_.for_each_bracket(run, [&](std::size_t k, std::size_t l, std::size_t i, ModP c) {
        if (l == j) twist[k] += c * run.value(first_force_ + i);
      });
      for (int k = 0; k < fields.fields(); ++k) {
        for (std::size_t i = 0; i < n(); ++i) {
          const int leg = static_cast<int>(i);
          row[static_cast<std::size_t>(k)] +=
              run.value(first_force_ + i) * along_j[fields.index(k, leg)] - twist[i] * fields.value(k, leg);
        }
      }
      rows.push_back(std::move(row));
    }
  }

  /// (∂C^a/∂v^i) ξ^i and Q_i ξ^i.
  void add_horizontal_rows(const ModularRun& run, const FieldsAt& fields,
                           std::vector<std::vector<ModP>>& rows) const {
    std::vector<Vector> forms;
    for (std::size_t a = 0; a < C_.size(); ++a)
      forms.push_back(at(system_.space.velocities(), run.gradient(a)));
    if (!system_.forces.empty() && !parts_.forces_may_work) {
      forms.emplace_back();
      for (std::size_t i = 0; i < n(); ++i) forms.back().push_back(run.value(first_force_ + i));
    }
    for (const Vector& form : forms) {
      Vector row;
      for (int k = 0; k < fields.fields(); ++k) {
        ModP value;
        for (std::size_t i = 0; i < n(); ++i) value += form[i] * fields.value(k, static_cast<int>(i));
        row.push_back(value);
      }
      rows.push_back(std::move(row));
    }
  }

  System system_;
  std::vector<Expr> C_, positions_, roots_;
  std::vector<std::size_t> rates_of_positions_, all_constraints_;
  std::size_t first_position_ = 0;
  FrameOutputs frame_;
  InvariantParts parts_;
  ModularProgram program_;
  std::size_t first_force_ = 0;
  bool has_forces_ = false, linear_ = true;
  std::shared_ptr<const ModularMotion> motion_;
};

}  // namespace

Conditions invariance_conditions(const System& system, const InvariantParts& parts) {
  return [conditions = std::make_shared<const InvarianceConditions>(system, parts)](
             const ModularPoint& point, const FieldsAt& fields, std::vector<std::vector<ModP>>& rows) {
    return (*conditions)(point, fields, rows);
  };
}

Conditions commuting_conditions(const Space& space, const std::vector<VectorField>& eta) {
  std::vector<Expr> roots;
  for (const VectorField& X : eta)
    roots.insert(roots.end(), X.coefficients().begin(), X.coefficients().end());
  const FrameOutputs frame(space, roots);
  const auto n = static_cast<std::size_t>(space.dimension());
  // [η, ξ]^i = η(ξ^i) − ξ^k X_k(η^i) + C_jk^i η^j ξ^k.
  return [program = ModularProgram(roots), frame, space, n, count = eta.size()](
             const ModularPoint& point, const FieldsAt& fields, std::vector<std::vector<ModP>>& rows) {
    const auto run = program.run(point);
    if (!run) return false;
    for (std::size_t a = 0; a < count; ++a) {
      Vector value(n);
      for (std::size_t i = 0; i < n; ++i) value[i] = run->value(a * n + i);
      const Vector ahead = fields.along(frame.function_rates(*run, value));
      for (std::size_t i = 0; i < n; ++i) {
        Vector slopes, gradient = run->gradient(a * n + i);
        for (const Symbol f : space.functions()) slopes.push_back(gradient[*program.index_of(f)]);
        Vector b = frame.along_legs(*run, slopes);
        for (ModP& e : b) e = -e;
        frame.for_each_bracket(*run, [&](std::size_t j, std::size_t k, std::size_t l, ModP c) {
          if (l == i) b[k] += c * value[j];
        });
        Vector row;
        for (int f = 0; f < fields.fields(); ++f) {
          ModP rate = ahead[fields.index(f, static_cast<int>(i))];
          for (std::size_t k = 0; k < n; ++k) rate += fields.value(f, static_cast<int>(k)) * b[k];
          row.push_back(rate);
        }
        rows.push_back(std::move(row));
      }
    }
    return true;
  };
}

std::vector<Symbol> parameters_of(const System& system) {
  std::vector<Symbol> all;
  for (const Parameter& p : system.parameters) all.push_back(p.symbol);
  return all;
}

}  // namespace rattleback
