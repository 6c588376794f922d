// Declared in model/reading/planned_contact.hpp. Coordinates of contact points, and bodies that a contact places.
#include <array>

#include <fmt/format.h>

#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/reading/planned_contact.hpp>

namespace rattleback {
namespace {

struct SurfaceKey {
  const char* key;
  Surface::Kind kind;
};
constexpr std::array surface_keys{
    SurfaceKey{"sphere", Surface::Kind::sphere},
    SurfaceKey{"disk", Surface::Kind::disk},
    SurfaceKey{"ellipsoid", Surface::Kind::ellipsoid},
    SurfaceKey{"implicit", Surface::Kind::implicit},
    SurfaceKey{"parametric", Surface::Kind::parametric},
    SurfaceKey{"cylinder", Surface::Kind::cylinder},
    SurfaceKey{"cone", Surface::Kind::cone},
};

/// A support: its two coordinates, and which of them go round.
struct SupportKey {
  const char* key;
  Support::Kind kind;
  bool first_round, second_round;
};
constexpr std::array support_keys{
    SupportKey{"normal", Support::Kind::plane, false, false},
    SupportKey{"cylinder", Support::Kind::cylinder, true, false},
    SupportKey{"sphere", Support::Kind::sphere, true, true},
    SupportKey{"cone", Support::Kind::cone, true, false},
    SupportKey{"torus", Support::Kind::torus, true, true},
    SupportKey{"revolution", Support::Kind::revolution, false, true},
    SupportKey{"graph", Support::Kind::graph, false, false},
    SupportKey{"implicit", Support::Kind::implicit, false, false},
    SupportKey{"parametric", Support::Kind::parametric, false, false},
    SupportKey{"curve", Support::Kind::curve, false, true},
};

std::string text_of(const Toml* table, const char* key, const std::string& otherwise) {
  const Toml* item = table == nullptr || !table->is(Toml::Kind::table) ? nullptr : table->find(key);
  return item != nullptr && item->is(Toml::Kind::string) ? item->text : otherwise;
}

/// Does the point of contact follow from the pose of the body in closed form? A plane has the support function of the body, a round
/// surface the centre of a ball.
bool is_closed_form(Surface::Kind surface, Support::Kind support) {
  using S = Support::Kind;
  if (support == S::plane || surface == Surface::Kind::cone) return true;
  if (surface == Surface::Kind::cylinder) return support == S::cylinder;
  const bool round =
      support == S::sphere || support == S::cylinder || support == S::cone || support == S::torus;
  return surface == Surface::Kind::sphere && round;
}

PlannedContact planned(const Toml& item) {
  PlannedContact contact;
  contact.item = &item;
  contact.name = item.key;
  contact.body = text_of(&item, "body", "");
  const Toml *surface = item.find("surface"), *on = item.find("on");
  contact.on = text_of(on, "body", ground);
  for (const SurfaceKey& k : surface_keys)
    if (surface != nullptr && surface->is(Toml::Kind::table) && surface->find(k.key) != nullptr)
      contact.surface = k.kind;
  for (const SupportKey& k : support_keys)
    if (on != nullptr && on->is(Toml::Kind::table) && on->find(k.key) != nullptr) contact.support = k.kind;
  return contact;
}

/// Names in the order: point on the support, height (optional), rotation.
void name_coordinates(const Reading& reading, PlannedContact& contact) {
  const Toml& item = *contact.item;
  const bool free_point = contact.support == Support::Kind::implicit;
  const std::size_t n = free_point ? 3 : 2;
  const bool has_point = contact.places_body || !is_closed_form(contact.surface, contact.support);
  for (std::size_t k = 0; k < n && has_point; ++k)
    contact.on_support.push_back(fmt::format("{}_{}", item.key, free_point ? "xyz"[k] : "uv"[k]));
  if (contact.surface == Surface::Kind::implicit)
    for (const char* c : {"X", "Y", "Z", "k"})
      contact.on_surface.push_back(fmt::format("{}_{}", item.key, c));
  if (contact.surface == Surface::Kind::parametric)
    for (const char* c : {"p", "q"}) contact.on_surface.push_back(fmt::format("{}_{}", item.key, c));
  if (contact.places_body) contact.rotation = item.key;
  if (const Toml* given = item.find("coordinates")) {
    const std::vector<std::string> names = reading.texts(*given);
    const std::size_t least = has_point ? n + (contact.places_body ? 1 : 0) : 0,
                      most = contact.places_body ? least + 1 : least;
    if (names.size() < least || names.size() > most)
      reading.fail(*given,
                   Error("wrong-count",
                         fmt::format("{} name{} for the coordinates of contact `{}`", names.size(),
                                     names.size() == 1 ? "" : "s", item.key),
                         contact.places_body
                             ? fmt::format("it places `{}`: the point of contact has {}, then comes the "
                                           "height if it shall be one, at last the rotation",
                                           contact.body, n)
                         : has_point ? fmt::format("the point of contact has {}", n)
                                     : "its point of contact follows from the pose of the body",
                         least == 0 ? "leave them out" : fmt::format("give {}", least)));
    for (std::size_t k = 0; k < n && has_point; ++k) contact.on_support[k] = names[k];
    if (contact.places_body) contact.rotation = names.back();
    if (names.size() == most && most > least) contact.height = names[n];
  }
  contact.body_rate = text_of(&item, "body_rate", contact.rotation + "_Omega");
  contact.space_rate = text_of(&item, "space_rate", contact.rotation + "_omega");
}

Factor line_of(Reading& reading, const std::string& name, bool positive, const Place& place, int order) {
  reading.declare(name, place);
  Factor factor = line(Symbol::make(
      name, {.role = Role::coordinate, .sign = positive ? Sign::positive : Sign::any, .order = order}));
  for (const auto& symbols : {factor.functions(), factor.velocities})
    for (const Symbol s : symbols) reading.system.scope.define(s.name(), Expr(s));
  return factor;
}

/// A wheel of [wheels] stands on the ground for a body that something else places: the angle of its joint has the name that a rotation brought by
/// the contact would have.
void require_carrier(const Reading& reading, const Toml& contact) {
  const Toml* wheels = reading.section("wheels");
  const Toml* wheel = wheels == nullptr ? nullptr : wheels->find(contact.key);
  if (wheel == nullptr || wheel->find("coordinates") != nullptr || text_of(wheel, "kind", "") == "knife-edge")
    return;
  const std::string carrier = text_of(wheel, "body", "");
  reading.fail_at_key(
      *wheel,
      Error("unplaced-body", fmt::format("nothing says where the body `{}` is", carrier),
            fmt::format("it carries the wheel `{}`, and no chain of joints leads from it to the ground",
                        wheel->key),
            fmt::format("add a joint: [joints.road] kind = \"planar\", child = \"{}\"", carrier)));
}

}  // namespace

std::vector<PlannedContact> planned_contacts(const Reading& reading, Placement& placement) {
  std::vector<PlannedContact> all;
  const Toml *section = reading.section("contacts"), *bodies = reading.section("bodies");
  for (std::size_t i = 0; section != nullptr && i < section->items.size(); ++i) {
    const Toml& item = section->items[i];
    if (!item.is(Toml::Kind::table)) continue;
    PlannedContact contact = planned(item);
    if (bodies == nullptr || bodies->find(contact.body) == nullptr) continue;
    if (!placement.is_placed(contact.body) && !placement.are_joined(contact.body, contact.on)) {
      require_carrier(reading, item);
      contact.places_body = true;
      placement.place(contact.body);
    }
    name_coordinates(reading, contact);
    all.push_back(std::move(contact));
  }
  return all;
}

void add_contact_coordinates(Reading& reading, const PlannedContact& contact, std::vector<Factor>& factors) {
  const Place place = reading.place_of_key(*contact.item);
  const auto order = [&] { return static_cast<int>(factors.size()); };
  const SupportKey* support = &support_keys[0];
  for (const SupportKey& k : support_keys)
    if (k.kind == contact.support) support = &k;
  for (std::size_t k = 0; k < contact.on_support.size(); ++k) {
    const bool circle = k == 0 ? support->first_round : support->second_round;
    const bool from_apex = contact.support == Support::Kind::cone && k == 1;
    factors.push_back(circle ? named_coordinate(reading, contact.on_support[k], true, place, order())
                             : line_of(reading, contact.on_support[k], from_apex, place, order()));
  }
  if (!contact.height.empty()) factors.push_back(line_of(reading, contact.height, false, place, order()));
  if (!contact.rotation.empty())
    factors.push_back(
        named_rotation(reading, {contact.rotation, contact.body_rate, contact.space_rate}, place, order()));
  for (const std::string& name : contact.on_surface) {
    const bool factor = name.ends_with("_k");  // f grows outwards, γ points inwards: κ > 0
    factors.push_back(line_of(reading, name, factor, place, order()));
  }
}

void place_by_contact(Reading& reading, const PlannedContact& contact) {
  const Surface surface = read_surface(reading, contact, Matrix(3, 1));
  const Toml* shape = contact.item->find("surface");
  if (surface.kind == Surface::Kind::cone)
    reading.fail(*shape,
                 Error("unsupported-contact", fmt::format("nothing holds the apex of `{}`", contact.body),
                       "a cone rolls on cones and planes that its apex belongs to",
                       "add the joint that holds it there, such as { kind = \"spherical\" }"));
  const Support support = read_support(reading, contact, Matrix(3, 1));
  const Pose on = contact.on == ground ? Pose() : reading.poses.at(contact.on);
  for (const Factor& factor : reading.system.space.factors()) {
    if (factor.name != contact.rotation) continue;
    const std::vector<Expr> Omega(factor.velocities.begin(), factor.velocities.begin() + 3);
    const Attitude attitude({{factor.rotation(), Matrix::column(Omega), -1}});
    const Matrix n = on.turned(support.normal);
    Matrix C = on.at(support.point);
    if (!contact.height.empty()) C = C + parse(contact.height, reading.system.scope) * n;
    reading.poses.emplace(contact.body, Pose(C - point_with_normal(attitude, surface, n), attitude));
    return;
  }
  throw Bug("a contact without its rotation");
}

}  // namespace rattleback
