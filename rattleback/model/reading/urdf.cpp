#include <rattleback/model/reading/urdf.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/text/xml.hpp>

namespace rattleback {
namespace {

using Triple = std::array<std::string, 3>;

bool is_zero_text(const std::string& number) {
  return number.find_first_of("123456789") == std::string::npos;
}

/// Names of links and joints as names of the model language: other characters become _.
class Names {
 public:
  std::string of(const std::string& given) {
    if (const auto found = chosen_.find(given); found != chosen_.end()) return found->second;
    std::string name;
    for (const char c : given) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "b_" + name;
    if (is_reserved(name) || name == "e1" || name == "e2" || name == "e3" || name == "g") name += "_";
    std::string fresh = name;
    for (int k = 2; !taken_.insert(fresh).second; ++k) fresh = fmt::format("{}_{}", name, k);
    chosen_.emplace(given, fresh);
    return fresh;
  }

 private:
  std::map<std::string, std::string> chosen_;
  std::set<std::string> taken_{"x", "y", "z", "theta", "B", "Omega", "omega"};  ///< of the base
};

class UrdfImport {
 public:
  UrdfImport(const Source& source, const UrdfOptions& options)
      : source_(source), options_(options), robot_(parse_xml(source)) {}

  ImportedModel model() {
    if (robot_.name != "robot")
      fail(robot_, "the file is no URDF", "its root element is <robot name=\"...\">");
    collect();
    find_root();
    text_ = fmt::format("# Imported from {}.\n", source_.name());
    const std::size_t head = text_.size();
    text_ += fmt::format(
        "title = \"{}\"\ngravity = \"g\"\n\n[parameters]\ng = {{ value = 9.81, positive = true }}\n",
        escaped(robot_.get("name", "robot")));
    for (const Xml* link : links_) write_link(*link);
    write_base();
    for (const Xml* joint : joints_) write_joint(*joint);
    write_friction();
    write_mimics();
    for (const std::string& wheel : options_.wheels) write_wheel(joint_named(wheel));
    text_ +=
        "\n[scene]\nground = \"" + std::string(options_.wheels.empty() ? "none" : "plane") + "\"\n" + scene_;
    std::string notes;
    for (const std::string& what : ignored_) notes += "# Left out: " + what + ".\n";
    text_.insert(head, notes);
    return {std::move(text_), std::move(ignored_)};
  }

 private:
  [[noreturn]] void fail(const Xml& at, std::string what, std::string fix, std::string why = {}) const {
    throw Error("bad-urdf", std::move(what), std::move(why), std::move(fix)).at(source_.place(at.span));
  }
  static std::string escaped(const std::string& words) {
    std::string s;
    for (const char c : words) s += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return s;
  }
  void ignore(const std::string& what) {
    if (std::ranges::find(ignored_, what) == ignored_.end()) ignored_.push_back(what);
  }

  void collect() {
    for (const Xml& e : robot_.children) {
      if (e.name == "link") {
        links_.push_back(&e);
        if (e.get("name").empty()) fail(e, "a link without a name", "add name=\"...\"");
      } else if (e.name == "joint") {
        joints_.push_back(&e);
      } else if (e.name != "material") {
        ignore(fmt::format("<{}>", e.name));
      }
    }
    if (links_.empty()) fail(robot_, "a robot without links", "add <link name=\"base\"/>");
    for (const Xml* joint : joints_) {
      for (const char* end : {"parent", "child"}) {
        const Xml* body = joint->find(end);
        if (body == nullptr)
          fail(*joint, fmt::format("a joint without <{}>", end), fmt::format("add <{} link=\"...\"/>", end));
        const std::string name = body->get("link");
        if (std::ranges::none_of(links_, [&](const Xml* l) { return l->get("name") == name; }))
          fail(*body, fmt::format("there is no link `{}`", name), "check the spelling");
      }
    }
  }

  void find_root() {
    std::set<std::string> children;
    for (const Xml* joint : joints_) children.insert(joint->find("child")->get("link"));
    std::vector<const Xml*> roots;
    for (const Xml* link : links_)
      if (!children.contains(link->get("name"))) roots.push_back(link);
    if (roots.size() != 1)
      fail(robot_, fmt::format("{} links have no parent", roots.size()),
           "a URDF is a tree with one root link");
    root_ = roots[0];
  }

  const Xml& joint_named(const std::string& name) const {
    std::vector<std::string> names;
    for (const Xml* joint : joints_) {
      names.push_back(joint->get("name"));
      if (names.back() == name) return *joint;
    }
    const auto close = nearest(name, names);
    throw Error("usage", fmt::format("there is no joint `{}`", name), "",
                close.empty() ? fmt::format("its joints are {}", fmt::join(names, ", "))
                              : fmt::format("did you mean `{}`?", close[0]));
  }

