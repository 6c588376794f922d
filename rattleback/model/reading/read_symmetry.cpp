// Declared in model/reading/reading.hpp. [symmetry]: named actions and infinitesimal generators, all turned into vector fields in the frame.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/geometry/action.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/components.hpp>

namespace rattleback {
namespace {

[[noreturn]] void unknown_coordinate(const Reading& reading, const Toml& item, const std::string& name) {
  std::vector<std::string> names;
  for (const Factor& factor : reading.system.space.factors()) {
    names.push_back(factor.name);
    for (const Piece& piece : factor.pieces) {
      if (piece.functions.size() == 1) names.push_back(piece.functions[0].name());
    }
  }
  const auto close = nearest(name, names);
  Error error("unknown-coordinate", fmt::format("`{}` is not a coordinate or group of this model", name),
              "a symmetry moves coordinates",
              close.empty() ? "name a coordinate of [space]"
                            : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
  throw error.at(item.is(Toml::Kind::string) && item.text == name ? reading.place(item)
                                                                  : reading.place_of_key(item));
}

Symbol coordinate_named(const Reading& reading, const Toml& item, const std::string& name) {
  const std::vector<Symbol> found = symbols_named(reading.system.scope, reading.system.space, name);
  if (found.size() != 1 || leg_of(reading.system.space, found[0]) >= 0)
    unknown_coordinate(reading, item, name);
  return found[0];
}

void require_function_of_position(const Reading& reading, const Toml& item, const Value& value) {
  if (!has_velocities(value)) return;
  reading.fail(item, Error("velocity-not-allowed",
                           fmt::format("the generator of `{}` depends on velocities", item.key),
                           "a symmetry acts on the configuration space", "use the coordinates"));
}

/// "left a": B' = â B, so the body sees Ω = Bᵀ a. "right a": B' = B â, Ω = a.
Matrix turn(const Reading& reading, const Toml& item, const Factor& factor) {
  const std::string& text = reading.text(item);
  const bool left = text.starts_with("left ");
  if (!left && !text.starts_with("right ")) {
    reading.fail(item,
                 Error("unknown-symmetry", fmt::format("`{}` does not say how `{}` turns", text, item.key),
                       "a rotation matrix is multiplied from the left (space axes) or the right (body axes)",
                       "write \"left e3\" or \"right e3\""));
  }
  Toml axis = item;  // the same literal: the side becomes blanks, so that places stay
  std::fill(axis.text.begin(), axis.text.begin() + (left ? 4 : 5), ' ');
  const Matrix a = reading.vector(axis, 3);
  require_function_of_position(reading, item, a);
  return left ? transpose(factor.rotation()) * a : a;
}

Generator read_generator(const Reading& reading, const Toml& table) {
  reading.require(table, Toml::Kind::table, "{ x = \"1\", theta = \"1\" }");
  const System& system = reading.system;
  FieldRates field;
  for (const Toml& item : table.items) {
    const std::vector<Symbol> moved = symbols_named(system.scope, system.space, item.key);
    if (moved.empty() || leg_of(system.space, moved[0]) >= 0) unknown_coordinate(reading, item, item.key);
    if (moved.size() == 9) {
      const Factor& factor = *factor_named(system.space, item.key);
      field.turns.emplace_back(&factor, turn(reading, item, factor));
      continue;
    }
    const Matrix rate = moved.size() == 3 ? reading.vector(item, 3) : Matrix{{reading.scalar(item)}};
    require_function_of_position(reading, item, rate);
    for (std::size_t k = 0; k < moved.size(); ++k)
      field.functions.insert_or_assign(moved[k], rate[static_cast<int>(k)]);
  }
  return {table.key, field.field(system.space), reading.place_of_key(table)};
}

/// ∂_x, ∂_y and −y ∂_x + x ∂_y + Σ ∂_angle.
std::vector<Generator> planar_euclidean(const Reading& reading, const Toml& item) {
  reading.require(item, Toml::Kind::table, "{ x = \"x\", y = \"y\", angles = [\"theta\"] }");
  const Toml &first = reading.required(item, "x", "\"x\""), &second = reading.required(item, "y", "\"y\"");
  const Symbol x = coordinate_named(reading, first, reading.text(first)),
               y = coordinate_named(reading, second, reading.text(second));
  FieldRates rotation{{{x, -Expr(y)}, {y, Expr(x)}}, {}};
  if (const Toml* angles = item.find("angles")) {
    reading.texts(*angles);
    for (const Toml& angle : angles->items)
      rotation.functions.insert_or_assign(coordinate_named(reading, angle, angle.text), Expr(1));
  }
  const Space& space = reading.system.space;
  const Place place = reading.place_of_key(item);
  return {{"translate_" + x.name(), FieldRates{{{x, Expr(1)}}, {}}.field(space), place},
          {"translate_" + y.name(), FieldRates{{{y, Expr(1)}}, {}}.field(space), place},
          {"rotate", rotation.field(space), place}};
}

/// { x = "1", theta = "1" }: rates; a group has tables of them.
bool is_one_generator(const Toml& item) {
  return item.is(Toml::Kind::table) && !item.items.empty() && !item.items.front().is(Toml::Kind::table);
}

std::vector<Generator> translations(const Reading& reading, const Toml& item) {
  reading.texts(item);
  std::vector<Generator> all;
  for (const Toml& name : item.items) {
    const Symbol q = coordinate_named(reading, name, name.text);
    all.push_back({"translate_" + q.name(), FieldRates{{{q, Expr(1)}}, {}}.field(reading.system.space),
                   reading.place(name)});
  }
  return all;
}

/// left = "B", right = "B": a group acting on itself.
std::vector<Generator> group_translations(const Reading& reading, const Toml& item) {
  const Space& space = reading.system.space;
  const Factor* factor = factor_named(space, reading.text(item));
  if (factor == nullptr) unknown_coordinate(reading, item, item.text);
  if (factor->kind == Factor::Kind::algebra)
    reading.fail(item, Error("unknown-symmetry", "a Lie algebra has no configuration that could be moved",
                             "its dynamics is already reduced", "delete this line"));
  std::vector<VectorField> fields =
      item.key == "left" ? left_translations(space, *factor) : right_translations(space, *factor);
  std::vector<Generator> all;
  for (VectorField& field : fields)
    all.push_back({fmt::format("{}_{}_{}", item.key, item.text, all.size() + 1), std::move(field),
                   reading.place(item)});
  return all;
}

}  // namespace

void read_symmetry(Reading& reading) {
  const Toml* section = reading.section("symmetry");
  if (section == nullptr) return;
  for (const Toml& item : section->items) {
    Symmetry symmetry{item.key, {}, reading.place_of_key(item)};
    if (item.key == "translations") {
      symmetry.generators = translations(reading, item);
    } else if (item.key == "planar_euclidean") {
      symmetry.generators = planar_euclidean(reading, item);
    } else if (item.key == "left" || item.key == "right") {
      symmetry.generators = group_translations(reading, item);
    } else if (item.key == "rotation" || is_one_generator(item)) {
      symmetry.generators = {read_generator(reading, item)};
    } else if (item.is(Toml::Kind::table)) {
      for (const Toml& generator : item.items)
        symmetry.generators.push_back(read_generator(reading, generator));
    } else {
      reading.fail_at_key(
          item, Error("unknown-symmetry", fmt::format("`{}` is not a symmetry", item.key),
                      "named symmetries are translations, planar_euclidean, rotation, left and right",
                      "give generators: SO2 = { rotate = { x = \"-y\", y = \"x\" } }"));
    }
    reading.system.symmetries.push_back(std::move(symmetry));
  }
}

}  // namespace rattleback
