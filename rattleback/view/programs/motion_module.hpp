#pragma once
/// A motion as a module of functions: what the exported programs of all languages have in common.

#include <string>
#include <string_view>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct ModuleFunction {
  /// What it is a function of, besides time and parameters.
  enum class Of : std::uint8_t { state, configuration_and_velocities };

  std::string name, about;
  Of of = Of::state;
  std::vector<Statement> outputs;
  bool scalar = false;  ///< returns its only output
};

struct MotionModule {
  std::string name;         ///< an identifier: the model's
  std::string title, form;  ///< for people
  Symbol time;
  std::vector<Symbol> configuration, speeds, velocities;  ///< the state is configuration, then speeds
  std::vector<std::string> speed_texts;                   ///< what each speed is, in the velocities
  struct Parameter {
    Symbol symbol;
    std::optional<double> value;
    std::string about;
  };
  std::vector<Parameter> parameters;
  std::vector<Function> functions;  ///< abstract functions and derivatives of them, which the user supplies
  std::vector<std::string> where;   ///< conditions under which it holds
  std::vector<std::string> notes;
  std::vector<ModuleFunction> members;
};

/// rhs, velocities and energy of the state; multipliers and reactions where the form has them or they can be found;
/// speeds and constraints as functions of arbitrary velocities.
/// What becomes of functions of which proofs know only the name, inputs among them. Where sign occurs its formula always stands.
enum class OpenFunctions : std::uint8_t { parameters, formulas_of_the_model };
MotionModule motion_module(const System& system, EquationsOfMotion equations,
                           OpenFunctions open = OpenFunctions::parameters);
/// The same as a language can say it: programs in Modelica and for AUTO cannot leave functions open.
OpenFunctions open_functions_in(std::string_view language);

/// Plain C99: one file, <math.h> only.
std::string as_c(const MotionModule& module);
/// Python 3 with its math module only.
std::string as_python(const MotionModule& module);
/// A JavaScript module (ES6) with Math only.
std::string as_javascript(const MotionModule& module);
/// The same functions as an expression for a script: an object with `defaults`, `keys` (of the parameters, in order) and every
/// member.
std::string as_javascript_object(const MotionModule& module);

}  // namespace rattleback
