#pragma once
/// Equations of motion for people and for other programs: text, LaTeX, JSON.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/forms/derivation.hpp>

namespace rattleback {

/// Aligned lines `name' = rate`; with `steps`, the derivation before them.
std::string as_text(const System& system, const EquationsOfMotion& equations, bool steps);
/// An align environment with a short text; compiles with amsmath.
std::string as_latex(const System& system, const EquationsOfMotion& equations, bool steps);
/// Schema rattleback.derive/1; expressions are strings in the model language's own syntax.
std::string as_json(const System& system, const std::vector<EquationsOfMotion>& forms,
                    const std::vector<Absent>& absent = {}, const Agreement* agreement = nullptr);

/// "agreement of hamel, gibbs-appell: proved", the energy balance, and the forms that do not apply.
std::string as_text(const Agreement& agreement, const std::vector<Absent>& absent);

}  // namespace rattleback
