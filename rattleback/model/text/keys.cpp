#include <rattleback/model/text/keys.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rattleback {
namespace {

constexpr std::array keys{
    KeyInfo{"", "title", "\"Chaplygin sleigh\"", "one line for people"},
    KeyInfo{"", "description", "\"\"\"A blade on ice.\"\"\"",
            "a paragraph or more for reports, LaTeX and notebooks; Markdown in notebooks"},
    KeyInfo{"", "theme", "\"Skates and sleighs\"", "under which heading `rattleback models` lists it"},
    KeyInfo{"", "references", "[\"Chaplygin 1911\"]", "where the system comes from"},
    KeyInfo{"", "lagrangian", "\"m/2*(x'^2 + y'^2) - m*g*y\"", "the Lagrangian of the free system"},
    KeyInfo{"", "kinetic", "\"m/2*x'^2\"", "kinetic energy, instead of a Lagrangian"},
    KeyInfo{"", "potential", "\"m*g*y\"", "potential energy; subtracted from the kinetic energy"},
    KeyInfo{"", "rayleigh", "\"c/2*x'^2\"", "dissipation function R; the force is -dR/dv"},
    KeyInfo{"", "gravity", "\"g\"",
            "acceleration of gravity, acting on [bodies]; or a vector, \"[0, g*sin(a), -g*cos(a)]\""},
    KeyInfo{"", "down", "[0, 0, -1]", "unit vector of the weight; -e3 by default"},
    KeyInfo{"", "space", "[space]", "coordinates and groups, in order"},
    KeyInfo{"", "algebra", "[algebra]", "a Lie algebra by its brackets"},
    KeyInfo{"", "parameters", "[parameters]", "constants, with exact values"},
    KeyInfo{"", "functions", "[functions]", "functions of which only the name is known to proofs"},
    KeyInfo{"", "define", "[define]", "names for expressions, in order"},
    KeyInfo{"", "constraints", "[constraints]", "equations in positions and velocities"},
    KeyInfo{"", "velocities", "[velocities]", "quasi-velocities"},
    KeyInfo{"", "parametrization", "[parametrization]", "the admissible velocities, solved for"},
    KeyInfo{"", "symmetry", "[symmetry]", "groups acting on the configuration space"},
    KeyInfo{"", "forces", "[forces]", "generalised forces without potential"},
    KeyInfo{"", "inputs", "[inputs]", "control inputs, free in derivations and proofs"},
    KeyInfo{"", "bodies", "[bodies.wheel]", "rigid bodies"},
    KeyInfo{"", "joints", "[joints.knee]", "joints between bodies, and between bodies and the ground"},
    KeyInfo{"", "wheels", "[wheels.front]", "wheels: body, joint and contact in one"},
    KeyInfo{"", "springs", "[springs.cord]", "springs and dampers between points of bodies"},
    KeyInfo{"", "contacts", "[contacts.front]", "rolling contacts of bodies"},
    KeyInfo{"", "simulation", "[simulation]", "an initial state and a duration"},
    KeyInfo{"", "known", "[known]", "published answers, for tests"},
    KeyInfo{"", "scene", "[scene]", "how to draw the system"},
    KeyInfo{"parameters.*", "value", "\"2/5\"", "exact; absent: symbolic only"},
    KeyInfo{"parameters.*", "positive", "true", "proofs may use the sign"},
    KeyInfo{"parameters.*", "unit", "\"kg\"", "of the value; \"2.5 kg\" as a value says the same"},
    KeyInfo{"parameters.*", "about", "\"mass\"", "one line for people"},
    KeyInfo{"functions.*", "of", "[\"x\", \"y\"]", "names of the arguments"},
    KeyInfo{"functions.*", "value", "\"x^2 + y^2\"", "a formula for runs; proofs do not use it"},
    KeyInfo{"functions.*", "about", "\"potential\"", "one line for people"},
    KeyInfo{"inputs.*", "about", "\"steering torque\"", "one line for people"},
    KeyInfo{"inputs.*", "range", "[-1, 1]", "least and largest value; runs keep the law within it"},
    KeyInfo{"inputs.*", "unit", "\"N*m\"", "of its values, where the model gives units"},
    KeyInfo{"inputs.*", "law", "\"-k*theta - c*theta'\"",
            "what runs take for it: an expression of t and the state"},
    KeyInfo{"inputs.*", "csv", "\"steer.csv\"", "a table of time and value that runs take for it"},
    KeyInfo{"inputs.*", "column", "\"tau\"", "of the table; otherwise its second"},
    KeyInfo{"inputs.*", "interpolation", "\"cubic\"", "of the table: \"linear\" (default) or \"cubic\""},
    KeyInfo{"space.R", "group", "\"R\"", "a coordinate on a line, \"R\", or a circle, \"S1\""},
    KeyInfo{"space.R", "unit", "\"m\"", "of the coordinate; x = \"R\" has none"},
    KeyInfo{"space.SO(3)", "group", "\"SO(3)\"", "rotations, space = B body"},
    KeyInfo{"space.SO(3)", "body", "\"Omega\"", "angular velocity in body axes"},
    KeyInfo{"space.SO(3)", "space", "\"omega\"", "angular velocity in space axes"},
    KeyInfo{"space.SE(3)", "group", "\"SE(3)\"", "rotations and translations"},
    KeyInfo{"space.SE(3)", "body", "\"Omega\"", "angular velocity in body axes"},
    KeyInfo{"space.SE(3)", "space", "\"omega\"", "angular velocity in space axes"},
    KeyInfo{"space.SE(3)", "position", "\"r\"", "position in space axes"},
    KeyInfo{"space.SE(3)", "velocity", "\"V\"", "velocity in body axes, r' = B*V"},
    KeyInfo{"space.SE(2)", "group", "\"SE(2)\"", "motions of the plane"},
    KeyInfo{"space.SE(2)", "coordinates", "[\"x\", \"y\", \"theta\"]", "position and heading"},
    KeyInfo{"space.SE(2)", "velocities", "[\"v1\", \"v2\", \"w\"]", "along, across, rate of turn"},
    KeyInfo{"space.H3", "group", "\"H3\"", "the Heisenberg group"},
    KeyInfo{"space.H3", "coordinates", "[\"x\", \"y\", \"z\"]", "symmetric coordinates"},
    KeyInfo{"space.H3", "velocities", "[\"v1\", \"v2\", \"v3\"]", "along X1, X2, X3"},
    KeyInfo{"algebra", "basis", "[\"e1\", \"e2\", \"e3\"]", "names of the basis"},
    KeyInfo{"algebra", "brackets", "{ \"e1,e2\" = \"e3\" }", "brackets that are not zero, each once"},
    KeyInfo{"algebra", "velocities", "[\"xi1\", \"xi2\", \"xi3\"]", "velocities along the basis"},
    KeyInfo{"bodies.*", "mass", "\"m\"", "mass"},
    KeyInfo{"bodies.*", "inertia", "\"diag(I1, I2, I3)\"", "about the mass centre, in body axes"},
    KeyInfo{"bodies.*", "shape", "{ cylinder = [\"R\", \"h\"], axis = \"e2\" }",
            "instead of inertia: a shape, or an array of shapes"},
    KeyInfo{"bodies.*", "density", "\"rho\"", "instead of the mass of a shape"},
    KeyInfo{"bodies.*", "position", "\"[x, y, z]\"",
            "of the origin, in space; not for bodies placed by joints"},
    KeyInfo{"bodies.*", "rotation", "\"Rz(phi)*Rx(theta)\"", "from body axes to space axes"},
    KeyInfo{"bodies.*", "center", "\"[l/2, 0, 0]\"",
            "the mass centre, from the body's origin, in body axes; 0 by default"},
    KeyInfo{"bodies.*.shape", "ball", "\"R\"", "radius"},
    KeyInfo{"bodies.*.shape", "shell", "\"R\"", "radius of a thin sphere; density per area"},
    KeyInfo{"bodies.*.shape", "ellipsoid", "[\"a\", \"b\", \"c\"]", "semi-axes"},
    KeyInfo{"bodies.*.shape", "box", "[\"a\", \"b\", \"c\"]", "lengths along the axes"},
    KeyInfo{"bodies.*.shape", "cylinder", "[\"R\", \"h\"]", "radius and length"},
    KeyInfo{"bodies.*.shape", "tube", "[\"r\", \"R\", \"h\"]", "inner and outer radius, length"},
    KeyInfo{"bodies.*.shape", "cone", "[\"R\", \"h\"]",
            "radius of the base and height; `at` is its mass centre"},
    KeyInfo{"bodies.*.shape", "disk", "\"R\"", "radius of a thin disk; density per area"},
    KeyInfo{"bodies.*.shape", "ring", "\"R\"", "radius of a thin ring; density per length"},
    KeyInfo{"bodies.*.shape", "rod", "\"l\"", "length of a thin rod; density per length"},
    KeyInfo{"bodies.*.shape", "point", "true", "a point mass"},
    KeyInfo{"bodies.*.shape", "axis", "\"e2\"",
            "of cylinder, tube, cone, disk, ring (e3 by default) and rod (e1)"},
    KeyInfo{"bodies.*.shape", "at", "\"[0, 0, h]\"", "its mass centre, from the body's origin; 0 by default"},
    KeyInfo{"bodies.*.shape", "rotation", "\"Rz(a)\"", "from the shape's axes to body axes"},
    KeyInfo{"bodies.*.shape", "mass", "\"m\"", "of a part of a composite body"},
    KeyInfo{"bodies.*.shape", "density", "\"rho\"", "of a part of a composite body"},
    KeyInfo{"joints.*", "kind", "\"revolute\"",
            "revolute, prismatic, cylindrical, universal, spherical, planar, free or weld"},
    KeyInfo{"joints.*", "parent", "\"chassis\"", "the body it starts from; \"ground\" by default"},
    KeyInfo{"joints.*", "child", "\"wheel\"", "the body it carries"},
    KeyInfo{"joints.*", "at", "\"[l, 0, 0]\"", "where it sits in the parent, from its origin, in its axes"},
    KeyInfo{"joints.*", "child_at", "\"[-l/2, 0, 0]\"", "where it sits in the child"},
    KeyInfo{"joints.*", "rotation", "\"Rx(pi/2)\"", "from the joint's axes to those of the parent"},
    KeyInfo{"joints.*", "child_rotation", "\"Rz(pi)\"", "from the joint's axes to those of the child"},
    KeyInfo{"joints.*", "axis", "\"e2\"", "unit vector in the joint's axes; e3 by default"},
    KeyInfo{"joints.*", "second_axis", "\"e1\"", "of a universal joint"},
    KeyInfo{"joints.*", "coordinates", "[\"x\", \"y\", \"theta\"]",
            "their names, instead of NAME or NAME_1, …"},
    KeyInfo{"joints.*", "body_rate", "\"Omega\"", "angular velocity of a rotation in the child's axes"},
    KeyInfo{"joints.*", "space_rate", "\"omega\"", "the same in the parent's axes"},
    KeyInfo{"joints.*", "stiffness", "\"k\"", "of a spring: potential k/2*(q - rest)^2"},
    KeyInfo{"joints.*", "rest", "\"pi/4\"", "where the spring is relaxed; 0 by default"},
    KeyInfo{"joints.*", "damping", "\"c\"", "of a damper: force -c*q'"},
    KeyInfo{"joints.*", "drive", "\"omega*t\"", "prescribed motion: the coordinate as a function of time"},
    KeyInfo{"joints.*", "limits", "[-1, 1]",
            "of its coordinate, a pair for each of several: elastic stops push it back"},
    KeyInfo{"joints.*", "stop", "\"1e4\"", "stiffness of these stops"},
    KeyInfo{"springs.*", "from", "\"arm\"", "a body"},
    KeyInfo{"springs.*", "at", "\"[l, 0, 0]\"", "where it holds there, from the body's origin; 0 by default"},
    KeyInfo{"springs.*", "to", "\"wheel\"", "the other body; \"ground\" by default"},
    KeyInfo{"springs.*", "to_at", "\"[0, 0, h]\"", "where it holds there"},
    KeyInfo{"springs.*", "stiffness", "\"k\"", "potential k/2*(length - rest)^2"},
    KeyInfo{"springs.*", "rest", "\"1\"", "length at which it is relaxed; 0 by default"},
    KeyInfo{"springs.*", "damping", "\"c\"", "force -c*length' along the spring"},
    KeyInfo{"wheels.*", "kind", "\"rolling\"", "rolling, knife-edge, caster, mecanum or omni"},
    KeyInfo{"wheels.*", "body", "\"chassis\"", "the body that carries it"},
    KeyInfo{"wheels.*", "radius", "\"R\"", "radius; of a knife edge 0 by default"},
    KeyInfo{"wheels.*", "axle", "\"e2\"", "unit vector along the axle, in body axes; e2 by default"},
    KeyInfo{"wheels.*", "at", "\"[l, 0, R]\"",
            "its centre (the pivot of a caster), from the body's origin, in body axes"},
    KeyInfo{"wheels.*", "trail", "\"c\"",
            "of a caster: how far the wheel follows behind its pivot, along -e1"},
    KeyInfo{"wheels.*", "roller", "\"pi/4\"",
            "of a mecanum wheel: angle from the axle to the rollers' axes at the ground"},
    KeyInfo{"wheels.*", "mass", "\"m\"", "of a uniform disk; none by default"},
    KeyInfo{"wheels.*", "inertia", "\"diag(J, I, J)\"", "about its centre, instead of that of a disk"},
    KeyInfo{"wheels.*", "on", "\"plane\"", "what it touches, as of contacts"},
    KeyInfo{"wheels.*", "coordinates", "\"psi\"", "the name of its angle, instead of NAME"},
    KeyInfo{"wheels.*", "stiffness", "\"k\"", "of a spring on the axle"},
    KeyInfo{"wheels.*", "rest", "\"0\"", "where that spring is relaxed"},
    KeyInfo{"wheels.*", "damping", "\"c\"", "of a damper on the axle"},
    KeyInfo{"wheels.*", "drive", "\"omega*t\"", "prescribed turning"},
    KeyInfo{"wheels.*", "friction", "\"0.4\"", "coefficient mu of its contact, as of contacts"},
    KeyInfo{"wheels.*", "restitution", "\"1/2\"", "of its contact, as of contacts"},
    KeyInfo{"wheels.*", "spinning", "\"c\"", "of its contact, as of contacts"},
    KeyInfo{"contacts.*", "body", "\"wheel\"", "the body that touches"},
    KeyInfo{"contacts.*", "surface", "{ disk = \"R\", axis = \"e2\" }", "its surface"},
    KeyInfo{"contacts.*", "on", "\"plane\"", "what it touches"},
    KeyInfo{"contacts.*", "rolls", "true", "no slipping"},
    KeyInfo{"contacts.*", "roller", "\"pi/4\"",
            "rollers on a rim: no slipping only along their axes, at this angle from the axle"},
    KeyInfo{"contacts.*", "twist", "false", "false: no spinning about the normal"},
    KeyInfo{"contacts.*", "friction", "\"0.4\"",
            "coefficient mu of a rolling contact, for `simulate --stop slip` and `--after lift-off=fly`"},
    KeyInfo{
        "contacts.*", "restitution", "\"1/2\"",
        "from 0 to 1: how much of the impulse of an impact comes back, for `simulate --after lift-off=fly`"},
    KeyInfo{"contacts.*", "viscous", "\"c\"",
            "force -c times the velocity of slipping, of a contact with rolls = false"},
    KeyInfo{"contacts.*", "coulomb", "\"mu\"",
            "coefficient of dry friction, of a contact with rolls = false"},
    KeyInfo{"contacts.*", "load", "\"m*g\"", "the normal force that dry friction takes"},
    KeyInfo{"contacts.*", "patch", "\"R/50\"",
            "radius of the patch of contact: slipping and spinning share dry friction"},
    KeyInfo{"contacts.*", "pressure", "\"hertz\"", "how the load is spread over the patch: hertz or uniform"},
    KeyInfo{"contacts.*", "spinning", "\"c\"", "torque -c times the angular velocity about the normal"},
    KeyInfo{"contacts.*", "coordinates", "[\"x\", \"y\", \"B\"]",
            "names: point of contact on the support, and, of a body that the contact places, its rotation"},
    KeyInfo{"contacts.*", "body_rate", "\"Omega\"",
            "angular velocity in body axes, of a body that the contact places"},
    KeyInfo{"contacts.*", "space_rate", "\"omega\"", "the same in space axes"},
    KeyInfo{"contacts.*.surface", "disk", "\"R\"", "radius of a circular edge"},
    KeyInfo{"contacts.*.surface", "axis", "\"e2\"", "unit vector along the disk's axle, in body axes"},
    KeyInfo{"contacts.*.surface", "sphere", "\"R\"", "radius of a sphere"},
    KeyInfo{"contacts.*.surface", "ellipsoid", "[\"a\", \"b\", \"c\"]", "semi-axes"},
    KeyInfo{"contacts.*.surface", "axes", "\"Rz(delta)\"", "rotation of the ellipsoid's axes in the body"},
    KeyInfo{"contacts.*.surface", "implicit", "\"X^4 + Y^4 + Z^4 - 1\"",
            "f(X, Y, Z) = 0 in body axes, negative inside, strictly convex"},
    KeyInfo{"contacts.*.surface", "center", "\"[0, 0, -l]\"",
            "centre of the surface, from the body's origin, in body axes"},
    KeyInfo{"contacts.*.surface", "crown", "\"R/4\"", "radius of the disk's rim across: a tyre"},
    KeyInfo{"contacts.*.surface", "cylinder", "\"R\"",
            "radius of a cylinder, whose axis is parallel to its support"},
    KeyInfo{"contacts.*.surface", "cone", "[\"pi/4\", \"l\"]",
            "angle between the axis of a cone and its generators, and how far from its apex the force acts"},
    KeyInfo{"contacts.*.surface", "parametric", "[\"a*cos(p)*cos(q)\", \"a*cos(p)*sin(q)\", \"c*sin(p)\"]",
            "X, Y, Z over p and q"},
    KeyInfo{"contacts.*.on", "body", "\"cart\"", "the body that carries the surface; the ground by default"},
    KeyInfo{"contacts.*.on", "normal", "\"[0, 0, 1]\"", "its unit normal"},
    KeyInfo{"contacts.*.on", "height", "\"0\"", "its distance from the origin along the normal"},
    KeyInfo{"contacts.*.on", "cylinder", "\"Rc\"", "radius of a cylinder"},
    KeyInfo{"contacts.*.on", "sphere", "\"Rs\"", "radius of a sphere"},
    KeyInfo{"contacts.*.on", "cone", "\"pi/6\"", "angle between the axis of a cone and its generators"},
    KeyInfo{"contacts.*.on", "torus", "[\"R\", \"r\"]", "radius of its circle and of its tube"},
    KeyInfo{"contacts.*.on", "revolution", "[\"u\", \"u^2/2\"]",
            "profile of a surface of revolution: distance from the axis and height, over u"},
    KeyInfo{"contacts.*.on", "graph", "\"x^2/2 + y^2\"", "height z over x and y"},
    KeyInfo{"contacts.*.on", "implicit", "\"x^2 + y^2 - z^2 - 1\"", "f(x, y, z) = 0, the body where f > 0"},
    KeyInfo{"contacts.*.on", "parametric", "[\"u\", \"v\", \"u*v\"]", "x, y, z over u and v"},
    KeyInfo{"contacts.*.on", "curve", "[\"cos(u)\", \"sin(u)\", 0]", "a rail or wire: x, y, z over u"},
    KeyInfo{"contacts.*.on", "radius", "\"1/20\"", "of the rail; 0 by default"},
    KeyInfo{"contacts.*.on", "center", "[0, 0, 1]", "a point of the axis, the apex of a cone; 0 by default"},
    KeyInfo{"contacts.*.on", "axis", "\"e3\"", "unit vector along its axis"},
    KeyInfo{"contacts.*.on", "side", "\"inside\"", "inside or outside, of an open surface above or below"},
    KeyInfo{"contacts.*.on", "u", "[0, 1]", "over which values of its first coordinate it is drawn"},
    KeyInfo{"contacts.*.on", "v", "[0, \"2*pi\"]", "the same for the second coordinate"},
    KeyInfo{"simulation", "initial", "{ x = 0, u = 1 }", "configuration and velocities"},
    KeyInfo{"simulation", "guess", "{ q2 = 0.5 }",
            "where the search for coordinates starts that constraints determine"},
    KeyInfo{"simulation", "until", "20", "final time; negative: backwards"},
    KeyInfo{"scene", "view", "\"above\"", "\"above\": from above, in the plane; \"space\": in space"},
    KeyInfo{"scene", "ground", "\"plane\"", "\"plane\" draws z = 0, \"none\" nothing"},
    KeyInfo{"scene.*", "sphere", "\"r\"", "radius of a ball with marked axes"},
    KeyInfo{"scene.*", "ellipsoid", "[\"a\", \"b\", \"c\"]", "semi-axes"},
    KeyInfo{"scene.*", "disk", "\"R\"", "radius of a wheel or coin"},
    KeyInfo{"scene.*", "axis", "\"e2\"",
            "unit vector along the disk's axle, in the shape's axes; e2 by default"},
    KeyInfo{"scene.*", "box", "[1, 0.4, 0.2]", "lengths along the shape's axes"},
    KeyInfo{"scene.*", "blade", "0.5", "length of a blade along the shape's first axis"},
    KeyInfo{"scene.*", "axes", "1", "length of three arrows along the shape's axes"},
    KeyInfo{"scene.*", "line", "[\"[x, y, 0]\", \"[0, 0, 0]\"]", "points of space, joined by straight lines"},
    KeyInfo{"scene.*", "trace", "\"[x, y, 0]\"", "a point of space whose path is drawn"},
    KeyInfo{"scene.*", "net", "\"[u*cos(v), u*sin(v), u^2]\"",
            "a surface over u and v, or a curve over one of them, drawn thinly"},
    KeyInfo{"scene.*", "u", "[0, 1]", "the values of u in `net`"},
    KeyInfo{"scene.*", "v", "[0, \"2*pi\"]", "the values of v in `net`"},
    KeyInfo{"scene.*", "at", "\"[x, y, r]\"", "centre of the shape; two components lie in the plane z = 0"},
    KeyInfo{"scene.*", "rotation", "\"Rz(theta)\"", "from the shape's axes to space axes"},
    KeyInfo{"scene.*", "body", "\"wheel\"", "`at` and `rotation` are then in the axes of this body"},
    KeyInfo{"scene.*", "color", "\"blue\"", "blue, orange, green, red, violet, gold or grey"},
};

}  // namespace

