/// f(t, y): the right-hand side of the motion and its Jacobian, for one state or for many.
#include <rattleback/native/dual.hpp>
#include <rattleback/native/tangent_code.hpp>
#include <rattleback/simulate/states/flow.hpp>
#include <rattleback/sweep/lane_rates.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

/// Anything that is an array of real numbers, as contiguous doubles; without a copy where it is that already.
py::array_t<double> real_numbers(const py::handle& given, const char* what) {
  if (py::isinstance<py::array_t<double>>(given)) {
    auto numbers = py::reinterpret_borrow<py::array_t<double>>(given);
    if ((numbers.flags() & py::array::c_style) != 0) return numbers;
  }
  const py::array any = py::array::ensure(given);
  if (!any) throw py::error_already_set();
  const char kind = any.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u')
    throw py::type_error(std::string(what) + " holds no real numbers: its dtype is " +
                         std::string(py::str(any.dtype())));
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
  if (!numbers) throw py::error_already_set();
  return numbers;
}

class Rhs {
 public:
  explicit Rhs(std::shared_ptr<Flow> flow)
      : flow_(std::move(flow)),
        parameters_(flow_->parameter_values<double>()),
        f_(flow_->rates(), parameters_),
        x_(flow_->dimension() + 1) {}

  py::array_t<double> operator()(const py::handle& t, const py::handle& y) {
    const py::array_t<double> states = real_numbers(y, "y");
    const auto n = static_cast<py::ssize_t>(flow_->dimension());
    if (states.ndim() == 1 && states.shape(0) == n) return one(number(t), states);
    if (states.ndim() != 2 || states.shape(0) != n) refuse(states);
    if (!lanes_) lanes_ = in_lanes(flow_->rates());
    return many(*lanes_, t, states);
  }

  py::array_t<double> jacobian(const py::handle& t, const py::handle& y) {
    const py::array_t<double> states = real_numbers(y, "y");
    const auto n = static_cast<py::ssize_t>(flow_->dimension());
    if (states.ndim() == 1 && states.shape(0) == n) return one_jacobian(number(t), states);
    if (states.ndim() == 2 && states.shape(0) == n) return many_jacobians(t, states);
    refuse(states);
  }

  /// One state, from numbers that are known to be right.
  void one(double t, const double* y, double* rates) {
    std::copy_n(y, x_.size() - 1, x_.data());
    x_.back() = t;
    f_(x_.data(), rates);
  }
  std::size_t dimension() const { return x_.size() - 1; }

