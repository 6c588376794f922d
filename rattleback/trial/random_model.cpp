#include <rattleback/trial/random_model.hpp>

#include <array>

#include <fmt/format.h>

namespace rattleback {
namespace {

constexpr const char* parameters =
    "\n[parameters]\nm = { value = 1, positive = true }\nk = { value = \"3/2\", positive = true }\na = "
    "\"1/3\"\nb = \"-1/2\"\n";

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string text() {
    switch (below(9)) {
      case 0: return on_algebra();
      case 1: return on_group();
      case 2: return on_surface();
      case 3: return on_parts();
      default: return on_lines_and_circles();
    }
  }

 private:
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  std::size_t below(std::size_t n) { return random_() % n; }
  const std::string& name() { return names_[below(names_.size())]; }
  template <std::size_t n>
  const char* one_of(const std::array<const char*, n>& all) {
    return all[below(n)];
  }

  std::string on_lines_and_circles() {
    choose_space();
    std::string all = fmt::format("title = \"at random\"\nlagrangian = \"{}\"\n{}\n[space]\n{}", lagrangian(),
                                  chance(8) ? fmt::format("rayleigh = \"k/2*{}'^2\"\n", name()) : "", space_);
    all += parameters;
    if (chance(4)) all += fmt::format("\n[forces]\n{} = \"{}\"\n", names_[0], force());
    const std::string constraint = one_constraint();
    if (!constraint.empty()) all += "\n[constraints]\n" + constraint;
    return all;
  }

  void choose_space() {
    const std::size_t n = 2 + below(3);
    constexpr std::array letters{"x", "y", "z", "w"};
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_circle = chance(3);
      names_.emplace_back(letters[i]);
      circles_.push_back(is_circle);
      space_ += fmt::format("{} = \"{}\"\n", letters[i], is_circle ? "S1" : "R");
    }
  }

  /// A function of one coordinate that respects circles.
  std::string function_of(std::size_t i) {
    const std::string& q = names_[i];
    if (circles_[i]) return fmt::format("{}({})", chance(2) ? "cos" : "sin", q);
    // A parameter as exponent, rate or frequency: at some of its values such a function is another one of these.
    constexpr std::array varied{"(1 + {0}^2)^a", "exp(b*{0})", "cos(a*{0})", "(1 + {0}^2)^m"};
    if (chance(6)) return fmt::format(fmt::runtime(one_of(varied)), q);
    constexpr std::array shapes{"{0}", "{0}^2", "(1 + {0}^2)", "exp({0})"};
    return fmt::format(fmt::runtime(shapes[below(shapes.size())]), q);
  }
  std::string function() { return function_of(below(names_.size())); }

