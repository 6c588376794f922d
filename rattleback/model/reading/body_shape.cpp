#include <rattleback/model/reading/body_shape.hpp>

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

Expr half(Expr e) { return e / 2; }
Expr sq(Expr e) { return e * e; }

/// Volume (area, length) of a shape, and its principal moments for unit mass; an axis of symmetry is the third one.
struct Moments {
  Expr measure, first, second, third;
};
using Sizes = std::vector<Expr>;

Moments of_ball(const Sizes& s) {
  const Expr moment = Expr(Rational(2, 5)) * sq(s[0]);
  return {Expr(Rational(4, 3)) * pi() * pow(s[0], 3), moment, moment, moment};
}
Moments of_shell(const Sizes& s) {
  const Expr moment = Expr(Rational(2, 3)) * sq(s[0]);
  return {4 * pi() * sq(s[0]), moment, moment, moment};
}
Moments of_ellipsoid(const Sizes& s) {
  const Expr a = sq(s[0]), b = sq(s[1]), c = sq(s[2]);
  return {Expr(Rational(4, 3)) * pi() * s[0] * s[1] * s[2], (b + c) / 5, (a + c) / 5, (a + b) / 5};
}
Moments of_box(const Sizes& s) {
  const Expr a = sq(s[0]), b = sq(s[1]), c = sq(s[2]);
  return {s[0] * s[1] * s[2], (b + c) / 12, (a + c) / 12, (a + b) / 12};
}
Moments of_cylinder(const Sizes& s) {
  const Expr across = (3 * sq(s[0]) + sq(s[1])) / 12;
  return {pi() * sq(s[0]) * s[1], across, across, half(sq(s[0]))};
}
/// Inner and outer radius, length.
Moments of_tube(const Sizes& s) {
  const Expr squares = sq(s[0]) + sq(s[1]), across = (3 * squares + sq(s[2])) / 12;
  return {pi() * (sq(s[1]) - sq(s[0])) * s[2], across, across, half(squares)};
}
/// Radius of the base and height; the mass centre lies a quarter of the height above the base.
Moments of_cone(const Sizes& s) {
  const Expr across = Expr(Rational(3, 80)) * (4 * sq(s[0]) + sq(s[1]));
  return {pi() / 3 * sq(s[0]) * s[1], across, across, Expr(Rational(3, 10)) * sq(s[0])};
}
Moments of_disk(const Sizes& s) {
  const Expr across = sq(s[0]) / 4;
  return {pi() * sq(s[0]), across, across, half(sq(s[0]))};
}
Moments of_ring(const Sizes& s) {
  const Expr across = half(sq(s[0]));
  return {2 * pi() * s[0], across, across, sq(s[0])};
}
Moments of_rod(const Sizes& s) {
  const Expr across = sq(s[0]) / 12;
  return {s[0], across, across, Expr(0)};
}
Moments of_point(const Sizes& s) { return {s[0], Expr(0), Expr(0), Expr(0)}; }

struct ShapeRow {
  const char* key;
  int sizes;
  const char* written;  ///< what a person writes for them
  bool axial;           ///< symmetric about `axis`
  int axis;             ///< the default axis
  Moments (*moments)(const Sizes&);
};

constexpr std::array rows{
    ShapeRow{"ball", 1, "\"R\"", false, 2, of_ball},
    ShapeRow{"shell", 1, "\"R\"", false, 2, of_shell},
    ShapeRow{"ellipsoid", 3, "[\"a\", \"b\", \"c\"]", false, 2, of_ellipsoid},
    ShapeRow{"box", 3, "[\"a\", \"b\", \"c\"]", false, 2, of_box},
    ShapeRow{"cylinder", 2, "[\"R\", \"h\"]", true, 2, of_cylinder},
    ShapeRow{"tube", 3, "[\"r\", \"R\", \"h\"]", true, 2, of_tube},
    ShapeRow{"cone", 2, "[\"R\", \"h\"]", true, 2, of_cone},
    ShapeRow{"disk", 1, "\"R\"", true, 2, of_disk},
    ShapeRow{"ring", 1, "\"R\"", true, 2, of_ring},
    ShapeRow{"rod", 1, "\"l\"", true, 0, of_rod},
    ShapeRow{"point", 0, "true", false, 2, of_point},
};

const ShapeRow& row_of(const Reading& reading, const Toml& part) {
  const ShapeRow* found = nullptr;
  std::vector<std::string> names;
  for (const ShapeRow& row : rows) {
    names.emplace_back(row.key);
    if (part.find(row.key) == nullptr) continue;
    if (found != nullptr)
      reading.fail(
          part, Error("conflicting-keys", fmt::format("a shape is both a {} and a {}", found->key, row.key),
                      "", "write a composite body as an array of shapes"));
    found = &row;
  }
  if (found == nullptr)
    reading.fail(part, Error("missing-key", "a shape without a name", "",
                             fmt::format("give one of {}", fmt::join(names, ", "))));
  return *found;
}

