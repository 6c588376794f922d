/// Every stepper against its own claim: the slope of the error over the step, on nonlinear problems with friction, moving
/// constraints and rotations, where no symmetry cancels errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/measured_order.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/steppers/base_motion.hpp>

using namespace rattleback;

namespace {

struct Problem {
  std::string model;
  double until, step;
};
/// A sleigh (limits, no measure), a disk (pendulum-like), a ball with a rotation, a tippe top with friction, which is not
/// reversible, an oscillator that is not integrable, and a particle with a multiplier; the ball has one at fixed momenta.
const std::vector<Problem> problems{{"chaplygin-sleigh", 2, 0.1},    {"falling-disk", 0.5, 0.0125},
                                    {"chaplygin-sphere", 1, 0.05},   {"tippe-top", 0.1, 0.0025},
                                    {"contact-oscillator", 2, 0.05}, {"nonholonomic-particle", 2, 0.1}};

std::vector<double> end_of(const Flow& flow, const std::string& method, const StepperSettings& settings,
                           double until) {
  RunOptions options;
  options.method = method;
  options.settings = settings;
  options.until = until;
  options.reactions = false;
  const Trajectory run = trajectory(flow, initial_state(flow), options);
  REQUIRE_FALSE(run.failure);
  return run.final_state;
}

/// CVODE is an option.
bool is_installed(const Flow& flow, const StepperRow& row) {
  try {
    row.make(flow, {1e-6, 1e-6, 0});
  } catch (const Error& error) {
    REQUIRE(error.slug == "missing-extension");
    return false;
  }
  return true;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

}  // namespace

TEST_CASE("methods of constant step have the order they claim") {
  std::map<std::string, int> measured;
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    for (const MeasuredOrder& m : measured_orders(flow, initial_state(flow), problem.until, problem.step)) {
      if (m.refused) continue;
      CAPTURE(problem.model);
      CAPTURE(m.method);
      CAPTURE(m.order);
      CHECK(m.order > m.claimed - 0.35);
      CHECK(m.order < m.claimed + 1.2);  // more would mean that the claim, or the problem, is too easy
      ++measured[m.method];
    }
  }
  for (const StepperRow& row : all_steppers()) {
    CAPTURE(row.name);
    if (!row.adaptive) CHECK(measured[row.name] >= (row.name == "hamiltonized" ? 2 : 4));
  }
}

namespace {

/// Closed loops: a crank-rocker, a loop beside rolling, a slider-crank with a drive, and an ellipsoid whose rotation is a quaternion and
/// whose gap is a position constraint.
const std::vector<Problem> loops{{"four-bar", 0.2, 0.005},
                                 {"wheeled-four-bar", 1, 0.05},
                                 {"slider-crank", 0.2, 0.01},
                                 {"rolling-ellipsoid", 0.3, 0.0125}};
const std::vector<std::string> keepers{"dla", "dla-midpoint", "dla-reversible",
                                       "gni", "hamel",        "discrete-gradient"};

/// How far a run leaves the position constraints.
double violation(const Flow& flow, std::span<const double> y, const std::string& method, double step,
                 double until) {
  RunOptions options;
  options.method = method;
  options.settings = {0, 0, step};
  options.until = until;
  options.reactions = false;
  for (const Constraint& c : flow.system().constraints)
    if (c.position) options.invariants.push_back({c.name, *c.position});
  REQUIRE_FALSE(options.invariants.empty());
  const Trajectory run = trajectory(flow, y, options);
  REQUIRE_FALSE(run.failure);
  double worst = 0;
  for (const Drift& d : run.drift) worst = std::max(worst, d.largest);
  return worst;
}

}  // namespace

TEST_CASE("discrete mechanics keeps closed loops to rounding, and its order on them") {
  std::map<std::string, int> measured;
  for (const Problem& problem : loops) {
    CAPTURE(problem.model);
    const StartedMotion local = started_motion(load_model(problem.model), {}, Flow::Effort::quick, true);
    for (const MeasuredOrder& m : measured_orders(local.flow, local.state, problem.until, problem.step)) {
      CAPTURE(m.method);
      if (m.refused || std::ranges::find(keepers, m.method) == keepers.end()) continue;
      CAPTURE(m.order);
      CHECK(m.order > m.claimed - 0.35);
      CHECK(m.order < m.claimed + 1.2);
      CHECK(violation(local.flow, local.state, m.method, problem.step, problem.until) < 1e-13);
      ++measured[m.method];
    }
    // Kutta's method does not keep them: what is measured here can be seen.
    CHECK(violation(local.flow, local.state, "rk4", problem.step, problem.until) > 1e-12);
  }
  for (const std::string& method : keepers) {
    CAPTURE(method);
    CHECK(measured[method] >= 3);
  }
}

