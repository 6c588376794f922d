#include <rattleback/motion/velocities/written_velocities.hpp>

#include <algorithm>
#include <string>
#include <unordered_set>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

/// How a node depends on the velocities.
enum class Degree : std::uint8_t { none, linear, affine, other };

Degree of_sum(const Tape& tape, std::size_t slot, const std::vector<Degree>& degrees) {
  const auto args = tape.args(slot);
  Degree found = degrees[args[0]];
  for (const std::uint32_t a : args) {
    if (degrees[a] == Degree::other) return Degree::other;
    if (degrees[a] != found) found = Degree::affine;
  }
  return found;
}

Degree of_product(const Tape& tape, std::size_t slot, const std::vector<Degree>& degrees) {
  Degree found = Degree::none;
  for (const std::uint32_t a : tape.args(slot)) {
    if (degrees[a] == Degree::none) continue;
    found = found == Degree::none ? degrees[a] : Degree::other;
  }
  return found;
}

std::vector<Degree> degrees_of(const Tape& tape, std::span<const Symbol> velocities) {
  const std::unordered_set<Symbol> vs(velocities.begin(), velocities.end());
  std::vector<Degree> degrees(tape.size(), Degree::none);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    switch (e.kind()) {
      case Kind::constant: break;
      case Kind::symbol: degrees[slot] = vs.contains(e.symbol()) ? Degree::linear : Degree::none; break;
      case Kind::sum: degrees[slot] = of_sum(tape, slot, degrees); break;
      case Kind::product: degrees[slot] = of_product(tape, slot, degrees); break;
      case Kind::power:
      case Kind::call:
        for (const std::uint32_t a : tape.args(slot)) {
          if (degrees[a] != Degree::none) degrees[slot] = Degree::other;
        }
    }
  }
  return degrees;
}

/// No model can write this name.
Symbol name_of(std::size_t k) {
  thread_local std::vector<Symbol> names;
  while (names.size() <= k) {
    const std::size_t next = names.size();
    names.push_back(
        Symbol::make("#" + std::to_string(next), {.role = Role::velocity, .order = static_cast<int>(next)}));
  }
  return names[k];
}

}  // namespace

bool are_affine_as_written(std::span<const Expr> functions, std::span<const Symbol> velocities) {
  const Tape tape(functions);
  const std::vector<Degree> degrees = degrees_of(tape, velocities);
  return std::all_of(tape.outputs().begin(), tape.outputs().end(),
                     [&](std::uint32_t root) { return degrees[root] != Degree::other; });
}

WrittenVelocities written_velocities(Expr lagrangian, std::span<const Symbol> velocities) {
  const Tape tape(std::span<const Expr>(&lagrangian, 1));
  const std::vector<Degree> degrees = degrees_of(tape, velocities);
  std::vector<bool> wanted(tape.size(), false);  // linear, and used by something that is not
  wanted[tape.outputs()[0]] = degrees[tape.outputs()[0]] == Degree::linear;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    if (degrees[slot] < Degree::affine) continue;
    for (const std::uint32_t a : tape.args(slot)) wanted[a] = wanted[a] || degrees[a] == Degree::linear;
  }

  WrittenVelocities written;
  std::vector<Expr> built, args;
  built.reserve(tape.size());
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (wanted[slot]) {
      written.names.push_back(name_of(written.names.size()));
      written.forms.push_back(e);
      built.emplace_back(written.names.back());
    } else if (degrees[slot] >= Degree::affine) {
      args.clear();
      for (const std::uint32_t a : tape.args(slot)) args.push_back(built[a]);
      built.push_back(with_args(e, args));
    } else {
      built.push_back(e);
    }
  }
  written.function = built[tape.outputs()[0]];
  return written;
}

}  // namespace rattleback