  /// Three numbers, as they are written.
  Triple triple(const Xml& e, const std::string& attribute, const Triple& otherwise) const {
    const std::string value = e.get(attribute);
    if (value.empty()) return otherwise;
    Triple t;
    std::istringstream words(value);
    for (std::string& word : t) {
      words >> word;
      word = number(e, word);
    }
    if (std::string more; words >> more)
      fail(e, fmt::format("`{}` has more than three numbers", attribute), "give three");
    return t;
  }

  /// A decimal number with its digits kept: "1." and ".5" and "+2" as the model language writes them.
  std::string number(const Xml& e, std::string word) const {
    if (word.starts_with('+')) word.erase(0, 1);
    const bool negative = word.starts_with('-');
    if (negative) word.erase(0, 1);
    if (word.starts_with('.')) word.insert(0, 1, '0');
    if (!try_parse(word, Scope()))
      fail(e, fmt::format("`{}` is not a number", word), "write a decimal number");
    if (word.empty()) fail(e, "a number is missing", "give three numbers");
    return negative ? "-" + word : word;
  }

  static std::string vector_text(const Triple& t) { return fmt::format("[{}, {}, {}]", t[0], t[1], t[2]); }

  /// Quarter turns, which files give as 1.5708 to various digits, are exact; other angles stay as they are written.
  static std::string angle(const std::string& a) {
    const double x = std::stod(a), quarter = std::acos(0.0);
    for (const auto& [turns, name] :
         {std::pair(1, "pi/2"), std::pair(2, "pi"), std::pair(-1, "-pi/2"), std::pair(-2, "-pi")})
      if (std::abs(x - turns * quarter) < 1e-4) return name;
    return a;
  }

  /// Rz(yaw)*Ry(pitch)*Rx(roll); empty for no rotation.
  static std::string rotation_text(const Triple& rpy) {
    std::vector<std::string> factors;
    for (const auto& [k, name] : {std::pair(2, "Rz"), std::pair(1, "Ry"), std::pair(0, "Rx")})
      if (!is_zero_text(rpy[static_cast<std::size_t>(k)]))
        factors.push_back(fmt::format("{}({})", name, angle(rpy[static_cast<std::size_t>(k)])));
    return fmt::format("{}", fmt::join(factors, "*"));
  }

  struct Origin {
    Triple xyz{"0", "0", "0"}, rpy{"0", "0", "0"};
  };
  Origin origin_of(const Xml& e) const {
    Origin o;
    if (const Xml* origin = e.find("origin")) {
      o.xyz = triple(*origin, "xyz", o.xyz);
      o.rpy = triple(*origin, "rpy", o.rpy);
    }
    return o;
  }
  static bool is_zero_triple(const Triple& t) { return std::ranges::all_of(t, is_zero_text); }

  void write_link(const Xml& link) {
    const std::string name = names_.of(link.get("name"));
    text_ += fmt::format("\n[bodies.{}]\n", name);
    const Xml* inertial = link.find("inertial");
    if (inertial == nullptr) {
      text_ += "mass = 0\n";
    } else {
      const Origin origin = origin_of(*inertial);
      const Xml *mass = inertial->find("mass"), *inertia = inertial->find("inertia");
      text_ += fmt::format("mass = {}\n", mass == nullptr ? "0" : number(*mass, mass->get("value", "0")));
      if (inertia != nullptr) text_ += fmt::format("inertia = \"{}\"\n", inertia_text(*inertia, origin));
      if (!is_zero_triple(origin.xyz)) text_ += fmt::format("center = \"{}\"\n", vector_text(origin.xyz));
    }
    for (const Xml& part : link.children) {
      if (part.name == "visual") write_visual(link, part);
      if (part.name != "visual" && part.name != "inertial" && part.name != "collision")
        ignore(fmt::format("<{}> of links", part.name));
      if (part.name == "collision") ignore("<collision>, which serves for radii of wheels only");
    }
  }

  /// About the mass centre, turned into the axes of the link.
  std::string inertia_text(const Xml& e, const Origin& origin) const {
    const auto entry = [&](const char* key) { return number(e, e.get(key, "0")); };
    const std::string xx = entry("ixx"), xy = entry("ixy"), xz = entry("ixz"), yy = entry("iyy"),
                      yz = entry("iyz"), zz = entry("izz");
    const bool diagonal = is_zero_text(xy) && is_zero_text(xz) && is_zero_text(yz);
    const std::string matrix =
        diagonal ? fmt::format("diag({}, {}, {})", xx, yy, zz)
                 : fmt::format("[[{0}, {1}, {2}], [{1}, {3}, {4}], [{2}, {4}, {5}]]", xx, xy, xz, yy, yz, zz);
    const std::string turned = rotation_text(origin.rpy);
    return turned.empty() ? matrix : fmt::format("{0}*{1}*transpose({0})", turned, matrix);
  }

