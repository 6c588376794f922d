/// Branches of steady and of periodic motions.
#include <algorithm>

#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/study/hopf_starts.hpp>
#include <rattleback/view/results/branches.hpp>
#include <rattleback/view/results/orbit_branches.hpp>

#include "figures.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

template <class Found>
struct Followed {
  std::string model, vary;
  Found found;
};

struct Following {
  std::string vary;
  double low = 0, high = 1, step = 0;
  std::size_t points = 400;
  Assignments start;
  std::vector<std::string> hold;
  std::string second;  ///< a second parameter in which bifurcations are followed; empty: none
  double second_low = 0, second_high = 1;
};

/// The model near its start, and what is asked about it.
struct BranchTask {
  System system;
  Flow flow;
  SteadyQuestion question;
  std::vector<double> y;
};

BranchTask task_of(const System& model, const Following& given) {
  System system = with_initial_values(model, given.start, "--start");
  Flow flow(system);
  BranchTask made{std::move(system), std::move(flow), {}, {}};
  SteadyQuestion& question = made.question;
  question.vary = given.vary;
  question.branch = {given.low, given.high, given.step, given.points};
  question.known = known_invariants(made.system);
  const FoundInvariants more = found_invariants(made.flow, question.known);
  question.known.insert(question.known.end(), more.invariants.begin(), more.invariants.end());
  for (const std::string& text : given.hold) {
    const auto known = std::ranges::find(question.known, text, &Invariant::name);
    question.held.push_back(
        {text, known != question.known.end() ? known->value : placed("command line, --hold", [&] {
           return parse(text, made.system.scope);
         })});
  }
  question.second = {given.second, given.second_low, given.second_high};
  made.y = initial_state(made.flow, {.project = true});
  return made;
}

Followed<SteadyBranches> steady(const Model& model, const Following& given, const Waiting& how) {
  return run(
      [model, given](Task& task) {
        task.report("branches of steady motions", 0);
        const BranchTask t = task_of(*model, given);
        return Followed<SteadyBranches>{t.system.name, given.vary,
                                        steady_branches(t.system, t.y, t.question)};
      },
      how);
}

Followed<PeriodicBranches> periodic(const Model& model, const Following& given, bool hopf,
                                    const std::string& period, const Waiting& how) {
  return run(
      [=](Task& task) {
        task.report("branches of periodic motions", 0);
        const BranchTask t = task_of(*model, given);
        OrbitStart start{.state = t.y};
        if (hopf) {
          const std::vector<OrbitStart> starts = hopf_starts(steady_branches(t.system, t.y, t.question));
          if (starts.empty())
            throw Error("no-periodic-motion", "the branch of steady motions has no Hopf point",
                        "no periodic motions are born on it",
                        "follow it with branches(), or over another range");
          start = starts.front();
        } else if (!period.empty()) {
          start.period = typed_number(period);  // otherwise of a forcing, in letters
        }
        const PeriodicQuestion question{
            given.vary, t.question.branch, t.question.known, t.question.held, period,
            true,       t.question.second};
        return Followed<PeriodicBranches>{t.system.name, given.vary,
                                          periodic_branches(t.system, start, question)};
      },
      how);
}

using Description = std::string (*)(const BranchPoint&, const BranchPoint&, const BranchPoint&);