TEST_CASE(
    "discrete Lagrange-d'Alembert needs no frame of the constraint: all velocities give the same motion") {
  for (const Problem& problem : loops) {
    const System system = load_model(problem.model);
    const StartedMotion local = started_motion(system, {}, Flow::Effort::quick, true);
    const Flow all(system, Flow::Effort::quick, Flow::Speeds::all);
    const std::vector<double> y = initial_state(all);
    REQUIRE(all.projection() != nullptr);
    REQUIRE(local.flow.projection() == nullptr);
    for (const std::string method : {"dla", "dla-midpoint", "dla-reversible", "gni"}) {
      CAPTURE(problem.model);
      CAPTURE(method);
      const auto end = [&](const Flow& flow, std::span<const double> from) {
        RunOptions options;
        options.method = method;
        options.settings = {0, 0, problem.step};
        options.until = 4 * problem.step;
        options.reactions = false;
        std::vector<double> found = trajectory(flow, from, options).final_state;
        found.resize(flow.first_speed());  // positions: the speeds are others
        return found;
      };
      CHECK(distance(end(all, y), end(local.flow, local.state)) < 1e-10);
    }
  }
}

TEST_CASE("methods keep what they say they keep, with long steps") {
  // The contact oscillator is neither integrable nor reversible-integrable for eps ≠ 0 [Modin and Verdier 2020].
  const Flow flow(load_model("contact-oscillator"));
  const std::vector<Invariant> energy = known_invariants(flow.system());
  const auto drift = [&](const std::string& method, double until) {
    RunOptions options;
    options.method = method;
    options.settings = {0, 0, 0.2};
    options.until = until;
    options.reactions = false;
    options.invariants = energy;
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    REQUIRE_FALSE(run.failure);
    return run.drift.front().largest;
  };
  CHECK(drift("discrete-gradient", 100) < 1e-12);
  // Symmetric methods: the energy error stays small, without growing like that of Kutta's method.
  for (const char* method : {"dla-midpoint", "dla-reversible", "gni", "hamel"}) {
    CAPTURE(method);
    CHECK(drift(method, 100) > 1e-6);
    CHECK(drift(method, 100) < 0.2);
  }
}

TEST_CASE(
    "the first step of gni is as accurate as the others: half of the reaction is where its momenta begin") {
  // Without that half, or with all of it, the first step is wrong in h² instead of h³.
  for (const Problem& problem : problems) {
    if (problem.model == "tippe-top") continue;  // friction has an impulse of its own
    CAPTURE(problem.model);
    const Flow flow(load_model(problem.model));
    const auto error_with = [&](double h) {
      return distance(end_of(flow, "gni", {0, 0, h}, h), end_of(flow, "taylor", {1e-16, 1e-18, 0}, h));
    };
    CHECK(std::log2(error_with(problem.step) / error_with(problem.step / 2)) > 2.6);
  }
}

TEST_CASE("copies of a flow share the formulas of a method, not its parameters") {
  Flow flow(load_model("contact-oscillator"));
  Flow other = flow;
  std::vector<double> values = flow.parameter_values<double>();
  for (double& v : values) v *= 2;
  other.set_parameters(values);
  for (const std::string method : {"dla-midpoint", "gni", "hamel", "discrete-gradient"}) {
    CAPTURE(method);
    const std::vector<double> before = end_of(flow, method, {0, 0, 0.05}, 1),
                              moved = end_of(other, method, {0, 0, 0.05}, 1);
    CHECK(distance(before, moved) > 1e-6);
    CHECK(distance(moved, end_of(other, "taylor", {1e-15, 1e-17, 0}, 1)) < 0.05);
    CHECK(end_of(flow, method, {0, 0, 0.05}, 1) == before);
  }
}

TEST_CASE("symmetric methods take back what they did") {
  for (const std::string model : {"contact-oscillator", "chaplygin-sphere", "falling-disk"}) {
    const Flow flow(load_model(model));
    const std::vector<double> y = initial_state(flow);
    for (const std::string method :
         {"dla-midpoint", "dla-reversible", "hamel", "discrete-gradient", "gauss4", "dla"}) {
      CAPTURE(model);
      CAPTURE(method);
      // One step of length h, and one of length −h: a symmetric method is its own inverse, the plain one is not.
      const auto stepper = stepper_named(method).make(flow, {0, 0, 0.02});
      stepper->start(0, y);
      stepper->step(0.02);
      const std::vector<double> there(stepper->state().begin(), stepper->state().end());
      const auto back = stepper_named(method).make(flow, {0, 0, -0.02});
      back->start(0.02, there);
      back->step(0);
      const std::vector<double> again(back->state().begin(), back->state().end());
      if (method == "dla") {
        // The Lagrangian of the ball does not see where in the step it is taken: there it is symmetric, too.
        if (model != "chaplygin-sphere") CHECK(distance(again, y) > 1e-9);
      } else {
        CHECK(distance(again, y) < 1e-13);
      }
    }
  }
}

