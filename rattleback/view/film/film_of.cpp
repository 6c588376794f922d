// Declared in view/film/film.hpp. From numbers to pictures: shapes placed in every frame of a run.
#include <algorithm>
#include <cmath>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/simulate/states/quaternion.hpp>
#include <rattleback/view/film/figures.hpp>
#include <rattleback/view/film/film.hpp>
#include <rattleback/view/film/flight_marks.hpp>
#include <rattleback/view/film/scene.hpp>
#include <rattleback/view/pictures/values_along.hpp>

namespace rattleback {
namespace {

void append(std::vector<Expr>& list, const Matrix& m) {
  list.insert(list.end(), m.entries().begin(), m.entries().end());
}

/// Six numbers of a page are enough; a shape that rests needs one frame.
void keep_one_if_resting(std::vector<double>& frames, std::size_t width) {
  for (std::size_t i = width; i < frames.size(); ++i) {
    if (frames[i] != frames[i % width]) return;
  }
  frames.resize(std::min(frames.size(), width));
}

bool is_drawn_by_points(const Shape& shape) {
  return shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::trace;
}

/// The scene of a flow with its code: what moves, and lengths and axes, which do not.
struct SceneCode {
  explicit SceneCode(const Flow& flow) : scene(scene_of(flow.system())) {
    std::vector<Expr> in_frames, at_once;
    for (const Shape& shape : scene.shapes) {
      first_frame.push_back(in_frames.size());
      first_once.push_back(at_once.size());
      at_once.insert(at_once.end(), shape.sizes.begin(), shape.sizes.end());
      if (is_drawn_by_points(shape)) {
        for (const Matrix& p : shape.points) append(in_frames, p);
      } else {
        append(at_once, shape.axis);
        for (const Matrix& p : shape.points) append(at_once, p);  // of a net
        append(in_frames, shape.at);
        append(in_frames, shape.rotation);
      }
    }
    first_frame.push_back(in_frames.size());
    frames = code_along(flow, std::move(in_frames));
    once = code_along(flow, std::move(at_once));
  }
  Scene scene;
  std::vector<std::size_t> first_frame, first_once;  ///< where the numbers of a shape begin
  Code frames, once;
};

using Rows = std::vector<std::vector<double>>;

/// x, y, z and the quaternion of every frame; q and −q are the same rotation, the nearer one is taken.
std::vector<double> poses(const Rows& along, std::size_t first) {
  std::vector<double> frames;
  Quaternion before{1, 0, 0, 0};
  for (const std::vector<double>& row : along) {
    const std::span<const double> v = std::span(row).subspan(first, 12);
    Quaternion q = quaternion_of(v.subspan(3, 9));
    const double cosine = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3];
    if (cosine < 0) {
      for (double& x : q) x = -x;
    }
    before = q;
    frames.insert(frames.end(), v.begin(), v.begin() + 3);
    frames.insert(frames.end(), q.begin(), q.end());
  }
  keep_one_if_resting(frames, 7);
  return frames;
}

/// f < 0 inside: the distance to the surface along a ray from the centre, by bisection.
double distance_along(const Shape& shape, Numbers at, const std::array<double, 3>& ray) {
  const auto f = [&](double s) {
    for (int i = 0; i < 3; ++i) at[shape.point[i].symbol()] = s * ray[static_cast<std::size_t>(i)];
    return evaluate(shape.f, at);
  };
  double inside = 0, outside = 1;
  while (f(outside) < 0 && outside < 1e6) outside *= 2;
  for (int k = 0; k < 40; ++k) {
    const double middle = (inside + outside) / 2;
    (f(middle) < 0 ? inside : outside) = middle;
  }
  return outside;
}

std::vector<double> surface_mesh(const Flow& flow, const Shape& shape, int bands) {
  Numbers at;
  const std::vector<double> values = flow.parameter_values<double>();
  for (std::size_t k = 0; k < values.size(); ++k) at.emplace(flow.parameters()[k], values[k]);
  std::vector<double> vertices;
  for (int i = 0; i <= bands; ++i) {
    for (int j = 0; j < 2 * bands; ++j) {
      const double u = M_PI * i / bands, v = M_PI * j / bands;
      const std::array<double, 3> ray{std::sin(u) * std::cos(v), std::sin(u) * std::sin(v), std::cos(u)};
      const double s = distance_along(shape, at, ray);
      for (const double x : ray) vertices.push_back(s * x);
    }
  }
  return vertices;
}

/// A length that makes no sense (a homogeneous box cannot have these moments of inertia) becomes a thin one.
void make_drawable(std::vector<double>& sizes) {
  double largest = 0;
  for (const double s : sizes) largest = std::isfinite(s) ? std::max(largest, s) : largest;
  if (largest == 0) largest = 0.1;
  for (double& s : sizes) s = std::isfinite(s) && s > 0.02 * largest ? s : 0.02 * largest;
}

/// The k-th shape with numbers.
Moving moving(const Flow& flow, const SceneCode& code, std::size_t k, const Rows& along,
              const std::vector<double>& once) {
  const Shape& shape = code.scene.shapes[k];
  const std::size_t first = code.first_frame[k], end = code.first_frame[k + 1];
  auto fixed = once.begin() + static_cast<std::ptrdiff_t>(code.first_once[k]);
  Moving m;
  m.name = shape.name;
  m.color = shape.color;
  m.kind = shape.kind;
  m.sizes.assign(fixed, fixed + static_cast<std::ptrdiff_t>(shape.sizes.size()));
  if (is_drawn_by_points(shape)) {
    for (const std::vector<double>& v : along)
      m.points.insert(m.points.end(), v.begin() + static_cast<std::ptrdiff_t>(first),
                      v.begin() + static_cast<std::ptrdiff_t>(end));
    m.corners = static_cast<int>(shape.points.size());
    if (shape.kind == Shape::Kind::line) keep_one_if_resting(m.points, end - first);
    return m;
  }
  fixed += static_cast<std::ptrdiff_t>(shape.sizes.size());
  make_drawable(m.sizes);
  m.axis.assign(fixed, fixed + static_cast<std::ptrdiff_t>(shape.axis.entries().size()));
  fixed += static_cast<std::ptrdiff_t>(shape.axis.entries().size());
  m.points.assign(fixed, fixed + static_cast<std::ptrdiff_t>(3 * shape.points.size()));
  m.corners = shape.corners;
  m.pose = poses(along, first);
  if (shape.kind == Shape::Kind::surface) {
    m.bands = 12;
    m.mesh = surface_mesh(flow, shape, m.bands);
  }
  return m;
}

}  // namespace

