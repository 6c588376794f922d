// Declared in model/reading/planned_contact.hpp. Surfaces of bodies, and what they touch.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/reading/planned_contact.hpp>
#include <rattleback/model/system/support_patch.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

/// A formula of a shape: numbers, parameters, abstract functions and the letters of its own point.
void require_constant(const Reading& reading, const Toml& item, std::span<const Expr> es,
                      std::span<const Expr> point) {
  for (const Symbol s : symbols_of(es)) {
    if (s.role() == Role::parameter || s.role() == Role::constant ||
        std::find(point.begin(), point.end(), Expr(s)) != point.end())
      continue;
    reading.fail(item, Error("unsupported-contact", fmt::format("the surface depends on `{}`", s.name()),
                             "the shape of a rigid body is constant",
                             "use numbers and parameters; a surface that moves belongs to a body: on = { "
                             "body = \"cart\", … }"));
  }
}

/// Semi-axes a, b, c along the axes A of the ellipsoid, and D = A diag(a², b², c²) Aᵀ.
void read_ellipsoid(const Reading& reading, const Toml& item, const Toml* axes, Surface& surface) {
  surface.semiaxes = reading.vector(item, 3);
  surface.axes = axes == nullptr ? Matrix::identity(3) : reading.matrix(*axes, 3);
  std::vector<Expr> squares;
  for (const Expr a : surface.semiaxes.entries()) squares.push_back(a * a);
  surface.semiaxes_squared = Matrix::diagonal(squares);
  if (axes != nullptr)
    surface.semiaxes_squared = surface.axes * surface.semiaxes_squared * transpose(surface.axes);
}

std::vector<Expr> named(const Reading& reading, const std::vector<std::string>& names) {
  std::vector<Expr> all;
  for (const std::string& name : names) all.push_back(parse(name, reading.system.scope));
  return all;
}

/// f(X, Y, Z) at the contact point, whose coordinates NAME_X, NAME_Y, NAME_Z belong to the space already.
void read_implicit(const Reading& reading, const Toml& item, const PlannedContact& contact,
                   Surface& surface) {
  Scope scope = reading.system.scope;
  std::vector<Expr> point = named(reading, contact.on_surface);
  surface.pressure = point.back();
  point.pop_back();
  std::vector<Symbol> symbols;
  for (std::size_t k = 0; k < 3; ++k) {
    symbols.push_back(point[k].symbol());
    scope.define(std::string(1, "XYZ"[k]), point[k]);
  }
  surface.point = Matrix::column(point);
  surface.f = reading.scalar(item, scope);
  surface.gradient = Matrix::column(gradient(surface.f, symbols));
  require_constant(reading, item, std::span(&surface.f, 1), point);
}

/// [X(p, q), Y(p, q), Z(p, q)], over the coordinates NAME_p, NAME_q.
void read_parametric(const Reading& reading, const Toml& item, const PlannedContact& contact,
                     Surface& surface) {
  Scope scope = reading.system.scope;
  const std::vector<Expr> pq = named(reading, contact.on_surface);
  scope.define("p", pq[0]);
  scope.define("q", pq[1]);
  const Value value = reading.value(item, scope);
  const auto* point = std::get_if<Matrix>(&value);
  if (point == nullptr || !point->is_column() || point->rows() != 3)
    reading.fail(item, Error("shape-mismatch", "a parametric surface needs three components", "",
                             "write [\"a*cos(p)*cos(q)\", \"a*cos(p)*sin(q)\", \"c*sin(p)\"]"));
  surface.parameters = Matrix::column(pq);
  surface.point = *point;
  surface.gradient = cross(derivative(*point, pq[0].symbol()), derivative(*point, pq[1].symbol()));
  require_constant(reading, item, point->entries(), pq);
}

/// f(x, y, z) = 0 at three coordinates.
void read_implicit_support(Support& s, const Reading& reading, const Toml& item) {
  std::vector<Symbol> xyz;
  Scope scope = reading.system.scope;
  for (int k = 0; k < 3; ++k) {
    xyz.push_back(s.coordinates[k].symbol());
    for (const char* letters : {"xyz", "XYZ"}) scope.define(std::string(1, letters[k]), s.coordinates[k]);
  }
  s.f = reading.scalar(item, scope);
  require_constant(reading, item, std::span(&s.f, 1), s.coordinates.entries());
  set_implicit_patch(s, xyz);
}

