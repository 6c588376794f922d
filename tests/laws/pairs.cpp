// One system described twice: minimal coordinates and position constraints, angles and unit vectors, SO(3), Euler angles and quaternions,
// free heights and fixed ones, constraints multiplied and repeated. Verdicts, loci and domains are the system's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/random_states.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) {
    part.erase(0, part.find_first_not_of(' '));
    found.push_back(part);
  }
  return found;
}

/// "x = y" without its sign: {"x", "y"}.
std::pair<std::string, std::string> sides(const std::string& text, const std::string& sign) {
  const std::size_t at = text.find(sign);
  return {text.substr(0, at), text.substr(at + sign.size())};
}

/// A cell of the table, or the name of a model of the zoo in place of the Lagrangian.
struct Description {
  std::string lagrangian, space = {};  ///< "x, th: S1, B: SO3"
  std::vector<std::string> constraints = {};
  std::string parameters = {}, velocities = {};  ///< "m > 1, a = 2": positive ones, and others

  bool of_zoo() const { return space.empty(); }

  System system() const {
    if (of_zoo()) return load_model(lagrangian);
    std::string text = "lagrangian = \"" + lagrangian + "\"\n[space]\n";
    for (const std::string& q : parts(space)) {
      const auto [name, kind] = sides(q + (q.find(':') == std::string::npos ? ": R" : ""), ": ");
      text += kind == "SO3" ? name + " = { group = \"SO(3)\", body = \"Omega\", space = \"omega\" }\n"
                            : fmt::format("{} = \"{}\"\n", name, kind);
    }
    text += "[constraints]\n";
    for (std::size_t k = 0; k < constraints.size(); ++k)
      text += fmt::format("c{} = \"{}\"\n", k, constraints[k]);
    text += "[parameters]\n";
    for (const std::string& p : parts(parameters)) {
      const bool positive = p.find('>') != std::string::npos;
      const auto [name, value] = sides(p, positive ? " > " : " = ");
      text += fmt::format("{} = {{ value = \"{}\"{} }}\n", name, value, positive ? ", positive = true" : "");
    }
    if (!velocities.empty()) text += "[velocities]\n";
    for (const std::string& z : parts(velocities)) {
      const auto [name, value] = sides(z, " = ");
      text += fmt::format("{} = \"{}\"\n", name, value);
    }
    return read_model(text, "pair");
  }
};