namespace {

/// The trace whose path is drawn, and what all curves and numbers of a page are measured in.
std::vector<std::pair<std::string, std::string>> units_of_film(const System& system, const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> units;
  const std::string time = unit_of(system, "t");
  if (time.empty()) return units;
  units = {{"t", time}, {"frequency", time == "s" ? "Hz" : "1/" + time}};
  const auto add = [&](const std::string& name, const std::string& unit) {
    if (!unit.empty() && unit != "1") units.emplace_back(name, unit);
  };
  const auto trace = std::ranges::find(scene.shapes, Shape::Kind::trace, &Shape::kind);
  if (trace != scene.shapes.end() && !trace->points.empty())
    add("path", unit_of(system, trace->points.front()[0]));
  for (const Parameter& p : system.parameters) add(p.symbol.name(), unit_of(system, p.symbol.name()));
  for (const Symbol q : system.space.functions()) add(q.name(), unit_of(system, q.name()));
  for (const Symbol v : system.space.velocities()) add(v.name(), unit_of(system, v.name()));
  for (const QuasiVelocity& u : system.velocities) add(u.symbol.name(), unit_of(system, u.symbol.name()));
  return units;
}

}  // namespace

Film film_of(const Flow& flow, std::span<const double> y, const Trajectory& run, Neighbours neighbours) {
  const auto code = flow.derived<SceneCode>();
  Film film;
  film.times = run.t;
  film.above = code->scene.above.value_or(false);
  film.ground = code->scene.ground == Ground::plane;
  const Rows along = values_along(flow, code->frames, run.t, run.rows),
             once = values_along(flow, code->once, run.t, run.rows, 1);
  for (std::size_t k = 0; !along.empty() && k < code->scene.shapes.size(); ++k)
    film.shapes.push_back(moving(flow, *code, k, along, once.front()));
  add_figures(flow, y, run, film, neighbours);
  add_phases(run, film);
  film.units = units_of_film(flow.system(), code->scene);
  return film;
}

}  // namespace rattleback
