#include <rattleback/model/reading/expand_wheels.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

/// A kind of wheel: does it turn on an axle of its own, does it swivel, and at which angle to the axle its rollers stand.
struct WheelKind {
  const char* name;
  bool spins, swivels;
  const char* roller;  ///< null: no rollers; empty: the key `roller` gives the angle
};

constexpr std::array kinds{
    WheelKind{"rolling", true, false, nullptr}, WheelKind{"knife-edge", false, false, "0"},
    WheelKind{"caster", true, true, nullptr},   WheelKind{"mecanum", true, false, ""},
    WheelKind{"omni", true, false, "pi/2"},
};

/// Pieces of a file that stand where the wheel stands.
class Written {
 public:
  explicit Written(const Toml& wheel) : wheel_(wheel) {}

  Toml table(const std::string& key) const { return made(Toml::Kind::table, key, ""); }
  Toml text(const std::string& key, const std::string& value) const {
    return made(Toml::Kind::string, key, value);
  }
  /// The value of another key, under a new one.
  static Toml renamed(const Toml& item, const std::string& key) {
    Toml copy = item;
    copy.key = key;
    return copy;
  }

 private:
  Toml made(Toml::Kind kind, const std::string& key, const std::string& value) const {
    Toml item;
    item.kind = kind;
    item.key = key;
    item.text = value;
    item.key_span = wheel_.key_span;
    item.span = wheel_.key_span;
    return item;
  }

  const Toml& wheel_;
};

void add(Toml& table, Toml item) {
  table.index.emplace(item.key, table.items.size());
  table.items.push_back(std::move(item));
}

class Wheel {
 public:
  Wheel(const Source& source, Toml& root, const Toml& item)
      : source_(source), root_(root), item_(item), written_(item), kind_(kind()) {}

  void expand() {
    const std::string hub = kind_.swivels ? item_.key + "_fork" : required("body", "\"chassis\"").text;
    if (kind_.swivels) add_fork();
    if (kind_.spins) {
      add_body(item_.key, true);
      add_spin(hub);
    }
    add_contact();
  }

 private:
  [[noreturn]] void fail(const Toml& at, Error error) const { throw error.at(source_.place(at.key_span)); }

  const Toml& required(const std::string& key, const std::string& example) const {
    const Toml* found = item_.find(key);
    if (found == nullptr)
      fail(item_, Error("missing-key", fmt::format("`{}` needs a key `{}`", item_.key, key), "",
                        fmt::format("add {} = {}", key, example)));
    if (key == "body" && !found->is(Toml::Kind::string))
      fail(*found, Error("wrong-type", "`body` is not a string", "", fmt::format("write {}", example)));
    return *found;
  }

