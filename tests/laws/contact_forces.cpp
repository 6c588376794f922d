// Reactions of contacts against the motion they belong to: what the contacts and the weight exert is the rate of momentum and of
// angular momentum of all bodies, taken from differences of states. A wrong sign of any force is seen here.
#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <rattleback/algebra/signs/numbers.hpp>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/text/source.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

using namespace rattleback;

namespace {

using Vector = Eigen::Vector3d;

/// The model as it is written: only weight and contacts may act on its bodies.
bool only_weight_and_contacts(const Toml& file) {
  for (const char* key : {"lagrangian", "kinetic", "potential", "rayleigh", "forces", "constraints"})
    if (file.find(key) != nullptr) return false;
  const Toml* joints = file.find("joints");
  for (std::size_t k = 0; joints != nullptr && k < joints->items.size(); ++k) {
    const Toml* parent = joints->items[k].find("parent");
    const std::string kind = joints->items[k].find("kind")->text;
    const bool grounded = parent == nullptr || parent->text == "ground";
    if (grounded && kind != "free" && kind != "planar") return false;
    if (grounded && joints->items[k].find("stiffness") != nullptr) return false;
    if (grounded && joints->items[k].find("damping") != nullptr) return false;
    if (grounded && joints->items[k].find("drive") != nullptr) return false;
  }
  return file.find("contacts") != nullptr || file.find("wheels") != nullptr;
}

/// Bodies whose momentum is watched: all, or those that one contact places.
using Group = std::set<std::string>;

class Run {
 public:
  Run(const System& system, const Trajectory& run) : system_(system) {
    for (std::size_t k = 0; k < run.names.size(); ++k) values_[run.names[k]] = run.final_row[k];
    for (const auto& [s, value] : parameter_values(system)) at_.emplace(s, evaluate(value, {}));
    for (const Symbol q : system.space.functions()) at_.emplace(q, values_.at(q.name()));
    for (const Symbol v : system.space.velocities()) at_.emplace(v, values_.at(v.name()));
  }
  Vector vector(const Matrix& column) const {
    return {number(column(0, 0)), number(column(1, 0)), number(column(2, 0))};
  }
  double number(Expr e) const { return evaluate(with_formulas(system_, e), at_); }
  const double* value(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  Vector momentum(const Group& group) const {
    Vector p = Vector::Zero();
    for (const RigidBody& b : system_.bodies)
      if (group.contains(b.name)) p += number(b.mass) * vector(b.v_G_S);
    return p;
  }
  /// About the origin.
  Vector angular_momentum(const Group& group) const {
    Vector sum = Vector::Zero();
    for (const RigidBody& b : system_.bodies) {
      if (!group.contains(b.name)) continue;
      sum += number(b.mass) * vector(b.r_G_S).cross(vector(b.v_G_S));
      if (b.inertia.rows() > 0) sum += vector(b.attitude.to_space(b.inertia * b.attitude.w_SB_B()));
    }
    return sum;
  }

 private:
  const System& system_;
  std::map<std::string, double> values_;
  Numbers at_;
};

struct Wrench {
  Vector force = Vector::Zero(), torque = Vector::Zero();
  bool complete = true;  ///< no normal force is missing
};

Wrench exerted(const System& system, const Run& run, const Vector& gravity, const Group& group) {
  Wrench all;
  for (const RigidBody& b : system.bodies) {
    if (!group.contains(b.name)) continue;
    const Vector weight = run.number(b.mass) * gravity;
    all.force += weight;
    all.torque += run.vector(b.r_G_S).cross(weight);
  }
  for (const Contact& c : system.contacts) {
    const int share = int(group.contains(c.body)) - int(group.contains(c.support.body));
    if (share == 0) continue;
    const auto part = [&](const char* name) { return run.value("reaction " + c.name + "." + name); };
    all.complete = all.complete && part("normal") != nullptr;
    Vector force = Vector::Zero();
    const std::pair<const char*, const Matrix*> parts[] = {
        {"normal", &c.normal}, {"along", &c.along}, {"across", &c.across}};
    for (const auto& [name, direction] : parts)
      if (const double* f = part(name)) force += share * *f * run.vector(*direction);
    if (const double* f = c.roller ? part("roller") : nullptr)
      force += share * *f * run.vector(roller_axis(c));
    all.force += force;
    all.torque += run.vector(c.point).cross(force);
    if (const double* spin = part("spin")) all.torque += share * *spin * run.vector(c.normal);
  }
  return all;
}

/// All bodies, and those that a contact places on others.
std::vector<Group> groups_of(const System& system) {
  std::vector<Group> groups(1);
  for (const RigidBody& b : system.bodies) groups[0].insert(b.name);
  for (const Contact& c : system.contacts)
    if (!c.support.body.empty() && !c.carried.empty())
      groups.emplace_back(c.carried.begin(), c.carried.end());
  return groups;
}

/// The weights and the contacts' normals are vertical: what is known without the normal forces.
Vector level(Vector v) {
  v[2] = 0;
  return v;
}

}  // namespace

TEST_CASE(
    "contacts and weight change momentum and angular momentum as Newton and Euler say, in every model with "
    "contacts") {
  constexpr double t = 0.3, h = 2e-5;
  int complete = 0, partial = 0, rollers = 0;
  for (const std::string& name : zoo()) {
    const Source source = read_source(find_model(name));
    const Toml file = parse_toml(source);
    if (!only_weight_and_contacts(file)) continue;
    const System system = load_model(name);
    bool mixed = false;  // constraints without a named force
    for (const Constraint& c : system.constraints) mixed = mixed || (!c.reaction && !c.position);
    if (mixed || system.bodies.empty()) continue;
    CAPTURE(name);
    Vector gravity = Vector::Zero();
    if (const Toml* g = file.find("gravity")) {
      Numbers at;
      for (const auto& [s, value] : parameter_values(system)) at.emplace(s, evaluate(value, {}));
      REQUIRE(file.find("down") == nullptr);
      gravity = Vector(0, 0, -evaluate(parse(g->text, system.scope), at));
    }
    rollers +=
        int(std::ranges::any_of(system.contacts, [](const Contact& c) { return c.roller.has_value(); }));
    const Flow flow(system);
    const std::vector<double> y = initial_state(flow);
    const auto at = [&](double until) {
      RunOptions options;
      options.until = until;
      return Run(system, trajectory(flow, y, options));
    };
    const Run before = at(t - h), now = at(t), after = at(t + h);
    for (const Group& group : groups_of(system)) {
      const Vector force = (after.momentum(group) - before.momentum(group)) / (2 * h);
      const Vector torque = (after.angular_momentum(group) - before.angular_momentum(group)) / (2 * h);
      const Wrench found = exerted(system, now, gravity, group);
      const double scale = 1 + force.norm() + torque.norm() + found.force.norm() + found.torque.norm();
      if (found.complete) {
        CHECK((found.force - force).norm() < 1e-5 * scale);
        CHECK((found.torque - torque).norm() < 1e-5 * scale);
        CHECK((found.force + Vector(0, 1e-3, 0) * scale - force).norm() >
              1e-5 * scale);  // an error would be seen
        ++complete;
      } else if (group.size() == system.bodies.size()) {
        CHECK(level(found.force - force).norm() < 1e-5 * scale);
        ++partial;
      }
    }
  }
  CHECK(complete >= 12);
  CHECK(partial >= 1);
  CHECK(rollers >= 1);
}

namespace {

/// A state of a run, bodies one by one.
class BodiesOfRun {
 public:
  BodiesOfRun(const System& system, const Trajectory& run) : system_(system) {
    for (std::size_t k = 0; k < run.names.size(); ++k) values_[run.names[k]] = run.final_row[k];
    for (const auto& [s, value] : parameter_values(system)) at_.emplace(s, evaluate(value, {}));
    for (const Symbol q : system.space.functions()) at_.emplace(q, values_.at(q.name()));
    for (const Symbol v : system.space.velocities()) at_.emplace(v, values_.at(v.name()));
    at_.emplace(system.time, run.end);
  }
  double number(Expr e) const { return evaluate(with_formulas(system_, e), at_); }
  Vector vector(const Matrix& column) const {
    return {number(column[0]), number(column[1]), number(column[2])};
  }
  /// ∂/∂v_i of a velocity.
  Vector slope(const Matrix& velocity, Symbol v) const {
    Vector at;
    for (int i = 0; i < 3; ++i) at[i] = number(derivative(velocity[i], v));
    return at;
  }
  Vector spin(const RigidBody& b) const {
    return b.inertia.rows() == 0 ? Vector(0, 0, 0)
                                 : vector(b.attitude.to_space(b.inertia * b.attitude.w_SB_B()));
  }
  double reaction(const std::string& name) const {
    const auto found = values_.find("reaction " + name);
    return found == values_.end() ? 0 : found->second;
  }

