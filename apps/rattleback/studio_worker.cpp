/// What the studio asks a process of its own for: `check` as one types, many motions at once; films are in studio_film.
#include "studio_worker.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/all_errors.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/symmetry/false_symmetries.hpp>
#include <rattleback/simulate/runs/switching_motion.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/cloud.hpp>
#include <rattleback/view/film/scene.hpp>
#include <rattleback/view/results/triage.hpp>

#include "studio_answers.hpp"
#include "studio_film.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

using nlohmann::ordered_json;

void add_formula(ordered_json& name, Expr e) {
  if (!fits(e, legible::in_the_studio)) return;
  name["latex"] = latex(e);
  name["text"] = text(e);
}

void add_formula(ordered_json& name, const Matrix& m) {
  std::size_t size = 0;
  for (const Expr e : m.entries()) size += written_size(e);
  if (fits(size, legible::in_the_studio)) name["latex"] = latex(m);
}

/// Omega of Omega1, Omega2, Omega3.
void add_vectors(ordered_json& all, const Factor& factor) {
  const auto stem_of = [](const Symbol v) {
    const std::string& name = v.name();
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
  };
  std::string before;
  for (const Symbol v : factor.velocities) {
    const std::string stem = stem_of(v);
    if (stem == v.name() || stem == before) continue;
    std::vector<std::string> components;
    for (const Symbol w : factor.velocities)
      if (stem_of(w) == stem) components.push_back(w.name());
    if (components.size() == 3)
      all.push_back({{"name", stem},
                     {"kind", "velocity"},
                     {"about", fmt::format("vector of {}", fmt::join(components, ", "))},
                     {"latex_name", latex_name(stem)}});
    before = stem;
  }
}

/// Every name of the model with what it is: for completion, and for the pointer that rests on one.
ordered_json names_of(const System& system) {
  ordered_json all = ordered_json::array();
  const auto add = [&](const std::string& name, const char* kind,
                       const std::string& about = "") -> ordered_json& {
    all.push_back({{"name", name}, {"kind", kind}, {"latex_name", latex_name(name)}});
    if (!about.empty()) all.back()["about"] = about;
    return all.back();
  };
  for (const Parameter& p : system.parameters) {
    ordered_json& one = add(p.symbol.name(), "parameter", p.about);
    if (p.value) add_formula(one, *p.value);
    if (p.positive) one["positive"] = true;
  }
  for (const Factor& factor : system.space.factors())
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        add(factor.name, "rotation", "rotation matrix: space axes = " + factor.name + " body axes");
        continue;
      }
      for (const Symbol q : piece.functions)
        add(q.name(), "coordinate", piece.carrier == Carrier::angle ? "coordinate, an angle" : "coordinate");
    }
  for (const Symbol v : system.space.velocities()) add(v.name(), "velocity", "velocity of the frame");
  for (const Factor& factor : system.space.factors()) add_vectors(all, factor);
  for (const QuasiVelocity& u : system.velocities)
    add_formula(add(u.symbol.name(), "quasi-velocity", "quasi-velocity"), u.expression);
  for (const Definition& d : system.definitions)
    if (const Expr* e = std::get_if<Expr>(&d.value))
      add_formula(add(d.name, "definition"), *e);
    else
      add_formula(add(d.name, "definition", "vector or matrix"), std::get<Matrix>(d.value));
  for (const Constraint& c : system.constraints)
    add_formula(add(c.name, "constraint", c.position ? "constraint on positions, = 0" : "constraint, = 0"),
                c.position ? *c.position : c.expression);
  for (const AbstractFunction& f : system.functions) add(f.function.name(), "function", f.about);
  return all;
}

