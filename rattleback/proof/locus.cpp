#include <rattleback/proof/locus.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/text.hpp>

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

}  // namespace

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
