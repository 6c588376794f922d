#include <doctest/doctest.h>

#include <fmt/format.h>

#include <rattleback/algebra/expression/operation_count.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/joint_tree.hpp>
#include <rattleback/motion/programs/articulated.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

const std::string parameters =
    "[parameters]\ng = 9.81\nm = { value = 1.5, positive = true }\nl = { value = 0.7, positive = true }\n"
    "J = { value = 0.2, positive = true }\nk = { value = 3, positive = true }\nc = { value = 0.1, positive = "
    "true }\n";

std::string body(const std::string& name, const std::string& more = "") {
  return fmt::format(
      "[bodies.{}]\nmass = \"m\"\ninertia = \"[[J, J/10, 0], [J/10, 2*J, J/20], [0, J/20, 2*J]]\"\ncenter = "
      "\"[l/2, l/9, 0]\"\n{}",
      name, more);
}

std::string joint(const std::string& name, const std::string& kind, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return fmt::format("[joints.{}]\nkind = \"{}\"\nparent = \"{}\"\nchild = \"{}\"\n{}", name, kind, parent,
                     child, more);
}

System machine(const std::string& text, const std::string& before = "gravity = \"g\"\n") {
  return read_model(before + parameters + text, "machine.toml");
}

/// From the mass matrix, whatever the size.
EquationsOfMotion by_elimination(const System& system) {
  return solved_motion(system, projected_motion(system));
}

bool is_the_same_motion(const System& system) {
  const auto recursion = articulated_motion(system);
  REQUIRE(recursion);
  const EquationsOfMotion other = by_elimination(system);
  REQUIRE(recursion->speeds == other.speeds);
  REQUIRE(recursion->configuration_rates == other.configuration_rates);
  for (std::size_t i = 0; i < other.speed_rates.size(); ++i)
    if (!vanishes_at_random_points(recursion->speed_rates[i] - other.speed_rates[i])) return false;
  return true;
}

/// Rods, one behind the other; `axes` gives the axis of each joint in turn.
System chain(int n, const std::vector<std::string>& axes) {
  std::string text;
  for (int i = 1; i <= n; ++i) text += body(fmt::format("b{}", i));
  for (int i = 1; i <= n; ++i) {
    const std::string& axis = axes[static_cast<std::size_t>(i) % axes.size()];
    text += joint(fmt::format("q{}", i), "revolute", i == 1 ? "ground" : fmt::format("b{}", i - 1),
                  fmt::format("b{}", i),
                  fmt::format("axis = \"{}\"\n{}", axis, i == 1 ? "" : "at = \"[l, 0, 0]\"\n"));
  }
  return machine(text);
}

}  // namespace

TEST_CASE("the articulated-body recursion gives the motion of every kind of joint (T.1)") {
  const std::string two = body("a") + body("b");
  const std::string placed = "at = \"[l, 0, l/3]\"\nchild_at = \"[0, l/3, 0]\"\n";
  for (const auto& [kind, more] : std::vector<std::pair<std::string, std::string>>{
           {"revolute", "axis = \"[3/5, 4/5, 0]\"\n"},
           {"prismatic", "axis = \"[0, 3/5, 4/5]\"\nrotation = \"Rx(1/3)\"\n"},
           {"cylindrical", "axis = \"[0, 1, 0]\"\nchild_rotation = \"Rz(1/2)\"\n"},
           {"universal", "axis = \"[1, 0, 0]\"\nsecond_axis = \"[0, 1, 0]\"\n"},
           {"spherical", ""},
           {"planar", ""},
           {"free", ""},
           {"weld", "rotation = \"Ry(1/4)\"\n"}}) {
    CAPTURE(kind);
    for (const char* root : {"revolute", "spherical", "free"}) {
      CAPTURE(root);
      const std::string first = joint("first", root, "ground", "a");
      CHECK(is_the_same_motion(machine(two + first + joint("second", kind, "a", "b", placed + more))));
      // The tree goes from the child of the joint to its parent.
      CHECK(is_the_same_motion(machine(two + first + joint("second", kind, "b", "a", placed + more))));
    }
  }
}

