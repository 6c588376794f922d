#include <rattleback/proof/evidence/within_reason.hpp>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {

Data within_reason(const std::function<Data()>& certificate) {
  constexpr std::size_t most_steps = 5'000'000, most_terms = 20'000;
  try {
    const Budget budget({.steps = most_steps, .terms = most_terms});
    return certificate();
  } catch (const Exhausted&) {
    Budget::check();
    return {};
  }
}

}  // namespace rattleback
