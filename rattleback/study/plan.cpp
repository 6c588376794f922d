#include <rattleback/study/plan.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/system/table_law.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;

/// The inputs as symbols, which code takes beside the state.
struct OpenSystem {
  System system;
  std::vector<std::string> names;
  std::vector<Symbol> symbols;
  std::vector<std::pair<double, double>> ranges;
};

double number_of(const System& system, Expr e) {
  return substitute(e, parameter_values(system)).value().to_double();
}

OpenSystem opened(System system) {
  OpenSystem open;
  for (const AbstractFunction& input : inputs_of(system)) {
    const std::string& name = input.function.name();
    const Symbol u = Symbol::make("#u " + name, {.role = Role::parameter});
    for (Expr& force : system.forces) force = substitute(force, input.function, input.arguments, Expr(u));
    const Value* range = system.scope.find("#range " + name);
    constexpr double far = std::numeric_limits<double>::infinity();
    open.ranges.emplace_back(-far, far);
    if (range != nullptr) {
      const Matrix& ends = std::get<Matrix>(*range);
      open.ranges.back() = {number_of(system, ends[0]), number_of(system, ends[1])};
    }
    open.names.push_back(name);
    open.symbols.push_back(u);
    system.parameters.push_back({u, Expr(0), false, "", {}});
  }
  std::erase_if(system.functions, [&](const AbstractFunction& f) { return is_input(system, f); });
  open.system = std::move(system);
  return open;
}

/// A little narrower: a law that runs along the end of its range would switch there all the time.
std::vector<std::pair<double, double>> inner(std::vector<std::pair<double, double>> ranges) {
  constexpr double margin = 1e-6;
  for (auto& [least, most] : ranges) {
    const double width = most - least;
    if (!std::isfinite(width)) continue;
    least += margin * width;
    most -= margin * width;
  }
  return ranges;
}

/// From the corners of the polygons to the goals, by the classical Runge–Kutta method.
class Shooting {
 public:
  Shooting(const OpenSystem& open, const std::vector<Goal>& goals, const PlanOptions& options)
      : flow_(open.system), start_(initial_state(flow_)), options_(options), inputs_(open.symbols.size()) {
    std::vector<Symbol> in(flow_.state().begin(), flow_.state().end()), parameters;
    in.push_back(open.system.time);
    in.insert(in.end(), open.symbols.begin(), open.symbols.end());
    std::vector<double> values;
    const std::vector<double> all = flow_.parameter_values<double>();
    for (std::size_t k = 0; k < flow_.parameters().size(); ++k) {
      if (std::ranges::find(open.symbols, flow_.parameters()[k]) != open.symbols.end()) continue;
      parameters.push_back(flow_.parameters()[k]);
      values.push_back(all[k]);
    }
    const std::vector<Expr> rates(flow_.rate_expressions().begin(), flow_.rate_expressions().end());
    rates_code_ = straight_line(in, parameters, rates);
    rates_.emplace(rates_code_, values);
    std::vector<Expr> ends;
    for (const Goal& goal : goals) {
      ends.push_back(flow_.in_quaternions(flow_.on_state(goal.expression)));
      values_.push_back(goal.value);
    }
    ends_code_ = straight_line(in, parameters, ends);
    ends_.emplace(ends_code_, values);
  }

  std::size_t inputs() const { return inputs_; }
  void refine() { steps_ *= 2; }

