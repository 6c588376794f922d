#include <rattleback/view/formulas/shared_parts.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

constexpr int short_page = legible::page.count, half_a_line = 40, length_of_name = 2;
constexpr long often = 3;  // times that a line stands on the page, itself included, until it gets a name

/// Formulas and the parts named so far.
class SharedParts {
 public:
  explicit SharedParts(std::span<const Expr> formulas) : lines_(formulas.begin(), formulas.end()) {}

  int letters() {
    int total = 0;
    for (const Expr e : lines_) total += cost_(e);
    return total;
  }

  /// Names the sum that saves most; false when none saves anything.
  bool name_one() {
    const auto part = best();
    if (!part) return false;
    const Expr name = symbol(fmt::format("part {}", names_.size() + 1));
    replace(*part, name);
    names_.push_back(name);
    lines_.push_back(*part);
    return true;
  }

  std::size_t named() const { return names_.size(); }

  /// Each part before its first use, under its final name.
  NamedParts result(const std::string& stem, std::size_t formulas) const {
    NamedParts out;
    SymbolMap final_names;
    for (std::size_t left = names_.size(); left > 0; --left) {
      for (std::size_t k = 0; k < names_.size(); ++k) {
        if (final_names.contains(names_[k].symbol()) || !is_ready(lines_[formulas + k], final_names))
          continue;
        const std::string name = stem + std::to_string(out.parts.size() + 1);
        out.parts.push_back({name, substitute(lines_[formulas + k], final_names)});
        final_names.emplace(names_[k].symbol(), symbol(name));
        break;
      }
    }
    for (std::size_t i = 0; i < formulas; ++i) out.formulas.push_back(substitute(lines_[i], final_names));
    return out;
  }

 private:
  bool is_ready(Expr part, const SymbolMap& known) const {
    return std::ranges::all_of(
        names_, [&](Expr name) { return known.contains(name.symbol()) || !contains(part, name.symbol()); });
  }

  /// How often each node stands on the page, written out.
  std::optional<Expr> best() {
    const Tape tape(lines_);
    std::vector<long> occurs(tape.size(), 0);
    for (const std::uint32_t root : tape.outputs()) ++occurs[root];
    std::optional<Expr> found;
    long most = 0;
    for (std::size_t slot = tape.size(); slot-- > 0;) {
      for (const std::uint32_t a : tape.args(slot)) occurs[a] += occurs[slot];
      const Expr e = tape.node(slot);
      const bool is_a_line = std::ranges::find(lines_, e) != lines_.end();
      if (!e.is(Kind::sum) || (is_a_line && occurs[slot] < often) || cost_(e) < half_a_line) continue;
      const long saved = (occurs[slot] - 1) * cost_(e) - occurs[slot] * length_of_name;
      if (saved <= most) continue;
      found = e;
      most = saved;
    }
    return found;
  }

  void replace(Expr part, Expr name) {
    const Tape tape(lines_);
    std::vector<Expr> built, args;
    for (std::size_t slot = 0; slot < tape.size(); ++slot) {
      const Expr e = tape.node(slot);
      args.clear();
      for (const std::uint32_t a : tape.args(slot)) args.push_back(built[a]);
      built.push_back(e == part ? name : args.empty() ? e : with_args(e, args));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i] = built[tape.outputs()[i]];
  }

  std::vector<Expr> lines_, names_;
  PrintedCost cost_;
};

}  // namespace

NamedParts with_shared_parts(std::span<const Expr> formulas, const std::set<std::string>& taken) {
  constexpr std::size_t most_names = legible::names_on_a_page.count;
  constexpr int much = 200;
  SharedParts page(formulas);
  const int before = page.letters();
  if (before > short_page) {
    while (page.named() < most_names && page.name_one()) {
    }
    const int saved = before - page.letters();
    if (saved >= much || 5 * saved >= before) return page.result(free_stem(taken), formulas.size());
  }
  return {{}, {formulas.begin(), formulas.end()}};
}

}  // namespace rattleback
