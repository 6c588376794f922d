#include <rattleback/algebra/expression/vector_functions.hpp>

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr std::array all{
    VectorFunction{"dot", 2, "dot(u, v)"},          VectorFunction{"cross", 2, "cross(u, v) of 3-vectors"},
    VectorFunction{"transpose", 1, "transpose(M)"}, VectorFunction{"norm2", 1, "norm2(v) = dot(v, v)"},
    VectorFunction{"diag", -1, "diag(a, b, c)"},    VectorFunction{"Rx", 1, "Rx(angle)"},
    VectorFunction{"Ry", 1, "Ry(angle)"},           VectorFunction{"Rz", 1, "Rz(angle)"},
    VectorFunction{"ddt", 1, "ddt(expression)"},
};

}  // namespace

std::span<const VectorFunction> vector_functions() { return all; }

const VectorFunction* find_vector_function(std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const VectorFunction& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace rattleback
