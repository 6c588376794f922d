#include <rattleback/simulate/states/symmetry_fields.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>

namespace rattleback {
namespace {

/// ξ as a field on the states: along the configuration, and on the speeds as its lift moves them.
std::vector<Expr> on_states(const Flow& flow, const VectorField& xi) {
  std::vector<Expr> moved;
  const System& system = flow.system();
  const auto state = flow.state();
  std::size_t i = 0;
  int leg = 0;  // of the space; the first legs of a rotation are the angular ones
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::unit_quaternion) {
        for (const Symbol f : piece.functions) {
          moved.push_back(flow.in_quaternions(xi(Expr(f))));
          ++i;
        }
        continue;
      }
      // q' = ½ q (0, ξ), as for velocities
      const Expr w = state[i], x = state[i + 1], y = state[i + 2], z = state[i + 3];
      const Expr a = flow.in_quaternions(xi[leg]) / 2, b = flow.in_quaternions(xi[leg + 1]) / 2,
                 c = flow.in_quaternions(xi[leg + 2]) / 2;
      moved.insert(moved.end(), {-(x * a + y * b + z * c), w * a + y * c - z * b, w * b + z * a - x * c,
                                 w * c + x * b - y * a});
      i += 4;
    }
    leg += static_cast<int>(factor.velocities.size());
  }
  for (const Symbol speed : flow.equations().speeds) {
    Expr z(speed);
    for (const QuasiVelocity& u : system.velocities)
      if (u.symbol == speed) z = u.expression;
    moved.push_back(flow.on_state(complete_lift(xi, z)));
  }
  return moved;
}

}  // namespace

bool reads_input(const Code& code, std::uint32_t input) {
  for (const Instruction& in : code.body)
    for (const std::uint32_t r : operands(in))
      if (r == input) return true;
  return std::find(code.outputs.begin(), code.outputs.end(), input) != code.outputs.end();
}

std::vector<SymmetryField> symmetry_fields(const Flow& flow) {
  std::vector<SymmetryField> found;
  const std::size_t n = flow.dimension();
  for (std::size_t i = 0; i < n; ++i) {
    if (reads_input(flow.rates(), static_cast<std::uint32_t>(i))) continue;
    std::vector<Expr> unit(n, Expr(0));
    unit[i] = Expr(1);
    found.push_back({fmt::format("translations of {}", flow.state()[i].name()), std::move(unit)});
  }
  for (const Symmetry& group : flow.system().symmetries) {
    for (const Generator& generator : group.generators) {
      try {
        std::vector<Expr> field = on_states(flow, generator.field);
        flow.code_of(field);
        found.push_back({generator.name, std::move(field)});
      } catch (const NoNumber&) {  // not a function of the state
      }
    }
  }
  return found;
}

}  // namespace rattleback
