// Declared in model/reading/reading.hpp. [space]: the factors of the configuration space and the names they bring.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

constexpr int largest_dimension =
    input_limits::space.count;  // structure coefficients take its third power of memory

std::vector<std::string> numbered(const std::string& stem, int n) {
  std::vector<std::string> names;
  for (int k = 1; k <= n; ++k) names.push_back(fmt::format("{}{}", stem, k));
  return names;
}

/// Three names of coordinates or velocities, with their places.
std::vector<std::string> three_names(Reading& reading, const Toml& table, const std::string& key,
                                     std::string_view example) {
  const Toml& item = reading.required(table, key, example);
  const std::vector<std::string> names = reading.texts(item);
  if (names.size() != 3) {
    reading.fail(item, Error("wrong-count", fmt::format("{} names where `{}` needs 3", names.size(), key), "",
                             fmt::format("write {} = {}", key, example)));
  }
  for (const Toml& name : item.items) reading.declare(name.text, reading.place(name));
  return names;
}

/// A vector name, e.g. Omega, together with the names Omega1, Omega2, Omega3 of its components.
std::vector<std::string> vector_name(Reading& reading, const Toml& table, const std::string& key,
                                     const std::string& otherwise, std::string& stem) {
  const Toml* item = table.find(key);
  stem = item == nullptr ? otherwise : reading.text(*item);
  const Place place = item == nullptr ? reading.place(table) : reading.place(*item);
  reading.declare(stem, place);
  std::vector<std::string> components = numbered(stem, 3);
  for (const std::string& name : components) reading.declare(name, place);
  return components;
}

Matrix column(std::span<const Symbol> symbols) {
  std::vector<Expr> entries(symbols.begin(), symbols.end());
  return Matrix::column(entries);
}

void define_symbols(Scope& scope, std::span<const Symbol> symbols) {
  for (const Symbol s : symbols) scope.define(s.name(), Expr(s));
}

/// B, its body velocity Omega, its space velocity omega = B Omega; of SE(3) also r and V with r' = B V.
Factor rotation_group(Reading& reading, const Toml& item, bool with_position, int order) {
  Scope& scope = reading.system.scope;
  const Place place = reading.place_of_key(item);
  reading.declare(item.key, place);
  std::string body, position, velocity;
  std::vector<std::string> velocities = vector_name(reading, item, "body", "Omega", body);
  if (with_position) {
    vector_name(reading, item, "position", "r", position);
    const std::vector<std::string> linear = vector_name(reading, item, "velocity", "V", velocity);
    velocities.insert(velocities.end(), linear.begin(), linear.end());
  }
  Factor factor = with_position ? special_euclidean_3(item.key, position, order, velocities)
                                : special_orthogonal_3(item.key, order, velocities);
  for (const Symbol entry : factor.pieces[0].functions) reading.declare(entry.name(), place);
  define_symbols(scope, factor.functions());
  define_symbols(scope, factor.velocities);
  const std::span<const Symbol> all = factor.velocities;
  const Matrix B = factor.rotation(), Omega = column(all.first(3));
  scope.define(item.key, B);
  scope.define(body, Omega);
  if (with_position) {
    scope.define(position, factor.position());
    scope.define(velocity, column(all.last(3)));
  }
  const Toml* space = item.find("space");
  const std::string omega = space == nullptr ? "omega" : reading.text(*space);
  reading.declare(omega, space == nullptr ? place : reading.place(*space));
  scope.define(omega, B * Omega);
  return factor;
}

/// The velocity x' of every coordinate of a group, in its quasi-velocities.
void define_coordinate_velocities(Scope& scope, const Factor& factor) {
  const Space alone({factor});
  for (const Symbol q : factor.functions()) scope.define(q.name() + "'", alone.motion().at(q));
}

/// v1 = x' cos θ + y' sin θ, v2 = −x' sin θ + y' cos θ, w = θ', in this order.
Factor plane_motions(Reading& reading, const Toml& item, int order) {
  const auto q = three_names(reading, item, "coordinates", "[\"x\", \"y\", \"theta\"]");
  const auto v = three_names(reading, item, "velocities", "[\"v1\", \"v2\", \"w\"]");
  return special_euclidean_2(q[0], q[1], q[2], order, {v[2], v[0], v[1]});
}

Factor heisenberg_group(Reading& reading, const Toml& item, int order) {
  const auto q = three_names(reading, item, "coordinates", "[\"x\", \"y\", \"z\"]");
  const auto v = three_names(reading, item, "velocities", "[\"v1\", \"v2\", \"v3\"]");
  return heisenberg(q[0], q[1], q[2], order, v);
}

constexpr std::array group_names{"SO(3)", "SE(3)", "SE(2)", "H3"};

