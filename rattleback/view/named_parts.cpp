#include <rattleback/view/named_parts.hpp>

#include <algorithm>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/tape.hpp>

namespace rattleback {
namespace {

/// A part is worth a name when it is long enough to be tedious twice.
constexpr std::size_t shortest_part = 8;

/// A letter whose numbered names are all free.
std::string free_stem(const std::set<std::string>& taken) {
  for (const std::string stem : {"z", "k", "h", "w", "q", "part"}) {
    const auto collides = [&](const std::string& name) { return name.starts_with(stem); };
    if (std::none_of(taken.begin(), taken.end(), collides)) return stem;
  }
  return "part_";
}

}  // namespace

NamedParts with_named_parts(std::span<const Expr> formulas, const std::set<std::string>& taken,
                            std::size_t longest) {
  NamedParts named{{}, {formulas.begin(), formulas.end()}};
  const auto is_long = [&](Expr e) { return written_size(e) > longest; };
  if (std::none_of(formulas.begin(), formulas.end(), is_long)) return named;

  const Tape tape(formulas);
  std::vector<int> uses(tape.size(), 0);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    for (const std::uint32_t a : tape.args(slot)) ++uses[a];
  }
  const std::string stem = free_stem(taken);
  std::vector<Expr> built, args;
  std::vector<std::size_t> size;  // as written, with names for parts
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    args.clear();
    std::size_t written = 1;
    for (const std::uint32_t a : tape.args(slot)) {
      args.push_back(built[a]);
      written += size[a];
    }
    Expr rebuilt = args.empty() ? e : with_args(e, args);
    const bool shared = uses[slot] > 1 && written >= shortest_part;
    if (shared || written > longest) {
      const std::string name = stem + std::to_string(named.parts.size() + 1);
      named.parts.push_back({name, rebuilt});
      rebuilt = symbol(name);
      written = 1;
    }
    built.push_back(rebuilt);
    size.push_back(written);
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) named.formulas[i] = built[tape.outputs()[i]];
  return named;
}

}  // namespace rattleback
