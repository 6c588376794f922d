/// Motions whose contacts open and close: phases, impacts, films.
#include <mutex>

#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/runs/flight.hpp>
#include <rattleback/view/film/scene.hpp>
#include <rattleback/view/pages/player_page.hpp>
#include <rattleback/view/pictures/plot_request.hpp>

#include "figures.hpp"
#include "run_settings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

/// A motion ready to start. One run at a time uses its phases.
struct Flying {
  Flying(const System& model, const Assignments& initial, FlyingMotion::Start start)
      : motion(model, initial, start) {}
  FlyingMotion motion;
  std::mutex mutex;
};
using Flown = std::shared_ptr<Flying>;

Flown flying(const Model& model, const Assignments& initial, bool project, bool in_flight,
             const Waiting& how) {
  return run(
      [=](Task& task) {
        task.report("equations of all phases", 0);
        return std::make_shared<Flying>(*model, initial, FlyingMotion::Start{project, in_flight});
      },
      how);
}

DetailedTrajectory flown_run(Flying& flying, const Settings& settings, Task& task) {
  const std::lock_guard lock(flying.mutex);
  RunOptions o = options_of(flying.motion.flow(), settings);
  o.interrupted = &task.stop;
  o.progress = [&task, until = o.until](double t) { task.report(t / until); };
  return flying.motion.detailed({o, settings.times});
}

py::dict fly(const Flown& flying, const Settings& settings, const Waiting& how) {
  bool timed_out = false;
  const DetailedTrajectory made =
      run([=](Task& task) { return flown_run(*flying, settings, task); }, how, &timed_out);
  const Flow& flow = flying->motion.flow();
  py::dict d = run_as_python(made, flow.dimension(), timed_out);
  const RunOptions o = options_of(flow, settings);
  std::vector<std::string> events;
  for (const Event& e : o.events)
    if (!e.records) events.push_back(e.name);
  d["event_names"] = events;
  d["units"] = column_units(flow, o);
  return d;
}

/// The page with the film of a flight.
std::string flight_page(const Flown& flying, const Settings& settings, const Waiting& how) {
  return run(
      [=](Task& task) {
        const Trajectory made = flown_run(*flying, settings, task).run;
        const Flow& flow = flying->motion.flow();
        Report page;
        page.system = flow.system();
        if (made.rows.size() < 2)
          throw Error("motion-ends", "there is no run to show",
                      made.failure.value_or("it ends where it begins"), "give another initial state");
        page.film = film_of(flow, flying->motion.state(), made);
        page.film->figures.clear();
        return player_page(page);
      },
      how);
}

py::list flight_panels(const Flown& flying, const Settings& settings, const PlotRequest& request,
                       const Waiting& how) {
  const std::vector<Panel> panels = run(
      [=](Task& task) {
        Settings finer = settings;
        finer.samples = 4001;  // curves are drawn through them without corners
        finer.times.clear();
        const Trajectory made = flown_run(*flying, finer, task).run;
        const Flow& flow = flying->motion.flow();
        return request.panels.empty() ? panels_of(flow, made) : requested_panels(flow, made, request);
      },
      how);
  return panels_as_python(panels);
}

}  // namespace

void bind_flights(py::module_& m) {
  py::class_<Flying, Flown>(m, "Flying")
      .def_property_readonly(
          "flow",
          [](const Flown& f) { return std::shared_ptr<Flow>(f, const_cast<Flow*>(&f->motion.flow())); })
      .def_property_readonly("state", [](const Flying& f) { return f.motion.state(); })
      .def_property_readonly("notes", [](const Flying& f) { return f.motion.branches(); });
  m.def("flying", [](const Model& s, const Assignments& initial, bool project, bool in_flight,
                     const std::optional<double>& timeout, const py::object& progress) {
    return flying(s, initial, project, in_flight, {timeout, progress});
  });
  m.def("fly", [](const Flown& f, const Settings& s, const std::optional<double>& timeout,
                  const py::object& progress) {
    return fly(f, s, {timeout, progress});
  });
  m.def("flight_page", [](const Flown& f, const Settings& s, const std::optional<double>& timeout) {
    return flight_page(f, s, {timeout, py::none()});
  });
  m.def("flight_panels", [](const Flown& f, const Settings& s, const std::vector<std::string>& panels,
                            const std::vector<std::pair<std::string, std::pair<double, double>>>& ranges,
                            const std::vector<std::string>& logarithmic, const std::optional<double>& timeout,
                            const py::object& progress) {
    return flight_panels(f, s, {panels, ranges, logarithmic}, {timeout, progress});
  });
}

}  // namespace rattleback::python
