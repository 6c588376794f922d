/// rattleback._core: the library for Python. Thin on purpose: handles to models, flows and expressions, and functions that return plain
/// data; the package `rattleback` makes objects of them.
#include <rattleback/model/reading/zoo.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/extension.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

/// Sets the Python exception that rattleback._errors makes of it.
void raise(const char* maker, const py::tuple& arguments) {
  const py::object error = py::module_::import("rattleback._errors").attr(maker)(*arguments);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise("from_error", as_python(error));
  } catch (const Exhausted& limit) {
    raise("exhausted", py::make_tuple(limit.what()));
  } catch (const Bug& bug) {
    raise("bug", py::make_tuple(bug.what()));
  }
}

/// For tests: what other libraries do where they cannot go on.
void provoke(const std::string& library) {
  run(
      [library](Task&) {
        if (library == "flint") flint_abort();
        // No x86 can select an instruction of another processor.
        compiled(
            "declare void @llvm.arm.dbg(i32)\ndefine void @f() {\n  call void @llvm.arm.dbg(i32 0)\n  ret "
            "void\n}\n");
        return 0;
      },
      {std::nullopt, py::none()});
}

}  // namespace
}  // namespace rattleback::python

PYBIND11_MODULE(_core, m) {
  using namespace rattleback::python;
  m.doc() = "The library behind the package rattleback.";
  m.attr("version") = RATTLEBACK_VERSION;
  py::register_exception_translator(translate);
  py::module_::import("atexit").attr("register")(py::cpp_function(let_workers_end));
  m.def("set_folders", [](const std::string& models, const std::string& extensions) {
    rattleback::set_zoo_folder(models);
    rattleback::set_extension_folder(extensions);
  });
  m.def("set_native", [](const std::string& mode) {
    using rattleback::NativeMode;
    set_native_mode(mode == "on" ? NativeMode::on : mode == "off" ? NativeMode::off : NativeMode::automatic);
  });
  m.def("has_extension", [](const std::string& name) { return rattleback::has_extension(name); });
  m.def("provoke", provoke);
  bind_expressions(m);
  bind_models(m);
  bind_equations(m);
  bind_verdicts(m);
  bind_runs(m);
  bind_rates(m);
  bind_sweeps(m);
  bind_branches(m);
  bind_maps(m);
  bind_measures(m);
  bind_flights(m);
  bind_plans(m);
  bind_pages(m);
  bind_files(m);
  bind_figures(m);
}
