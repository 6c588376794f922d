#include <rattleback/view/film/scene.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/view/film/support_net.hpp>

namespace rattleback {
namespace {

using ShapeKind = Shape::Kind;

Shape rigid(std::string name, ShapeKind kind, std::vector<Expr> sizes, Matrix at, Matrix rotation) {
  Shape s;
  s.name = std::move(name);
  s.kind = kind;
  s.sizes = std::move(sizes);
  s.at = std::move(at);
  s.rotation = std::move(rotation);
  s.axis = unit_vector(1);
  return s;
}

Shape trace_of(const std::string& name, Matrix point) {
  Shape s;
  s.name = name + " path";
  s.kind = ShapeKind::trace;
  s.points.push_back(std::move(point));
  return s;
}

/// The homogeneous box of this mass and these moments of inertia: I_1 = m (b² + c²)/12 gives a² = 6 (I_2 + I_3 − I_1)/m.
Shape inertia_box(const RigidBody& body) {
  const Matrix R = body.attitude.to_space(Matrix::identity(3));
  if (body.inertia.rows() == 0) return rigid(body.name, ShapeKind::sphere, {Expr(1) / 20}, body.r_G_S, R);
  std::vector<Expr> sides;
  for (int i = 0; i < 3; ++i) {
    const Expr I1 = body.inertia(i, i), I2 = body.inertia((i + 1) % 3, (i + 1) % 3),
               I3 = body.inertia((i + 2) % 3, (i + 2) % 3);
    sides.push_back(sqrt(6 * (I2 + I3 - I1) / body.mass));
  }
  return rigid(body.name, ShapeKind::box, sides, body.r_G_S, R);
}

Shape touching(const Contact& contact, const RigidBody& body) {
  const Surface& surface = contact.surface;
  const Matrix R = body.attitude.to_space(Matrix::identity(3));
  Shape s = rigid(body.name, ShapeKind::sphere, {surface.radius}, body.r_G_S + R * surface.center, R);
  switch (surface.kind) {
    case Surface::Kind::sphere: break;
    case Surface::Kind::cylinder:
    case Surface::Kind::disk:
      s.kind = ShapeKind::disk;
      s.axis = surface.axis;
      break;
    case Surface::Kind::ellipsoid:
      s.kind = ShapeKind::ellipsoid;
      s.sizes.assign(surface.semiaxes.entries().begin(), surface.semiaxes.entries().end());
      s.rotation = R * surface.axes;
      break;
    case Surface::Kind::implicit:
      s.kind = ShapeKind::surface;
      s.f = surface.f;
      s.point = surface.point;
      s.sizes.clear();
      break;
    case Surface::Kind::cone:  // its edge at the point where the force acts
      s.kind = ShapeKind::disk;
      s.axis = surface.axis;
      s.sizes = {surface.radius * sin(surface.angle)};
      s.at = body.r_G_S + R * (surface.center + surface.radius * cos(surface.angle) * surface.axis);
      break;
    case Surface::Kind::parametric: return inertia_box(body);
  }
  return s;
}

/// A ball that carries a contact and touches something itself is drawn by that: a net of lines that move with it would be its copy.
bool is_drawn_already(const System& system, const Support& support) {
  return support.kind == Support::Kind::sphere &&
         std::ranges::any_of(system.contacts, [&](const Contact& own) {
           return own.body == support.body && own.surface.kind == Surface::Kind::sphere &&
                  own.surface.radius == support.radius;
         });
}

void add_bodies(const System& system, Scene& scene) {
  for (const RigidBody& body : system.bodies) {
    bool touches = false;
    for (const Contact& contact : system.contacts) {
      if (contact.body != body.name) continue;
      scene.shapes.push_back(touching(contact, body));
      touches = true;
    }
    if (!touches) scene.shapes.push_back(inertia_box(body));
  }
  for (const Contact& contact : system.contacts) {
    if (!is_drawn_already(system, contact.support))
      for (Shape& line : support_net(system, contact)) scene.shapes.push_back(std::move(line));
    scene.shapes.push_back(trace_of(contact.name, contact.point));
  }
  if (system.contacts.empty() && !system.bodies.empty())
    scene.shapes.push_back(trace_of(system.bodies.front().name, system.bodies.front().r_G_S));
}

/// Coordinates on lines, at most three of them, as a point; z = 0 when there are two.
std::optional<Matrix> point_of_lines(const Space& space) {
  std::vector<Expr> coordinates;
  for (const Factor& factor : space.factors()) {
    if (factor.kind == Factor::Kind::SE2 || factor.kind == Factor::Kind::SE3 ||
        factor.kind == Factor::Kind::H3) {
      const Matrix r = factor.position();
      for (const Expr e : r.entries()) coordinates.push_back(e);
    } else if (factor.kind == Factor::Kind::line) {
      coordinates.emplace_back(factor.functions().front());
    }
  }
  if (coordinates.size() < 2) return std::nullopt;
  coordinates.resize(3, Expr(0));
  return Matrix::column(coordinates);
}

/// A rotation with a position is a ball, alone it is a box about a fixed point.
void add_rotations(const System& system, Scene& scene) {
  const std::optional<Matrix> at = point_of_lines(system.space);
  for (const Factor& factor : system.space.factors()) {
    if (factor.kind != Factor::Kind::SO3 && factor.kind != Factor::Kind::SE3) continue;
    if (at) {
      scene.shapes.push_back(rigid(factor.name, ShapeKind::sphere, {Expr(1)}, *at, factor.rotation()));
      scene.shapes.push_back(trace_of(factor.name, *at));
    } else {
      scene.shapes.push_back(rigid(factor.name, ShapeKind::box, {Expr(1), Expr(7) / 10, Expr(2) / 5},
                                   Matrix(3, 1), factor.rotation()));
      const Matrix tip = factor.rotation() * (Expr(1) / 2 * unit_vector(0));
      scene.shapes.push_back(trace_of(factor.name, tip));
    }
  }
}

/// The angle that tells a heading: the first circle of the space.
std::optional<Expr> heading_of(const Space& space) {
  for (const Factor& factor : space.factors()) {
    if (factor.kind == Factor::Kind::circle) return Expr(factor.functions().front());
    if (factor.kind == Factor::Kind::SE2) return Expr(factor.functions().back());
  }
  return std::nullopt;
}

void add_particle(const System& system, Scene& scene) {
  const std::optional<Matrix> at = point_of_lines(system.space);
  if (!at) return;
  const std::optional<Expr> heading = heading_of(system.space);
  scene.shapes.push_back(
      heading
          ? rigid("body", ShapeKind::box, {Expr(3) / 5, Expr(1) / 4, Expr(1) / 8}, *at, rotation_z(*heading))
          : rigid("particle", ShapeKind::sphere, {Expr(1) / 16}, *at, Matrix::identity(3)));
  scene.shapes.push_back(trace_of("its", *at));
  if (!scene.above) scene.above = (*at)[2].is_zero();
}

/// Instruments side by side: a dial turns with an angle, a bead slides along a line.
void add_instruments(const System& system, Scene& scene) {
  int place = 0;
  for (const Factor& factor : system.space.factors()) {
    for (const Symbol q : factor.functions()) {
      const Expr x(3 * place++);
      const bool angle = factor.kind == Factor::Kind::circle;
      Matrix at{{x}, {angle ? Expr(0) : Expr(q)}, {0}};
      Shape s = rigid(q.name(), angle ? ShapeKind::disk : ShapeKind::sphere, {angle ? Expr(1) : Expr(1) / 4},
                      std::move(at), angle ? rotation_z(q) : Matrix::identity(3));
      s.axis = unit_vector(2);
      scene.shapes.push_back(std::move(s));
    }
  }
  if (!scene.above) scene.above = true;
}

/// A motion on a Lie algebra has no positions: the path of its first velocities.
void add_velocities(const System& system, Scene& scene) {
  std::vector<Expr> point;
  for (const Symbol v : system.space.velocities()) point.emplace_back(v);
  if (point.size() < 2) return;
  if (!scene.above) scene.above = point.size() == 2;
  point.resize(3, Expr(0));
  scene.shapes.push_back(trace_of("velocity", Matrix::column(point)));
}

bool is_solid(const Shape& s) {
  return s.kind != ShapeKind::trace && s.kind != ShapeKind::line && s.kind != ShapeKind::net &&
         s.kind != ShapeKind::axes;
}

/// Solids take turns through the colours; a trace has the last one.
void choose_colors(Scene& scene) {
  std::size_t next = 0;
  for (Shape& s : scene.shapes) {
    if (s.color.empty())
      s.color = is_solid(s) ? scene_colors[next++ % 5] : s.kind == ShapeKind::trace ? "red" : "grey";
  }
}

bool touches_plane(const System& system) {
  return std::any_of(system.contacts.begin(), system.contacts.end(), [](const Contact& c) {
    return c.support.kind == Support::Kind::plane && c.support.body.empty() &&
           c.support.normal == unit_vector(2) && c.support.height.is_zero();
  });
}

}  // namespace

Scene scene_of(const System& system) {
  Scene scene = system.scene.value_or(Scene{});
  const bool own = !scene.shapes.empty();
  if (!own) add_bodies(system, scene);
  if (scene.shapes.empty()) add_rotations(system, scene);
  if (scene.shapes.empty()) add_particle(system, scene);
  if (scene.shapes.empty()) add_instruments(system, scene);
  if (scene.shapes.empty()) add_velocities(system, scene);
  if (scene.ground == Ground::automatic) {
    const bool flat = point_of_lines(system.space) && !scene.above.value_or(false) && system.contacts.empty();
    scene.ground =
        touches_plane(system) || (own && flat) || scene.above.value_or(false) ? Ground::plane : Ground::none;
  }
  if (!scene.above) scene.above = false;
  choose_colors(scene);
  return scene;
}

}  // namespace rattleback