  /// How far each goal is missed; nothing where the motion leaves all bounds.
  Vector miss(const Vector& p) {
    const std::size_t n = flow_.dimension();
    const double h = options_.duration / (options_.pieces * steps_);
    std::vector<double> y = start_, stage(n + 1 + inputs_), k1(n), k2(n), k3(n), k4(n);
    for (int i = 0; i < options_.pieces * steps_; ++i) {
      const double t = h * i;
      const auto rate = [&](double shift, const std::vector<double>* slope, std::vector<double>& k) {
        for (std::size_t j = 0; j < n; ++j) stage[j] = y[j] + (slope == nullptr ? 0 : shift * (*slope)[j]);
        stage[n] = t + shift;
        put_inputs(p, i + (shift > 0.75 * h ? 1.0 : shift > 0 ? 0.5 : 0.0), stage.data() + n + 1);
        (*rates_)(stage.data(), k.data());
      };
      rate(0, nullptr, k1);
      rate(h / 2, &k1, k2);
      rate(h / 2, &k2, k3);
      rate(h, &k3, k4);
      for (std::size_t j = 0; j < n; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    std::copy(y.begin(), y.end(), stage.begin());
    stage[n] = options_.duration;
    put_inputs(p, options_.pieces * steps_, stage.data() + n + 1);
    Vector r(static_cast<Eigen::Index>(values_.size()));
    (*ends_)(stage.data(), r.data());
    for (std::size_t k = 0; k < values_.size(); ++k) r[static_cast<Eigen::Index>(k)] -= values_[k];
    return r;
  }

  /// ∂(miss)/∂p, by central differences.
  Eigen::MatrixXd slopes(const Vector& p) {
    constexpr double step = 1e-5;
    Eigen::MatrixXd J(static_cast<Eigen::Index>(values_.size()), p.size());
    for (Eigen::Index k = 0; k < p.size(); ++k) {
      const double width = step * std::max(1.0, std::abs(p[k]));
      Vector q = p;
      q[k] += width;
      const Vector above = miss(q);
      q[k] -= 2 * width;
      J.col(k) = (above - miss(q)) / (2 * width);
    }
    return J;
  }

 private:
  /// Values of the polygons after so many steps; corner c of input k is p[k + inputs c].
  void put_inputs(const Vector& p, double at, double* u) const {
    const double x = at / steps_;
    const int c = std::min(static_cast<int>(x), options_.pieces - 1);
    for (std::size_t k = 0; k < inputs_; ++k) {
      const auto first = static_cast<Eigen::Index>(k + inputs_ * static_cast<std::size_t>(c));
      const double w = x - c;
      u[k] = (1 - w) * p[first] + w * p[first + static_cast<Eigen::Index>(inputs_)];
    }
  }

  Flow flow_;
  std::vector<double> start_;
  PlanOptions options_;
  std::size_t inputs_;
  int steps_ = 8;  ///< in each piece
  std::vector<double> values_;
  Code rates_code_, ends_code_;
  std::optional<Evaluator<double>> rates_, ends_;
};

/// Least-norm Newton steps with corners held at the ends of their ranges.
class Search {
 public:
  Search(Shooting& shooting, std::vector<std::pair<double, double>> ranges, int corners)
      : shooting_(shooting), ranges_(std::move(ranges)), corners_(corners) {}

  Eigen::Index unknowns() const { return static_cast<Eigen::Index>(ranges_.size()) * corners_; }

  void clip(Vector& p) const {
    for (Eigen::Index k = 0; k < p.size(); ++k) p[k] = std::clamp(p[k], range(k).first, range(k).second);
  }

  /// Brings all goals within `accuracy`; false when it stalls.
  bool meet_goals(Vector& p, double accuracy) {
    Vector r = shooting_.miss(p);
    for (int i = 0; i < 60 && r.allFinite(); ++i) {
      if (r.cwiseAbs().maxCoeff() < accuracy) return true;
      const Vector step = newton_step(p, r, shooting_.slopes(p));
      bool better = false;
      for (double length = 1; length > 1e-4 && !better; length /= 2) {
        Vector q = p + length * step;
        clip(q);
        const Vector s = shooting_.miss(q);
        if (s.allFinite() && s.norm() < (1 - 0.1 * length) * r.norm()) {
          p = q;
          r = s;
          better = true;
        }
      }
      if (!better) break;
    }
    nearest = r.allFinite() ? std::min(nearest, r.cwiseAbs().maxCoeff()) : nearest;
    return r.allFinite() && r.cwiseAbs().maxCoeff() < accuracy;
  }

  /// Descends with the effort pᵀWp for a metric, p → p + (W⁻¹Jᵀ(JW⁻¹Jᵀ)⁻¹J − 1) p, and meets the goals again.
  void reduce_effort(Vector& p, double accuracy) {
    double length = 1;
    for (int i = 0; i < 40 && length > 1e-3; ++i) {
      const Eigen::MatrixXd J = shooting_.slopes(p);
      Eigen::MatrixXd lifted(J.cols(), J.rows());  // W⁻¹Jᵀ
      for (Eigen::Index g = 0; g < J.rows(); ++g) lifted.col(g) = inverse_weight(J.row(g).transpose());
      Eigen::MatrixXd G = J * lifted;
      G.diagonal().array() += 1e-13 * (1e-30 + G.trace());
      const Vector down = lifted * solved_symmetric(G, J * p) - p;
      Vector q = p + length * down;
      clip(q);
      if (meet_goals(q, accuracy) && effort(q) < effort(p)) {
        const double gain = 1 - effort(q) / effort(p);
        p = q;
        length = std::min(1.0, 2 * length);
        if (gain < 1e-6) return;
      } else {
        length /= 3;
      }
    }
  }

  double nearest = std::numeric_limits<double>::infinity();

 private:
  const std::pair<double, double>& range(Eigen::Index k) const {
    return ranges_[static_cast<std::size_t>(k) % ranges_.size()];
  }

  // W is the Gram matrix of the hat functions, whose sums the polygons are: 2/3 on its diagonal, 1/3 at both ends, 1/6 beside it.

  double diagonal(int corner) const { return (corner == 0 || corner + 1 == corners_ ? 1.0 : 2.0) / 3; }
  Eigen::Index place(int corner, std::size_t input) const {
    return static_cast<Eigen::Index>(corner) * static_cast<Eigen::Index>(ranges_.size()) +
           static_cast<Eigen::Index>(input);
  }
  /// ∫ Σ u² dt in pieces: pᵀWp.
  double effort(const Vector& p) const {
    double sum = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k)
      for (int c = 0; c < corners_; ++c) {
        const double u = p[place(c, k)];
        sum += diagonal(c) * u * u + (c > 0 ? u * p[place(c - 1, k)] / 3 : 0);
      }
    return sum;
  }
  /// W⁻¹b, each input by the elimination for tridiagonal matrices.
  Vector inverse_weight(Vector b) const {
    std::vector<double> pivot(static_cast<std::size_t>(corners_));
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      for (int c = 0; c < corners_; ++c) {
        double& at = pivot[static_cast<std::size_t>(c)];
        at = diagonal(c);
        if (c == 0) continue;
        const double factor = 1 / (6 * pivot[static_cast<std::size_t>(c) - 1]);
        at -= factor / 6;
        b[place(c, k)] -= factor * b[place(c - 1, k)];
      }
      for (int c = corners_ - 1; c >= 0; --c) {
        if (c + 1 < corners_) b[place(c, k)] -= b[place(c + 1, k)] / 6;
        b[place(c, k)] /= pivot[static_cast<std::size_t>(c)];
      }
    }
    return b;
  }

