/// Return maps of Poincaré sections: orbits, cycles, invariant curves, rotation numbers.
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/results/map_portrait.hpp>

#include "figures.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

/// What was computed, as plain numbers: the map itself belongs to the thread that made it.
struct ToldMap {
  MapPortrait portrait;
  std::vector<std::string> names, reduced, symmetries;
  std::vector<std::vector<double>> times;                ///< of the orbits
  std::vector<std::vector<std::vector<double>>> orbits;  ///< states of the flow
  std::vector<std::vector<std::vector<double>>> cycles;  ///< states of the flow
  std::string text, csv, json;
  std::vector<Panel> panels;
  std::optional<Error> no_panels;  ///< why there is no figure
};

ToldMap told(MappedSection found, const PlotRequest& plane) {
  const ReturnMap& map = *found.map;
  ToldMap t;
  for (const Symbol s : map.motion().flow().state()) t.names.push_back(s.name());
  t.reduced = map.motion().names();
  t.symmetries = map.motion().field_names();
  for (const auto& orbit : found.portrait.orbits) {
    t.times.emplace_back();
    t.orbits.emplace_back();
    for (const ReturnMap::Return& r : orbit) {
      t.times.back().push_back(map.start_time() + r.time);
      t.orbits.back().push_back(r.full);
    }
  }
  for (const Cycle& cycle : found.portrait.cycles) {
    t.cycles.emplace_back();
    for (const Eigen::VectorXd& y : cycle.points) t.cycles.back().push_back(map.full_state(y));
  }
  t.text = as_text(map, found.portrait);
  t.csv = as_csv(map, found.portrait);
  t.json = as_json(map, found.portrait);
  try {
    t.panels = panels_of(map, found.portrait, plane);
  } catch (const Error& error) {
    t.no_panels = error;
  }
  t.portrait = std::move(found.portrait);
  return t;
}

py::object profile_as_python(const std::optional<RotationProfile>& profile) {
  if (!profile) return py::none();
  std::vector<double> distance, rotation, change;
  for (const RotationNumber& r : profile->orbits) {
    distance.push_back(r.distance);
    rotation.push_back(r.rotation);
    change.push_back(r.change);
  }
  const auto count = static_cast<py::ssize_t>(distance.size());
  return py::make_tuple(profile->at_centre, profile->twist, as_array(distance, {count}),
                        as_array(rotation, {count}), as_array(change, {count}));
}

py::dict cycle_as_python(const ToldMap& t, std::size_t k) {
  const Cycle& cycle = t.portrait.cycles[k];
  py::array_t<std::complex<double>> multipliers(static_cast<py::ssize_t>(cycle.multipliers.size()));
  for (py::ssize_t i = 0; i < multipliers.size(); ++i) multipliers.mutable_at(i) = cycle.multipliers[i];
  py::dict d;
  d["period"] = cycle.period;
  d["kind"] = cycle_kind(cycle);
  d["time"] = cycle.time;
  d["residual"] = cycle.residual;
  d["multipliers"] = multipliers;
  d["rotation"] = rotation_of(cycle);
  d["y"] = as_columns(t.cycles[k], t.names.size());
  d["profile"] = k < t.portrait.rotations.size() ? profile_as_python(t.portrait.rotations[k]) : py::none();
  return d;
}

py::dict map_as_python(const ToldMap& t) {
  py::list orbits, cycles, curves;
  for (std::size_t k = 0; k < t.orbits.size(); ++k)
    orbits.append(py::make_tuple(as_array(t.times[k], {static_cast<py::ssize_t>(t.times[k].size())}),
                                 as_columns(t.orbits[k], t.names.size())));
  for (std::size_t k = 0; k < t.cycles.size(); ++k) cycles.append(cycle_as_python(t, k));
  for (const InvariantCurve& c : t.portrait.curves)
    curves.append(py::make_tuple(c.stable, c.length, as_columns(c.states, t.names.size())));
  py::dict d;
  d["section"] = t.portrait.section;
  d["levels"] = t.portrait.levels;
  d["names"] = t.names;
  d["reduced"] = t.reduced;
  d["symmetries"] = t.symmetries;
  d["sought"] = t.portrait.sought;
  d["orbits"] = orbits;
  d["cycles"] = cycles;
  d["curves"] = curves;
  d["text"] = t.text;
  d["csv"] = t.csv;
  d["json"] = t.json;
  d["panels"] = t.no_panels ? py::object(py::none()) : py::object(panels_as_python(t.panels));
  d["no_panels"] = t.no_panels ? py::object(as_python(*t.no_panels)) : py::object(py::none());
  return d;
}

py::dict mapped(const Model& model, const Assignments& initial, const MapQuestion& question,
                const Waiting& how) {
  return map_as_python(run(
      [=](Task& task) {
        task.report("return map", 0);
        const Flow flow(initial.empty() ? *model : with_initial_values(*model, initial));
        return told(mapped_section(flow, question), question.plane);
      },
      how));
}

}  // namespace

void bind_maps(py::module_& m) {
  py::class_<MapQuestion>(m, "MapQuestion")
      .def(py::init<>())
      .def_readwrite("section", &MapQuestion::section)
      .def_readwrite("direction", &MapQuestion::direction)
      .def_readwrite("levels", &MapQuestion::levels)
      .def_readwrite("starts", &MapQuestion::starts)
      .def_readwrite("within", &MapQuestion::within)
      .def_readwrite("points", &MapQuestion::points)
      .def_readwrite("cycle", &MapQuestion::cycle)
      .def_readwrite("manifolds", &MapQuestion::manifolds)
      .def_readwrite("manifold_length", &MapQuestion::manifold_length)
      .def_readwrite("rotation", &MapQuestion::rotation)
      .def_readwrite("longest", &MapQuestion::longest)
      .def_readwrite("rtol", &MapQuestion::rtol)
      .def("draw_in", [](MapQuestion& q, const std::vector<std::string>& panels,
                         const std::vector<std::pair<std::string, std::pair<double, double>>>& ranges) {
        q.plane = {panels, ranges, {}};
      });
  m.def("mapped", [](const Model& s, const Assignments& initial, const MapQuestion& question,
                     const std::optional<double>& timeout, const py::object& progress) {
    return mapped(s, initial, question, {timeout, progress});
  });
}

}  // namespace rattleback::python
