// Declared in model/reading/reading.hpp. [scene]: what to draw.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

using ShapeKind = Shape::Kind;

struct ShapeKey {
  const char* key;
  ShapeKind kind;
  int sizes;  ///< how many lengths; 0 for what has points instead, 2 letters of a net
};
constexpr std::array shape_keys{
    ShapeKey{"sphere", ShapeKind::sphere, 1}, ShapeKey{"ellipsoid", ShapeKind::ellipsoid, 3},
    ShapeKey{"disk", ShapeKind::disk, 1},     ShapeKey{"box", ShapeKind::box, 3},
    ShapeKey{"blade", ShapeKind::blade, 1},   ShapeKey{"axes", ShapeKind::axes, 1},
    ShapeKey{"line", ShapeKind::line, 0},     ShapeKey{"trace", ShapeKind::trace, 0},
    ShapeKey{"net", ShapeKind::line, 2},
};
/// Lines over two letters.
bool is_net(const ShapeKey& key) { return key.kind == ShapeKind::line && key.sizes == 2; }

/// Bodies are placed by positions; lines and traces may also show velocities.
void require_no_velocities(const Reading& reading, const Toml& item, const Value& value) {
  if (has_velocities(value))
    reading.fail(item,
                 Error("velocity-not-allowed", "a body placed by velocities", "", "use the coordinates"));
}

/// A point of space; two components lie in the plane z = 0.
Matrix point(const Reading& reading, const Toml& item) {
  const Value value = reading.value(item);
  if (const auto* m = std::get_if<Matrix>(&value); m != nullptr && m->is_column() && m->rows() == 2)
    return Matrix::column(std::vector<Expr>{(*m)[0], (*m)[1], Expr(0)});
  return reading.vector(item, 3);
}

std::vector<Expr> lengths(const Reading& reading, const Toml& item, int count) {
  if (count == 1) return {reading.scalar(item)};
  return reading.vector(item, count).entries();
}

std::string color(const Reading& reading, const Toml& item) {
  const std::string& name = reading.text(item);
  if (std::find(scene_colors.begin(), scene_colors.end(), name) == scene_colors.end())
    reading.fail(item, Error("wrong-type", fmt::format("`{}` is not a colour of scenes", name), "",
                             fmt::format("choose from {}", fmt::join(scene_colors, ", "))));
  return name;
}

const RigidBody& body_of(const Reading& reading, const Toml& item) {
  const std::string& name = reading.text(item);
  for (const RigidBody& body : reading.system.bodies) {
    if (body.name == name) return body;
  }
  reading.fail(item, Error("unknown-body", fmt::format("there is no body `{}`", name), "",
                           fmt::format("add a section [bodies.{}], or give `at` and `rotation`", name)));
}

/// Where a rigid shape is: `at` and `rotation` in space, or, with `body`, in the axes of that body.
void place_shape(const Reading& reading, const Toml& item, Shape& shape) {
  shape.at = Matrix(3, 1);
  shape.rotation = Matrix::identity(3);
  if (const Toml* at = item.find("at")) {
    shape.at = point(reading, *at);
    require_no_velocities(reading, *at, shape.at);
  }
  if (const Toml* rotation = item.find("rotation")) {
    shape.rotation = reading.matrix(*rotation, 3);
    require_no_velocities(reading, *rotation, shape.rotation);
  }
  const Toml* name = item.find("body");
  if (name == nullptr) return;
  const RigidBody& body = body_of(reading, *name);
  shape.at = body.r_G_S + body.attitude.to_space(shape.at - reading.mass_centers.at(body.name));
  shape.rotation = body.attitude.to_space(shape.rotation);
}

/// The key that says which shape it is; there must be exactly one.
const ShapeKey& shape_key(const Reading& reading, const Toml& item) {
  const ShapeKey* found = nullptr;
  std::vector<std::string> names;
  for (const ShapeKey& k : shape_keys) {
    names.emplace_back(k.key);
    if (item.find(k.key) == nullptr) continue;
    if (found != nullptr)
      reading.fail_at_key(item, Error("conflicting-keys",
                                      fmt::format("`{}` is both a {} and a {}", item.key, found->key, k.key),
                                      "", "draw them as two shapes"));
    found = &k;
  }
  if (found == nullptr)
    reading.fail_at_key(item, Error("missing-key", fmt::format("`{}` has no shape", item.key), "",
                                    fmt::format("give it one of {}", fmt::join(names, ", "))));
  return *found;
}

/// The values a letter of a net runs over: one line at each of `lines`, drawn through `points` places.
struct Range {
  Symbol letter;
  Expr from, to;
  int lines, points;

  Expr at(int k, int of) const { return from + (to - from) * k / of; }
};

Range range(const Reading& reading, const Toml& item, int lines, int points) {
  const Matrix ends = reading.vector(item, 2);
  for (const Symbol s : symbols_of(ends.entries())) {
    if (s.role() != Role::parameter && s.role() != Role::constant)
      reading.fail(
          item, Error("wrong-type", fmt::format("the range of `{}` depends on `{}`", item.key, s.name()), "",
                      "use numbers and parameters"));
  }
  return {Symbol::make(item.key + " of a net", {}), ends[0], ends[1], lines, points};
}

