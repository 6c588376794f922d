#include <rattleback/view/results/map_portrait.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/number_in_parameters.hpp>

namespace rattleback {
namespace {

/// "F = VALUE", or "F" for its value at the initial state; F is an integral by its name, or any function.
Level level_of(const Flow& flow, std::span<const double> state, const std::vector<Invariant>& known,
               const std::string& text) {
  const std::size_t equals = text.rfind('=');
  Level level;
  level.name = text.substr(0, equals);
  while (!level.name.empty() && level.name.back() == ' ') level.name.pop_back();
  const auto found = std::ranges::find(known, level.name, &Invariant::name);
  level.value = found != known.end()
                    ? found->value
                    : placed("command line, --level", [&] { return parse(level.name, flow.system().scope); });
  if (equals != std::string::npos) {
    level.at = number_in_parameters(flow, "--level", text.substr(equals + 1));
  } else {
    const Expr e = level.value;
    level.at = Observer(flow, {level.name}, std::span(&e, 1))(0, state)[0];
  }
  return level;
}

std::string section_text(const MapQuestion& question) {
  return question.section + (question.section.find('=') == std::string::npos ? " = 0" : "") +
         (question.direction > 0   ? " upwards"
          : question.direction < 0 ? " downwards"
                                   : "");
}

using Plane = std::function<Eigen::Vector2d(std::span<const double>)>;

/// Coordinates of the plane in which curves are refined.
Plane plane_coordinates(const Flow& flow, const std::pair<std::string, std::string>& axes) {
  std::vector<Expr> both;
  for (const std::string& name : {axes.first, axes.second})
    both.push_back(event_equation(flow.system(), name, "command line, --plot"));
  auto observer = std::make_shared<Observer>(flow, std::vector<std::string>{axes.first, axes.second}, both);
  return [observer](std::span<const double> state) {
    const std::vector<double>& v = (*observer)(0, state);
    return Eigen::Vector2d(v[0], v[1]);
  };
}

/// How wide the points lie in the plane.
double extent(const MapPortrait& portrait, const Plane& plane) {
  Eigen::Vector2d low(INFINITY, INFINITY), high = -low;
  for (const auto& orbit : portrait.orbits)
    for (const ReturnMap::Return& r : orbit) {
      const Eigen::Vector2d p = plane(r.full);
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  return portrait.orbits.empty() ? 1 : (high - low).norm();
}

void add_curves(ReturnMap& map, const MapQuestion& question, MapPortrait& portrait) {
  CurveOptions options;
  options.plane = plane_coordinates(map.motion().flow(), plane_of(map, portrait, question.plane));
  const double size = std::max(1e-6, extent(portrait, options.plane));
  options.length = question.manifold_length > 0 ? question.manifold_length : 10 * size;
  options.resolution = size / 100;
  for (const Cycle& cycle : portrait.cycles)
    for (const bool stable : {false, true})
      for (InvariantCurve& curve : invariant_curves(map, cycle, stable, options))
        portrait.curves.push_back(std::move(curve));
}

/// The starts, and the orbit of each.
std::vector<Eigen::VectorXd> add_orbits(ReturnMap& map, const MapQuestion& question, MapPortrait& portrait) {
  std::vector<Eigen::VectorXd> starts;
  if (const auto own = map.projected(map.start()); own && question.starts == 1) starts.push_back(*own);
  if (starts.empty()) starts = starts_on_level(map, question.starts, question.within);
  for (const Eigen::VectorXd& y : starts) {
    std::vector<ReturnMap::Return> orbit{{y, 0, {}, map.full_state(y)}};
    for (ReturnMap::Return& r : map.orbit(y, question.points)) orbit.push_back(std::move(r));
    portrait.orbits.push_back(std::move(orbit));
  }
  return starts;
}

}  // namespace

MappedSection mapped_section(const Flow& flow, const MapQuestion& question) {
  const System& system = flow.system();
  const std::vector<double> state = initial_state(flow, {.project = true});
  std::vector<Invariant> known = known_invariants(system);
  const FoundInvariants found = found_invariants(flow, known);
  known.insert(known.end(), found.invariants.begin(), found.invariants.end());
  SectionQuestion about;
  about.section = event_equation(system, question.section, "command line, --section");
  about.direction = question.direction;
  about.longest = question.longest;
  about.rtol = question.rtol;
  MappedSection made;
  MapPortrait& portrait = made.portrait;
  for (const std::string& text : question.levels) {
    about.levels.push_back(level_of(flow, state, known, text));
    portrait.levels.push_back(fmt::format("{} = {:.10g}", about.levels.back().name, about.levels.back().at));
  }
  made.map = std::make_unique<ReturnMap>(system, state, known, about);
  portrait.model = system.name;
  portrait.section = section_text(question);
  const std::vector<Eigen::VectorXd> starts = add_orbits(*made.map, question, portrait);
  if (question.cycle == 0) return made;
  portrait.sought = question.cycle;
  portrait.cycles = cycles(*made.map, question.cycle, starts);
  if (question.manifolds) add_curves(*made.map, question, portrait);
  if (question.rotation > 0)
    for (const Cycle& cycle : portrait.cycles)
      portrait.rotations.push_back(
          rotation_profile(*made.map, cycle, 12, question.rotation, question.points));
  return made;
}

}  // namespace rattleback
