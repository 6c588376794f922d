#include <rattleback/proof/momenta/free_groups.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_groups = search_limits::free_groups.count,
                      most_generators = search_limits::generators_of_free_groups.count;

bool acts_freely(const Space& space, const std::vector<VectorField>& fields) {
  return !fields.empty() && static_cast<int>(fields.size()) <= space.dimension() &&
         rank(as_columns(space, fields)) == static_cast<int>(fields.size());
}

/// c_ab^d = 0 for a, b among the chosen and d not.
bool is_subalgebra(const StructureCoefficients& c, int dimension, const std::vector<int>& chosen) {
  for (const int a : chosen) {
    for (const int b : chosen) {
      for (int d = 0; d < dimension; ++d) {
        if (std::find(chosen.begin(), chosen.end(), d) == chosen.end() && !c(a, b, d).is_zero()) return false;
      }
    }
  }
  return true;
}

std::vector<VectorField> fields_of(const std::vector<Generator>& generators, const std::vector<int>& chosen) {
  std::vector<VectorField> fields;
  for (const int a : chosen) fields.push_back(generators[static_cast<std::size_t>(a)].field);
  return fields;
}

/// Every subalgebra that is spanned by some of the generators and acts freely, largest first.
void add_subalgebras(const System& system, const SymmetryAlgebra& algebra, std::vector<FreeGroup>& groups) {
  const int n = static_cast<int>(algebra.generators.size());
  if (n == 0 || !algebra.is_closed || n > static_cast<int>(most_generators)) return;
  std::vector<VectorField> every;
  for (const Generator& g : algebra.generators) every.push_back(g.field);
  const int orbits = rank(as_columns(system.space, every));
  for (int size = std::min(n, system.space.dimension()); size > 0; --size) {
    for (const std::vector<int>& chosen : subsets(n, size)) {
      if (groups.size() >= most_groups) return;
      if (!is_subalgebra(algebra.c, n, chosen)) continue;
      std::vector<VectorField> fields = fields_of(algebra.generators, chosen);
      if (!acts_freely(system.space, fields)) continue;
      std::vector<Generator> generators;
      for (const int a : chosen) generators.push_back(algebra.generators[static_cast<std::size_t>(a)]);
      groups.push_back({algebra_of(system, "", generators, for_a_derivation).name, std::move(fields),
                        size == orbits, false});
    }
  }
}

}  // namespace

std::vector<FreeGroup> free_groups(const System& system) {
  std::vector<FreeGroup> groups;
  if (static_cast<int>(legs_without_functions(system.space).size()) == system.space.dimension()) {
    groups.push_back({"G", {}, true, true});
    return groups;
  }
  const SymmetryAlgebra found = found_symmetries(system, for_a_derivation);
  add_subalgebras(system, found, groups);
  return groups;
}

}  // namespace rattleback