 private:
  static double number(const py::handle& t) {
    const double x = PyFloat_AsDouble(t.ptr());
    if (x == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return x;
  }

  [[noreturn]] void refuse(const py::array& states) const {
    std::string shape;
    for (py::ssize_t i = 0; i < states.ndim(); ++i)
      shape += (i == 0 ? "" : ", ") + std::to_string(states.shape(i));
    const std::string n = std::to_string(flow_->dimension());
    throw py::value_error(
        "y has the shape (" + shape + "); a state has " + n + " numbers, so it must be (" + n +
        ",) or, for k states at once, (" + n + ", k)" +
        (states.ndim() == 2 && states.shape(1) == static_cast<py::ssize_t>(flow_->dimension()) ? ": pass y.T"
                                                                                               : ""));
  }

  py::array_t<double> one(double t, const py::array_t<double>& y) {
    py::array_t<double> rates(y.shape(0));
    one(t, y.data(), rates.mutable_data());
    return rates;
  }

  struct Lanes {
    LaneRates code;
    std::vector<double> constants;
  };
  std::unique_ptr<Lanes> in_lanes(const Code& code) const {
    return std::unique_ptr<Lanes>(new Lanes{LaneRates(code), constants_of<double>(code, parameters_)});
  }

  /// Outputs of the code, each for every state: (outputs, k).
  static py::array_t<double> many(Lanes& lanes, const py::handle& t, const py::array_t<double>& y) {
    const py::array_t<double> times = real_numbers(t, "t");
    const bool one_time = times.ndim() == 0;
    require_times(times, y);
    py::array_t<double> out({static_cast<py::ssize_t>(lanes.code.outputs()), y.shape(1)});
    const double *from = y.data(), *when = times.data();
    double* to = out.mutable_data();
    const auto count = static_cast<std::size_t>(y.shape(1));
    if (count == 0) return out;
    const py::gil_scoped_release released;
    lanes.code(when, one_time, from, count, lanes.constants, to);
    return out;
  }
  static void require_times(const py::array_t<double>& times, const py::array_t<double>& y) {
    if (times.ndim() == 0 || (times.ndim() == 1 && times.shape(0) == y.shape(1))) return;
    throw py::value_error("t must be one number, or as many as there are states");
  }

  py::array_t<double> one_jacobian(double t, const py::array_t<double>& y) {
    const auto n = flow_->dimension();
    if (!jacobian_) jacobian_.emplace(flow_->rates(), parameters_, n);
    std::vector<double> x(y.data(), y.data() + n), rates(n), columns(n * n);
    x.push_back(t);
    (*jacobian_)(x.data(), rates.data(), columns.data());
    std::vector<double> rows(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) rows[i * n + j] = columns[j * n + i];
    return as_array(std::move(rows), {static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(n)});
  }

  /// (n, n, k): in lanes where the slopes have a code of their own, otherwise one state after the other.
  py::array_t<double> many_jacobians(const py::handle& t, const py::array_t<double>& y) {
    const auto n = static_cast<py::ssize_t>(flow_->dimension());
    const py::ssize_t count = y.shape(1);
    if (!slopes_ && !has_no_slopes_) {
      if (const auto code = tangent_code(flow_->rates(), flow_->dimension())) slopes_ = in_lanes(*code);
      has_no_slopes_ = !slopes_;
    }
    py::array_t<double> all({n, n, count});
    auto to = all.mutable_unchecked<3>();
    if (slopes_) {
      const py::array_t<double> found = many(*slopes_, t, y);  // the rates, then column by column
      const auto values = found.unchecked<2>();
      for (py::ssize_t i = 0; i < n; ++i)
        for (py::ssize_t j = 0; j < n; ++j)
          std::copy_n(values.data(n + j * n + i, 0), count, to.mutable_data(i, j, 0));
      return all;
    }
    const py::array_t<double> times = real_numbers(t, "t");
    require_times(times, y);
    const auto from = y.unchecked<2>();
    py::array_t<double> state(n);
    for (py::ssize_t k = 0; k < count; ++k) {
      for (py::ssize_t i = 0; i < n; ++i) state.mutable_at(i) = from(i, k);
      const py::array_t<double> one = one_jacobian(times.data()[times.ndim() == 0 ? 0 : k], state);
      const auto values = one.unchecked<2>();
      for (py::ssize_t i = 0; i < n; ++i)
        for (py::ssize_t j = 0; j < n; ++j) to(i, j, k) = values(i, j);
    }
    return all;
  }

  std::shared_ptr<Flow> flow_;
  std::vector<double> parameters_;
  Evaluator<double> f_;
  std::vector<double> x_;
  std::optional<Jacobian> jacobian_;
  std::unique_ptr<Lanes> lanes_, slopes_;
  bool has_no_slopes_ = false;
};

/// For benchmarks: nanoseconds of one evaluation, without Python.
double nanoseconds(const std::shared_ptr<Flow>& flow, const std::vector<double>& y, std::size_t count) {
  Evaluator<double> f(flow->rates(), flow->parameter_values<double>());
  std::vector<double> x(y), rates(y.size());
  x.push_back(0);
  for (std::size_t k = 0; k < 20'000; ++k) f(x.data(), rates.data());  // until it is compiled
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < count; ++k) f(x.data(), rates.data());
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
         static_cast<double>(count);
}

/// f(t, y) for a float and one state as NumPy makes it; null where it is called in any other way.
///
/// The general way of pybind11, which looks at every kind of argument, takes longer than most right-hand sides.
PyObject* plain_call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const auto& numpy = py::detail::npy_api::get();
  static PyObject* const number_type = numpy.PyArray_DescrFromType_(py::detail::npy_api::NPY_DOUBLE_);
  const auto* instance = reinterpret_cast<py::detail::instance*>(self);
  auto* f = instance->simple_layout ? static_cast<Rhs*>(instance->simple_value_holder[0]) : nullptr;
  if (f == nullptr || keywords != nullptr || PyTuple_GET_SIZE(arguments) != 2) return nullptr;
  PyObject *t = PyTuple_GET_ITEM(arguments, 0), *y = PyTuple_GET_ITEM(arguments, 1);
  if (!PyFloat_Check(t) || Py_TYPE(y) != numpy.PyArray_Type_) return nullptr;
  const auto* state = py::detail::array_proxy(y);
  constexpr int right =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if (state->nd != 1 || state->dimensions[0] != static_cast<py::ssize_t>(f->dimension()) ||
      state->descr != number_type || (state->flags & right) != right)
    return nullptr;
  Py_INCREF(number_type);
  PyObject* rates = numpy.PyArray_NewFromDescr_(numpy.PyArray_Type_, number_type, 1, state->dimensions,
                                                nullptr, nullptr, 0, nullptr);
  if (rates == nullptr) throw py::error_already_set();
  try {
    f->one(PyFloat_AS_DOUBLE(t), reinterpret_cast<const double*>(state->data),
           reinterpret_cast<double*>(py::detail::array_proxy(rates)->data));
  } catch (...) {  // the general way says it
    Py_DECREF(rates);
    return nullptr;
  }
  return rates;
}

/// An object that was made by __new__ alone holds nothing.
bool is_made(PyObject* self) {
  return reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().holder_constructed();
}

/// tp_call of the class.
PyObject* call_rhs(PyObject* self, PyObject* arguments, PyObject* keywords) {
  if (!is_made(self)) {
    PyErr_SetString(PyExc_TypeError, "this Rhs was never made: Model.rhs() makes one");
    return nullptr;
  }
  try {
    if (PyObject* rates = plain_call(self, arguments, keywords)) return rates;
  } catch (py::error_already_set& raised) {
    raised.restore();
    return nullptr;
  }
  PyObject* general = PyObject_GetAttrString(self, "_call");
  if (general == nullptr) return nullptr;
  PyObject* found = PyObject_Call(general, arguments, keywords);
  Py_DECREF(general);
  return found;
}

}  // namespace

void bind_rates(py::module_& m) {
  m.def("nanoseconds", nanoseconds);
  py::class_<Rhs>(m, "Rhs", "The right-hand side of a motion, y' = f(t, y).",
                  py::custom_type_setup([](PyHeapTypeObject* type) { type->ht_type.tp_call = call_rhs; }))
      .def(py::init<std::shared_ptr<Flow>>())
      .def("_call", &Rhs::operator(), py::arg("t"), py::arg("y"))
      .def(
          "jacobian",
          [](const py::object& self, const py::handle& t, const py::handle& y) {
            if (!is_made(self.ptr())) throw py::type_error("this Rhs was never made: Model.rhs() makes one");
            return self.cast<Rhs&>().jacobian(t, y);
          },
          py::arg("t"), py::arg("y"));
}

}  // namespace rattleback::python