py::dict branch_as_python(const Branch& branch, Description description) {
  const auto count = static_cast<py::ssize_t>(branch.points.size());
  const auto width = count == 0 ? 0 : static_cast<py::ssize_t>(branch.points.front().u.size());
  const auto modes = count == 0 ? 0 : static_cast<py::ssize_t>(branch.points.front().spectrum.size());
  py::array_t<double> at(count), values({width, count});
  py::array_t<int> growing(count);
  py::array_t<std::complex<double>> spectrum({modes, count});
  py::list events;
  for (py::ssize_t k = 0; k < count; ++k) {
    const auto n = static_cast<std::size_t>(k);
    const BranchPoint& p = branch.points[n];
    at.mutable_at(k) = p.quantity;
    growing.mutable_at(k) = p.growing;
    for (py::ssize_t i = 0; i < width; ++i) values.mutable_at(i, k) = p.u[i];
    for (py::ssize_t i = 0; i < modes; ++i)
      spectrum.mutable_at(i, k) = i < p.spectrum.size() ? p.spectrum[i] : std::complex<double>(NAN, NAN);
    if (p.kind == BranchPoint::Kind::regular) continue;
    const bool inside = k > 0 && k + 1 < count;
    events.append(py::make_tuple(k, p.quantity, p.kind == BranchPoint::Kind::fold ? "fold" : "change",
                                 inside ? description(branch.points[n - 1], p, branch.points[n + 1]) : ""));
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

/// Curves of bifurcations in two parameters.
py::list curves_as_python(const std::vector<BifurcationCurve>& curves, Description description) {
  py::list all;
  for (const BifurcationCurve& curve : curves) {
    py::dict one = branch_as_python(curve.branch, description);
    const auto count = static_cast<py::ssize_t>(curve.first.size());
    one["kind"] = curve.kind;
    one["first"] = as_array(curve.first, {count});
    one["critical"] = as_array(curve.critical, {static_cast<py::ssize_t>(curve.critical.size())});
    all.append(one);
  }
  return all;
}

/// What steady and periodic motions have in common.
template <class Found>
py::dict common_parts(const Followed<Found>& f, Description description) {
  py::dict d;
  d["vary"] = f.vary;
  d["names"] = f.found.names;
  d["symmetries"] = f.found.fields;
  d["held"] = f.found.held;
  d["second"] = f.found.second;
  d["curves"] = curves_as_python(f.found.curves, description);
  d["text"] = as_text(f.model, f.vary, f.found);
  d["csv"] = as_csv(f.model, f.vary, f.found);
  d["json"] = as_json(f.model, f.vary, f.found);
  d["panels"] = panels_as_python(panels_of(f.vary, f.found));
  return d;
}

py::dict steady_as_python(const Followed<SteadyBranches>& f) {
  py::dict d = common_parts(f, description);
  py::list branches;
  branches.append(branch_as_python(f.found.first, description));
  for (const Branch& other : f.found.others) branches.append(branch_as_python(other, description));
  d["branches"] = branches;
  return d;
}

py::dict periodic_as_python(const Followed<PeriodicBranches>& f) {
  py::dict d = common_parts(f, orbit_description);
  py::list branches;
  std::size_t number = 0;
  for (const Branch* branch : f.found.all()) {
    py::dict one = branch_as_python(*branch, orbit_description);
    std::vector<std::vector<double>> least, largest;
    for (const OrbitExtent& e : f.found.extents[number]) {
      least.push_back(e.least);
      largest.push_back(e.largest);
    }
    const std::size_t width = least.empty() ? 0 : least.front().size();
    one["least"] = as_columns(least, width);
    one["largest"] = as_columns(largest, width);
    one["doubled"] = number > f.found.others.size();
    branches.append(one);
    ++number;
  }
  d["branches"] = branches;
  d["states"] = f.found.states;
  d["trivial"] = f.found.trivial;
  d["forced"] = f.found.forced;
  return d;
}

}  // namespace

void bind_branches(py::module_& m) {
  py::class_<Following>(m, "Following")
      .def(py::init<>())
      .def_readwrite("vary", &Following::vary)
      .def_readwrite("low", &Following::low)
      .def_readwrite("high", &Following::high)
      .def_readwrite("step", &Following::step)
      .def_readwrite("points", &Following::points)
      .def_readwrite("start", &Following::start)
      .def_readwrite("hold", &Following::hold)
      .def_readwrite("second", &Following::second)
      .def_readwrite("second_low", &Following::second_low)
      .def_readwrite("second_high", &Following::second_high);
  m.def("branches", [](const Model& s, const Following& given, const std::optional<double>& timeout,
                       const py::object& progress) {
    return steady_as_python(steady(s, given, {timeout, progress}));
  });
  m.def("orbits", [](const Model& s, const Following& given, bool hopf, const std::string& period,
                     const std::optional<double>& timeout, const py::object& progress) {
    return periodic_as_python(periodic(s, given, hopf, period, {timeout, progress}));
  });
}

}  // namespace rattleback::python
