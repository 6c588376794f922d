#pragma once
/// Derives several forms at once: those that apply, why the others do not, and whether they agree.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>

namespace rattleback {

/// A form that was asked for together with others and does not apply, and why.
struct Absent {
  std::string form, why;
};

struct Derivation {
  std::vector<EquationsOfMotion> forms;
  std::vector<Absent> absent;
  std::optional<Agreement> agreement;  ///< when more than one form was asked for, and there was time
};

/// With `reactions`, every form of this motion gets its multipliers, in its own speeds. Throws the first form's Error when
/// none applies. `seconds` is the time for each form, and again for their comparison: what takes longer is absent.
Derivation derivation(const System& system, const std::vector<Formalism>& forms, bool reactions,
                      std::optional<double> seconds = std::nullopt);

}  // namespace rattleback