  /// Boxes, spheres and cylinders; a cylinder is drawn as a disk when it is short, otherwise as a box.
  void write_visual(const Xml& link, const Xml& visual) {
    const Xml* geometry = visual.find("geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const Xml& shape = geometry->children[0];
    const Origin origin = origin_of(visual);
    std::string lines;
    if (shape.name == "box") {
      lines = fmt::format("box = {}\n", vector_text(triple(shape, "size", {"1", "1", "1"})));
    } else if (shape.name == "sphere") {
      lines = fmt::format("sphere = {}\n", number(shape, shape.get("radius", "1")));
    } else if (shape.name == "cylinder") {
      const std::string r = number(shape, shape.get("radius", "1")),
                        l = number(shape, shape.get("length", "1"));
      const double diameter = 2 * std::stod(r);
      lines = std::stod(l) < diameter ? fmt::format("disk = {}\naxis = \"e3\"\n", r)
                                      : fmt::format("box = [{0:.6g}, {0:.6g}, {1}]\n", diameter, l);
    } else {
      ignore(fmt::format("visuals of kind <{}>", shape.name));
      return;
    }
    const std::string body = names_.of(link.get("name"));
    scene_ += fmt::format("\n[scene.{}]\n{}body = \"{}\"\n",
                          names_.of(fmt::format("{}_visual_{}", body, scenes_++)), lines, body);
    if (!is_zero_triple(origin.xyz)) scene_ += fmt::format("at = \"{}\"\n", vector_text(origin.xyz));
    if (const std::string turned = rotation_text(origin.rpy); !turned.empty())
      scene_ += fmt::format("rotation = \"{}\"\n", turned);
  }

  /// How the root is held. On wheels its height is that at which the first wheel touches the ground.
  void write_base() {
    const std::string kind = !options_.base.empty()    ? options_.base
                             : options_.wheels.empty() ? "weld"
                                                       : "planar";
    text_ += fmt::format("\n[joints.{}]\nkind = \"{}\"\nchild = \"{}\"\n", names_.of("base_motion"), kind,
                         names_.of(root_->get("name")));
    if (kind == "planar") text_ += "coordinates = [\"x\", \"y\", \"theta\"]\n";
    if (kind == "free") text_ += "coordinates = [\"x\", \"y\", \"z\", \"B\"]\n";
    if (kind == "planar" && !options_.wheels.empty()) {
      const Xml& first = joint_named(options_.wheels[0]);
      text_ += fmt::format("at = \"[0, 0, {} - dot(e3, {})]\"\n", wheel_of(first).radius, centre_text(first));
    }
  }

  /// Where a joint's child is in the axes of the root, all joints at zero.
  std::string centre_text(const Xml& joint, std::size_t depth = 0) const {
    if (depth > joints_.size()) fail(joint, "joints form a loop", "a URDF is a tree with one root link");
    const Origin origin = origin_of(joint);
    const std::string parent = joint.find("parent")->get("link");
    std::string inner = vector_text(origin.xyz);
    const auto above =
        std::ranges::find_if(joints_, [&](const Xml* j) { return j->find("child")->get("link") == parent; });
    if (above == joints_.end()) return inner;
    const std::string turned = rotation_text(origin_of(**above).rpy);
    return fmt::format("{} + {}{}", centre_text(**above, depth + 1), turned.empty() ? "" : turned + "*",
                       inner);
  }

  struct WheelShape {
    std::string radius;
    Triple centre;
  };
  /// From the first cylinder or sphere of the child's collision or visual elements.
  WheelShape wheel_of(const Xml& joint) const {
    const std::string child = joint.find("child")->get("link");
    const Xml& link = **std::ranges::find_if(links_, [&](const Xml* l) { return l->get("name") == child; });
    for (const char* kind : {"collision", "visual"}) {
      for (const Xml& part : link.children) {
        const Xml* geometry = part.name == kind ? part.find("geometry") : nullptr;
        if (geometry == nullptr || geometry->children.empty()) continue;
        const Xml& shape = geometry->children[0];
        if (shape.name == "cylinder" || shape.name == "sphere")
          return {number(shape, shape.get("radius", "1")), origin_of(part).xyz};
      }
    }
    fail(link, fmt::format("the wheel `{}` has no radius", child),
         "give it a <collision> with a <cylinder radius=\"...\"/>");
  }

  void write_joint(const Xml& joint) {
    static const std::map<std::string, std::string> kinds{
        {"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"},
        {"fixed", "weld"},        {"floating", "free"},       {"planar", "planar"}};
    const auto kind = kinds.find(joint.get("type"));
    if (kind == kinds.end())
      fail(joint, fmt::format("`{}` is not a type of joint", joint.get("type")),
           "use revolute, continuous, prismatic, fixed, floating or planar");
    const std::string name = names_.of(joint.get("name"));
    const Origin origin = origin_of(joint);
    text_ += fmt::format("\n[joints.{}]\nkind = \"{}\"\nparent = \"{}\"\nchild = \"{}\"\n", name,
                         kind->second, names_.of(joint.find("parent")->get("link")),
                         names_.of(joint.find("child")->get("link")));
    if (!is_zero_triple(origin.xyz)) text_ += fmt::format("at = \"{}\"\n", vector_text(origin.xyz));
    if (const std::string turned = rotation_text(origin.rpy); !turned.empty())
      text_ += fmt::format("rotation = \"{}\"\n", turned);
    const bool has_axis =
        kind->second == "revolute" || kind->second == "prismatic" || kind->second == "planar";
    if (has_axis) text_ += fmt::format("axis = \"{}\"\n", axis_text(joint));
    if (const Xml* dynamics = joint.find("dynamics")) {
      const std::string damping = number(*dynamics, dynamics->get("damping", "0")),
                        friction = number(*dynamics, dynamics->get("friction", "0"));
      if (!is_zero_text(damping)) text_ += fmt::format("damping = {}\n", damping);
      if (!is_zero_text(friction)) friction_ += fmt::format("{0} = \"-{1}*sign({0}')\"\n", name, friction);
    }
    if (joint.find("limit") != nullptr && joint.get("type") != "continuous")
      ignore(fmt::format("limits of joint {}", name));
    for (const Xml& part : joint.children) {
      static const std::set<std::string> known{"origin", "parent",   "child", "axis",
                                               "limit",  "dynamics", "mimic"};
      if (!known.contains(part.name)) ignore(fmt::format("<{}> of joints", part.name));
    }
  }

  std::string axis_text(const Xml& joint) const {
    const Xml* axis = joint.find("axis");
    const Triple t = axis == nullptr ? Triple{"1", "0", "0"} : triple(*axis, "xyz", {"1", "0", "0"});
    const double length = std::hypot(std::stod(t[0]), std::stod(t[1]), std::stod(t[2]));
    if (!(length > 0)) fail(*axis, "an axis without direction", "give a unit vector");
    const Expr squared =
        pow(parse(t[0], Scope()), 2) + pow(parse(t[1], Scope()), 2) + pow(parse(t[2], Scope()), 2);
    if (squared.is_one()) return vector_text(t);
    return fmt::format("{0}/sqrt(norm2({0}))", vector_text(t));
  }

  void write_friction() {
    if (!friction_.empty()) text_ += "\n[forces]\n" + friction_;
  }

  void write_mimics() {
    std::string lines;
    for (const Xml* joint : joints_) {
      const Xml* mimic = joint->find("mimic");
      if (mimic == nullptr) continue;
      const Xml& other = joint_named(mimic->get("joint"));
      lines += fmt::format("mimic_{0} = \"{0} = {1}*{2} + {3}\"\n", names_.of(joint->get("name")),
                           number(*mimic, mimic->get("multiplier", "1")), names_.of(other.get("name")),
                           number(*mimic, mimic->get("offset", "0")));
    }
    if (!lines.empty()) text_ += "\n[constraints]\n" + lines;
  }

  void write_wheel(const Xml& joint) {
    const WheelShape wheel = wheel_of(joint);
    text_ += fmt::format(
        "\n[contacts.{}]\nbody = \"{}\"\nsurface = {{ disk = {}, axis = \"{}\"{} }}\non = \"plane\"\nrolls = "
        "true\n",
        names_.of(joint.get("name") + "_contact"), names_.of(joint.find("child")->get("link")), wheel.radius,
        axis_text(joint),
        is_zero_triple(wheel.centre) ? "" : fmt::format(", center = \"{}\"", vector_text(wheel.centre)));
  }

  const Source& source_;
  const UrdfOptions& options_;
  Xml robot_;
  Names names_;
  std::vector<const Xml*> links_, joints_;
  const Xml* root_ = nullptr;
  std::string text_, scene_, friction_;
  std::vector<std::string> ignored_;
  int scenes_ = 1;
};

}  // namespace

ImportedModel model_from_urdf(const Source& source, const UrdfOptions& options) {
  return UrdfImport(source, options).model();
}

}  // namespace rattleback
