#pragma once
/// The classical forms of the equations of motion, one row each. A new formalism is one file and one row.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct Formalism {
  std::string name;   ///< what --form takes
  std::string title;  ///< "Hamel's equations"
  /// Throws Error[form-does-not-apply] with the reason when the form needs what the system does not have.
  EquationsOfMotion (*derive)(const System&);
  /// False for forms that describe another motion on purpose (vakonomic): they take no part in the agreement.
  bool agrees = true;
};

const std::vector<Formalism>& all_formalisms();
/// The row of that name. Throws Error[unknown-form] with a suggestion.
const Formalism& formalism(const std::string& name);
/// What is shown when no form is asked for: Hamel's equations; for nonlinear constraints those of Gibbs and Appell, or
/// multipliers where no velocity can be solved for.
const Formalism& usual_formalism(const System& system);

}  // namespace rattleback