TEST_CASE("springs, dampers, potentials and forces act in the recursion as in the Lagrangian") {
  const System system = machine(
      body("a") + body("b") + body("c") + joint("x", "prismatic", "ground", "a", "stiffness = \"k\"\n") +
          joint("R", "spherical", "a", "b", "stiffness = \"k\"\ndamping = \"c\"\n") +
          joint("y", "prismatic", "b", "c", "stiffness = \"k\"\nrest = \"1/3\"\ndamping = \"c\"\n") +
          "[forces]\ny = \"-k*y'*x'\"\n",
      "gravity = \"g\"\ndown = \"[0, 3/5, -4/5]\"\npotential = \"k*x^2*(1 + y^2) + k*R[1,2]*y\"\n");
  CHECK(is_the_same_motion(system));
  CHECK(all_vanish(dalembert_residuals(system, *articulated_motion(system))));
  EquationsOfMotion mutant = *articulated_motion(system);
  mutant.speed_rates[0] += 1;
  CHECK(some_do_not_vanish(dalembert_residuals(system, mutant)));
}

TEST_CASE("the recursion is proved equal to the elimination for small chains") {
  for (const System& system : {chain(2, {"[0, 0, 1]"}), chain(2, {"[0, 0, 1]", "[0, 1, 0]"})}) {
    const EquationsOfMotion other = by_elimination(system);
    const auto recursion = articulated_motion(system);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(proved(are_equal(recursion->speed_rates[i], other.speed_rates[i])));
  }
}

TEST_CASE("a branched tree, given in any order") {
  const std::string joints =
      joint("tip", "revolute", "b", "d", "at = \"[l, 0, 0]\"\naxis = \"[0, 1, 0]\"\n") +
      joint("left", "revolute", "a", "b", "at = \"[l, 0, 0]\"\n") +
      joint("right", "universal", "a", "c", "axis = \"[0, 1, 0]\"\n") + joint("root", "free", "ground", "a");
  CHECK(is_the_same_motion(machine(body("d") + body("c") + body("b") + body("a") + joints)));
}

TEST_CASE("bodies that are points: definite where the joints let nothing turn in place") {
  const std::string point = "[bodies.p]\nmass = \"m\"\ncenter = \"[l, 0, 0]\"\n";
  const System pendulum = machine(body("a") + point + joint("q", "revolute", "ground", "a") +
                                  joint("s", "revolute", "a", "p", "axis = \"[0, 1, 0]\"\n"));
  CHECK(is_the_same_motion(pendulum));
  // Nothing resists a turn of the rod about itself: the elimination says so.
  const System spinning = machine(body("a") + point + joint("q", "revolute", "ground", "a") +
                                  joint("s", "revolute", "a", "p", "axis = \"[1, 0, 0]\"\n"));
  CHECK(!articulated_motion(spinning));
}

TEST_CASE("a chain costs O(n) operations, and values of parameters reach it") {
  const auto operations = [](int n) {
    return operations_of(*articulated_motion(chain(n, {"[0, 0, 1]", "[0, 1, 0]"})));
  };
  const std::size_t ten = operations(10), twenty = operations(20), forty = operations(40);
  CHECK(twenty - ten <= (forty - twenty) / 2 + 20);
  CHECK(forty - twenty <= 2 * (twenty - ten) + 20);

  const System longer = chain(12, {"[0, 0, 1]", "[0, 1, 0]"}), system = with_values(longer, {{"l", "2"}});
  const EquationsOfMotion recursion = straight_line_equations(system), other = by_elimination(system);
  CHECK(operations_of(recursion) < operations_of(other) / 3);
  Numbers at;
  for (std::size_t i = 0; i < recursion.speeds.size(); ++i) {
    at[recursion.configuration[i]] = 0.3 * static_cast<double>(i % 4);
    at[recursion.speeds[i]] = 0.1 * static_cast<double>(i % 5);
  }
  for (const auto& [symbol, value] : parameter_values(system)) at[symbol] = evaluate(value, Numbers{});
  for (std::size_t i = 0; i < recursion.speeds.size(); ++i)
    CHECK(evaluate(recursion.speed_rates[i], at) ==
          doctest::Approx(evaluate(other.speed_rates[i], at)).epsilon(1e-9));
}

TEST_CASE("what is not a tree of joints alone takes the elimination") {
  const std::string two = body("a") + body("b") + joint("q", "revolute", "ground", "a") +
                          joint("s", "revolute", "a", "b", "at = \"[l, 0, 0]\"\n");
  CHECK(articulated_motion(machine(two)));
  CHECK(!articulated_motion(machine(two, "gravity = \"g\"\nkinetic = \"q'^2\"\n")));
  CHECK(!articulated_motion(machine(two + "[constraints]\nc = \"q' + s' = 0\"\n")));
  System changed = machine(two);
  changed.lagrangian += changed.space.velocities()[0];
  CHECK(!articulated_motion(changed));
  CHECK(!articulated_motion(load_model("bicycle")));
}