/// A formula over the letters of the coordinates.
Matrix formula(const Reading& reading, const Toml& item, const Support& s,
               std::initializer_list<std::pair<const char*, int>> letters, int size) {
  Scope scope = reading.system.scope;
  for (const auto& [letter, k] : letters) scope.define(letter, s.coordinates[k]);
  Value value = reading.value(item, scope);
  if (Expr* e = std::get_if<Expr>(&value); e != nullptr && size == 1) value = Matrix{{*e}};
  const auto* m = std::get_if<Matrix>(&value);
  if (m == nullptr || !m->is_column() || m->rows() != size)
    reading.fail(item,
                 Error("shape-mismatch",
                       fmt::format("`{}` needs {} component{}", item.key, size, size == 1 ? "" : "s"), "",
                       item.key == "revolution"
                           ? "write [\"u\", \"u^2/2\"]: the distance from the axis and the height, over u"
                       : item.key == "graph" ? "write graph = \"x^2/2 + y^2\""
                                             : "write three expressions of u and v"));
  require_constant(reading, item, m->entries(), s.coordinates.entries());
  return *m;
}

void read_side(const Reading& reading, const Toml& item, Support& s) {
  const Toml* side = item.find("side");
  s.inside = false;
  if (side == nullptr) return;
  const std::string& name = reading.text(*side);
  if (name != "inside" && name != "outside" && name != "above" && name != "below")
    reading.fail(*side, Error("wrong-type", fmt::format("`{}` is not a side of a surface", name), "",
                              "write \"inside\" or \"outside\", of an open surface \"above\" or \"below\""));
  s.inside = name == "inside" || name == "below";
}

void read_sizes(const Reading& reading, const Toml& item, Support& s) {
  if (const Toml* cylinder = item.find("cylinder")) s.radius = reading.scalar(*cylinder);
  if (const Toml* sphere = item.find("sphere")) s.radius = reading.scalar(*sphere);
  if (const Toml* cone = item.find("cone")) s.angle = reading.scalar(*cone);
  if (const Toml* torus = item.find("torus")) {
    const Matrix both = reading.vector(*torus, 2);
    s.radius = both[0];
    s.tube = both[1];
  }
  if (const Toml* radius = item.find("radius")) s.tube = reading.scalar(*radius);
  const std::vector<Expr> sizes{s.radius, s.angle, s.tube, s.height};
  require_constant(reading, item, sizes, {});
}

/// Over which values of its coordinates a picture shows the surface.
void read_drawn(const Reading& reading, const Toml& item, Support& s) {
  s.drawn = Matrix(2, 2);
  for (int k = 0; k < 2; ++k) {
    const Toml* range = item.find(k == 0 ? "u" : "v");
    if (range == nullptr) continue;
    const Matrix ends = reading.vector(*range, 2);
    s.drawn(k, 0) = ends[0];
    s.drawn(k, 1) = ends[1];
  }
}

void read_patch(const Reading& reading, const Toml& item, Support& s) {
  switch (s.kind) {
    case Support::Kind::plane: return set_plane_patch(s);
    case Support::Kind::graph:
      return set_graph_patch(
          s, formula(reading, *item.find("graph"), s, {{"x", 0}, {"y", 1}, {"X", 0}, {"Y", 1}}, 1)[0]);
    case Support::Kind::revolution:
      return set_revolution_patch(s, formula(reading, *item.find("revolution"), s, {{"u", 0}}, 2));
    case Support::Kind::parametric:
      return set_parametric_patch(s, formula(reading, *item.find("parametric"), s, {{"u", 0}, {"v", 1}}, 3));
    case Support::Kind::curve:
      return set_curve_patch(s, formula(reading, *item.find("curve"), s, {{"u", 0}}, 3));
    case Support::Kind::implicit: return read_implicit_support(s, reading, *item.find("implicit"));
    default: return set_round_patch(s);
  }
}

}  // namespace

