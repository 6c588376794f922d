#include <rattleback/proof/brief.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/text.hpp>

namespace rattleback {

std::string brief(Expr e) {
  constexpr std::size_t page = 600;
  const std::size_t size = written_size(e);
  return size <= page ? text(e) : fmt::format("(a formula of {} symbols)", size);
}

}  // namespace rattleback