/// ω = dx∧dp + σ, σ(a, b) = ⟨S a, b⟩, of two tangent vectors of the reduced phase space.
double symplectic_form(BaseMotion& motion, std::vector<double> y, const Eigen::VectorXd& a,
                       const Eigen::VectorXd& b) {
  const Eigen::Index n = a.size() / 2;
  const Eigen::VectorXd twist = motion.rates(a.head(n), motion.constants(y), y).twist;
  return a.head(n).dot(b.tail(n)) - b.head(n).dot(a.tail(n)) + twist.dot(b.head(n));
}

/// (x, p) of a state.
Eigen::VectorXd reduced(BaseMotion& motion, const std::vector<double>& y) {
  const Eigen::VectorXd x = motion.point(y), p = motion.momenta(y);
  Eigen::VectorXd both(2 * x.size());
  both << x, p;
  return both;
}

/// After one step that is `tau` long in τ, whatever the state.
std::vector<double> after_step(const Flow& flow, BaseMotion& motion, const std::string& method,
                               const std::vector<double>& y, double tau) {
  const auto stepper = stepper_named(method).make(flow, {0, 0, tau / motion.multiplier(y)});
  stepper->start(0, y);
  stepper->step(1e3);
  return {stepper->state().begin(), stepper->state().end()};
}

/// How much one long step changes ω on two directions in which the constant momenta stay as they are.
double symplectic_defect(const Flow& flow, const std::string& method, double tau) {
  BaseMotion motion(flow);
  const std::vector<double> y = initial_state(flow);
  const Eigen::VectorXd mu = motion.constants(y), p = motion.momenta(y);
  const auto moved = [&](int direction, double eps) {  // along the base, or in the momenta
    std::vector<double> to = y;
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(p.size()), at_p = p, scale;
    for (Eigen::Index k = 0; k < p.size(); ++k) shift[k] = std::cos(3.0 * static_cast<double>(k) + direction);
    REQUIRE(motion.lift(motion.normalised(motion.point(y) + eps * shift, scale), to));
    const Eigen::VectorXd x = motion.point(to);
    motion.set_speeds(motion.tangent(x, p + eps * std::sin(direction) * shift), mu, to);
    return to;
  };
  const double eps = 1e-5;
  std::vector<Eigen::VectorXd> before, after;
  for (const int direction : {1, 2}) {
    const std::vector<double> there = moved(direction, eps), back = moved(direction, -eps);
    before.emplace_back((reduced(motion, there) - reduced(motion, back)) / (2 * eps));
    after.emplace_back((reduced(motion, after_step(flow, motion, method, there, tau)) -
                        reduced(motion, after_step(flow, motion, method, back, tau))) /
                       (2 * eps));
  }
  return std::abs(symplectic_form(motion, after_step(flow, motion, method, y, tau), after[0], after[1]) -
                  symplectic_form(motion, y, before[0], before[1]));
}

TEST_CASE("the Hamiltonized motion is symplectic in its own time, on planes, on spheres, at fixed momenta") {
  for (const char* model : {"nonholonomic-particle", "veselova", "rubber-chaplygin-ball", "chaplygin-sphere",
                            "chaplygin-sphere-euler"}) {
    CAPTURE(model);
    const Flow flow(load_model(model));
    BaseMotion motion(flow);
    const double tau = 0.3 * motion.multiplier(initial_state(flow));
    CHECK(symplectic_defect(flow, "hamiltonized", tau) < 3e-9);
    CHECK(symplectic_defect(flow, "gauss4", tau) > 1e-6);  // in the time t, where it is not
  }
}

/// Bracket of the speeds after one long step, over what it would be for a Poisson map: {u, ω} = k ω and p = G z, so det ∂(u₁, ω₁)/∂(u, ω) = ω₁/ω.
double poisson_defect(const std::string& method) {
  const Flow flow(load_model("chaplygin-sleigh"));
  const auto after = [&](double u, double omega) {
    const auto stepper = stepper_named(method).make(flow, {0, 0, 0.3});
    stepper->start(0, std::vector<double>{0, 0, 0.2, u, omega});
    stepper->step(1e3);
    return std::vector<double>{stepper->state()[3], stepper->state()[4]};
  };
  const double eps = 1e-4, u = -0.8, omega = 0.7;
  const auto right = after(u + eps, omega), left = after(u - eps, omega), up = after(u, omega + eps),
             down = after(u, omega - eps);
  const double det =
      ((right[0] - left[0]) * (up[1] - down[1]) - (right[1] - left[1]) * (up[0] - down[0])) / (4 * eps * eps);
  return std::abs(det - after(u, omega)[1] / omega);
}

