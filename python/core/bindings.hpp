#pragma once
/// Declarations of the functions that fill the extension module `rattleback._core`, one for each part of the package.

#include "convert.hpp"
#include "task.hpp"

namespace rattleback::python {

void bind_expressions(py::module_& m);
void bind_models(py::module_& m);
void bind_equations(py::module_& m);
void bind_verdicts(py::module_& m);
void bind_runs(py::module_& m);
void bind_rates(py::module_& m);
void bind_sweeps(py::module_& m);
void bind_branches(py::module_& m);
void bind_maps(py::module_& m);
void bind_measures(py::module_& m);
void bind_flights(py::module_& m);
void bind_plans(py::module_& m);
void bind_pages(py::module_& m);
void bind_files(py::module_& m);
void bind_figures(py::module_& m);

}  // namespace rattleback::python