  /// x of least norm with J x = b as well as possible, and x = 0 where a corner is held.
  static Vector least_norm(const Eigen::MatrixXd& J, const Vector& b, const std::vector<bool>& held) {
    Eigen::MatrixXd A = J;
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      if (held[static_cast<std::size_t>(k)]) A.col(k).setZero();
    Eigen::MatrixXd G = A * A.transpose();
    G.diagonal().array() += 1e-13 * (1e-30 + G.trace());
    return A.transpose() * solved_symmetric(G, b);
  }

  /// Corners that the step would push out of their range are held, and the others do their part.
  Vector newton_step(const Vector& p, const Vector& r, const Eigen::MatrixXd& J) const {
    std::vector<bool> held(static_cast<std::size_t>(p.size()), false);
    Vector step;
    for (int round = 0; round < 8; ++round) {
      step = least_norm(J, -r, held);
      bool more = false;
      for (Eigen::Index k = 0; k < p.size(); ++k) {
        const bool out = (p[k] >= range(k).second && step[k] > 0) || (p[k] <= range(k).first && step[k] < 0);
        if (!out || held[static_cast<std::size_t>(k)]) continue;
        held[static_cast<std::size_t>(k)] = more = true;
      }
      if (!more) break;
    }
    return step;
  }

  /// A few rows, positive definite: Cholesky's decomposition.
  static Vector solved_symmetric(Eigen::MatrixXd G, Vector b) {
    const Eigen::Index n = G.rows();
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index k = 0; k < j; ++k) G(j, j) -= G(j, k) * G(j, k);
      G(j, j) = std::sqrt(std::max(G(j, j), 1e-300));
      for (Eigen::Index i = j + 1; i < n; ++i) {
        for (Eigen::Index k = 0; k < j; ++k) G(i, j) -= G(i, k) * G(j, k);
        G(i, j) /= G(j, j);
      }
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) b[i] -= G(i, k) * b[k];
      b[i] /= G(i, i);
    }
    for (Eigen::Index i = n; i-- > 0;) {
      for (Eigen::Index k = i + 1; k < n; ++k) b[i] -= G(k, i) * b[k];
      b[i] /= G(i, i);
    }
    return b;
  }

  Shooting& shooting_;
  std::vector<std::pair<double, double>> ranges_;
  int corners_;
};

/// ∫ Σ u² dt of polygons, exactly.
double effort_of(const Plan& plan) {
  double effort = 0;
  for (const std::vector<double>& u : plan.corners)
    for (std::size_t c = 0; c + 1 < u.size(); ++c)
      effort +=
          (plan.times[c + 1] - plan.times[c]) * (u[c] * u[c] + u[c] * u[c + 1] + u[c + 1] * u[c + 1]) / 3;
  return effort;
}

void put_corners(Plan& plan, const Vector& p, const PlanOptions& options) {
  plan.times.clear();
  plan.corners.assign(plan.inputs.size(), {});
  for (int c = 0; c <= options.pieces; ++c) {
    plan.times.push_back(options.duration * c / options.pieces);
    for (std::size_t k = 0; k < plan.inputs.size(); ++k)
      plan.corners[k].push_back(
          p[static_cast<Eigen::Index>(k + plan.inputs.size() * static_cast<std::size_t>(c))]);
  }
}