TEST_CASE("a sleigh is Hamiltonian on a Lie algebra, and its Hamiltonized steps are Poisson (S.29)") {
  CHECK(poisson_defect("hamiltonized") < 1e-7);  // of the differences
  CHECK(poisson_defect("dla-midpoint") > 1e-5);
  const Flow flow(load_model("chaplygin-sleigh"));
  const std::vector<double> exact = end_of(flow, "taylor", {1e-16, 1e-18, 0}, 2);
  const double coarse = distance(end_of(flow, "hamiltonized", {0, 0, 0.1}, 2), exact);
  const double fine = distance(end_of(flow, "hamiltonized", {0, 0, 0.05}, 2), exact);
  CHECK(coarse < 1e-3);
  CHECK(std::log2(coarse / fine) > 3.7);
}

TEST_CASE("a free body keeps the length of its momentum to rounding, and its energy bounded") {
  const Flow flow(load_model("euler-top"));
  RunOptions options;
  options.method = "hamiltonized";
  options.settings = {0, 0, 0.1};
  options.until = 500;
  options.reactions = false;
  const std::vector<double> y = initial_state(flow);
  const Trajectory run = trajectory(flow, y, options);
  REQUIRE_FALSE(run.failure);
  const SymbolMap values = parameter_values(flow.system());
  std::vector<double> inertia;
  for (const char* name : {"I1", "I2", "I3"})
    for (const Parameter& p : flow.system().parameters)
      if (p.symbol.name() == name) inertia.push_back(evaluate(values.at(p.symbol), Numbers{}));
  REQUIRE(inertia.size() == 3);
  const auto sum = [&](const std::vector<double>& state, double power) {
    double total = 0;
    for (std::size_t k = 0; k < 3; ++k)
      total += std::pow(inertia[k], power) * std::pow(state[flow.first_speed() + k], 2);
    return total;
  };
  CHECK(std::abs(sum(run.final_state, 2) / sum(y, 2) - 1) < 1e-11);  // |p|²
  CHECK(std::abs(sum(run.final_state, 1) / sum(y, 1) - 1) < 1e-4);   // twice the energy
}

TEST_CASE("the Hamiltonized motion about a skew axis, on a rotation group, in a magnetic field") {
  const std::string body = R"toml(
kinetic = "1/2*(2*Omega1^2 + 3*Omega2^2 + 4*Omega3^2)"
[space]
B = { group = "SO(3)", body = "Omega", space = "omega" }
[constraints]
turns = "omega[1] = 2*omega[3]"
[symmetry]
axis = { B = "left [1, 0, -2]" }
[simulation]
initial = { B = "Rx(3/10)", Omega = [1, "1/2", "-3/10"] }
)toml",
                    particle = R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) + 2*y^2*x' - x^2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = y*x'"
[simulation]
initial = { x = 0.3, y = 0.2, z = 0, "x'" = 0.7, "y'" = 0.4 }
)toml";
  for (const System& system : {read_model(body, "body.toml"), load_model("homogeneous-ball"),
                               read_model(particle, "particle.toml")}) {
    CAPTURE(system.title);
    const Flow flow(system);
    const std::vector<double> start = initial_state(flow, {.project = true});
    const auto end = [&](const std::string& method, const StepperSettings& settings) {
      RunOptions options;
      options.method = method;
      options.settings = settings;
      options.until = 1;
      options.reactions = false;
      const Trajectory run = trajectory(flow, start, options);
      REQUIRE_FALSE(run.failure);
      return run.final_state;
    };
    const std::vector<double> exact = end("taylor", {1e-16, 1e-18, 0});
    const double coarse = distance(end("hamiltonized", {0, 0, 0.1}), exact);
    const double fine = distance(end("hamiltonized", {0, 0, 0.05}), exact);
    CHECK(coarse < 1e-3);
    CHECK(std::log2(coarse / fine) > 3.65);
    CHECK(std::log2(coarse / fine) < 5.2);
  }
}

