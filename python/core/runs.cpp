/// Motions: flows, runs, sections, Lyapunov exponents, films.
#include <cmath>
#include <map>
#include <mutex>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/runs/dense_output.hpp>
#include <rattleback/simulate/runs/detailed_trajectory.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/runs/measured_order.hpp>
#include <rattleback/simulate/runs/precise_motion.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/film/scene.hpp>
#include <rattleback/view/pages/player_page.hpp>
#include <rattleback/view/pictures/plot_request.hpp>
#include <rattleback/view/results/order_table.hpp>
#include <rattleback/view/results/trajectory.hpp>

#include "figures.hpp"
#include "run_settings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;
using Moving = std::shared_ptr<Flow>;
using Numbers1 = std::vector<double>;

/// How long runs of a flow take, by everything but their length and their samples. A run that is expected to take a moment only is made
/// in the calling thread; the first of a kind, which builds and compiles, never is.
struct Paces {
  static std::string kind_of(const Settings& s) {
    std::string kind = s.method + (s.search < 0 ? " search" : s.search == 0 ? " none" : " long search");
    for (const auto& [given, stops, direction] : s.events) kind += "\n" + given;
    if (s.section) kind += "\nsection " + std::get<0>(*s.section);
    return kind;
  }
  /// Seconds, by the last one; infinite for the first.
  double expected(const Settings& s) {
    const std::lock_guard lock(mutex);
    const auto found = seconds_per_time.find(kind_of(s));
    return found == seconds_per_time.end() || s.search > 0 ? INFINITY : found->second * std::abs(s.until);
  }
  void learn(const Settings& s, double end, double seconds) {
    if (end == 0) return;
    const std::lock_guard lock(mutex);
    if (seconds_per_time.size() > 1000) seconds_per_time.clear();
    seconds_per_time[kind_of(s)] = seconds / std::abs(end);
  }
  std::mutex mutex;
  std::map<std::string, double> seconds_per_time;
};
constexpr double moment = 0.05;

/// Every flow that Python holds.
struct PacedFlow : Flow {
  explicit PacedFlow(Flow flow) : Flow(std::move(flow)), in_doubles(*this) {
    in_doubles.set_parameters(parameter_values<double>());
  }
  Flow in_doubles;  ///< the same with its parameters rounded once, not before every run
  Paces paces;
};

/// The model at these initial values, as numbers move it.
Moving flow(const Model& model, const Assignments& initial, const Waiting& how) {
  return run(
      [model, initial](Task&) -> Moving {
        return std::make_shared<PacedFlow>(
            Flow(initial.empty() ? *model : with_initial_values(*model, initial)));
      },
      how);
}

/// (flow, first state, notes): a motion ready to start, in other speeds where those of the model have a pole there.
py::tuple started(const Model& model, const Assignments& initial, bool project, const std::string& method,
                  bool thorough, const Waiting& how) {
  struct Start {
    Moving flow;
    Numbers1 state;
    std::vector<std::string> notes;
  };
  const Start made = run(
      [=](Task& task) {
        task.report("equations of motion", 0);
        StartedMotion it = started_motion(
            initial.empty() ? *model : with_initial_values(*model, initial), {.project = project},
            thorough ? Flow::Effort::thorough : Flow::Effort::quick, needs_independent_speeds(method));
        Start start{std::make_shared<PacedFlow>(std::move(it.flow)), std::move(it.state),
                    std::move(it.branches)};
        start.notes.insert(start.notes.end(), it.notes.begin(), it.notes.end());
        return start;
      },
      how);
  return py::make_tuple(made.flow, made.state, made.notes);
}

/// What is known to be constant: proved once for a flow, not before every run.
struct KnownConstants {
  explicit KnownConstants(const Flow& flow) : all(known_invariants(flow)) {}
  std::vector<Invariant> all;
};
struct FoundConstants {
  explicit FoundConstants(const Flow& flow)
      : all(found_invariants(flow, flow.derived<KnownConstants>()->all).invariants) {}
  std::vector<Invariant> all;
};

void add_invariants(const Flow& flow, const Settings& s, RunOptions& o) {
  o.invariants = flow.derived<KnownConstants>()->all;
  if (s.search == 0) return;
  const std::vector<Invariant> found = s.search < 0
                                           ? flow.derived<FoundConstants>()->all
                                           : found_invariants(flow, o.invariants, s.search).invariants;
  o.invariants.insert(o.invariants.end(), found.begin(), found.end());
}