Sizes sizes_of(const Reading& reading, const ShapeRow& row, const Toml& item) {
  if (item.is(Toml::Kind::table))
    reading.fail(
        item, Error("wrong-type", fmt::format("a table where the sizes of a {} are needed", row.key),
                    "sizes have no names, but an order", fmt::format("write {} = {}", row.key, row.written)));
  if (row.sizes == 0) {
    reading.truth(item);
    return {Expr(1)};
  }
  if (row.sizes == 1) return {reading.scalar(item)};
  const Matrix v = reading.vector(item, row.sizes);
  return {v.entries().begin(), v.entries().end()};
}

/// It + (Ia − It) a aᵀ for a shape about the axis a.
Matrix inertia_about(const Moments& m, const Matrix& axis) {
  return m.first * Matrix::identity(3) + (m.third - m.first) * (axis * transpose(axis));
}

const Toml* key_of(const Toml& part, const Toml& body, const char* key) {
  const Toml* own = part.find(key);
  return own != nullptr || &part == &body ? own : body.find(key);
}

/// mass, or density times volume (area of a shell or disk, length of a rod or ring).
Expr mass_of(const Reading& reading, const Toml& part, const Toml& body, bool composite, Expr measure) {
  const Toml* mass = composite ? part.find("mass") : body.find("mass");
  const Toml* density = key_of(part, body, "density");
  if (mass != nullptr && density != nullptr && (part.find("density") != nullptr || !composite)) {
    Error error("conflicting-keys", "both `mass` and `density` are given",
                "one of them follows from the other", "keep one of them");
    throw error.at(reading.place_of_key(*density)).at(reading.place_of_key(*mass));
  }
  if (mass != nullptr) return reading.scalar(*mass);
  if (density != nullptr) return reading.scalar(*density) * measure;
  reading.fail(part, Error("missing-key", "a shape without `mass` and `density`", "",
                           composite ? "give each part a mass or a density, or the body a density"
                                     : "give the body a mass or a density"));
}

MassDistribution of_part(const Reading& reading, const Toml& part, const Toml& body, bool composite) {
  reading.require(part, Toml::Kind::table, "{ ball = \"R\" }");
  require_known_keys(reading.source(), part, "bodies.*.shape");
  const ShapeRow& row = row_of(reading, part);
  const Moments moments = row.moments(sizes_of(reading, row, *part.find(row.key)));
  MassDistribution all;
  all.mass = mass_of(reading, part, body, composite, moments.measure);
  const std::array diagonal{moments.first, moments.second, moments.third};
  Matrix inertia = Matrix::diagonal(diagonal);
  const Toml *axis = part.find("axis"), *at = part.find("at"), *turned = part.find("rotation");
  if (row.axial) {
    inertia = inertia_about(moments, axis == nullptr ? unit_vector(row.axis) : reading.direction(*axis));
  } else if (axis != nullptr) {
    reading.fail_at_key(*axis, Error("conflicting-keys", fmt::format("a {} has no axis", row.key), "",
                                     "turn it with `rotation`"));
  }
  if (turned != nullptr) {
    const Matrix R = reading.matrix(*turned, 3);
    inertia = R * inertia * transpose(R);
  }
  all.inertia = all.mass * inertia;
  all.center = at == nullptr ? Matrix(3, 1) : reading.vector(*at, 3);
  return all;
}

/// m (|r|² 1 − r rᵀ).
Matrix steiner(Expr mass, const Matrix& r) {
  return mass * (dot(r, r) * Matrix::identity(3) - r * transpose(r));
}

}  // namespace

MassDistribution combined(const MassDistribution& a, const MassDistribution& b) {
  MassDistribution all;
  all.mass = a.mass + b.mass;
  all.center = pow(all.mass, -1) * (a.mass * a.center + b.mass * b.center);
  all.inertia = a.inertia + b.inertia + steiner(a.mass * b.mass / all.mass, b.center - a.center);
  return all;
}

MassDistribution mass_distribution(const Reading& reading, const Toml& body) {
  const Toml& shape = *body.find("shape");
  if (!shape.is(Toml::Kind::array)) return of_part(reading, shape, body, false);
  if (shape.items.empty())
    reading.fail(shape, Error("missing-key", "a body without parts", "", "give at least one shape"));
  if (const Toml* mass = body.find("mass"))
    reading.fail_at_key(*mass,
                        Error("conflicting-keys", "`mass` of a body that is made of parts",
                              "its mass is the sum of theirs", "give each part its mass, or a density"));
  MassDistribution all = of_part(reading, shape.items[0], body, true);
  for (std::size_t k = 1; k < shape.items.size(); ++k)
    all = combined(all, of_part(reading, shape.items[k], body, true));
  return all;
}

}  // namespace rattleback