/// The coordinates of the second description as functions of those of the first, and where these functions are no chart. Without a map
/// domains are not compared.
struct Pair {
  const char* name;
  Description first, second;
  std::string map, fold = {};
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all{
      {"pendulum: angle, Cartesian",
       {"m/2*l^2*th'^2 + m*g*l*cos(th)", "th: S1", {}, "m > 1, g > 10, l > 1"},
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"x^2 + y^2 = l^2"}, "m > 1, g > 10, l > 1"},
       "x = l*sin(th), y = -l*cos(th)"},
      {"pendulum: circle, line",
       {"m/2*l^2*th'^2 + m*g*l*cos(th)", "th: S1", {}, "m > 1, g > 10, l > 1"},
       {"m/2*l^2*th'^2 + m*g*l*cos(th)", "th", {}, "m > 1, g > 10, l > 1"},
       "th = th"},
      {"pendulum: squared distance, distance",
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"x^2 + y^2 = l^2"}, "m > 1, g > 10, l > 1"},
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"sqrt(x^2 + y^2) = l"}, "m > 1, g > 10, l > 1"},
       "x = x, y = y"},
      {"pendulum: multiplied",
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"x^2 + y^2 = l^2"}, "m > 1, g > 10, l > 1"},
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"(x^2 + y^2 - l^2)*(1 + x^2) = 0"}, "m > 1, g > 10, l > 1"},
       "x = x, y = y"},
      {"pendulum: redundant",
       {"m/2*(x'^2+y'^2) - m*g*y", "x, y", {"x^2 + y^2 = l^2"}, "m > 1, g > 10, l > 1"},
       {"m/2*(x'^2+y'^2) - m*g*y",
        "x, y",
        {"x^2 + y^2 = l^2", "(x^2 + y^2)^2 = l^4"},
        "m > 1, g > 10, l > 1"},
       "x = x, y = y"},
      {"spherical pendulum",
       {"1/2*(th'^2+sin(th)^2*ph'^2) - k*cos(th)", "th: S1, ph: S1", {}, "k > 1"},
       {"1/2*(x'^2+y'^2+z'^2) - k*z", "x, y, z", {"x^2 + y^2 + z^2 = 1"}, "k > 1"},
       "x = sin(th)*cos(ph), y = sin(th)*sin(ph), z = cos(th)",
       "sin(th)"},
      {"sphere: multiplied",
       {"1/2*(x'^2+y'^2+z'^2) - k*z", "x, y, z", {"x^2 + y^2 + z^2 = 1"}, "k > 1"},
       {"1/2*(x'^2+y'^2+z'^2) - k*z", "x, y, z", {"(x^2 + y^2 + z^2 - 1)*(2 + z^2) = 0"}, "k > 1"},
       "x = x, y = y, z = z"},
      {"free on a cylinder",
       {"1/2*(r^2*th'^2 + z'^2)", "th: S1, z", {}, "r > 2"},
       {"1/2*(x'^2+y'^2+z'^2)", "x, y, z", {"x^2+y^2 = r^2"}, "r > 2"},
       "x = r*cos(th), y = r*sin(th), z = z"},
      {"cylinder with a well",
       {"1/2*(r^2*th'^2 + z'^2) - z^2", "th: S1, z", {}, "r > 2"},
       {"1/2*(x'^2+y'^2+z'^2) - z^2", "x, y, z", {"x^2+y^2 = r^2"}, "r > 2"},
       "x = r*cos(th), y = r*sin(th), z = z"},
      {"paraboloid",
       {"1/2*(x'^2+y'^2+(2*x*x'+2*y*y')^2) - g*(x^2+y^2)", "x, y", {}, "g > 1"},
       {"1/2*(x'^2+y'^2+z'^2) - g*z", "x, y, z", {"z = x^2 + y^2"}, "g > 1"},
       "x = x, y = y, z = x^2 + y^2"},
      {"rod",
       {"m*(x'^2+y'^2) + m*l^2*th'^2", "x, y, th: S1", {}, "m > 1, l > 1"},
       {"m/2*(x1'^2+y1'^2+x2'^2+y2'^2)", "x1, y1, x2, y2", {"(x1-x2)^2 + (y1-y2)^2 = 4*l^2"}, "m > 1, l > 1"},
       "x1 = x - l*cos(th), y1 = y - l*sin(th), x2 = x + l*cos(th), y2 = y + l*sin(th)"},
      {"wheel with free height",
       {"1/2*(m*x'^2 + J*ph'^2) - m*g*x*s",
        "x, ph: S1",
        {"x' = r*ph'"},
        "m > 1, J > 1, g > 1, r > 1, s = 1/2"},
       {"1/2*(m*(x'^2+z'^2) + J*ph'^2) - m*g*x*s - m*g*z",
        "x, z, ph: S1",
        {"x' = r*ph'", "z = r"},
        "m > 1, J > 1, g > 1, r > 1, s = 1/2"},
       "x = x, z = r, ph = ph"},
      {"disk with free height",
       {"1/2*(m*(x'^2+y'^2) + I*th'^2 + J*ph'^2)",
        "x, y, th: S1, ph: S1",
        {"x' = r*cos(th)*ph'", "y' = r*sin(th)*ph'"},
        "m > 1, I > 1, J > 1, r > 1"},
       {"1/2*(m*(x'^2+y'^2+z'^2) + I*th'^2 + J*ph'^2) - m*z",
        "x, y, z, th: S1, ph: S1",
        {"x' = r*cos(th)*ph'", "y' = r*sin(th)*ph'", "z = r"},
        "m > 1, I > 1, J > 1, r > 1"},
       "x = x, y = y, z = r, th = th, ph = ph"},
      {"sleigh: circle as unit vector",
       {"1/2*(x'^2+y'^2 + J*th'^2)", "x, y, th: S1", {"y'*cos(th) = x'*sin(th)"}, "J > 1"},
       {"1/2*(x'^2+y'^2 + J*(c'^2+s'^2))", "x, y, c, s", {"y'*c = x'*s", "c^2+s^2 = 1"}, "J > 1"},
       "x = x, y = y, c = cos(th), s = sin(th)"},
      {"Euler top: SO(3), quaternion",
       {"1/2*(I1*Omega1^2 + I2*Omega2^2 + I3*Omega3^2)", "B: SO3", {}, "I1 > 1, I2 > 2, I3 > 3"},
       {"1/2*(I1*(2*(q0*q1' - q1*q0' - q2*q3' + q3*q2'))^2 + I2*(2*(q0*q2' - q2*q0' - q3*q1' + q1*q3'))^2 + "
        "I3*(2*(q0*q3' - q3*q0' - q1*q2' + q2*q1'))^2) + 2*(q0*q0'+q1*q1'+q2*q2'+q3*q3')^2",
        "q0, q1, q2, q3",
        {"q0^2+q1^2+q2^2+q3^2 = 1"},
        "I1 > 1, I2 > 2, I3 > 3"},
       ""},
      {"Suslov: SO(3), quaternion",
       {"1/2*(I1*Omega1^2 + I2*Omega2^2 + I3*Omega3^2)", "B: SO3", {"Omega3 = 0"}, "I1 > 1, I2 > 2, I3 > 3"},
       {"1/2*(I1*(2*(q0*q1' - q1*q0' - q2*q3' + q3*q2'))^2 + I2*(2*(q0*q2' - q2*q0' - q3*q1' + q1*q3'))^2 + "
        "I3*(2*(q0*q3' - q3*q0' - q1*q2' + q2*q1'))^2) + 2*(q0*q0'+q1*q1'+q2*q2'+q3*q3')^2",
        "q0, q1, q2, q3",
        {"q0^2+q1^2+q2^2+q3^2 = 1", "2*(q0*q3' - q3*q0' - q1*q2' + q2*q1') = 0"},
        "I1 > 1, I2 > 2, I3 > 3"},
       ""},
      {"double pendulum",
       {"1/2*(a'^2 + (a'*cos(a)+b'*cos(b))^2 + (a'*sin(a)+b'*sin(b))^2) + g*(2*cos(a)+cos(b))",
        "a: S1, b: S1",
        {},
        "g > 1"},
       {"1/2*(x1'^2+y1'^2+x2'^2+y2'^2) - g*(y1+y2)",
        "x1, y1, x2, y2",
        {"x1^2+y1^2 = 1", "(x2-x1)^2+(y2-y1)^2 = 1"},
        "g > 1"},
       "x1 = sin(a), y1 = -cos(a), x2 = sin(a) + sin(b), y2 = -cos(a) - cos(b)"},
      {"particle: affine frame",
       {"1/2*(x'^2+y'^2+z'^2)", "x, y, z", {"z' = a*y*x'"}, "a = 1"},
       {"1/2*(x'^2+y'^2+z'^2)", "z, y, x", {"(z' - a*y*x')*exp(x) = 0"}, "a = 1", "u = x' + y', w = y'"},
       "x = x, y = y, z = z"},
      {"planet: polar, Cartesian",
       {"1/2*(r'^2 + r^2*ph'^2) + k/abs(r)", "r, ph: S1", {}, "k > 1"},
       {"1/2*(x'^2 + y'^2) + k/sqrt(x^2 + y^2)", "x, y", {}, "k > 1"},
       "x = r*cos(ph), y = r*sin(ph)",
       "r"},
      {"spring with a length",
       {"1/2*(r'^2 + r^2*ph'^2) - k*(abs(r) - l)^2/2", "r, ph: S1", {}, "k > 1, l > 1"},
       {"1/2*(x'^2 + y'^2) - k*(sqrt(x^2 + y^2) - l)^2/2", "x, y", {}, "k > 1, l > 1"},
       "x = r*cos(ph), y = r*sin(ph)",
       "r"},
      {"wedge: logarithm, rotated by 3-4-5",
       {"1/2*(x'^2 + y'^2) + log(x)", "x, y", {}, ""},
       {"1/2*(u'^2 + v'^2) + log((3*u - 4*v)/5)", "u, v", {}, ""},
       "u = (3*x + 4*y)/5, v = (3*y - 4*x)/5"},
      {"half-plane: sheared",
       {"1/2*(x'^2 + y'^2)/y^2", "x, y", {}, ""},
       {"1/2*((u' + 2*y')^2 + y'^2)/y^2", "u, y", {}, ""},
       "u = x - 2*y, y = y"},
      {"blade: slope, sine and cosine",
       {"1/2*(x'^2 + y'^2 + th'^2)", "x, y, th: S1", {"y' = tan(th)*x'"}, ""},
       {"1/2*(x'^2 + y'^2 + th'^2)", "x, y, th: S1", {"cos(th)*(y'*cos(th) - x'*sin(th)) = 0"}, ""},
       "x = x, y = y, th = th"},
      {"a factor that vanishes: lines, circles",
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"x*z' = x*y*x'"}, ""},
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"x*(1 + y^2)*z' = x*y*(1 + y^2)*x'"}, ""},
       "x = x, y = y, z = z"},
      {"cone: Cartesian, polar",
       {"1/2*(2*r'^2 + r^2*ph'^2) - g*r", "r, ph: S1", {}, "g > 1"},
       {"1/2*(x'^2 + y'^2 + z'^2) - g*z", "x, y, z", {"x^2 + y^2 = z^2"}, "g > 1"},
       "x = r*cos(ph), y = r*sin(ph), z = r",
       "r"},
      {"sleigh: polar",
       {"1/2*(r'^2 + r^2*ph'^2 + J*th'^2)",
        "r, ph: S1, th: S1",
        {"r'*sin(th - ph) = r*ph'*cos(th - ph)"},
        "J > 2"},
       {"1/2*(x'^2 + y'^2 + J*th'^2)", "x, y, th: S1", {"x'*sin(th) = y'*cos(th)"}, "J > 2"},
       "x = r*cos(ph), y = r*sin(ph), th = th",
       "r"},
      {"radial constraint: product with a line",
       {"1/2*(x'^2 + y'^2)", "x, y", {"x*y' = y*x'"}, ""},
       {"1/2*(x'^2 + y'^2 + w'^2)", "x, y, w", {"x*y' = y*x'", "w' = 0"}, ""},
       "x = x, y = y, w = 0"},
      {"square root in a constraint: sheared",
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"z' = sqrt(x)*y'"}, ""},
       {"1/2*(x'^2 + (v' - x')^2 + z'^2)", "x, v, z", {"z' = sqrt(x)*(v' - x')"}, ""},
       "x = x, v = y + x, z = z"},
      {"magnetic field: two gauges",
       {"1/2*(x'^2 + y'^2) + B*x*y'", "x, y", {}, "B > 1"},
       {"1/2*(x'^2 + y'^2) + B*(x*y' - y*x')/2", "x, y", {}, "B > 1"},
       "x = x, y = y"},
      {"magnetic field: a total derivative",
       {"1/2*(x'^2 + y'^2) + B*x*y' - k*(x^2 + y^2)", "x, y", {}, "B > 1, k > 2"},
       {"1/2*(x'^2 + y'^2) + B*x*y' + 3*x^2*y*x' + x^3*y' - k*(x^2 + y^2)", "x, y", {}, "B > 1, k > 2"},
       "x = x, y = y"},
      {"magnetic field over a constraint: a total derivative",
       {"1/2*(x'^2 + y'^2 + z'^2) + B*x*y'", "x, y, z", {"z' = y'"}, "B > 1"},
       {"1/2*(x'^2 + y'^2 + z'^2) + B*x*y' + y*z*x' + x*z*y' + x*y*z'", "x, y, z", {"z' = y'"}, "B > 1"},
       "x = x, y = y, z = z"},
      {"a factor that never vanishes, of velocities",
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"z' = a*y*x'"}, "a > 2"},
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"(2 + x'^2)*(z' - a*y*x')/(1 + z'^2) = 0"}, "a > 2"},
       "x = x, y = y, z = z"},
      {"parabola: multiplied odd power",
       {"1/2*(x'^2 + y'^2) - g*y", "x, y", {"y = x^2"}, "g > 1"},
       {"1/2*(x'^2 + y'^2) - g*y", "x, y", {"(1 + exp(x))*(y - x^2)^3 = 0"}, "g > 1"},
       "x = x, y = y"},
      {"ellipse: angle, Cartesian",
       {"1/2*(4*sin(th)^2 + cos(th)^2)*th'^2", "th: S1", {}, ""},
       {"1/2*(x'^2 + y'^2)", "x, y", {"x^2/4 + y^2 = 1"}, ""},
       "x = 2*cos(th), y = sin(th)"},
      {"spheroid: angles, Cartesian",
       {"1/2*((cos(th)^2 + 4*sin(th)^2)*th'^2 + sin(th)^2*ph'^2)", "th: S1, ph: S1", {}, ""},
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"x^2 + y^2 + z^2/4 = 1"}, ""},
       "x = sin(th)*cos(ph), y = sin(th)*sin(ph), z = 2*cos(th)",
       "sin(th)"},
      {"contact on a plane, and what it leaves there",
       {"1/2*(x'^2 + y'^2)", "x, y", {"y*x' = 0"}, ""},
       {"1/2*(x'^2 + y'^2 + z'^2)", "x, y, z", {"z' = y*x'", "z = 0"}, ""},
       "x = x, y = y, z = 0"},
      {"Chaplygin top: minimal, SE(3)", {"chaplygin-top"}, {"chaplygin-top-se3"}, ""},
      {"suslov", {"suslov"}, {"suslov-euler"}, ""},
      {"chaplygin-sphere", {"chaplygin-sphere"}, {"chaplygin-sphere-euler"}, ""},
      {"veselova", {"veselova"}, {"veselova-euler"}, ""},
  };
  return all;
}