  const WheelKind& kind() const {
    if (!item_.is(Toml::Kind::table))
      fail(item_, Error("wrong-type", fmt::format("`{}` is not a table", item_.key), "",
                        fmt::format("write a section [wheels.{}]", item_.key)));
    require_known_keys(source_, item_, "wheels.*");
    const Toml& name = required("kind", "\"rolling\"");
    std::vector<std::string> names;
    for (const WheelKind& k : kinds) {
      if (name.text == k.name) return k;
      names.emplace_back(k.name);
    }
    const auto close = nearest(name.text, names);
    throw Error("unknown-wheel", fmt::format("`{}` is not a kind of wheel", name.text),
                fmt::format("wheels are {}", fmt::join(names, ", ")),
                close.empty() ? "name one of these kinds"
                              : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")))
        .at(source_.place(name.span));
  }

  /// The section of this name, made when it is missing.
  Toml& section(const std::string& name) {
    if (root_.find(name) == nullptr) {
      Toml made = written_.table(name);
      made.origin = Toml::Origin::implied;
      add(root_, std::move(made));
    }
    return root_.items[root_.index.at(name)];
  }

  void add_entry(const std::string& name, Toml entry) {
    Toml& all = section(name);
    if (!all.is(Toml::Kind::table)) return;  // an error that its reader reports
    if (const Toml* other = all.find(entry.key)) {
      Error error(
          "duplicate-name", fmt::format("the wheel `{}` and an entry of [{}] have one name", item_.key, name),
          fmt::format("a wheel stands for a body, a joint and a contact, here [{}.{}]", name, entry.key),
          "rename one of them");
      throw error.at(source_.place(item_.key_span)).at(source_.place(other->key_span));
    }
    add(all, std::move(entry));
  }

  /// Without mass the body only turns.
  void add_body(const std::string& name, bool is_wheel) {
    Toml body = written_.table(name);
    const Toml *mass = item_.find("mass"), *inertia = item_.find("inertia");
    if (is_wheel && mass != nullptr) {
      add(body, *mass);
      if (inertia != nullptr) {
        add(body, *inertia);
      } else {
        Toml shape = written_.table("shape");
        add(shape, Written::renamed(required("radius", "\"R\""), "disk"));
        add(shape, axle());
        add(body, std::move(shape));
      }
    } else {
      if (inertia != nullptr && is_wheel)
        fail(*inertia,
             Error("conflicting-keys", "`inertia` of a wheel without `mass`", "", "add mass = \"m\""));
      add(body, written_.text("mass", "0"));
    }
    add_entry("bodies", std::move(body));
  }

  Toml axle() const {
    const Toml* given = item_.find("axle");
    return given == nullptr ? written_.text("axis", "e2") : Written::renamed(*given, "axis");
  }

  Toml joint(const std::string& name, const std::string& parent, const std::string& child) const {
    Toml made = written_.table(name);
    add(made, written_.text("kind", "revolute"));
    add(made, parent.empty() ? Written::renamed(required("body", "\"chassis\""), "parent")
                             : written_.text("parent", parent));
    add(made, written_.text("child", child));
    return made;
  }

  /// The fork of a caster turns about the upright axis e3 of the body; the wheel trails behind it.
  void add_fork() {
    add_body(item_.key + "_fork", false);
    Toml swivel = joint(item_.key + "_swivel", "", item_.key + "_fork");
    if (const Toml* at = item_.find("at")) add(swivel, *at);
    add_entry("joints", std::move(swivel));
  }

  void add_spin(const std::string& hub) {
    Toml spin = joint(item_.key, kind_.swivels ? hub : "", item_.key);
    add(spin, axle());
    if (kind_.swivels) {
      const Toml& trail = required("trail", "\"c\"");
      Toml behind = written_.table("at");
      behind.kind = Toml::Kind::array;
      behind.span = trail.span;
      behind.items = {written_.text("", fmt::format("-({})", trail.text)), written_.text("", "0"),
                      written_.text("", "0")};
      add(spin, std::move(behind));
    } else if (const Toml* at = item_.find("at")) {
      add(spin, *at);
    }
    for (const char* key : {"coordinates", "stiffness", "rest", "damping", "drive"})
      if (const Toml* given = item_.find(key)) add(spin, *given);
    add_entry("joints", std::move(spin));
  }

  void add_contact() {
    Toml contact = written_.table(item_.key), surface = written_.table("surface");
    if (kind_.spins) {
      add(contact, written_.text("body", item_.key));
      add(surface, Written::renamed(required("radius", "\"R\""), "disk"));
    } else {
      add(contact, required("body", "\"sleigh\""));
      const Toml* radius = item_.find("radius");
      add(surface, radius == nullptr ? written_.text("disk", "0") : Written::renamed(*radius, "disk"));
      if (const Toml* at = item_.find("at")) add(surface, Written::renamed(*at, "center"));
    }
    add(surface, axle());
    add(contact, std::move(surface));
    if (kind_.roller != nullptr) {
      const bool given = std::string_view(kind_.roller).empty();
      add(contact, given ? required("roller", "\"pi/4\"") : written_.text("roller", kind_.roller));
    }
    for (const char* key : {"on", "friction", "restitution", "spinning"})
      if (const Toml* given = item_.find(key)) add(contact, *given);
    add_entry("contacts", std::move(contact));
    require_keys_of_kind();
  }

  void require_keys_of_kind() const {
    const auto only = [&](const char* key, bool wanted, const std::string& who) {
      const Toml* found = item_.find(key);
      if (found == nullptr || wanted) return;
      fail(*found, Error("conflicting-keys", fmt::format("a {} wheel has no `{}`", kind_.name, key),
                         fmt::format("it belongs to {}", who), "leave it out, or choose another kind"));
    };
    only("trail", kind_.swivels, "casters");
    only("roller", kind_.roller != nullptr && std::string_view(kind_.roller).empty(), "mecanum wheels");
    for (const char* key : {"mass", "inertia", "coordinates", "stiffness", "rest", "damping", "drive"})
      only(key, kind_.spins, "wheels that turn");
  }

  const Source& source_;
  Toml& root_;
  const Toml& item_;
  Written written_;
  const WheelKind& kind_;
};

}  // namespace

void expand_wheels(const Source& source, Toml& root) {
  const Toml* section = root.find("wheels");
  if (section == nullptr) return;
  if (!section->is(Toml::Kind::table))
    throw Error("wrong-type", "`wheels` is not a table", "", "write a section [wheels.front]")
        .at(source.place(section->key_span));
  const Toml wheels = *section;  // the file grows meanwhile
  for (const Toml& item : wheels.items) Wheel(source, root, item).expand();
}

}  // namespace rattleback