/// Two lines of JSON: what reading says, at once; what a closer look says.
int check(const ordered_json& request) {
  std::vector<ordered_json> found;
  std::optional<System> system;
  try {
    system = read_model(request.at("text"), request.at("name"));
    for (const Error& w : system->warnings) found.push_back(error_json(w, "warning"));
  } catch (const Error& error) {
    for (const Error& one : all_errors(error)) found.push_back(error_json(one, "error"));
  }
  ordered_json first{{"read", system.has_value()}, {"problems", found}};
  if (system) {
    first["title"] = system->title.empty() ? system->name : system->title;
    first["names"] = names_of(*system);
  }
  say(first);
  if (!system) return Exit::error;
  setpriority(PRIO_PROCESS, 0, 5);  // the marks are out: the film goes before the facts
  try {
    require_possible_constraints(*system);
    Triage triaged = triage(*system);
    for (Error& doubt : false_symmetries(*system)) triaged.warnings.push_back(std::move(doubt));
    found.clear();
    for (const Error& e : triaged.problems) found.push_back(error_json(e, "error"));
    for (const Error& e : triaged.warnings) found.push_back(error_json(e, "warning"));
    say({{"problems", found}, {"facts", as_text(*system, triaged)}});
    return triaged.problems.empty() ? Exit::done : Exit::error;
  } catch (const Error& error) {
    found.push_back(error_json(error, "error"));
    say({{"problems", found}});
    return Exit::error;
  }
}

/// The point of the mechanism that stands for a motion: what leaves a trace, or else the first body.
std::vector<Expr> place_of(const Scene& scene) {
  const auto coordinates = [](const Matrix& p) {
    return std::vector(p.entries().begin(), p.entries().end());
  };
  for (const Shape& shape : scene.shapes)
    if (shape.kind == Shape::Kind::trace && !shape.points.empty()) return coordinates(shape.points.front());
  for (const Shape& shape : scene.shapes)
    if (shape.kind != Shape::Kind::line && shape.kind != Shape::Kind::net && shape.kind != Shape::Kind::trace)
      return coordinates(shape.at);
  return {};
}

/// The states of {"state": names, "starts": [[numbers], …]}, one after the other.
std::vector<double> starts_of(const ordered_json& request, const Flow& flow) {
  constexpr std::size_t most = input_limits::cloud_of_the_studio.count;
  const std::vector<std::string> names = request.at("state").get<std::vector<std::string>>();
  const bool same = std::equal(names.begin(), names.end(), flow.state().begin(), flow.state().end(),
                               [](const std::string& name, Symbol s) { return name == s.name(); });
  const ordered_json& starts = request.at("starts");
  if (!same || starts.size() > most)
    throw Error("usage", "these starts do not fit the model", "its speeds are others, or there are too many",
                "run the model again");
  std::vector<double> states;
  for (const ordered_json& start : starts) {
    if (start.size() != names.size()) throw Error("usage", "a start is incomplete", "", "reload the page");
    for (const ordered_json& x : start) states.push_back(x.get<double>());
  }
  return states;
}

/// "name":[numbers] with six digits, null for what is not a number.
std::string numbers_text(const char* name, const double* values, std::size_t count,
                         const std::vector<bool>& alive) {
  std::string s = fmt::format("\"{}\":[", name);
  for (std::size_t m = 0; m < count; ++m) {
    if (m > 0) s += ',';
    if (alive[m] && std::isfinite(values[m]))
      fmt::format_to(std::back_inserter(s), "{:.6g}", values[m]);
    else
      s += "null";
  }
  return s + "]";
}

/// Where forces switch, which lanes do not see, every motion is a run of its own: all frames come at the end.
void say_switching_cloud(const Flow& flow, std::span<const double> states,
                         const std::vector<std::size_t>& axes, int frames, double until) {
  const std::size_t n = flow.dimension(), members = states.size() / n;
  RunOptions options;
  options.until = until;
  options.samples = static_cast<std::size_t>(frames);
  std::vector<Trajectory> runs;
  for (std::size_t m = 0; m < members; ++m) {
    runs.push_back(trajectory(flow, states.subspan(m * n, n), options));
    if (m % 50 == 49) say({{"done", m + 1}});
  }
  for (std::size_t k = 0; k < options.samples; ++k) {
    std::vector<bool> alive(members);
    std::vector<double> x(members), y(members);
    for (std::size_t m = 0; m < members; ++m) {
      alive[m] = k < runs[m].rows.size();
      if (!alive[m]) continue;
      x[m] = runs[m].rows[k][axes[0]];
      y[m] = runs[m].rows[k][axes[1]];
    }
    fmt::print("{{\"t\":{:.9g},{},{}}}\n", until * static_cast<double>(k) / (frames - 1),
               numbers_text("x", x.data(), members, alive), numbers_text("y", y.data(), members, alive));
  }
}

