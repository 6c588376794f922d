/// Models: read, checked, with other values of their parameters.
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/reading/urdf.hpp>
#include <rattleback/model/reading/zoo.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/model/text/source.hpp>
#include <rattleback/simulate/loops/full_triage.hpp>
#include <rattleback/view/results/triage.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

std::vector<std::string> names_of(std::span<const Symbol> symbols) {
  std::vector<std::string> names;
  for (const Symbol s : symbols) names.push_back(s.name());
  return names;
}

/// The system that a text describes, at these values of parameters and with these laws of control inputs.
Model read(const std::string& text, const std::string& file, const Assignments& values,
           const Assignments& laws) {
  System system = read_model(text, file);
  if (!values.empty()) system = with_values(std::move(system), values);
  if (!laws.empty()) system = with_inputs(std::move(system), laws);
  return std::make_shared<System>(std::move(system));
}

/// The system that questions are about: without constraints that follow from the others. Throws where its constraints are impossible.
Model possible(const Model& model) {
  return run(
      [model](Task&) -> Model {
        require_possible_constraints(*model);
        std::optional<System> fewer = without_dependent_constraints(*model);
        return fewer ? std::make_shared<System>(*std::move(fewer)) : model;
      },
      {std::nullopt, py::none()});
}

/// The system that moves: all its constraints, where a start has to satisfy those that follow from the others, too.
Model consistent(const Model& model) {
  return run(
      [model](Task&) -> Model {
        require_possible_constraints(*model);
        return model;
      },
      {std::nullopt, py::none()});
}

py::list parameters(const System& system) {
  py::list all;
  for (const Parameter& p : system.parameters) {
    const py::object value = p.value ? py::cast(text(*p.value)) : py::none();
    all.append(py::make_tuple(p.symbol.name(), value, p.positive, p.about));
  }
  return all;
}

/// Everything that names a quantity, for suggestions and for expressions of other packages.
py::dict names(const System& system) {
  py::dict d;
  d["coordinates"] = names_of(system.space.functions());
  d["velocities"] = names_of(system.space.velocities());
  std::vector<std::string> quasi;
  for (const QuasiVelocity& u : system.velocities) quasi.push_back(u.symbol.name());
  d["quasi_velocities"] = quasi;
  std::vector<std::string> constraints;
  for (const Constraint& c : system.constraints) constraints.push_back(c.name);
  d["constraints"] = constraints;
  return d;
}

std::string value_text(const Value& value) {
  if (const Expr* e = std::get_if<Expr>(&value)) return text(*e);
  return text(std::get<Matrix>(value));
}

py::list joints_of(const Machine& machine) {
  py::list all;
  for (const JointSummary& j : machine.joints)
    all.append(py::make_tuple(j.name, j.kind, j.parent, j.child, j.coordinates, j.closes_loop, j.conditions,
                              j.satisfied));
  return all;
}

py::dict check(const Model& model, const std::string& source, const std::string& file, double seconds,
               const Waiting& how) {
  const auto [found, machine] = run(
      [model, source, file, seconds](Task& task) {
        constexpr double most_parts = 12;
        const TriageLimits limits{seconds, [&task, done = 0](const std::string& part) mutable {
                                    task.report(part, std::min(0.95, done++ / most_parts));
                                    if (task.stop) throw Exhausted("the computation was cancelled");
                                  }};
        return std::pair(full_triage(*model, limits), read_machine(source, file));
      },
      how);
  py::dict d;
  py::list warnings, problems, constraints;
  for (const Error& e : found.warnings) warnings.append(as_python(e, "warning"));
  for (const Error& e : found.problems) problems.append(as_python(e));
  for (const ConstraintKind& c : found.constraints)
    constraints.append(
        py::make_tuple(c.name, std::string(word(c.writing)), std::string(word(c.effect)), c.note));
  d["warnings"] = warnings;
  d["problems"] = problems;
  d["constraints"] = constraints;
  d["dimension"] = found.dimension;
  d["rank"] = found.rank;
  d["dof"] = found.degrees_of_freedom();
  d["growth_vector"] = found.growth_vector;
  d["open"] = found.open;
  d["joints"] = joints_of(machine);
  d["text"] = as_text(*model, found, machine);
  return d;
}

}  // namespace

void bind_models(py::module_& m) {
  py::class_<System, std::shared_ptr<System>>(m, "System")
      .def_readonly("name", &System::name)
      .def_readonly("title", &System::title)
      .def_readonly("references", &System::references)
      .def_property_readonly("parameters", parameters)
      .def_property_readonly("names", names)
      .def_property_readonly("lagrangian", [](const System& s) { return s.lagrangian; })
      .def_property_readonly("constraints",
                             [](const System& s) {
                               py::list all;
                               for (const Constraint& c : s.constraints)
                                 all.append(py::make_tuple(c.name, py::cast(c.expression)));
                               return all;
                             })
      .def_property_readonly("initial",
                             [](const System& s) {
                               py::list all;
                               for (const InitialValue& v : s.simulation.initial)
                                 all.append(py::make_tuple(v.name, value_text(v.value)));
                               return all;
                             })
      .def_property_readonly("inputs",
                             [](const System& s) {
                               std::vector<std::string> all;
                               for (const AbstractFunction& u : inputs_of(s))
                                 all.push_back(u.function.name());
                               return all;
                             })
      .def_property_readonly("has_contacts", [](const System& s) { return !s.contacts.empty(); })
      .def("possible", possible)
      .def("consistent", consistent);
  m.def("read", read);
  m.def("check", [](const Model& s, const std::string& source, const std::string& file, double seconds,
                    const std::optional<double>& timeout, const py::object& progress) {
    return check(s, source, file, seconds, {timeout, progress});
  });
  m.def("from_urdf",
        [](const std::string& path, const std::vector<std::string>& wheels, const std::string& base) {
          const ImportedModel model = model_from_urdf(read_source(path), {wheels, base});
          return py::make_tuple(model.text, model.ignored);
        });
  m.def("find_model", find_model);
  m.def("source_text", [](const std::string& name) {
    const std::string path = find_model(name);
    return py::make_tuple(path, read_source(path).text());
  });
  m.def("zoo", [] {
    py::list all;
    for (const std::string& name : zoo()) {
      const ZooEntry entry = zoo_entry(name);
      all.append(py::make_tuple(entry.name, entry.title, entry.theme));
    }
    return all;
  });
  m.def("nearest", nearest);
}

}  // namespace rattleback::python
