#include <rattleback/view/film/live.hpp>

#include <algorithm>

#include <nlohmann/json.hpp>

#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/programs/redundant_motion.hpp>
#include <rattleback/simulate/runs/switching_motion.hpp>
#include <rattleback/view/film/film.hpp>
#include <rattleback/view/film/phase_portrait.hpp>
#include <rattleback/view/programs/motion_module.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;
using Of = ModuleFunction::Of;

std::vector<MotionModule::Parameter> parameters_of(const Flow& flow) {
  const std::vector<double> values = flow.parameter_values<double>();
  std::vector<MotionModule::Parameter> parameters;
  for (std::size_t k = 0; k < values.size(); ++k) parameters.push_back({flow.parameters()[k], values[k], ""});
  return parameters;
}

/// A module without members whose state is `symbols`.
MotionModule module_of(const Flow& flow, std::span<const Symbol> symbols) {
  return {"motion", "", "", flow.system().time,  {symbols.begin(), symbols.end()},
          {},       {}, {}, parameters_of(flow), {},
          {},       {}, {}};
}

void add(MotionModule& module, const std::string& name, const std::string& about, std::vector<Expr> values,
         bool scalar = false) {
  if (values.empty()) return;
  ModuleFunction f{name, about, Of::state, {}, scalar};
  for (const Expr e : values) f.outputs.push_back({"", e});
  module.members.push_back(std::move(f));
}

std::vector<Expr> on_state(const Flow& flow, std::span<const Expr> es) {
  std::vector<Expr> there;
  for (const Expr e : es) there.push_back(flow.on_state(e));
  return there;
}

void append(std::vector<Expr>& list, const Matrix& m) {
  list.insert(list.end(), m.entries().begin(), m.entries().end());
}

bool is_drawn_by_points(const Shape& shape) {
  return shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::trace;
}

/// What moves: centre and rotation of a rigid shape, the points of others.
std::vector<Expr> moving_parts(const Shape& shape) {
  std::vector<Expr> parts;
  if (is_drawn_by_points(shape)) {
    for (const Matrix& p : shape.points) append(parts, p);
  } else {
    append(parts, shape.at);
    append(parts, shape.rotation);
  }
  return parts;
}

/// What rests: lengths, axles and the points of nets, which depend on parameters only.
std::vector<Expr> fixed_parts(const Shape& shape) {
  std::vector<Expr> parts = shape.sizes;
  if (is_drawn_by_points(shape)) return parts;
  append(parts, shape.axis);
  for (const Matrix& p : shape.points) append(parts, p);
  return parts;
}

class Motion {
 public:
  Motion(const Flow& flow, std::span<const double> y, const RunOptions& options, const Scene& scene)
      : flow_(flow), y_(y), options_(options), scene_(scene), module_(module_of(flow, flow.state())) {
    if (const auto switching = SwitchingMotion::of(flow, "dop853")) switching_ = switching->formulas();
  }

  Live live() {
    add_functions();
    return {json().dump(), script()};
  }

 private:
  void add_functions() {
    const System& system = flow_.system();
    const auto rates = flow_.rate_expressions();
    add(module_, "rhs", "time derivative of the state", {rates.begin(), rates.end()});
    std::vector<Expr> velocities, kept, positions, moving, fixed;
    for (const Symbol v : system.space.velocities()) velocities.push_back(Expr(v));
    for (const Invariant& f : options_.invariants) kept.push_back(f.value);
    for (const Constraint& c : system.constraints)
      if (c.position) positions.push_back(*c.position);
    for (const Shape& shape : scene_.shapes) {
      for (const Expr e : moving_parts(shape)) moving.push_back(e);
      for (const Expr e : fixed_parts(shape)) fixed.push_back(e);
    }
    add(module_, "velocities", "velocities of the frame", on_state(flow_, velocities));
    add(module_, "energy", "v dL/dv - L", {flow_.on_state(energy(system))}, true);
    add(module_, "kept", "what is constant", on_state(flow_, kept));
    add(module_, "positions", "zero where constraints on positions hold", on_state(flow_, positions));
    add(module_, "moving", "centres, rotations and points of the shapes", on_state(flow_, moving));
    add(module_, "fixed", "lengths and axles of the shapes", on_state(flow_, fixed));
    if (flow_.projection() != nullptr)
      add(module_, "projected", "the nearest velocities that the constraints allow",
          in_quaternions(redundant_motion(system).projected));
  }

  std::vector<Expr> in_quaternions(std::vector<Expr> es) const {
    for (Expr& e : es) e = flow_.in_quaternions(e);
    return es;
  }

