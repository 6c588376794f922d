#include <rattleback/view/formulas/named_parts.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/solving/equal_parts.hpp>

namespace rattleback {
namespace {

constexpr std::size_t shortest_part = legible::part_with_a_name.count;

}  // namespace

std::string free_stem(const std::set<std::string>& taken) {
  for (const std::string stem : {"z", "k", "h", "w", "q", "part"}) {
    const auto collides = [&](const std::string& name) { return name.starts_with(stem); };
    if (std::none_of(taken.begin(), taken.end(), collides)) return stem;
  }
  return "part_";
}

NamedParts with_named_parts(std::span<const Expr> formulas, const std::set<std::string>& taken,
                            std::size_t longest) {
  NamedParts named{{}, {formulas.begin(), formulas.end()}};
  const auto is_long = [&](Expr e) { return written_size(e) > longest; };
  if (std::none_of(formulas.begin(), formulas.end(), is_long)) return named;

  const Tape tape(with_equal_parts_merged(formulas));
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

namespace {

void collect_sums(Expr e, std::set<Expr, bool (*)(Expr, Expr)>& sums) {
  allow_recursion();
  for (const Expr a : e.args()) {
    if (a.is(Kind::sum) && !sums.insert(a).second) continue;
    collect_sums(a, sums);
  }
}

/// The widest sum strictly within e, if it is wider than a name.
std::optional<Expr> widest_sum(Expr e, const TextWidth& page) {
  constexpr std::size_t name = 6;
  std::set<Expr, bool (*)(Expr, Expr)> sums([](Expr a, Expr b) { return a.id() < b.id(); });
  collect_sums(e, sums);
  std::optional<Expr> widest;
  std::size_t most = name;
  for (const Expr s : sums) {
    const std::size_t width = page.width_of(s);
    if (width <= most) continue;
    widest = s;
    most = width;
  }
  return widest;
}

/// e with every occurrence of a part replaced.
Expr replaced(Expr e, Expr part, Expr name) {
  allow_recursion();
  if (e == part) return name;
  if (e.args().empty()) return e;
  std::vector<Expr> args;
  for (const Expr a : e.args()) args.push_back(replaced(a, part, name));
  return with_args(e, args);
}

class Fitting {
 public:
  Fitting(const NamedParts& named, const std::set<std::string>& taken, const TextWidth& page)
      : page_(page), number_(named.parts.size()) {
    stem_ = named.parts.empty() ? free_stem(taken) : named.parts.front().name;
    while (std::isdigit(static_cast<unsigned char>(stem_.back())) != 0) stem_.pop_back();
  }

  Expr fitted(Expr formula) {
    allow_recursion();
    if (!formula.is(Kind::sum)) return fitted_term(formula);
    std::vector<Expr> terms;
    for (const Expr term : formula.args()) terms.push_back(fitted_term(term));
    return sum(terms);
  }
  std::vector<Statement> parts;

 private:
  Expr fitted_term(Expr term) {
    if (term.is(Kind::sum) && page_.width_of(term) > page_.width) return name_of(term);  // a sum within a sum
    while (page_.width_of(term) > page_.width) {
      const auto part = widest_sum(term, page_);
      if (!part) break;
      term = replaced(term, *part, name_of(*part));
    }
    return term;
  }
  Expr name_of(Expr part) {
    if (const auto found = names_.find(part); found != names_.end()) return found->second;
    const Expr value = fitted(part);
    const std::string name = stem_ + std::to_string(++number_);
    parts.push_back({name, value});
    return names_.emplace(part, symbol(name)).first->second;
  }

  const TextWidth& page_;
  std::size_t number_;
  std::string stem_;
  std::unordered_map<Expr, Expr> names_;
};

}  // namespace

void fit_terms(NamedParts& named, const std::set<std::string>& taken, const TextWidth& page) {
  Fitting fitting(named, taken, page);
  for (const Statement& part : named.parts) {
    const Expr value = fitting.fitted(part.value);
    fitting.parts.push_back({part.name, value});
  }
  for (Expr& formula : named.formulas) formula = fitting.fitted(formula);
  named.parts = std::move(fitting.parts);
}

}  // namespace rattleback
