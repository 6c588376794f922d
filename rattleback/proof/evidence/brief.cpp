#include <rattleback/proof/evidence/brief.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>

namespace rattleback {

std::string brief(Expr e) {
  constexpr std::size_t page = legible::in_a_refutation.count;
  const std::size_t size = written_size(e);
  return size <= page ? text(e) : fmt::format("(a formula of {} symbols)", size);
}

std::vector<std::string> brief_brackets(const std::vector<Symbol>& momenta, const Matrix& brackets) {
  std::vector<std::string> lines;
  for (int a = 0; a < brackets.rows(); ++a) {
    for (int b = a + 1; b < brackets.rows(); ++b) {
      if (!brackets(a, b).is_zero())
        lines.push_back(fmt::format("{{{}, {}}} = {}", momenta[static_cast<std::size_t>(a)].name(),
                                    momenta[static_cast<std::size_t>(b)].name(), brief(brackets(a, b))));
    }
  }
  return lines;
}

}  // namespace rattleback
