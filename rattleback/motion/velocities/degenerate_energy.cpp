#include <rattleback/motion/velocities/degenerate_energy.hpp>

namespace rattleback {

Degenerate degenerate_energy(std::string why) {
  return Degenerate("degenerate-energy", "the Lagrangian is not regular on the constraint", std::move(why),
                    "add the missing inertia, or constrain the massless direction");
}

}  // namespace rattleback
