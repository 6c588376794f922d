#include "convert.hpp"

#include <memory>

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/model/reading/all_errors.hpp>

namespace rattleback::python {

py::array_t<double> as_array(std::vector<double> numbers, std::vector<py::ssize_t> shape) {
  auto owned = std::make_unique<std::vector<double>>(std::move(numbers));
  double* first = owned->data();
  const py::capsule owner(owned.get(), [](void* p) { delete static_cast<std::vector<double>*>(p); });
  owned.release();
  return py::array_t<double>(std::move(shape), first, owner);
}

py::array_t<double> as_columns(const std::vector<std::vector<double>>& rows, std::size_t width) {
  std::vector<double> numbers(width * rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t i = 0; i < width; ++i) numbers[i * rows.size() + k] = rows[k][i];
  return as_array(std::move(numbers),
                  {static_cast<py::ssize_t>(width), static_cast<py::ssize_t>(rows.size())});
}

py::object as_python(const Data& data) {
  if (data.is_null()) return py::none();
  if (const bool* b = data.get_if<bool>()) return py::bool_(*b);
  if (const long* n = data.get_if<long>()) return py::int_(*n);
  if (const std::string* s = data.text()) return py::str(*s);
  if (const Data::List* list = data.list()) {
    py::list items;
    for (const Data& item : *list) items.append(as_python(item));
    return items;
  }
  py::dict record;
  for (const Data::Field& field : *data.record()) record[py::str(field.key)] = as_python(field.value);
  return record;
}

namespace {

/// The kind of an error, in a word that rattleback._errors knows.
const char* word(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::model: return "model";
    case ErrorKind::inapplicable: return "inapplicable";
    case ErrorKind::no_value: return "no value";
    case ErrorKind::unavailable: return "unavailable";
  }
  return "usage";
}

/// The error, and the further ones of a model file.
std::string reports(const Error& error, const char* severity) {
  std::string text;
  for (const Error& one : all_errors(error)) text += report(one, severity);
  return text;
}

}  // namespace

py::tuple as_python(const Error& error, const char* severity) {
  py::list places;
  for (const Place& p : error.where)
    places.append(py::make_tuple(p.file, p.line, p.column, p.text, p.length));
  return py::make_tuple(word(error.kind()), error.slug, error.summary, error.why, error.fix, places,
                        reports(error, severity));
}

py::list as_python(const Matrix& m) {
  py::list rows;
  for (int i = 0; i < m.rows(); ++i) {
    py::list row;
    for (int j = 0; j < m.columns(); ++j) row.append(py::cast(m(i, j)));
    rows.append(row);
  }
  return rows;
}

}  // namespace rattleback::python
