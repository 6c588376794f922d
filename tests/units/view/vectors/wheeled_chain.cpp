// Chains on wheels: the recursion is that of the motion, and a wrong link is noticed.
#include <rattleback/view/vectors/wheeled_chain.hpp>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

TEST_CASE(
    "the recursion of a chain on wheels is the motion of Lagrange and d'Alembert; every mutant of a link is "
    "refused") {
  for (const char* name :
       {"models/snake-robot.toml", "models/truck-with-dolly.toml", "models/car-3-trailers.toml"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const auto chain = wheeled_chain(system);
    REQUIRE(chain);
    CHECK(agrees_with_motion(system, *chain));
    using Member = Expr WheeledLink::*;
    for (const Member member :
         {&WheeledLink::b, &WheeledLink::d, &WheeledLink::mass, &WheeledLink::moment, &WheeledLink::inertia,
          &WheeledLink::force, &WheeledLink::torque, &WheeledLink::joint_torque}) {
      // a trailer hitched over the axle before it has one motion only, on which n = h w (−w, v) does no work
      const std::size_t k = member == &WheeledLink::moment ? 0 : 1;
      WheeledChain wrong = *chain;
      wrong.links[k].*member = wrong.links[k].*member + 1;
      CHECK_FALSE(agrees_with_motion(system, wrong));
    }
    WheeledChain elsewhere = *chain;
    elsewhere.ahead = elsewhere.ahead + 1;
    CHECK_FALSE(agrees_with_motion(system, elsewhere));
  }
}

TEST_CASE("systems that are no chain on wheels have no recursion") {
  for (const char* name : {"models/chaplygin-sleigh.toml", "models/snakeboard.toml", "models/tricycle.toml"})
    CHECK_FALSE(wheeled_chain(load_model(name)));
}

namespace {

/// A truck and trailers whose hitches lie behind the axles, all lengths and masses different, stated by its Lagrangian with absolute headings.
std::string trailers_by_lagrangian(int n) {
  std::string space = "x = \"R\"\ny = \"R\"\n", parameters, define, constraints, energy;
  for (int i = 0; i < n; ++i) {
    space += fmt::format("q{} = \"S1\"\n", i);
    parameters += fmt::format("m{0} = {1}\nJ{0} = {2}\nh{0} = 0.{1}5\n", i, 9 - i, i + 2);
    if (i == 0) {
      define += "X0 = \"x\"\nY0 = \"y\"\n";
    } else {
      parameters += fmt::format("l{0} = 1.{0}\nc{0} = 0.{0}\n", i);
      define += fmt::format("X{0} = \"X{1} - c{0}*cos(q{1}) - l{0}*cos(q{0})\"\n", i, i - 1);
      define += fmt::format("Y{0} = \"Y{1} - c{0}*sin(q{1}) - l{0}*sin(q{0})\"\n", i, i - 1);
    }
    define += fmt::format("U{0} = \"X{0} + h{0}*cos(q{0})\"\nV{0} = \"Y{0} + h{0}*sin(q{0})\"\n", i);
    constraints += fmt::format("axle{0} = \"X{0}'*sin(q{0}) = Y{0}'*cos(q{0})\"\n", i);
    energy += fmt::format("{1}m{0}/2*(U{0}'^2 + V{0}'^2) + J{0}/2*q{0}'^2", i, i == 0 ? "" : " + ");
  }
  return "lagrangian = \"" + energy + "\"\n[space]\n" + space + "[parameters]\n" + parameters + "[define]\n" +
         define + "[constraints]\n" + constraints;
}

/// The same by bodies, joints and knife edges.
std::string trailers_by_joints(int n) {
  std::string s = "[parameters]\n", machine;
  for (int i = 0; i < n; ++i) {
    s += fmt::format("m{0} = {1}\nJ{0} = {2}\nh{0} = 0.{1}5\n", i, 9 - i, i + 2);
    if (i > 0) s += fmt::format("l{0} = 1.{0}\nc{0} = 0.{0}\n", i);
    machine += fmt::format(
        "[bodies.b{0}]\nmass = \"m{0}\"\ninertia = \"diag(0, 0, J{0})\"\ncenter = \"[h{0}, 0, 0]\"\n"
        "[wheels.w{0}]\nkind = \"knife-edge\"\nbody = \"b{0}\"\n",
        i);
    machine += i == 0 ? std::string(
                            "[joints.road]\nkind = \"planar\"\nchild = \"b0\"\ncoordinates = [\"x\", "
                            "\"y\", \"q0\"]\n")
                      : fmt::format(
                            "[joints.q{0}]\nkind = \"revolute\"\nparent = \"b{1}\"\nchild = \"b{0}\"\n"
                            "at = \"[-c{0}, 0, 0]\"\nchild_at = \"[l{0}, 0, 0]\"\n",
                            i, i - 1);
  }
  return s + machine;
}

std::string values_of(const WheeledChain& chain, const std::string& name) {
  std::string all;
  for (const LinkQuantity& quantity : chain.quantities)
    if (quantity.name == name)
      for (const auto& [left, right] : quantity.values) all += left + " = " + right + "; ";
  return all;
}

}  // namespace

TEST_CASE(
    "hitches behind the axles, and lengths and masses that differ: one line for all links, however many") {
  for (const int n : {3, 5}) {
    for (const std::string& text : {trailers_by_lagrangian(n), trailers_by_joints(n)}) {
      CAPTURE(text);
      const System system = read_model(text, "trailers.toml");
      const auto chain = wheeled_chain(system);
      REQUIRE(chain);
      CHECK(chain->links.size() == static_cast<std::size_t>(n));
      CHECK(agrees_with_motion(system, *chain));
      CHECK(values_of(*chain, "b") == "b_i = c_i; ");
      CHECK(values_of(*chain, "d") == "d_i = l_i; ");
      CHECK(values_of(*chain, "m") == "m_i = m_i; ");
      CHECK(values_of(*chain, "h") == "h_i = m_i*h_i; ");
      CHECK(values_of(*chain, "K") == "K_i = J_i + m_i*h_i^2; ");
    }
  }
}

TEST_CASE("letters of the recursion make way for those of the model") {
  const System system = read_model(trailers_by_lagrangian(3), "trailers.toml");
  const auto chain = wheeled_chain(system);
  REQUIRE(chain);
  const std::string page = as_text(system, *chain);
  CHECK(page.find("C_i     = (w_(i-1) - w_i)*[-d_i*w_i, v_i/d_i]") != std::string::npos);
  CHECK(page.find("n_i = [-H_i*w_i^2, H_i*v_i*w_i]") != std::string::npos);
  CHECK(page.find("H_i     = m_i*h_i") != std::string::npos);
  CHECK(page.find("b_i     = c_i") != std::string::npos);
}