Surface read_surface(const Reading& reading, const PlannedContact& contact, const Matrix& origin) {
  const Toml& item = reading.required(*contact.item, "surface", "{ disk = \"R\", axis = \"e2\" }");
  reading.require(item, Toml::Kind::table, "{ disk = \"R\", axis = \"e2\" }");
  require_known_keys(reading.source(), item, "contacts.*.surface");
  int kinds = 0;
  const Toml* size = nullptr;
  for (const char* key : {"disk", "sphere", "ellipsoid", "implicit", "parametric", "cylinder", "cone"}) {
    if (const Toml* found = item.find(key)) {
      size = found;
      ++kinds;
    }
  }
  if (kinds != 1)
    reading.fail(item,
                 Error("conflicting-keys",
                       "a surface is one of disk, sphere, ellipsoid, cylinder, cone, implicit and parametric",
                       "", "keep exactly one of these keys"));
  Surface surface;
  surface.kind = contact.surface;
  surface.center = origin;
  if (const Toml* center = item.find("center")) surface.center = origin + reading.vector(*center, 3);
  switch (surface.kind) {
    case Surface::Kind::sphere: surface.radius = reading.scalar(*size); break;
    case Surface::Kind::disk:
    case Surface::Kind::cylinder:
      surface.radius = reading.scalar(*size);
      surface.axis = reading.direction(reading.required(item, "axis", "\"e2\""));
      if (const Toml* crown = item.find("crown")) surface.crown = reading.scalar(*crown);
      break;
    case Surface::Kind::cone: {
      const Matrix both = reading.vector(*size, 2);
      surface.angle = both[0];
      surface.radius = both[1];
      surface.axis = reading.direction(reading.required(item, "axis", "\"e3\""));
      require_constant(reading, *size, both.entries(), {});
      break;
    }
    case Surface::Kind::ellipsoid: read_ellipsoid(reading, *size, item.find("axes"), surface); break;
    case Surface::Kind::implicit: read_implicit(reading, *size, contact, surface); break;
    case Surface::Kind::parametric: read_parametric(reading, *size, contact, surface); break;
  }
  return surface;
}

Support read_support(const Reading& reading, const PlannedContact& contact, const Matrix& origin) {
  const Toml* item = contact.item->find("on");
  Support s;
  s.normal = unit_vector(2);
  s.axis = unit_vector(2);
  s.center = Matrix(3, 1);
  s.inside = false;
  if (item != nullptr && item->is(Toml::Kind::string) && item->text != "plane")
    reading.fail(*item, Error("unsupported-contact",
                              fmt::format("`{}` is nothing a body can roll on here", item->text), "",
                              "write \"plane\", or { cylinder = \"R\", axis = \"e3\", side = \"inside\" }"));
  if (item != nullptr && !item->is(Toml::Kind::string)) {
    reading.require(*item, Toml::Kind::table, "\"plane\"");
    require_known_keys(reading.source(), *item, "contacts.*.on");
    s.kind = contact.support;
    s.body = contact.on == ground ? "" : contact.on;
    if (const Toml* normal = item->find("normal")) s.normal = reading.direction(*normal);
    if (const Toml* height = item->find("height")) s.height = reading.scalar(*height);
    if (const Toml* axis = item->find("axis")) s.axis = reading.direction(*axis);
    if (const Toml* center = item->find("center")) s.center = reading.vector(*center, 3);
    read_side(reading, *item, s);
    read_sizes(reading, *item, s);
    read_drawn(reading, *item, s);
  }
  s.coordinates = Matrix::column(named(reading, contact.on_support));
  const bool has_axis = s.kind != Support::Kind::sphere || s.coordinates.rows() > 0;
  if (s.coordinates.rows() > 0) {
    if (item != nullptr)
      read_patch(reading, *item, s);
    else
      set_plane_patch(s);
    s.point = s.point + origin;
  }
  if (!has_axis) s.axis = Matrix();
  s.center = s.center + origin;
  if (s.kind == Support::Kind::plane) s.height = s.height + dot(s.normal, origin);
  return s;
}

}  // namespace rattleback
