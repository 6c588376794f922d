/// What the studio asks a process of its own for: `check` as one types, and the film of a motion.
#include "studio_worker.hpp"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/impossible_constraint.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/model/triage.hpp>
#include <rattleback/motion/false_symmetries.hpp>
#include <rattleback/simulate/with_initial_values.hpp>
#include <rattleback/view/triage.hpp>

#include <rattleback/view/representative_run.hpp>
#include "verb.hpp"

namespace rattleback::app {
namespace {

using nlohmann::ordered_json;

void say(const ordered_json& line) {
  fmt::print("{}\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  std::fflush(stdout);
}

ordered_json error_json(const Error& error, const char* severity) {
  ordered_json places = ordered_json::array();
  for (const Place& p : error.where) {
    if (p.line > 0) places.push_back({{"line", p.line}, {"column", p.column}, {"length", p.length}});
  }
  return {{"severity", severity}, {"slug", error.slug}, {"summary", error.summary},
          {"why", error.why},     {"fix", error.fix},   {"places", places}};
}

constexpr std::size_t readable = 160;

void add_formula(ordered_json& name, Expr e) {
  if (written_size(e) > readable) return;
  name["latex"] = latex(e);
  name["text"] = text(e);
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
  for (const QuasiVelocity& u : system.velocities)
    add_formula(add(u.symbol.name(), "quasi-velocity", "quasi-velocity"), u.expression);
  for (const Definition& d : system.definitions)
    if (const Expr* e = std::get_if<Expr>(&d.value))
      add_formula(add(d.name, "definition"), *e);
    else
      add(d.name, "definition", "vector or matrix");
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
    found.push_back(error_json(error, "error"));
  }
  ordered_json first{{"read", system.has_value()}, {"problems", found}};
  if (system) {
    first["title"] = system->title.empty() ? system->name : system->title;
    first["names"] = names_of(*system);
  }
  say(first);
  if (!system) return Exit::error;
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

std::vector<std::pair<std::string, std::string>> pairs_of(const ordered_json& object) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [name, value] : object.items()) pairs.emplace_back(name, value.get<std::string>());
  return pairs;
}

/// Other values for parameters, which stay symbols.
void give_values(System& system, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (Parameter& p : system.parameters)
      if (p.symbol.name() == name) p.value = parse(value, Scope{});
  }
}

/// The film of the motion with other initial values and parameters, and the motion as a program for the page.
int film(const ordered_json& request) {
  try {
    System system = read_model(request.at("text"), request.at("name"));
    require_possible_constraints(system);
    if (request.contains("initial"))
      system = with_initial_values(std::move(system), pairs_of(request["initial"]));
    if (request.contains("set")) give_values(system, pairs_of(request["set"]));
    const RepresentativeRun it(system, request.value("until", 0.0));
    if (it.run.rows.size() < 2)
      throw Error("motion-ends", "there is no run",
                  it.run.failure.value_or("the motion ends where it begins"),
                  "give another initial state in [simulation]");
    Film f = it.film();
    f.summary = it.summary();
    fmt::print("{{\"summary\":{},\n\"data\":{}", ordered_json(f.summary).dump(), as_json(f));
    if (request.value("live", true)) {
      const Live live = it.live();
      fmt::print(",\n\"live\":{},\n\"script\":{}", live.json, ordered_json(live.script).dump());
    }
    fmt::print("}}\n");
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
  return request.value("action", "") == "film" ? film(request) : check(request);
}

}  // namespace rattleback::app