[[noreturn]] void unknown_space(const Reading& reading, const Toml& item, const std::string& name) {
  std::vector<std::string> known{"R", "S1"};
  known.insert(known.end(), group_names.begin(), group_names.end());
  const auto close = nearest(name, known);
  reading.fail(
      item, Error("unknown-space", fmt::format("`{}` is not a space", name),
                  "a coordinate lives on \"R\" or \"S1\"; groups are SO(3), SE(2), SE(3) and H3",
                  close.empty()
                      ? "write \"R\", \"S1\", or { group = \"SO(3)\", body = \"Omega\", space = \"omega\" }"
                      : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
}

Factor group(Reading& reading, const Toml& item, int order) {
  const Toml& group = reading.required(item, "group", item.find("unit") != nullptr ? "\"R\"" : "\"SO(3)\"");
  const std::string& name = reading.text(group);
  if (name == "R" || name == "S1") {
    require_known_keys(reading.source(), item, "space.R");
    if (const Toml* unit = item.find("unit")) declared_unit(reading, *unit, item.key);
    return named_coordinate(reading, item.key, name == "S1", reading.place_of_key(item), order);
  }
  const bool is_matrix = name == "SO(3)" || name == "SE(3)";
  if (!is_matrix && name != "SE(2)" && name != "H3") unknown_space(reading, group, name);
  require_known_keys(reading.source(), item, "space." + name);
  if (is_matrix) return rotation_group(reading, item, name == "SE(3)", order);
  Factor factor =
      name == "SE(2)" ? plane_motions(reading, item, order) : heisenberg_group(reading, item, order);
  factor.name = item.key;
  define_symbols(reading.system.scope, factor.functions());
  define_symbols(reading.system.scope, factor.velocities);
  define_coordinate_velocities(reading.system.scope, factor);
  return factor;
}

}  // namespace

Factor named_coordinate(Reading& reading, const std::string& name, bool on_circle, const Place& place,
                        int order) {
  reading.declare(name, place);
  Factor factor = on_circle ? circle(name, order) : line(name, order);
  define_symbols(reading.system.scope, factor.functions());
  define_symbols(reading.system.scope, factor.velocities);
  return factor;
}

Factor named_rotation(Reading& reading, const RotationNames& names, const Place& place, int order) {
  Scope& scope = reading.system.scope;
  for (const std::string& name : {names.matrix, names.body, names.space}) reading.declare(name, place);
  const std::vector<std::string> velocities = numbered(names.body, 3);
  for (const std::string& name : velocities) reading.declare(name, place);
  Factor factor = special_orthogonal_3(names.matrix, order, velocities);
  for (const Symbol entry : factor.functions()) reading.declare(entry.name(), place);
  define_symbols(scope, factor.functions());
  define_symbols(scope, factor.velocities);
  const Matrix Omega = column(factor.velocities);
  scope.define(names.matrix, factor.rotation());
  scope.define(names.body, Omega);
  scope.define(names.space, factor.rotation() * Omega);
  return factor;
}

namespace {

Factor coordinate(Reading& reading, const Toml& item, int order) {
  if (item.text != "R" && item.text != "S1") {
    for (const std::string_view name : group_names) {
      if (item.text == name) {
        reading.fail(item, Error("unknown-space", fmt::format("`{}` brings names of its own", item.text), "",
                                 fmt::format("write {{ group = \"{}\", … }}; see the reference of [space]",
                                             item.text)));
      }
    }
    unknown_space(reading, item, item.text);
  }
  return named_coordinate(reading, item.key, item.text == "S1", reading.place_of_key(item), order);
}

void require_dimension(const Reading& reading, const std::vector<Factor>& factors) {
  int dimension = 0;
  for (const Factor& factor : factors) dimension += factor.dimension();
  if (dimension <= largest_dimension) return;
  Error error("too-many-coordinates", fmt::format("a space of {} dimensions", dimension),
              fmt::format("the limit is {}", largest_dimension), "check that the model is what you mean");
  throw error.at(reading.source().whole());
}

}  // namespace

void read_space(Reading& reading) {
  const Toml *section = reading.section("space"), *lie = reading.section("algebra");
  std::vector<Factor> factors;
  for (std::size_t i = 0; section != nullptr && i < section->items.size(); ++i) {
    const Toml& item = section->items[i];
    const int order = static_cast<int>(factors.size());
    if (item.is(Toml::Kind::string)) {
      factors.push_back(coordinate(reading, item, order));
    } else {
      reading.require(item, Toml::Kind::table, "\"R\", \"S1\", or { group = … }");
      factors.push_back(group(reading, item, order));
    }
  }
  for (const PlannedContact& contact : reading.joints->contacts)
    if (contact.places_body) add_contact_coordinates(reading, contact, factors);
  add_joint_coordinates(reading, factors);
  for (const PlannedContact& contact : reading.joints->contacts)
    if (!contact.places_body && !factors.empty()) add_contact_coordinates(reading, contact, factors);
  if (lie != nullptr) factors.push_back(read_algebra(reading, *lie, static_cast<int>(factors.size())));
  if (factors.empty()) {
    Error error("missing-space", "the model has no coordinates", "",
                "add a section [space] with lines such as x = \"R\" or theta = \"S1\", or joints");
    throw error.at(section == nullptr ? reading.source().whole() : reading.place_of_key(*section));
  }
  require_dimension(reading, factors);
  System& system = reading.system;
  system.space = Space(std::move(factors));
  system.forces.assign(static_cast<std::size_t>(system.space.dimension()), Expr(0));
  system.scope.define("t", Expr(system.time));
  system.scope.set_time_derivative([space = system.space](Expr e) {
    if (has_velocities(e)) {
      throw Error("acceleration", "the time derivative of a velocity",
                  "models are stated with positions and velocities only",
                  "differentiate functions of the configuration only");
    }
    return space.rate(e);
  });
}

}  // namespace rattleback