/// A run with the polygons as laws of the inputs: what it reaches.
void verify(const System& system, const std::vector<Goal>& goals, const PlanOptions& options, Plan& plan) {
  System bound = system;
  for (std::size_t k = 0; k < plan.inputs.size(); ++k) {
    LawTable table;
    for (std::size_t c = 0; c < plan.times.size(); ++c) {
      table.times.push_back(Rational::from_double(plan.times[c]));
      table.values.push_back(Rational::from_double(plan.corners[k][c]));
    }
    for (AbstractFunction& f : bound.functions)
      if (is_input(bound, f) && f.function.name() == plan.inputs[k])
        f.value = interpolated(table, Interpolation::linear, bound.time);
  }
  const Flow flow(std::move(bound));
  RunOptions run;
  run.until = options.duration;
  run.method = "dop853";
  run.reactions = false;
  const Trajectory reached = trajectory(flow, initial_state(flow), run);
  if (reached.failure) return;
  std::vector<Expr> ends;
  for (const Goal& goal : goals) ends.push_back(goal.expression);
  const Code code = flow.observing(ends);
  Evaluator<double> f(code, flow.parameter_values<double>());
  std::vector<double> at = reached.final_state;
  at.push_back(options.duration);
  plan.reached.resize(goals.size());
  f(at.data(), plan.reached.data());
  plan.verified_steps = reached.counts.steps;
}

bool is_met(const Plan& plan, const std::vector<Goal>& goals, double accuracy) {
  if (plan.reached.size() != goals.size()) return false;
  for (std::size_t k = 0; k < goals.size(); ++k)
    if (!(std::abs(plan.reached[k] - goals[k].value) <= accuracy)) return false;
  return true;
}

}  // namespace

namespace {

/// The names of the model, and of the speeds that the program chooses and `derive` prints, as functions of the velocities.
Scope with_chosen_speeds(const System& system) {
  Scope scope = system.scope;
  try {
    const SolvedVelocities solved = solved_velocities(system);
    for (std::size_t k = 0; k < solved.definitions.size(); ++k)
      if (scope.find(solved.speeds[k].name()) == nullptr)
        scope.define(solved.speeds[k].name(), solved.definitions[k]);
  } catch (const OutOfDomain&) {  // no speeds are chosen
  }
  return scope;
}

}  // namespace

Goal stated_goal(const System& system, const std::string& name, const std::string& value) {
  const Expr e = substitute(parse(value, system.scope), parameter_values(system));
  try {
    return {name, parse(name, with_chosen_speeds(system)), evaluate(e, Numbers{})};
  } catch (const NoValue&) {
    throw Error("usage", fmt::format("the goal `{}` of `{}` is not a number", value, name),
                "a goal is a number at the end of the motion", "use numbers, pi and parameters with values");
  }
}

Plan plan(const System& system, const std::vector<Goal>& goals, const PlanOptions& options) {
  const OpenSystem open = opened(system);
  if (open.names.empty())
    throw Error("no-inputs", "the model has no inputs that could be planned",
                "a plan chooses the inputs of [inputs]",
                "declare them, such as [inputs] tau = { about = \"torque\", range = [-1, 1] }, and use them "
                "in [forces]");
  Shooting shooting(open, goals, options);
  Search search(shooting, inner(open.ranges), options.pieces + 1);
  Plan found{false, open.names, open.ranges, {}, {}, 0, {}, 0, 0, 0};
  std::mt19937_64 random(25);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (found.starts = 1; found.starts <= options.starts; ++found.starts) {
    Vector p = Vector::Zero(search.unknowns());
    if (found.starts > 1)
      for (Eigen::Index k = 0; k < p.size(); ++k) {
        const auto& [least, most] = open.ranges[static_cast<std::size_t>(k) % open.ranges.size()];
        const double size = std::isfinite(most - least) ? (most - least) / 2 : std::exp2(found.starts - 4);
        p[k] = (std::isfinite(most - least) ? (most + least) / 2 : 0) + size * uniform(random);
      }
    search.clip(p);
    if (!search.meet_goals(p, options.accuracy / 10)) continue;
    search.reduce_effort(p, options.accuracy / 10);
    for (int round = 0; round < 6; ++round) {
      put_corners(found, p, options);
      verify(system, goals, options, found);
      found.effort = effort_of(found);
      if ((found.found = is_met(found, goals, options.accuracy))) return found;
      shooting.refine();
      if (!search.meet_goals(p, options.accuracy / 10)) break;
    }
  }
  found.starts = options.starts;
  found.nearest = search.nearest;
  return found;
}

}  // namespace rattleback
