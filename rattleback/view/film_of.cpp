// Declared in view/film.hpp. From numbers to pictures: shapes placed in every frame of a run.
#include <algorithm>
#include <cmath>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/quaternion.hpp>
#include <rattleback/view/figures.hpp>
#include <rattleback/view/film.hpp>
#include <rattleback/view/values_along.hpp>

namespace rattleback {
namespace {

/// The values of expressions of the state and time, frame by frame.
class Along {
 public:
  Along(const Flow& flow, const Trajectory& run) : flow_(flow), run_(run) {}

  std::vector<std::vector<double>> operator()(std::vector<Expr> es) const {
    return values_along(flow_, run_.t, run_.rows, std::move(es));
  }
  /// Lengths of a shape do not change.
  std::vector<double> once(const std::vector<Expr>& es) const {
    if (es.empty()) return {};
    return (*this)(es).front();
  }

 private:
  const Flow& flow_;
  const Trajectory& run_;
};

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

/// x, y, z and the quaternion of every frame; q and −q are the same rotation, the nearer one is taken.
std::vector<double> poses(const Along& along, const Shape& shape) {
  std::vector<Expr> wanted;
  append(wanted, shape.at);
  append(wanted, shape.rotation);
  std::vector<double> frames;
  Quaternion before{1, 0, 0, 0};
  for (const std::vector<double>& v : along(wanted)) {
    Quaternion q = quaternion_of(std::span(v).subspan(3, 9));
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

Moving moving(const Flow& flow, const Along& along, const Shape& shape) {
  Moving m;
  m.name = shape.name;
  m.color = shape.color;
  m.kind = shape.kind;
  if (shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::trace) {
    std::vector<Expr> wanted;
    for (const Matrix& p : shape.points) append(wanted, p);
    for (const std::vector<double>& v : along(wanted)) m.points.insert(m.points.end(), v.begin(), v.end());
    m.corners = static_cast<int>(shape.points.size());
    if (shape.kind == Shape::Kind::line) keep_one_if_resting(m.points, wanted.size());
    m.sizes = along.once(shape.sizes);
    return m;
  }
  m.sizes = along.once(shape.sizes);
  make_drawable(m.sizes);
  std::vector<Expr> axis;
  append(axis, shape.axis);
  m.axis = along.once(axis);
  m.pose = poses(along, shape);
  if (shape.kind == Shape::Kind::surface) {
    m.bands = 12;
    m.mesh = surface_mesh(flow, shape, m.bands);
  }
  return m;
}

}  // namespace

Film film_of(const Flow& flow, std::span<const double> y, const Trajectory& run, const Scene& scene) {
  Film film;
  film.times = run.t;
  film.above = scene.above.value_or(false);
  film.ground = scene.ground == Ground::plane;
  const Along along(flow, run);
  for (const Shape& shape : scene.shapes) film.shapes.push_back(moving(flow, along, shape));
  add_figures(flow, y, run, film);
  return film;
}

}  // namespace rattleback
