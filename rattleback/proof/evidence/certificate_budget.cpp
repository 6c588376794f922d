#include <rattleback/proof/evidence/certificate_budget.hpp>

#include <rattleback/algebra/arithmetic/work_limits.hpp>

namespace rattleback {

Data certificate_within_budget(const std::function<Data()>& certificate) {
  try {
    const Budget budget(work_limits::certificate);
    return certificate();
  } catch (const Exhausted&) {
    Budget::check();
    return {};
  }
}

}  // namespace rattleback