 private:
  const System& system_;
  std::map<std::string, double> values_;
  Numbers at_;
};

/// What the named forces of contacts work in the direction of v.
double work_of_contacts(const System& system, const BodiesOfRun& at, Symbol v) {
  const auto material = [&](const std::string& body, const Vector& point) {
    for (const RigidBody& b : system.bodies)
      if (b.name == body) {
        const Vector arm = point - at.vector(b.r_G_S);
        const Vector turn = !b.attitude.joints().empty() ? at.slope(b.attitude.w_SB_S(), v) : Vector(0, 0, 0);
        return std::pair(Vector(at.slope(b.v_G_S, v) + turn.cross(arm)), turn);
      }
    return std::pair(Vector(0, 0, 0), Vector(0, 0, 0));
  };
  double work = 0;
  for (const Contact& c : system.contacts) {
    const Vector point = at.vector(c.point);
    const auto [slip, turn] = material(c.body, point);
    const auto [under, turn_under] = material(c.support.body, point);
    const std::pair<const char*, const Matrix*> parts[] = {
        {".normal", &c.normal}, {".along", &c.along}, {".across", &c.across}};
    for (const auto& [name, direction] : parts)
      work += at.reaction(c.name + name) * at.vector(*direction).dot(slip - under);
    if (c.roller) work += at.reaction(c.name + ".roller") * at.vector(roller_axis(c)).dot(slip - under);
    work += at.reaction(c.name + ".spin") * at.vector(c.normal).dot(turn - turn_under);
  }
  return work;
}

}  // namespace

TEST_CASE(
    "d'Alembert: what contacts, weight and other forces work in any direction that joints and drives allow "
    "is what "
    "inertia takes, in every model with contacts") {
  constexpr double t = 0.3, h = 2e-5;
  int models = 0, felt = 0;
  for (const std::string& name : zoo()) {
    const Toml file = parse_toml(read_source(find_model(name)));
    const System system = load_model(name);
    if (system.contacts.empty() || system.bodies.empty()) continue;
    if (file.find("lagrangian") != nullptr || file.find("kinetic") != nullptr) continue;
    CAPTURE(name);
    const Flow flow(with_laws_of_inputs(system));
    const std::vector<double> y = initial_state(flow);
    const auto at = [&](double until) {
      RunOptions options;
      options.until = until;
      return BodiesOfRun(system, trajectory(flow, y, options));
    };
    const BodiesOfRun before = at(t - h), now = at(t), after = at(t + h);
    const std::span<const Symbol> v = system.space.velocities();
    const auto n = static_cast<Eigen::Index>(v.size());
    SymbolMap at_rest;
    for (const Symbol s : v) at_rest.emplace(s, Expr(0));
    const Expr minus_potential = substitute(system.lagrangian, at_rest);
    const System driven = with_laws_of_inputs(system);
    Eigen::VectorXd rest(n), contacts(n);
    double scale = 1;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Symbol direction = v[static_cast<std::size_t>(i)];
      double inertia = 0;
      for (const RigidBody& b : system.bodies) {
        const Vector force = now.number(b.mass) * (after.vector(b.v_G_S) - before.vector(b.v_G_S)) / (2 * h);
        const Vector torque = (after.spin(b) - before.spin(b)) / (2 * h);
        inertia += force.dot(now.slope(b.v_G_S, direction));
        if (b.inertia.rows() > 0) inertia += torque.dot(now.slope(b.attitude.w_SB_S(), direction));
      }
      const int leg = static_cast<int>(i);
      const double given = now.number(system.space.derivative(leg, minus_potential)) +
                           now.number(driven.forces[static_cast<std::size_t>(i)]);
      contacts[i] = work_of_contacts(system, now, direction);
      rest[i] = inertia - given - contacts[i];
      scale += std::abs(inertia) + std::abs(given) + std::abs(contacts[i]);
    }
    // Directions that constraints without a named force leave: drives, loops, points of contact.
    std::vector<const Constraint*> others;
    for (const Constraint& c : system.constraints)
      if (!c.reaction) others.push_back(&c);
    Eigen::MatrixXd A(static_cast<Eigen::Index>(others.size()) + 1, n);
    A.setZero();
    for (std::size_t s = 0; s < others.size(); ++s)
      for (Eigen::Index i = 0; i < n; ++i)
        A(static_cast<Eigen::Index>(s), i) =
            now.number(derivative(others[s]->expression, v[static_cast<std::size_t>(i)]));
    Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    lu.setThreshold(1e-9);
    const Eigen::MatrixXd allowed = lu.kernel();
    CHECK((allowed.transpose() * rest).norm() < 1e-5 * scale);
    ++models;
    if ((allowed.transpose() * contacts).norm() > 1e-3 * scale) ++felt;  // a wrong sign would be seen
  }
  CHECK(models >= 30);
  CHECK(felt >= 20);
}

