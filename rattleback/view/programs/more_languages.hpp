#pragma once
/// Exported programs in further languages: Julia, MATLAB, Fortran, SymPy, Modelica and AUTO.

#include <string>

#include <rattleback/view/programs/motion_module.hpp>

namespace rattleback {

/// A Julia module without packages; `rhs!` has the arguments that DifferentialEquations.jl calls it with.
std::string as_julia(const MotionModule& module);
/// One file for MATLAB and Octave: a function that returns a structure of functions.
std::string as_matlab(const MotionModule& module);
/// A module of Fortran 2008 in double precision.
std::string as_fortran(const MotionModule& module);
/// A Python module with exact SymPy expressions in place of functions.
std::string as_sympy(const MotionModule& module);
/// A model for Modelica. Throws Error[form-does-not-apply] where a function has no formula.
std::string as_modelica(const MotionModule& module);
/// FUNC and STPNT of AUTO-07p, in Fortran. Throws Error[form-does-not-apply] where the motion depends on time or a function has no
/// formula.
std::string as_auto(const MotionModule& module);

}  // namespace rattleback
