#include <rattleback/trial/random_model.hpp>

#include <array>

#include <fmt/format.h>

namespace rattleback {
namespace {

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string text() {
    choose_space();
    std::string all =
        fmt::format("title = \"at random\"\nlagrangian = \"{}\"\n\n[space]\n{}", lagrangian(), space_);
    all +=
        "\n[parameters]\nm = { value = 1, positive = true }\nk = { value = \"3/2\", positive = true }\na = "
        "\"1/3\"\nb = \"-1/2\"\n";
    if (chance(4)) all += fmt::format("\n[forces]\n{} = \"-k*{}'\"\n", names_[0], names_[0]);
    const std::string constraint = one_constraint();
    if (!constraint.empty()) all += "\n[constraints]\n" + constraint;
    return all;
  }

 private:
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  std::size_t below(std::size_t n) { return random_() % n; }
  const std::string& name() { return names_[below(names_.size())]; }

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
    if (!chance(3)) L += fmt::format(" - k*{}", function());
    if (chance(3)) L += fmt::format(" - b*{}*{}", function(), function());
    return L;
  }

  std::string one_constraint() {
    const std::size_t n = names_.size(), last = n - 1;
    switch (below(6)) {
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
      default: return fmt::format("c = \"{} + {} = 1\"\n", function_of(0), function_of(1));
    }
  }

  Random& random_;
  std::vector<std::string> names_;
  std::vector<bool> circles_;
  std::string space_;
};

}  // namespace

std::string random_model(Random& random) { return Writer(random).text(); }

}  // namespace rattleback
