#pragma once
/// Certificates that constraints are holonomic, or that brackets of admissible fields leave D and how far they lead.

#include <rattleback/model/checks/triage.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// Another growth vector where a symbol has a value.
struct SpecialGrowth {
  Symbol symbol;
  Expr value;
  std::vector<int> ranks;
};

/// The brackets that span, what the others are in terms of them (W.1), the integrals, and growth at special places. For constraints
/// with a drift the ranks include time. Null when the formulas are too long or take too much work.
Data growth_certificate(const System& system, const Triage& found, const std::vector<SpecialGrowth>& special);

}  // namespace rattleback
