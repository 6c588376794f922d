#include "run_settings.hpp"

#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/runs/slip_events.hpp>

namespace rattleback::python {
namespace {

/// `slip` stands for one event of every contact with friction, after the others.
std::vector<Event> events_of(const Flow& flow, const Settings& s) {
  std::vector<Event> events, slips;
  for (const auto& [given, stops, direction] : s.events) {
    if (given == "slip")
      slips = slip_events(flow, stops);
    else
      events.push_back(
          {given, event_equation(flow.system(), given, "command line, --events"), stops, direction});
  }
  events.insert(events.end(), slips.begin(), slips.end());
  return events;
}

py::list phases_as_python(const Trajectory& run) {
  py::list phases;
  for (const ContactPhase& p : run.phases)
    phases.append(py::make_tuple(p.from, p.to, p.closed, p.sliding, p.open, p.energy_from, p.energy_to));
  return phases;
}
py::list impacts_as_python(const Trajectory& run) {
  py::list impacts;
  for (const ContactImpact& i : run.impacts)
    impacts.append(py::make_tuple(i.time, i.contact, i.approach, i.rebound, i.slip_before, i.slip_after,
                                  i.normal_impulse, i.tangential_impulse, i.lost, i.outcome));
  return impacts;
}

}  // namespace

RunOptions options_of(const Flow& flow, const Settings& s) {
  RunOptions o;
  const StepperRow& row = stepper_named(s.method);
  o.until = s.until;
  o.method = row.name;
  o.settings.rtol = s.rtol.value_or(row.rtol);
  o.settings.atol = s.atol.value_or(o.settings.rtol / 100);
  o.settings.step = s.step;
  o.samples = s.samples;
  o.events = events_of(flow, s);
  if (s.section) {
    const auto& [given, stops, direction] = *s.section;
    o.events.push_back(
        {given, event_equation(flow.system(), given, "command line, --section"), false, direction, true});
  }
  o.section_points = s.points;
  o.reactions = s.reactions;
  o.stop_at_lift_off = s.stop_at_lift_off;
  return o;
}

py::dict run_as_python(const DetailedTrajectory& made, std::size_t dimension, bool timed_out) {
  const Trajectory& run = made.run;
  py::dict d;
  const std::size_t width = run.names.size(), count = run.t.size();
  d["names"] = run.names;
  d["parts"] = py::make_tuple(run.states, run.velocities, run.kept);
  d["t"] = as_array(run.t, {static_cast<py::ssize_t>(count)});
  d["columns"] = as_columns(run.rows, width);
  d["y"] = as_columns(made.states, dimension);
  d["end"] = run.end;
  d["final_row"] = run.final_row;
  d["final_state"] = run.final_state;
  py::list drift, crossings;
  for (const Drift& i : run.drift) drift.append(py::make_tuple(i.name, i.initial, i.largest, i.relative()));
  for (const Crossing& c : run.crossings)
    crossings.append(py::make_tuple(c.event, c.time, c.direction,
                                    as_array(c.state, {static_cast<py::ssize_t>(c.state.size())})));
  d["drift"] = drift;
  d["crossings"] = crossings;
  d["section_t"] = as_array(run.section_t, {static_cast<py::ssize_t>(run.section_t.size())});
  d["section_columns"] = as_columns(run.section_rows, width);
  d["section_y"] = as_columns(made.section_states, dimension);
  d["lift_off"] = run.lift_off ? py::object(py::float_(*run.lift_off)) : py::object(py::none());
  d["lift_off_contact"] = run.lift_off_contact;
  d["steps"] = run.counts.steps;
  d["rejected"] = run.counts.rejected;
  d["evaluations"] = run.evaluations;
  d["step"] = run.step;
  d["failure"] = run.failure ? py::object(py::str(*run.failure)) : py::object(py::none());
  d["notes"] = run.notes;
  d["phases"] = phases_as_python(run);
  d["impacts"] = impacts_as_python(run);
  d["timed_out"] = timed_out;
  return d;
}

}  // namespace rattleback::python