/// A surface or curve over the letters u and v: thin lines u = const. and v = const.
std::vector<Shape> read_net(const Reading& reading, const Toml& item) {
  constexpr int rings = 6, spokes = 12, fine = 48;
  std::vector<Range> ranges;
  for (const char* letter : {"u", "v"}) {
    if (const Toml* given = item.find(letter))
      ranges.push_back(
          range(reading, *given, *letter == 'u' ? rings : spokes, *letter == 'u' ? spokes : fine));
  }
  if (ranges.empty())
    reading.fail_at_key(item, Error("missing-key", fmt::format("the net `{}` has no letters", item.key), "",
                                    "say over which values u and v run: u = [0, 1], v = [0, \"2*pi\"]"));
  Scope scope = reading.system.scope;
  for (const Range& r : ranges) scope.define(r.letter.name().substr(0, 1), Expr(r.letter));
  const Toml& formula = *item.find("net");
  const Value value = reading.value(formula, scope);
  const auto* place = std::get_if<Matrix>(&value);
  if (place == nullptr || !place->is_column() || place->rows() != 3)
    reading.fail(formula, Error("shape-mismatch", "a net needs three components", "",
                                "write \"[u*cos(v), u*sin(v), u^2]\""));

  std::vector<Shape> lines;
  const auto draw = [&](const Range& along, SymbolMap at) {
    Shape line;
    line.name = item.key;
    line.kind = ShapeKind::line;
    line.place = reading.place_of_key(item);
    line.color = "grey";
    line.sizes = {Expr(1)};
    for (int k = 0; k <= along.points; ++k) {
      at.insert_or_assign(along.letter, along.at(k, along.points));
      line.points.push_back(substitute(*place, at));
    }
    lines.push_back(std::move(line));
  };
  if (ranges.size() == 1) {
    draw(ranges[0], {});
    return lines;
  }
  for (const auto& [along, across] : {std::pair(ranges[0], ranges[1]), std::pair(ranges[1], ranges[0])}) {
    for (int k = 0; k <= across.lines; ++k) draw(along, {{across.letter, across.at(k, across.lines)}});
  }
  return lines;
}

Shape read_shape(const Reading& reading, const Toml& item, const ShapeKey& key) {
  Shape shape;
  shape.name = item.key;
  shape.kind = key.kind;
  shape.place = reading.place_of_key(item);
  const Toml& value = *item.find(key.key);
  if (key.kind == ShapeKind::trace) {
    shape.points.push_back(point(reading, value));
  } else if (key.kind == ShapeKind::line) {
    reading.require(value, Toml::Kind::array, "[\"[x, y, 0]\", \"[0, 0, 0]\"]");
    for (const Toml& corner : value.items) shape.points.push_back(point(reading, corner));
    if (shape.points.size() < 2)
      reading.fail(value, Error("wrong-count", "a line needs two points or more", "", "add a point"));
  } else {
    shape.sizes = lengths(reading, value, key.sizes);
    place_shape(reading, item, shape);
  }
  shape.axis = unit_vector(1);
  if (const Toml* axis = item.find("axis")) shape.axis = reading.direction(*axis);
  return shape;
}

/// A net is many lines.
std::vector<Shape> read_shapes(const Reading& reading, const Toml& item) {
  reading.require(item, Toml::Kind::table, fmt::format("a section [scene.{}]", item.key));
  require_known_keys(reading.source(), item, "scene.*");
  const ShapeKey& key = shape_key(reading, item);
  std::vector<Shape> shapes =
      is_net(key) ? read_net(reading, item) : std::vector{read_shape(reading, item, key)};
  if (const Toml* c = item.find("color")) {
    for (Shape& shape : shapes) shape.color = color(reading, *c);
  }
  return shapes;
}

/// One of two words.
bool is_first(const Reading& reading, const Toml& item, const char* first, const char* second) {
  const std::string& word = reading.text(item);
  if (word != first && word != second)
    reading.fail(item, Error("wrong-type", fmt::format("`{}` is not possible for `{}`", word, item.key), "",
                             fmt::format("write \"{}\" or \"{}\"", first, second)));
  return word == first;
}

}  // namespace

void read_scene(Reading& reading) {
  const Toml* section = reading.section("scene");
  if (section == nullptr) return;
  Scene scene;
  scene.place = reading.place_of_key(*section);
  for (const Toml& item : section->items) {
    if (item.key == "view") {
      scene.above = is_first(reading, item, "above", "space");
    } else if (item.key == "ground") {
      scene.ground = is_first(reading, item, "plane", "none") ? Ground::plane : Ground::none;
    } else {
      std::ranges::move(read_shapes(reading, item), std::back_inserter(scene.shapes));
    }
  }
  reading.system.scene = std::move(scene);
}

}  // namespace rattleback