/// Many motions at common times, by the lanes of sweeps: {"members": …, "lanes": …}, then for every time t one line with two
/// variables of the state, x and y, and the place px, py, pz of each.
int cloud(const ordered_json& request) {
  try {
    System system = read_model(request.at("text"), request.at("name"));
    require_possible_constraints(system);
    if (request.contains("initial"))
      system = with_initial_values(std::move(system), pairs_of(request["initial"]));
    if (request.contains("set")) give_values(system, pairs_of(request["set"]));
    const StartedMotion started = started_motion(system);
    const Flow& flow = started.flow;
    const double rtol = std::clamp(request.value("rtol", 1e-8), 1e-13, 1e-3);
    const std::vector<double> states = starts_of(request, flow);
    std::vector<std::size_t> axes;
    for (const char* axis : {"x", "y"}) {
      const auto found = std::find_if(flow.state().begin(), flow.state().end(),
                                      [&](Symbol s) { return s.name() == request.value(axis, ""); });
      if (found == flow.state().end())
        throw Error("usage", fmt::format("the state has no `{}`", request.value(axis, "")), "",
                    "choose other axes");
      axes.push_back(static_cast<std::size_t>(found - flow.state().begin()));
    }
    const int frames = std::clamp(request.value("frames", 90), 2, 2000);
    const double until = request.value("until", 10.0);
    if (SwitchingMotion::of(flow, "taylor")) {
      say({{"members", states.size() / flow.dimension()}, {"lanes", false}, {"frames", frames}});
      say_switching_cloud(flow, states, axes, frames, until);
      return Exit::done;
    }
    Cloud all(flow, states, {.rtol = rtol, .atol = 0.01 * rtol});
    const std::vector<Expr> place = place_of(scene_of(flow.system()));
    std::optional<CloudView> view;
    if (!place.empty()) view.emplace(flow, place);
    say({{"members", all.members()}, {"lanes", all.in_lanes()}, {"frames", frames}});
    for (int k = 0; k < frames; ++k) {
      if (k > 0) all.advance(until * k / (frames - 1));
      const auto text = [&](const char* name, const double* values) {
        return numbers_text(name, values, all.members(), all.alive());
      };
      std::string line = fmt::format("{{\"t\":{:.9g},{},{}", all.time(), text("x", all.state()[axes[0]]),
                                     text("y", all.state()[axes[1]]));
      if (view) {
        const Columns at = (*view)(all);
        line += fmt::format(",{},{},{}", text("px", at[0]), text("py", at[1]), text("pz", at[2]));
      }
      fmt::print("{}}}\n", line);
      std::fflush(stdout);
    }
    return Exit::done;
  } catch (const Error& error) {
    say({{"problems", {error_json(error, "error")}}});
    return Exit::error;
  }
}

}  // namespace

int studio_worker() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const ordered_json request = ordered_json::parse(text, nullptr, false);
  if (request.is_discarded()) return Exit::error;
  const std::string action = request.value("action", "");
  try {
    if (action == "film") return StudioFilm().answer(request);
    return action == "cloud" ? cloud(request) : check(request);
  } catch (const ordered_json::exception& wrong) {  // a field is missing, or is of another kind
    say({{"problems",
          {error_json(Error("usage", "the request cannot be read", wrong.what(), "reload the page"),
                      "error")}}});
    return Exit::error;
  }
}

}  // namespace rattleback::app