  std::string lagrangian() {
    std::string L;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string mass = chance(3) ? "m" : chance(3) ? fmt::format("(m + {}^2)", function()) : "1";
      L += fmt::format("{}1/2*{}*{}'^2", i == 0 ? "" : " + ", mass, names_[i]);
    }
    if (chance(4)) L += fmt::format(" + a/4*{}'*{}'", names_[0], names_[1]);
    if (chance(6)) L += fmt::format(" + b*{}*{}'", function_of(0), names_[1]);  // a magnetic field
    if (!chance(3)) L += fmt::format(" - k*{}", function());
    if (chance(3)) L += fmt::format(" - b*{}*{}", function(), function());
    if (chance(16)) L += fmt::format(" - a*{}*{}", chance(2) ? "cos(t)" : "cos(b*t)", function());
    return L;
  }

  std::string force() {
    switch (below(3)) {
      case 0: return fmt::format("-k*{}'", names_[0]);
      case 1: return fmt::format("a*{}'", names_[1]);
      default: return fmt::format("b*{}", function());
    }
  }

  std::string one_constraint() {
    const std::size_t n = names_.size(), last = n - 1;
    switch (below(8)) {
      case 0: return {};
      case 1:
        return fmt::format("c = \"{}' = {}*{}'\"\n", names_[last], function_of(0), names_[n > 2 ? 1 : 0]);
      case 2:
        return fmt::format("c = \"{}*{}' = {}*{}'\"\n", function_of(0), names_[last], function_of(1),
                           names_[0]);
      case 3:
        return fmt::format("c = \"{}' = a*{}*{}' + b*{}*{}'\"\n", names_[last], function_of(0), names_[1],
                           function_of(1), names_[0]);
      case 4:
        return fmt::format("c = \"{}' = {}*{}' + a\"\n", names_[last], function_of(0), names_[n > 2 ? 1 : 0]);
      case 5:  // a leaf where the last coordinate vanishes
        return fmt::format("c = \"{0}' = {1}*{2}*{3}'\"\n", names_[last], function_of(last), function_of(0),
                           names_[n > 2 ? 1 : 0]);
      case 6: return nonlinear_constraint();
      default: return fmt::format("c = \"{} + {} = 1\"\n", function_of(0), function_of(1));
    }
  }

  /// Of Appell and Hamel, on the speed, on a product of velocities.
  std::string nonlinear_constraint() {
    const std::string &u = names_[0], &v = names_[1], &w = names_.back();
    switch (below(4)) {
      case 0: return fmt::format("c = \"{}'^2 + {}'^2 = k^2\"\n", u, v);
      case 1: return fmt::format("c = \"{}'*{}' = a\"\n", u, v);
      case 2: return fmt::format("c = \"{}'^2 = (1 + {}^2)*{}'^2 + k\"\n", w, function_of(0), u);
      default:
        return names_.size() > 2 ? fmt::format("c = \"{}'^2 = k*({}'^2 + {}'^2)\"\n", w, u, v)
                                 : fmt::format("c = \"{}'^2 + k*{}'^2 = {}\"\n", u, v, "m");
    }
  }

  /// A sphere, an ellipsoid, a cylinder, a torus or a circle as a set in space, sometimes with a knife edge or friction.
  std::string on_surface() {
    constexpr std::array surfaces{"x^2 + y^2 + z^2 = 1",   "x^2 + y^2 + 2*z^2 = k^2",
                                  "x^2 + y^2 = k^2",       "(x^2 + y^2 + z^2 + 3)^2 = 16*(x^2 + y^2)",
                                  "x^2 + y^2 - z = 0",     "(x^2 + y^2 + z^2 - 1)*(2 + x^2) = 0",
                                  "x^2 + y^2 - z^2 = k^2", "x^2 + z^2 = 1"};
    constexpr std::array potentials{"", " - k*z", " - a*x^2 - b*y^2", " - a*x", " - k*(x^2 + y^2)"};
    constexpr std::array further{"", "", "d = \"x*y' = y*x' + a*z'\"\n", "d = \"z' = x*y' - y*x'\"\n"};
    std::string all = "title = \"at random\"\nlagrangian = \"m/2*(x'^2 + y'^2 + z'^2)" +
                      std::string(one_of(potentials)) + "\"\n\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n" +
                      parameters;
    if (chance(5)) all += "\n[forces]\nx = \"-k*x'\"\ny = \"-k*y'\"\nz = \"-k*z'\"\n";
    return all + "\n[constraints]\nc = \"" + one_of(surfaces) + "\"\n" + one_of(further);
  }

  /// Positions that fall into parts: planes, lines that cross, two circles, angles, a parallelogram linkage. Forces and further constraints
  /// differ from part to part.
  std::string on_parts() {
    if (chance(4)) return on_linkage();
    constexpr std::array sets{"(w)*(w - 1) = 0",
                              "(w + 1)*(w)*(w - 1) = 0",
                              "(x - w)*(x + w) = 0",
                              "(w)*(x - 1) = 0",
                              "(x^2 + w^2 - 1)*(x^2 + w^2 - 4) = 0",
                              "w^2 = k^2",
                              "(sin(w))*(w - a) = 0"};
    constexpr std::array potentials{"", " - k*x^2", " - k*w*x", " - a*(w - 1)*x*y", " - b*z"};
    constexpr std::array forces{"", "", "x = \"-w*x'\"\n", "y = \"(1 - w)*y'\"\n", "z = \"-k*(w - x)*z'\"\n"};
    constexpr std::array further{"", "", "d = \"z' = w*x*y'\"\n", "d = \"z' = (1 - w)*y*x'\"\n",
                                 "d = \"y' = w*z*z'\"\n"};
    const std::string force = one_of(forces);
    std::string all = "title = \"at random\"\nlagrangian = \"1/2*(m*x'^2 + y'^2 + z'^2 + w'^2)" +
                      std::string(one_of(potentials)) +
                      "\"\n\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\nw = \"R\"\n" + parameters;
    if (!force.empty()) all += "\n[forces]\n" + force;
    return all + "\n[constraints]\nc = \"" + one_of(sets) + "\"\n" + one_of(further);
  }

  /// Angles that are equal or opposite, and four bars, parallel or crossed; friction that acts on some parts only.
  std::string on_linkage() {
    constexpr std::array sets{"c = \"sin(x - y) = 0\"\n", "c = \"cos(x) = cos(y)\"\n",
                              "c = \"(sin(x))*(cos(x - y)) = 0\"\n",
                              "c = \"cos(x) + 2*cos(y) = 2 + cos(z)\"\nd = \"sin(x) + 2*sin(y) = sin(z)\"\n"};
    constexpr std::array forces{"", "x = \"-k*sin(y)^2*x'\"\n", "z = \"-k*(1 - cos(x - z))*z'\"\n",
                                "y = \"-k*sin(x)^2*y'\"\n"};
    constexpr std::array potentials{"", " - k*cos(x)", " - a*sin(y)*sin(z)"};
    const std::string force = one_of(forces);
    std::string all = "title = \"at random\"\nlagrangian = \"1/2*(m*x'^2 + y'^2 + z'^2)" +
                      std::string(one_of(potentials)) +
                      "\"\n\n[space]\nx = \"S1\"\ny = \"S1\"\nz = \"S1\"\n" + parameters;
    if (!force.empty()) all += "\n[forces]\n" + force;
    return all + "\n[constraints]\n" + one_of(sets);
  }

  /// Euler-Poincare and Suslov systems on algebras of dimension two to four.
  std::string on_algebra() {
    struct Algebra {
      const char* brackets;
      int dimension;
    };
    constexpr std::array<Algebra, 9> algebras{{{R"("e1,e2" = "e3", "e2,e3" = "e1", "e3,e1" = "e2")", 3},
                                               {R"("e1,e2" = "e3", "e2,e3" = "-e1", "e3,e1" = "e2")", 3},
                                               {R"("e1,e2" = "e3")", 3},
                                               {R"("e3,e1" = "e2", "e3,e2" = "-e1")", 3},
                                               {R"("e3,e1" = "e1", "e3,e2" = "-e2")", 3},
                                               {R"("e1,e2" = "k*e2")", 2},
                                               {R"("e3,e1" = "a*e1", "e3,e2" = "b*e2")", 3},
                                               {R"("e3,e1" = "a*e1 - e2", "e3,e2" = "e1 + a*e2")", 3},
                                               {R"("e4,e1" = "e1", "e4,e2" = "a*e2", "e4,e3" = "b*e3")", 4}}};
    const Algebra& g = algebras[below(algebras.size())];
    std::string basis, L = "1/2*(m*w1^2 + k*w2^2";
    for (int i = 1; i <= g.dimension; ++i) basis += fmt::format("{}\"e{}\"", i > 1 ? ", " : "", i);
    std::string velocities = basis;
    for (char& c : velocities)
      if (c == 'e') c = 'w';
    for (int i = 3; i <= g.dimension; ++i) L += fmt::format(" + {}*w{}^2", i + 1, i);
    L += chance(3) ? ") + a/4*w1*w2" : ")";
    if (g.dimension > 2 && chance(3)) L += " + b/4*w1*w3";
    std::string all = fmt::format(
        "title = \"at random\"\nlagrangian = \"{}\"\n\n[algebra]\nbasis = [{}]\nbrackets = {{ {} }}\n"
        "velocities = [{}]\n{}",
        L, basis, g.brackets, velocities, parameters);
    if (g.dimension > 2 && chance(2))
      all += fmt::format("\n[constraints]\nc = \"{}\"\n",
                         one_of(std::array{"w3 = 0", "w1 = 0", "w3 = a*w1", "w1 = w2", "w3 = b*w1 + a*w2"}));
    return all;
  }

  /// A rigid body about a point, or one in the plane.
  std::string on_group() {
    if (chance(2)) {
      return fmt::format(
          "title = \"at random\"\nlagrangian = \"1/2*(m*(v1^2 + v2^2) + k*w^2) + a/4*v2*w{}\"\n\n[space]\n"
          "g = {{ group = \"SE(2)\", coordinates = [\"x\", \"y\", \"th\"], velocities = [\"v1\", \"v2\", "
          "\"w\"] }}\n"
          "{}{}",
          one_of(std::array{"", " - b*x", " - k*cos(th)", " - k*(x^2 + y^2)"}), parameters,
          chance(3) ? ""
                    : fmt::format("\n[constraints]\nc = \"{}\"\n",
                                  one_of(std::array{"v2 = 0", "v2 = a*w", "v1 = b*v2", "w = a*v1"})));
    }
    return fmt::format(
        "title = \"at random\"\nlagrangian = \"1/2*(m*Omega1^2 + k*Omega2^2 + 2*Omega3^2){}\"\n\n[space]\n"
        "B = {{ group = \"SO(3)\", body = \"Omega\", space = \"omega\" }}\n{}{}",
        one_of(std::array{"", "", " - a*B33", " - b*B31 - a*B33"}), parameters,
        chance(2) ? ""
                  : fmt::format("\n[constraints]\nc = \"{}\"\n",
                                one_of(std::array{"Omega3 = 0", "omega3 = 0", "Omega3 = a*Omega1"})));
  }

  Random& random_;
  std::vector<std::string> names_;
  std::vector<bool> circles_;
  std::string space_;
};

}  // namespace

std::string random_model(Random& random) { return Writer(random).text(); }

}  // namespace rattleback