std::span<const KeyInfo> known_keys() { return keys; }

namespace {

/// Keys that other programs have, and how the same is said here.
struct ForeignKey {
  std::string_view table, key, advice;
};
constexpr std::array foreign_keys{
    ForeignKey{"contacts.*", "kind",
               "a contact rolls by default; rolls = false lets it slide, twist = false is rubber rolling"},
    ForeignKey{"contacts.*", "shape",
               "the shape that touches is `surface`, as in surface = { sphere = \"R\" }"},
    ForeignKey{"contacts.*", "radius",
               "write surface = { sphere = \"R\" } or { disk = \"R\", axis = \"e2\" }"},
    ForeignKey{"contacts.*.on", "ellipsoid", "write implicit = \"x^2/a^2 + y^2/b^2 + z^2/c^2 - 1\""},
    ForeignKey{"contacts.*.on", "plane", "write on = \"plane\", or normal = \"e3\" and height = 0"},
    ForeignKey{"wheels.*", "parent", "the body that carries the wheel is `body`"},
    ForeignKey{"wheels.*", "position", "the centre of the wheel is `at`"},
    ForeignKey{"bodies.*", "density",
               "write the density into the shape, as in shape = { ball = \"r\", density = 2700 }"},
    ForeignKey{"joints.*", "torque",
               "forces stand in [forces] under the coordinate's name; inputs in [inputs]"},
};

std::string advice_for(std::string_view table, const std::string& key,
                       const std::vector<std::string>& known) {
  for (const ForeignKey& foreign : foreign_keys)
    if (foreign.table == table && foreign.key == key) return std::string(foreign.advice);
  const auto elsewhere = std::ranges::find_if(keys, [&](const KeyInfo& info) {
    return info.key == key && !info.table.empty() && info.table.find('.') == std::string_view::npos;
  });
  if (elsewhere != keys.end())
    return fmt::format("it stands in another section: [{}] {} = {}", elsewhere->table, key,
                       elsewhere->example);
  const auto close = nearest(key, known);
  return close.empty() ? fmt::format("known here: {}", fmt::join(known, ", "))
                       : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"));
}

}  // namespace

void require_known_keys(const Source& source, const Toml& table, std::string_view name) {
  std::vector<std::string> known;
  for (const KeyInfo& info : keys) {
    if (info.table == name) known.emplace_back(info.key);
  }
  for (const Toml& item : table.items) {
    if (std::find(known.begin(), known.end(), item.key) != known.end()) continue;
    const bool section = name.empty() && (item.is(Toml::Kind::table) || item.is(Toml::Kind::array));
    std::string fix = advice_for(name, item.key, known);
    const std::string summary =
        section ? fmt::format("a model has no section [{}]", item.key)
                : fmt::format("`{}` is not a key {}", item.key,
                              name.empty() ? "of a model" : fmt::format("of `{}`", table.key));
    throw Error(section ? "unknown-section" : "unknown-key", summary, "", std::move(fix))
        .at(source.place(item.key_span));
  }
}

}  // namespace rattleback
