/// The report page and other texts.
#include <rattleback/proof/evidence/coq_checker.hpp>
#include <rattleback/view/film/representative_run.hpp>
#include <rattleback/view/pages/full_report.hpp>
#include <rattleback/view/pages/notebook.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

std::string report_page(const Model& model, const std::string& source, double seconds, bool coq, bool fly,
                        const Waiting& how) {
  return run(
      [model, source, seconds, coq, fly](Task& task) {
        const auto stages = static_cast<double>(report_stages() * (coq ? 2 : 1));
        const auto stage = [&task, stages, done = 0](const std::string& part) mutable {
          task.report(part, done++ / stages);
          if (task.stop) throw Exhausted("the computation was cancelled");
        };
        std::optional<CoqChecker> checker;
        if (coq) {
          task.report("the kernel of Coq", 0);
          checker.emplace();
        }
        const std::string command =
            std::string("Model(...).report(path") + (coq ? ", coq=True" : "") + (fly ? ", fly=True)" : ")");
        Report page = full_report(*model, {source, command, seconds, fly, stage});
        for (auto& [name, answer] : page.answers) {
          if (!checker) break;
          task.report("Coq: " + name, 0.9);
          checker->check(answer, page.system.name);
        }
        return as_html(page);
      },
      how);
}

std::string notebook(const Model& model, const std::string& source, const Waiting& how) {
  return run(
      [model, source](Task&) {
        const RepresentativeRun it(*model);
        if (it.run.rows.size() < 2)
          throw Error("motion-ends", "there is no run that a notebook could repeat",
                      it.run.failure.value_or(""), "give another initial state in [simulation]");
        const Film film = it.film();
        return as_notebook({*model, it.flow, it.run, it.options.invariants, it.scene(), film},
                           story_of(source));
      },
      how);
}

}  // namespace

void bind_pages(py::module_& m) {
  m.def("report", [](const Model& s, const std::string& source, double seconds, bool coq, bool fly,
                     const std::optional<double>& timeout, const py::object& progress) {
    return report_page(s, source, seconds, coq, fly, {timeout, progress});
  });
  m.def("notebook", [](const Model& s, const std::string& source, const std::optional<double>& timeout) {
    return notebook(s, source, {timeout, py::none()});
  });
}

}  // namespace rattleback::python
