#include <rattleback/motion/equations.hpp>

#include <rattleback/algebra/error.hpp>

namespace rattleback {

Expr EquationsOfMotion::rate(const std::string& name) const {
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (speeds[i].name() == name) return speed_rates[i];
  }
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    if (configuration[i].name() == name) return configuration_rates[i];
  }
  throw Bug("no state variable " + name);
}

}  // namespace rattleback