constexpr double seconds = 3, structural = 20;  // of searches, and of what is decided at once or by ranks

std::string loci(const Answer& a) {
  std::vector<std::string> all;
  for (const Locus& locus : a.unless) all.push_back(text(locus));
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, "; "));
}

bool contradict(Outcome a, Outcome b) {
  return (a == Outcome::proved && b == Outcome::refuted) || (a == Outcome::refuted && b == Outcome::proved);
}

/// A condition of a domain as the set that it excludes: all of `zero` vanish, or the one is not positive.
struct Excluded {
  std::vector<Expr> zero;
  bool positive = false;

  bool contains(const Numbers& at) const {
    constexpr double close = 1e-4;  // Newton's method is slow at degenerate zeros
    return std::all_of(zero.begin(), zero.end(), [&](Expr e) {
      const double value = evaluate(e, at);
      return std::isnan(value) || (positive ? value < close : std::abs(value) < close);
    });
  }
};

/// "not (x = 0 and y = 0)", "x != 0", "x > 0". Nothing for words, and for conditions on velocities.
std::optional<Excluded> excluded_by(const System& system, std::string condition) {
  Excluded found;
  const auto add = [&](const std::string& e) { found.zero.push_back(parse(e, system.scope)); };
  try {
    if (condition.starts_with("not (")) {
      condition = condition.substr(5, condition.size() - 6);
      for (std::size_t at = 0; at != std::string::npos;) {
        const std::size_t end = condition.find(" = 0", at);
        add(condition.substr(at, end - at));
        at = end + 4 < condition.size() ? end + 4 + std::string(" and ").size() : std::string::npos;
      }
    } else {
      found.positive = condition.ends_with(" > 0");
      add(condition.substr(0, condition.size() - (found.positive ? 4 : 5)));
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  for (const Symbol s : symbols_of(found.zero)) {
    if (s.role() == Role::velocity) return std::nullopt;
  }
  return found;
}

/// Two descriptions, and the map between them.
class SharedSpace {
 public:
  explicit SharedSpace(const Pair& pair)
      : first_(pair.first.system()), second_(pair.second.system()), fold_(parse_all(pair.fold)) {
    for (const std::string& entry : parts(pair.map)) {
      const auto [name, value] = sides(entry, " = ");
      map_.emplace(parse(name, second_.scope).symbol(), parse(value, first_.scope));
    }
    for (const Parameter& p : second_.parameters)
      map_.emplace(p.symbol, parse(p.symbol.name(), first_.scope));
  }

  /// Conditions of one domain that the other has not, at a configuration where both descriptions are charts.
  std::vector<std::string> difference(const Domain& a, const Domain& b) const {
    std::vector<std::string> found;
    for (const std::string& condition : a.where) {
      const auto x = excluded_by(first_, condition);
      if (x && is_missing(*x, second_, b, true)) found.push_back("first only: " + condition);
    }
    for (const std::string& condition : b.where) {
      auto x = excluded_by(second_, condition);
      if (!x) continue;
      for (Expr& e : x->zero) e = substitute(e, map_);
      if (is_missing(*x, first_, a, false)) found.push_back("second only: " + condition);
    }
    return found;
  }

 private:
  /// Is there a configuration in x that no condition of the other excludes?
  bool is_missing(const Excluded& x, const System& other, const Domain& domain, bool mapped) const {
    for (const Numbers& at : random_states(first_, {}, 8, x.zero)) {
      const Numbers there = image(at);
      const bool folded =
          std::any_of(fold_.begin(), fold_.end(), [&](Expr e) { return std::abs(evaluate(e, at)) < 1e-3; });
      if (folded || !has_regular_speeds(solved_velocities(first_), at) ||
          !has_regular_speeds(solved_velocities(second_), there))
        continue;
      const bool known = std::any_of(domain.where.begin(), domain.where.end(), [&](const std::string& c) {
        const auto y = excluded_by(other, c);
        return !y || y->contains(mapped ? there : at);
      });
      if (!known) return true;
    }
    return false;
  }

  Numbers image(const Numbers& at) const {
    Numbers there = parameter_numbers(second_);
    for (const auto& [q, value] : map_) there[q] = evaluate(value, at);
    there.emplace(second_.time, 0.3);
    return there;
  }

  std::vector<Expr> parse_all(const std::string& list) const {
    std::vector<Expr> all;
    for (const std::string& e : parts(list)) all.push_back(parse(e, first_.scope));
    return all;
  }

  System first_, second_;
  std::vector<Expr> fold_;
  SymbolMap map_;
};

/// One row of the table for a question: verdicts, loci and domains where both are decided.
void compare(const Pair& pair, const char* name, double limit) {
  const Answer a = asked(question(name), pair.first.system(), limit);
  const Answer b = asked(question(name), pair.second.system(), limit);
  INFO(std::string(pair.name) << ": " << std::string(name) << ": " << text(a.outcome) << ", "
                              << text(b.outcome));
  CHECK_FALSE(contradict(a.outcome, b.outcome));
  if (a.outcome != b.outcome || !a.decided()) return;
  CHECK(loci(a) == loci(b));
  if (pair.map.empty()) return;
  const Domain here = domain_in(a.answer), there = domain_in(b.answer);
  INFO(text(here) << " | " << text(there));
  const std::vector<std::string> differs = SharedSpace(pair).difference(here, there);
  CHECK(fmt::format("{}", fmt::join(differs, "; ")).empty());
}

}  // namespace

TEST_CASE("structural verdicts are the same in both descriptions") {
  for (const Pair& pair : pairs()) {
    for (const char* name : {"regularity", "integrability", "energy"}) {
      compare(pair, name, structural);
      INFO(std::string(pair.name) << ": " << std::string(name));
      CHECK(text(asked(question(name), pair.first.system(), structural).outcome) ==
            text(asked(question(name), pair.second.system(), structural).outcome));
    }
  }
}

TEST_CASE("symmetries, momenta and measures agree where both are decided") {
  for (const Pair& pair : pairs()) {
    if (pair.first.of_zoo()) continue;  // the zoo has its [known] tables
    for (const char* name : {"symmetries", "momenta", "invariant-measure"}) compare(pair, name, seconds);
  }
}

TEST_CASE("a pendulum is decided alike with an angle and in Cartesian coordinates") {
  const Pair& pendulum = pairs().front();
  for (const char* name : {"symmetries", "momenta", "invariant-measure", "equilibria"}) {
    INFO(std::string(name));
    CHECK(text(asked(question(name), pendulum.first.system(), seconds).outcome) ==
          text(asked(question(name), pendulum.second.system(), seconds).outcome));
  }
}

TEST_CASE("a pair of different systems is noticed") {
  const Pair& pendulum = pairs().front();
  Description other = pendulum.second;  // without gravity
  other.lagrangian.replace(other.lagrangian.find(" - m*g*y"), 8, "");
  const Answer a = asked(question("symmetries"), pendulum.first.system(), seconds);
  const Answer b = asked(question("symmetries"), other.system(), seconds);
  CHECK(contradict(a.outcome, b.outcome));
}

TEST_CASE("a domain that leaves out another set is noticed") {
  const Pair plain{"", {"1/2*(x'^2 + y'^2)", "x, y"}, {"1/2*(u'^2 + v'^2)", "u, v"}, "u = x + y, v = x - y"};
  const SharedSpace shared(plain);
  CHECK(shared.difference({"D", {"x != 0"}, false}, {"D", {"u + v != 0"}, false}).empty());
  CHECK(shared.difference({"D", {"x > 0"}, false}, {"D", {"u + v > 0"}, false}).empty());
  CHECK(shared.difference({"D", {"x != 0"}, false}, {"D", {}, false}).size() == 1);
  CHECK(shared.difference({"D", {}, false}, {"D", {"not (u = 0 and v = 0)"}, false}).size() == 1);
  CHECK(shared.difference({"D", {"not (x = 0 and y = 0)"}, false}, {"D", {"u^2 + v^2 != 0"}, false}).empty());
  CHECK(shared.difference({"D", {"y != 0"}, false}, {"D", {"u + v != 0"}, false}).size() == 2);
}
