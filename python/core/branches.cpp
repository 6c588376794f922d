/// Branches of steady motions.
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/with_initial_values.hpp>
#include <rattleback/view/branches.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

struct Followed {
  std::string model, vary;
  SteadyBranches found;
};

struct Following {
  std::string vary;
  double low = 0, high = 1, step = 0;
  std::size_t points = 400;
  Assignments start;
  std::vector<std::string> hold;
};

std::shared_ptr<Followed> followed(const Model& model, const Following& given, const Waiting& how) {
  return run(
      [model, given](Task& task) {
        task.report("branches of steady motions", 0);
        const System system = with_initial_values(*model, given.start, "--start");
        const Flow flow(system);
        SteadyQuestion question;
        question.vary = given.vary;
        question.branch = {given.low, given.high, given.step, given.points};
        question.known = known_invariants(system);
        const FoundInvariants more = found_invariants(flow, question.known);
        question.known.insert(question.known.end(), more.invariants.begin(), more.invariants.end());
        for (const std::string& text : given.hold)
          question.held.push_back(
              {text, placed("command line, --hold", [&] { return parse(text, system.scope); })});
        const std::vector<double> y = initial_state(flow, {.project = true});
        return std::make_shared<Followed>(
            Followed{system.name, given.vary, steady_branches(system, y, question)});
      },
      how);
}

std::string happens_at(const Branch& branch, std::size_t k) {
  if (k == 0 || k + 1 >= branch.points.size()) return "";
  return description(branch.points[k - 1], branch.points[k], branch.points[k + 1]);
}

py::dict branch_as_python(const Branch& branch) {
  const auto count = static_cast<py::ssize_t>(branch.points.size());
  const auto width = count == 0 ? 0 : static_cast<py::ssize_t>(branch.points.front().u.size());
  const auto modes = count == 0 ? 0 : static_cast<py::ssize_t>(branch.points.front().spectrum.size());
  py::array_t<double> at(count), values({width, count});
  py::array_t<int> growing(count);
  py::array_t<std::complex<double>> spectrum({modes, count});
  py::list events;
  for (py::ssize_t k = 0; k < count; ++k) {
    const BranchPoint& p = branch.points[static_cast<std::size_t>(k)];
    at.mutable_at(k) = p.quantity;
    growing.mutable_at(k) = p.growing;
    for (py::ssize_t i = 0; i < width; ++i) values.mutable_at(i, k) = p.u[i];
    for (py::ssize_t i = 0; i < modes; ++i)
      spectrum.mutable_at(i, k) = i < p.spectrum.size() ? p.spectrum[i] : std::complex<double>(NAN, NAN);
    if (p.kind != BranchPoint::Kind::regular)
      events.append(py::make_tuple(k, p.quantity, p.kind == BranchPoint::Kind::fold ? "fold" : "change",
                                   happens_at(branch, static_cast<std::size_t>(k))));
  }
  py::dict d;
  d["at"] = at;
  d["growing"] = growing;
  d["values"] = values;
  d["eigenvalues"] = spectrum;
  d["events"] = events;
  d["ended"] = py::make_tuple(branch.ended_backward, branch.ended_forward);
  return d;
}

py::dict branches_as_python(const Followed& f) {
  py::dict d;
  d["vary"] = f.vary;
  d["names"] = f.found.names;
  d["symmetries"] = f.found.fields;
  d["held"] = f.found.held;
  py::list branches;
  branches.append(branch_as_python(f.found.first));
  for (const Branch& other : f.found.others) branches.append(branch_as_python(other));
  d["branches"] = branches;
  d["text"] = as_text(f.model, f.vary, f.found);
  d["csv"] = as_csv(f.model, f.vary, f.found);
  d["json"] = as_json(f.model, f.vary, f.found);
  return d;
}

}  // namespace

void bind_branches(py::module_& m) {
  m.def("branches", [](const Model& s, const std::string& vary, double low, double high,
                       const Assignments& start, const std::vector<std::string>& hold, double step,
                       std::size_t points, const std::optional<double>& timeout, const py::object& progress) {
    return branches_as_python(
        *followed(s, {vary, low, high, step, points, start, hold}, {timeout, progress}));
  });
}

}  // namespace rattleback::python