TEST_CASE("no normal force is told where pins may carry any part of it") {
  for (const char* name : {"planetary-gears", "bevel-differential"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const Flow flow(system);
    RunOptions options;
    options.until = 0.1;
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    for (const std::string& column : run.names) CHECK_FALSE(column.ends_with(".normal"));
    CHECK_FALSE(run.lift_off.has_value());
  }
}

TEST_CASE(
    "the normal forces of a bicycle add up to its weight when it rolls straight on, in the ratio of the "
    "levers") {
  const System system = with_initial_values(load_model("bicycle"), {{"x", "0"},
                                                                    {"y", "0"},
                                                                    {"yaw", "0"},
                                                                    {"lean", "0"},
                                                                    {"pitch", "0"},
                                                                    {"steer", "0"},
                                                                    {"rear", "0"},
                                                                    {"front", "0"},
                                                                    {"lean_rate", "0"},
                                                                    {"steer_rate", "0"},
                                                                    {"rear_rate", "10"}});
  const Flow flow(system);
  RunOptions options;
  options.until = 1e-6;
  const Run run(system, trajectory(flow, initial_state(flow), options));
  double mass = 0, moment = 0;
  for (const RigidBody& b : system.bodies) {
    mass += run.number(b.mass);
    moment += run.number(b.mass) * (run.vector(b.r_G_S)[0] - *run.value("x"));
  }
  const double g = run.number(parse("g", system.scope)), w = run.number(parse("w", system.scope));
  double rear = 0, front = 0;
  for (const Contact& c : system.contacts) {
    const double x = run.vector(c.point)[0] - *run.value("x"),
                 N = *run.value("reaction " + c.name + ".normal");
    CHECK(N > 0);
    (x > w / 2 ? front : rear) = N;
  }
  CHECK(rear + front == doctest::Approx(mass * g).epsilon(1e-9));
  CHECK(front == doctest::Approx(moment * g / w).epsilon(1e-6));
}