TEST_CASE("the Hamiltonized motion keeps its energy near for long, and is the motion of the model") {
  const auto run = [](const std::string& model, const std::string& method, double until) {
    const Flow flow(load_model(model));
    RunOptions options;
    options.method = method;
    options.settings = {0, 0, 0.1};
    options.until = until;
    options.reactions = false;
    options.invariants = known_invariants(flow.system());
    const Trajectory found = trajectory(flow, initial_state(flow), options);
    REQUIRE_FALSE(found.failure);
    CHECK(found.end == until);
    return found;
  };
  for (const char* model : {"nonholonomic-particle", "veselova"}) {
    CAPTURE(model);
    const Flow flow(load_model(model));
    CHECK(distance(run(model, "hamiltonized", 5).final_state, end_of(flow, "taylor", {1e-16, 1e-18, 0}, 5)) <
          1e-3);
  }
  // Gauss's method for (q, z) loses energy at a constant rate, this one not.
  CHECK(run("veselova", "gauss4", 400).drift.front().largest > 2e-5);
  CHECK(run("veselova", "hamiltonized", 400).drift.front().largest < 3e-6);
}

TEST_CASE("adaptive methods reach what is asked of them, and their dense output as well") {
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    const std::vector<double> exact = end_of(flow, "taylor", {1e-16, 1e-18, 0}, problem.until);
    for (const StepperRow& row : all_steppers()) {
      if (!row.adaptive || !is_installed(flow, row)) continue;
      CAPTURE(problem.model);
      CAPTURE(row.name);
      for (const double rtol : {1e-6, 1e-9}) {
        // Multistep methods control the error of a step less tightly.
        const double factor = row.name.starts_with("cvode") ? 3000 : 300;
        CHECK(distance(end_of(flow, row.name, {rtol, rtol, 0}, problem.until), exact) < factor * rtol);
        // The state in the middle of each step, against a run that ends there.
        const auto stepper = row.make(flow, {rtol, rtol, 0});
        stepper->start(0, initial_state(flow));
        stepper->step(problem.until);
        stepper->step(problem.until);
        const double middle = (stepper->previous_time() + stepper->time()) / 2;
        std::vector<double> there(flow.dimension());
        stepper->at(middle, there);
        const double allowed =
            row.name == "radau5" ? std::sqrt(rtol) : factor * rtol;  // its polynomial has order 3
        CHECK(distance(there, end_of(flow, "taylor", {1e-16, 1e-18, 0}, middle)) < allowed);
      }
    }
  }
}

TEST_CASE("rotations stay on the group, and constraints hold, to rounding") {
  const Flow flow(load_model("chaplygin-sphere"));
  for (const StepperRow& row : all_steppers()) {
    if (!is_installed(flow, row)) continue;
    CAPTURE(row.name);
    const std::vector<double> y =
        end_of(flow, row.name, {row.adaptive ? 1e-9 : 0, 1e-9, row.adaptive ? 0 : 0.02}, 3);
    for (const std::size_t q : flow.quaternions()) {
      const double square = y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3];
      CHECK(std::abs(square - 1) < 1e-15);
    }
  }
}

TEST_CASE("methods that claim momenta of horizontal symmetries keep them to rounding; others do not") {
  for (const Problem& problem : {Problem{"snakeboard", 40, 0.05}, Problem{"chaplygin-sphere", 40, 0.05}}) {
    const System system = load_model(problem.model);
    const Flow flow(system);
    RunOptions options;
    options.until = problem.until;
    options.reactions = false;
    for (const Invariant& i : known_invariants(system))
      if (i.name.starts_with("momentum")) options.invariants.push_back(i);
    const FoundInvariants found = found_invariants(flow, options.invariants);
    for (const Invariant& i : found.invariants)
      if (i.name.starts_with("momentum")) options.invariants.push_back(i);
    REQUIRE(!options.invariants.empty());
    std::size_t claimed = 0;
    double elsewhere = 0;
    for (const StepperRow& row : all_steppers()) {
      if (row.adaptive || row.name == "hamiltonized") continue;
      CAPTURE(problem.model);
      CAPTURE(row.name);
      options.method = row.name;
      options.settings = {0, 0, problem.step};
      const Trajectory run = trajectory(flow, initial_state(flow), options);
      REQUIRE_FALSE(run.failure);
      const bool claims = row.keeps.find("momenta of horizontal") != std::string::npos;
      claimed += claims ? 1 : 0;
      for (const Drift& d : run.drift) {
        if (claims) CHECK(d.relative() < 1e-12);
        if (row.name == "hamel" || row.name == "rk4") elsewhere = std::max(elsewhere, d.relative());
      }
    }
    CHECK(claimed == 4);
    if (problem.model == "chaplygin-sphere") CHECK(elsewhere > 1e-8);  // not a matter of course
  }
}