  /// Surfaces given by an equation are functions of a point of the body.
  std::string script() const {
    std::string s = "{ motion: " + as_javascript_object(module_) + ", surfaces: {";
    for (std::size_t k = 0; k < scene_.shapes.size(); ++k) {
      const Shape& shape = scene_.shapes[k];
      if (shape.kind != Shape::Kind::surface) continue;
      std::vector<Symbol> point;
      for (const Expr x : shape.point.entries()) point.push_back(x.symbol());
      MotionModule surface = module_of(flow_, point);
      add(surface, "f", "negative inside", {with_formulas(flow_.system(), shape.f)}, true);
      s += std::to_string(k) + ": " + as_javascript_object(surface) + ", ";
    }
    return s + "}" + switching_script() + " }";
  }

  /// Rates with signs as the last parameters, the arguments of the signs and their derivatives: see web/switching.js.
  std::string switching_script() const {
    if (!switching_) return "";
    MotionModule module = module_of(flow_, flow_.state());
    for (const Symbol s : switching_->signs) module.parameters.push_back({s, 0.0, ""});
    std::vector<Expr> derivatives;
    for (const std::vector<Expr>& list : switching_->derivatives)
      derivatives.insert(derivatives.end(), list.begin(), list.end());
    add(module, "rhs", "time derivative of the state", switching_->rates);
    add(module, "arguments", "of the signs", switching_->arguments);
    add(module, "derivatives", "of those along the motion", derivatives);
    return ", switching: " + as_javascript_object(module);
  }
  ordered_json switching_json() const {
    std::vector<std::size_t> counts;
    for (const std::vector<Expr>& list : switching_->derivatives) counts.push_back(list.size());
    return {{"counts", counts}, {"timed", switching_->timed}};
  }

  ordered_json parameters_json() const {
    ordered_json list = ordered_json::array();
    const std::vector<double> values = flow_.parameter_values<double>();
    for (std::size_t k = 0; k < values.size(); ++k) {
      ordered_json one{{"name", flow_.parameters()[k].name()}, {"value", values[k]}};
      for (const Parameter& p : flow_.system().parameters) {
        if (p.symbol != flow_.parameters()[k]) continue;
        one["positive"] = p.positive;
        if (!p.about.empty()) one["about"] = p.about;
      }
      list.push_back(std::move(one));
    }
    return list;
  }

  const char* kind_of(std::size_t i) const {
    if (i >= flow_.first_speed()) return "speed";
    for (const std::size_t q : flow_.quaternions())
      if (i >= q && i < q + 4) return "quaternion";
    for (const Factor& factor : flow_.system().space.factors())
      for (const Piece& piece : factor.pieces)
        if (piece.functions.front() == flow_.state()[i] && piece.carrier == Carrier::angle) return "angle";
    return "line";
  }

  ordered_json state_json() const {
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < y_.size(); ++i)
      list.push_back({{"name", flow_.state()[i].name()}, {"kind", kind_of(i)}, {"value", y_[i]}});
    return list;
  }

  ordered_json rotations_json() const {
    ordered_json list = ordered_json::array();
    for (const std::size_t q : flow_.quaternions()) {
      const std::string name = flow_.state()[q].name();  // B.q0
      list.push_back({{"name", name.substr(0, name.rfind('.'))}, {"at", q}});
    }
    return list;
  }

  ordered_json shapes_json() const {
    ordered_json list = ordered_json::array();
    for (const Shape& shape : scene_.shapes)
      list.push_back({{"name", shape.name},
                      {"kind", name_of(shape.kind)},
                      {"color", shape.color},
                      {"sizes", shape.sizes.size()},
                      {"points", shape.points.size()},
                      {"corners", shape.kind == Shape::Kind::net ? static_cast<std::size_t>(shape.corners)
                                                                 : shape.points.size()}});
    return list;
  }

  ordered_json json() const {
    std::vector<std::string> velocities, kept;
    for (const Symbol v : flow_.system().space.velocities()) velocities.push_back(v.name());
    for (const Invariant& f : options_.invariants) kept.push_back(f.name);
    ordered_json all{{"model", flow_.system().name},
                     {"until", options_.until},
                     {"samples", options_.samples},
                     {"parameters", parameters_json()},
                     {"state", state_json()},
                     {"firstSpeed", flow_.first_speed()},
                     {"rotations", rotations_json()},
                     {"velocities", velocities},
                     {"kept", kept},
                     {"shapes", shapes_json()},
                     {"above", scene_.above.value_or(false)},
                     {"ground", scene_.ground == Ground::plane}};
    if (const auto axes = portrait_axes(flow_)) all["portrait"] = {axes->first, axes->second};
    if (switching_) all["switching"] = switching_json();
    return all;
  }

  const Flow& flow_;
  std::span<const double> y_;
  const RunOptions& options_;
  const Scene& scene_;
  MotionModule module_;
  std::optional<SwitchingMotion::Formulas> switching_;
};

}  // namespace

Live live_motion(const Flow& flow, std::span<const double> y, const RunOptions& options, const Scene& scene) {
  return Motion(flow, y, options, scene).live();
}

}  // namespace rattleback
