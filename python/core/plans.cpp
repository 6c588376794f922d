/// Motion planning: inputs that bring a system to a goal.
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/results/plans.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

/// A plan with what it was asked for, and the texts of the command line.
struct StatedPlan {
  Plan plan;
  std::vector<Goal> goals;
  std::string text, csv, json;
};

StatedPlan stated_plan(const Model& model, const Assignments& initial, const Assignments& to,
                       const PlanOptions& options) {
  const System system = initial.empty() ? *model : with_initial_values(*model, initial);
  StatedPlan p;
  for (const auto& [name, value] : to)
    p.goals.push_back(placed("to", [&, &n = name, &v = value] { return stated_goal(system, n, v); }));
  p.plan = plan(system, p.goals, options);
  p.text = as_text(system, p.plan, p.goals, options);
  p.csv = as_csv(system, p.plan);
  p.json = as_json(p.plan, p.goals);
  return p;
}

py::dict plan_as_python(const StatedPlan& p) {
  const auto count = static_cast<py::ssize_t>(p.plan.times.size());
  py::dict inputs, reached;
  for (std::size_t k = 0; k < p.plan.corners.size(); ++k)
    inputs[py::str(p.plan.inputs[k])] = as_array(p.plan.corners[k], {count});
  for (std::size_t k = 0; k < p.plan.reached.size(); ++k)
    reached[py::str(p.goals[k].name)] = p.plan.reached[k];
  py::dict d;
  d["found"] = p.plan.found;
  d["t"] = as_array(p.plan.times, {count});
  d["inputs"] = inputs;
  d["reached"] = reached;
  d["effort"] = p.plan.effort;
  d["guesses"] = p.plan.starts;
  d["nearest"] = p.plan.nearest;
  d["text"] = p.text;
  d["csv"] = p.csv;
  d["json"] = p.json;
  return d;
}

}  // namespace

void bind_plans(py::module_& m) {
  m.def("planned",
        [](const Model& s, const Assignments& initial, const Assignments& to, double duration, int pieces,
           int guesses, const std::optional<double>& timeout, const py::object& progress) {
          const PlanOptions options{.duration = duration, .pieces = pieces, .starts = guesses};
          return plan_as_python(run(
              [=](Task& task) {
                task.report("plan", 0);
                return stated_plan(s, initial, to, options);
              },
              {timeout, progress}));
        });
}

}  // namespace rattleback::python
