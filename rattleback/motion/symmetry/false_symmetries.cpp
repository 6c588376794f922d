#include <rattleback/motion/symmetry/false_symmetries.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/motion/symmetry/symmetry.hpp>

namespace rattleback {
namespace {

/// "by 4.42 at x' = -1.3, y' = -3.4".
std::string where_it_shows(const Counterexample& at) {
  std::vector<std::string> values;
  for (const auto& [symbol, value] : at.point) values.push_back(fmt::format("{} = {}", symbol.name(), value));
  std::sort(values.begin(), values.end());
  const std::string point = values.empty() ? "" : fmt::format(" at {}", fmt::join(values, ", "));
  return at.value.empty() ? at.note : fmt::format("its rate is {}{}", at.value, point);
}

std::optional<Error> error_unless_symmetry(const System& system, const Generator& g) {
  const Invariance of = invariance(system, g.field, for_a_derivation);
  struct Part {
    const Verdict& verdict;
    const char* what;
  };
  for (const Part& part :
       {Part{of.lagrangian, "the Lagrangian changes"}, Part{of.constraints, "the constraints change"},
        Part{of.forces, "the forces change"}}) {
    if (!refuted(part.verdict)) continue;
    return Error("not-a-symmetry", fmt::format("`{}` is not a symmetry: {} along it", g.name, part.what),
                 where_it_shows(std::get<Refuted>(part.verdict).at),
                 "leave it out, or mend the model; reductions go by the symmetries that remain")
        .at(g.place);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Error> false_symmetries(const System& system) {
  std::vector<Error> all;
  for (const Symmetry& s : system.symmetries) {
    for (const Generator& g : s.generators) {
      if (auto error = error_unless_symmetry(system, g)) all.push_back(std::move(*error));
    }
  }
  return all;
}

}  // namespace rattleback