struct ToldRun {
  DetailedTrajectory run;
  std::vector<std::string> events;
  std::vector<std::pair<std::string, std::string>> units;
};

py::dict simulate(const Moving& flow, const Numbers1& y, const Settings& settings, const Waiting& how) {
  bool timed_out = false;
  PacedFlow& paced = static_cast<PacedFlow&>(*flow);
  const auto work = [flow, y, settings, &paced](Task& task) {
    const Flow& moving = paced.in_doubles;
    RunOptions o = options_of(moving, settings);
    add_invariants(moving, settings, o);
    o.interrupted = &task.stop;
    o.progress = [&task, until = std::abs(o.until)](double t) {
      task.report(t / until);
      task.glance();
    };
    const auto begin = std::chrono::steady_clock::now();
    ToldRun made{detailed_trajectory(moving, y, {o, settings.times}), {}, column_units(moving, o)};
    for (const Event& e : o.events)
      if (!e.records) made.events.push_back(e.name);
    paced.paces.learn(settings, made.run.run.end,
                      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return made;
  };
  const ToldRun made =
      paced.paces.expected(settings) < moment ? run_here(work, how, &timed_out) : run(work, how, &timed_out);
  py::dict d = run_as_python(made.run, flow->dimension(), timed_out);
  d["event_names"] = made.events;
  d["units"] = made.units;
  return d;
}

/// For benchmarks: seconds of the run itself, without Python.
double seconds(const Moving& flow, const Numbers1& y, const Settings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const Flow& moving = static_cast<PacedFlow&>(*flow).in_doubles;
  RunOptions o = options_of(moving, settings);
  add_invariants(moving, settings, o);
  trajectory(moving, y, o);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A run between its samples. Backwards in time the steps are those of s = −t.
struct Dense {
  DenseOutput output;
  double sign = 1;
};

/// The same run once more, with every step kept.
std::shared_ptr<Dense> dense(const Moving& flow, const Numbers1& y, const Settings& settings, double end,
                             const Waiting& how) {
  return run(
      [flow, y, settings, end](Task& task) {
        RunOptions o = options_of(*flow, settings);
        auto all = std::make_shared<Dense>(Dense{
            DenseOutput(flow->dimension(), dense_points(stepper_named(o.method))), o.until < 0 ? -1.0 : 1.0});
        o.samples = 0;
        o.reactions = settings.stop_at_lift_off;
        o.interrupted = &task.stop;
        detailed_trajectory(*flow, y, {o, {}, [&](const Stepper& stepper, const ReportedState& reported) {
                                         all->output.add(stepper, std::abs(end), reported);
                                       }});
        return all;
      },
      how);
}

py::array_t<double> values_at(const Dense& dense,
                              const py::array_t<double, py::array::c_style | py::array::forcecast>& times) {
  const std::size_t dimension = dense.output.dimension();
  const auto n = static_cast<py::ssize_t>(dimension), count = times.size();
  std::vector<double> all(dimension * static_cast<std::size_t>(count)), y(dimension);
  const double* t = times.data();
  for (py::ssize_t k = 0; k < count; ++k) {
    dense.output.at(dense.sign * t[k], y);
    for (py::ssize_t i = 0; i < n; ++i)
      all[static_cast<std::size_t>(i * count + k)] = y[static_cast<std::size_t>(i)];
  }
  return as_array(std::move(all), {n, count});
}

/// `count` of them, 0 for all.
py::dict exponents(const Moving& flow, const Numbers1& y, double until, std::size_t count, double rtol,
                   double transient, const Waiting& how) {
  const LyapunovExponents found = run(
      [=](Task& task) {
        task.report("Lyapunov exponents", 0);
        LyapunovOptions options{.until = until, .count = count, .rtol = rtol, .transient = transient};
        RunOptions known;
        add_invariants(*flow, {}, known);
        options.invariants = known.invariants;
        return lyapunov_exponents(*flow, y, options);
      },
      how);
  py::dict d;
  d["megno_at_end"] = found.megno;
  d["log_gali"] = found.log_gali;
  d["sali"] = found.sali;
  d["blocks"] = found.blocks;
  d["sum"] = found.sum();
  d["error_of_sum"] = found.error_of_sum();
  d["directions"] = found.directions;
  d["neutral"] = py::make_tuple(found.neutral.count, found.neutral.integrals, found.neutral.fields);
  d["exponents"] = found.exponents;
  d["halfway"] = found.halfway;
  d["errors"] = found.errors;
  d["mean_megno"] = found.mean_megno;
  d["kaplan_yorke"] = found.kaplan_yorke();
  d["divergence"] = found.divergence;
  d["time"] = found.time;
  d["steps"] = found.steps;
  d["failure"] = found.failure ? py::object(py::str(*found.failure)) : py::object(py::none());
  return d;
}

py::dict precise(const Moving& flow, const Numbers1& y, const Settings& settings, const std::string& digits,
                 const Waiting& how) {
  const PreciseMotion made = run(
      [flow, y, settings, digits](Task& task) {
        task.report("more digits", 0);
        RunOptions o = options_of(*flow, settings);
        add_invariants(*flow, settings, o);
        return precise_motion(*flow, y, o, precision(digits));
      },
      how);
  py::dict d;
  d["names"] = made.names;
  d["t"] = made.t;
  d["rows"] = made.rows;
  d["final_row"] = made.final_row;
  d["end"] = made.end;
  d["steps"] = made.steps;
  d["order"] = made.order;
  py::list drift;
  for (const Drift& i : made.drift) drift.append(py::make_tuple(i.name, i.initial, i.largest, i.relative()));
  d["drift"] = drift;
  d["failure"] = made.failure ? py::object(py::str(*made.failure)) : py::object(py::none());
  return d;
}

/// The page with the film of this run alone.
std::string film(const Moving& flow, const Numbers1& y, const Settings& settings, const Waiting& how) {
  return run(
      [flow, y, settings](Task& task) {
        RunOptions o = options_of(*flow, settings);
        o.reactions = settings.stop_at_lift_off;
        o.interrupted = &task.stop;
        const Trajectory made = trajectory(*flow, y, o);
        Report page;
        page.system = flow->system();
        if (made.rows.size() < 2)
          throw Error("motion-ends", "there is no run to show",
                      made.failure.value_or("it ends where it begins"), "give another initial state");
        page.film = film_of(*flow, y, made);
        page.film->figures.clear();
        if (page.film->shapes.empty())
          throw Error("usage", "there is nothing to draw",
                      "the model is a Lie algebra without a configuration", "look at the speeds with plot()");
        return player_page(page);
      },
      how);
}

/// The panels of a figure of this motion: those that are asked for, or those that `--plot` chooses.
py::list run_panels(const Moving& flow, const Numbers1& y, const Settings& settings,
                    const PlotRequest& request, const Waiting& how) {
  const std::vector<Panel> panels = run(
      [=](Task& task) {
        constexpr std::size_t samples = 4001;  // curves are drawn through them without corners
        RunOptions o = options_of(*flow, settings);
        add_invariants(*flow, settings, o);
        o.samples = samples;
        o.interrupted = &task.stop;
        const Trajectory made = trajectory(*flow, y, o);
        if (made.rows.size() < 2 && made.section_rows.empty())
          throw Error("motion-ends", "there is no run to draw",
                      made.failure.value_or("it ends where it begins"), "give another initial state");
        return request.panels.empty() ? panels_of(*flow, made) : requested_panels(*flow, made, request);
      },
      how);
  return panels_as_python(panels);
}

py::dict orders(const Moving& flow, const Numbers1& y, double until, double step, const Waiting& how) {
  const auto table = run(
      [flow, y, until, step](Task& task) {
        task.report("orders of all methods of constant step", 0);
        return measured_orders(*flow, y, until, step > 0 ? step : until / 100);
      },
      how);
  py::dict d;
  d["text"] = as_text(table);
  py::list rows;
  for (const MeasuredOrder& row : table)
    rows.append(py::make_tuple(row.method, row.claimed, row.step, row.error, row.order, row.energy_drift,
                               row.refused));
  d["rows"] = rows;
  return d;
}

}  // namespace

void bind_runs(py::module_& m) {
  py::class_<Settings>(m, "Settings")
      .def(py::init<>())
      .def_readwrite("until", &Settings::until)
      .def_readwrite("method", &Settings::method)
      .def_readwrite("rtol", &Settings::rtol)
      .def_readwrite("atol", &Settings::atol)
      .def_readwrite("step", &Settings::step)
      .def_readwrite("samples", &Settings::samples)
      .def_readwrite("times", &Settings::times)
      .def_readwrite("events", &Settings::events)
      .def_readwrite("section", &Settings::section)
      .def_readwrite("points", &Settings::points)
      .def_readwrite("reactions", &Settings::reactions)
      .def_readwrite("stop_at_lift_off", &Settings::stop_at_lift_off)
      .def_readwrite("search", &Settings::search);
  py::class_<Dense, std::shared_ptr<Dense>>(m, "DenseOutput")
      .def_property_readonly("steps", [](const Dense& d) { return d.output.steps(); })
      .def("__call__", values_at);
  py::class_<Flow, Moving>(m, "Flow")
      .def_property_readonly("dimension", &Flow::dimension)
      .def_property_readonly("first_speed", &Flow::first_speed)
      .def_property_readonly("quaternions", &Flow::quaternions)
      .def_property_readonly("operations", [](const Flow& f) { return f.rates().body.size(); })
      .def_property_readonly("names",
                             [](const Flow& f) {
                               std::vector<std::string> names;
                               for (const Symbol s : f.state()) names.push_back(s.name());
                               return names;
                             })
      .def_property_readonly("parameters",
                             [](const Flow& f) {
                               std::vector<std::pair<std::string, double>> all;
                               const std::vector<double> values = f.parameter_values<double>();
                               for (std::size_t k = 0; k < values.size(); ++k)
                                 all.emplace_back(f.parameters()[k].name(), values[k]);
                               return all;
                             })
      .def_property_readonly("until",
                             [](const Flow& f) -> std::optional<double> {
                               const System& s = f.system();
                               if (!s.simulation.until) return std::nullopt;
                               return evaluate(substitute(*s.simulation.until, parameter_values(s)),
                                               Numbers{});
                             })
      .def("initial_state", [](const Flow& f, bool project) {
        return initial_state(f, {project, 0});
      });
  m.def("flow", [](const Model& s, const Assignments& initial, const std::optional<double>& timeout,
                   const py::object& progress) {
    return flow(s, initial, {timeout, progress});
  });
  m.def("started", [](const Model& s, const Assignments& initial, bool project, const std::string& method,
                      bool thorough, const std::optional<double>& timeout, const py::object& progress) {
    return started(s, initial, project, method, thorough, {timeout, progress});
  });
  m.def("simulate", [](const Moving& f, const Numbers1& y, const Settings& s,
                       const std::optional<double>& timeout, const py::object& progress) {
    return simulate(f, y, s, {timeout, progress});
  });
  m.def("seconds", seconds);
  m.def("dense", [](const Moving& f, const Numbers1& y, const Settings& s, double end,
                    const std::optional<double>& timeout) {
    return dense(f, y, s, end, {timeout, py::none()});
  });
  m.def("lyapunov", [](const Moving& f, const Numbers1& y, double until, std::size_t count, double rtol,
                       double transient, const std::optional<double>& timeout, const py::object& progress) {
    return exponents(f, y, until, count, rtol, transient, {timeout, progress});
  });
  m.def("precise", [](const Moving& f, const Numbers1& y, const Settings& s, const std::string& digits,
                      const std::optional<double>& timeout, const py::object& progress) {
    return precise(f, y, s, digits, {timeout, progress});
  });
  m.def("film",
        [](const Moving& f, const Numbers1& y, const Settings& s, const std::optional<double>& timeout) {
          return film(f, y, s, {timeout, py::none()});
        });
  m.def("run_panels",
        [](const Moving& f, const Numbers1& y, const Settings& s, const std::vector<std::string>& panels,
           const std::vector<std::pair<std::string, std::pair<double, double>>>& ranges,
           const std::vector<std::string>& logarithmic, const std::optional<double>& timeout,
           const py::object& progress) {
          return run_panels(f, y, s, {panels, ranges, logarithmic}, {timeout, progress});
        });
  m.def("orders", [](const Moving& f, const Numbers1& y, double until, double step,
                     const std::optional<double>& timeout, const py::object& progress) {
    return orders(f, y, until, step, {timeout, progress});
  });
  m.def("steppers", [] {
    py::list all;
    for (const StepperRow& row : all_steppers())
      all.append(py::make_tuple(row.name, row.title, row.order, row.adaptive, row.rtol));
    return all;
  });
}

}  // namespace rattleback::python
