#include <rattleback/proof/evidence/locus.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/evidence/locus_order.hpp>

namespace rattleback {
namespace {

/// f = 0, as an equation between two products where f is their difference.
std::string equation(Expr f) {
  if (f.is(Kind::sum) && f.args().size() == 2) {
    const std::vector<Expr> terms = ordered_terms(f);
    const Expr left = terms[0], right = -terms[1];
    if (split_coefficient(right).coefficient.sign() > 0)
      return fmt::format("{} = {}", text(left), text(right));
  }
  return text(f) + " = 0";
}

/// The factors of e that can vanish.
std::vector<Expr> essential_factors(Expr e) {
  std::vector<Expr> found;
  for (const Assumption& a : simplified({{e, Assumption::Kind::nonzero, ""}})) found.push_back(a.expression);
  return found;
}

/// p ↦ 0 or p ↦ q where the equation says just that.
std::optional<SymbolMap> plain_solution(Expr e) {
  if (e.is(Kind::symbol)) return SymbolMap{{e.symbol(), Expr(0)}};
  if (!e.is(Kind::sum) || e.args().size() != 2) return std::nullopt;
  for (const Expr p : e.args()) {
    const Expr rest = p - e;
    if (p.is(Kind::symbol) && rest.is(Kind::symbol)) return SymbolMap{{p.symbol(), rest}};
  }
  return std::nullopt;
}

/// The equations p = 0 and p = q in one form, whatever the order in which they were found: p = 0 for all that are zero, otherwise
/// the first of equal parameters, by name, with each of the others.
Locus with_plain_equations_sorted(const Locus& locus) {
  Locus plain, rest;
  std::vector<std::set<std::string>> classes;
  std::map<std::string, Expr> symbols;
  const std::string zero;  // the name of the class of those that vanish
  for (const Expr e : locus) {
    const auto solution = plain_solution(e);
    if (!solution) {
      rest.push_back(e);
      continue;
    }
    const auto& [p, value] = *solution->begin();
    std::set<std::string> joined{p.name(), value.is_zero() ? zero : value.symbol().name()};
    symbols.emplace(p.name(), p);
    if (!value.is_zero()) symbols.emplace(value.symbol().name(), value);
    std::erase_if(classes, [&](const std::set<std::string>& c) {
      const bool meets =
          std::ranges::any_of(c, [&](const std::string& name) { return joined.contains(name); });
      if (meets) joined.insert(c.begin(), c.end());
      return meets;
    });
    classes.push_back(std::move(joined));
  }
  for (const std::set<std::string>& c : classes) {
    const std::string first = *c.begin();
    for (const std::string& name : c) {
      if (name == first) continue;
      plain.push_back(first == zero ? symbols.at(name) : symbols.at(first) - symbols.at(name));
    }
  }
  plain.insert(plain.end(), rest.begin(), rest.end());
  return plain;
}

/// Can f and all of the others vanish, as far as signs tell?
bool is_possible(Expr f, const Locus& others) {
  const auto solution = plain_solution(f);
  return !solution || std::none_of(others.begin(), others.end(), [&](Expr e) {
    const Expr there = substitute(e, *solution);
    return !there.is_zero() && essential_factors(there).empty();
  });
}

}  // namespace

std::optional<Locus> tidied(const Locus& locus) {
  Locus left = with_plain_equations_sorted(locus);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (const auto solution = plain_solution(left[i])) {
      for (std::size_t j = 0; j < left.size(); ++j) {
        if (j != i && !plain_solution(left[j])) left[j] = substitute(left[j], *solution);
      }
    }
    std::erase_if(left, [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    Locus others = left;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    Expr product = 1;
    for (const Expr f : essential_factors(left[i])) {
      if (is_possible(f, others)) product *= f;
    }
    if (product.is_one()) return std::nullopt;
    left[i] = product;
  }
  std::erase_if(left, [all = left](Expr product) {  // follows from an equation that is one of its factors
    return product.is(Kind::product) && std::any_of(all.begin(), all.end(), [&](Expr e) {
             const auto factors = product.args();
             return std::find(factors.begin(), factors.end(), e) != factors.end();
           });
  });
  Locus distinct;
  for (const Expr e : left) {
    if (std::find(distinct.begin(), distinct.end(), e) == distinct.end()) distinct.push_back(e);
  }
  return in_canonical_order(std::move(distinct));
}

std::string text(const Locus& locus) {
  std::vector<std::string> equations;
  for (const Expr f : locus) equations.push_back(equation(f));
  return fmt::format("{}", fmt::join(equations, " and "));
}

std::string text(const std::vector<Locus>& loci) {
  std::vector<std::string> components;
  for (const Locus& locus : loci) components.push_back(text(locus));
  return fmt::format("{}", fmt::join(components, ", or "));
}

}  // namespace rattleback
