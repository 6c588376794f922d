#include <rattleback/motion/equations/equations.hpp>

#include <mutex>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

struct Steps::Later {
  Make make;
  std::once_flag made;
  std::vector<Step> steps;
};

Steps::Steps(std::vector<Step> made) : made_(std::move(made)) {}
Steps::Steps(std::initializer_list<Step> made) : made_(made) {}
Steps::Steps(Make later) : later_(std::make_shared<Later>()) { later_->make = std::move(later); }

const std::vector<Step>& Steps::all() const {
  if (!later_) return made_;
  std::call_once(later_->made, [this] {
    later_->steps = later_->make();
    later_->make = nullptr;  // what it holds is not needed any more
  });
  return later_->steps;
}

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
