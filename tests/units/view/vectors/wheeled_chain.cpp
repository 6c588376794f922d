// Chains on wheels: the recursion is that of the motion, and a wrong link is noticed.
#include <rattleback/view/vectors/wheeled_chain.hpp>

#include <doctest/doctest.h>

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
