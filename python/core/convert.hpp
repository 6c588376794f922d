#pragma once
/// Conversions from C++ values to Python objects: arrays, answers, errors.

#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback::python {

namespace py = pybind11;

using Assignments = std::vector<std::pair<std::string, std::string>>;

/// The numbers without a copy: the array owns them.
py::array_t<double> as_array(std::vector<double> numbers, std::vector<py::ssize_t> shape);
/// Rows of equal length as the columns of an array: (length of a row, number of rows).
py::array_t<double> as_columns(const std::vector<std::vector<double>>& rows, std::size_t width);

/// null, bool, int, str, list, dict.
py::object as_python(const Data& data);
/// (kind, slug, summary, why, fix, [(file, line, column, text, length)], the text of a terminal).
py::tuple as_python(const Error& error, const char* severity = "error");
/// Lists of lists of expressions.
py::list as_python(const Matrix& m);

}  // namespace rattleback::python
