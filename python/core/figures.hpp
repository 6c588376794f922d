#pragma once
/// Conversion of plot panels to Python tuples.

#include <rattleback/view/pictures/plot.hpp>

#include "bindings.hpp"

namespace rattleback::python {

/// (title, label of x, label of y, [(name, x, y, dots, smooth, dashed, colour)], equal aspect, logarithmic x, logarithmic y, range of x,
/// range of y) of each.
py::list panels_as_python(const std::vector<Panel>& panels);

}  // namespace rattleback::python
