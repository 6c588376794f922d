#include <rattleback/algebra/solving/minors.hpp>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {

std::vector<std::vector<int>> subsets(int n, int k) {
  std::vector<std::vector<int>> all;
  std::vector<int> chosen;
  const auto extend = [&](auto&& self, int first) -> void {
    if (static_cast<int>(chosen.size()) == k) {
      Budget::charge_nodes(1);  // as large as a node, and there may be binomially many
      all.push_back(chosen);
      return;
    }
    for (int i = first; i < n; ++i) {
      chosen.push_back(i);
      self(self, i + 1);
      chosen.pop_back();
    }
  };
  extend(extend, 0);
  return all;
}

}  // namespace rattleback
