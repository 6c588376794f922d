#include <rattleback/view/formulas/wrapped_formula.hpp>

#include <limits>

namespace rattleback {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

bool is_operator(const std::string& formula, std::size_t at) {
  return at > 0 && at + 2 < formula.size() && formula[at] == ' ' &&
         (formula[at + 1] == '+' || formula[at + 1] == '-') && formula[at + 2] == ' ';
}

/// The operator in the later half of [begin, begin + room) that lies in the fewest brackets, the last of them; when the
/// half has none, the last before it, and otherwise the first behind the room.
std::size_t break_after(const std::string& formula, std::size_t begin, std::size_t room) {
  int depth = 0, best_depth = std::numeric_limits<int>::max();
  std::size_t best = nowhere, early = nowhere;
  for (std::size_t i = begin; i < formula.size(); ++i) {
    const char c = formula[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (i > begin + room && (best != nowhere || early != nowhere)) break;
    if (i == begin || !is_operator(formula, i)) continue;
    if (i > begin + room) return i;
    if (i < begin + room / 2) {
      early = i;
    } else if (depth <= best_depth) {
      best_depth = depth;
      best = i;
    }
  }
  return best != nowhere ? best : early;
}

}  // namespace

std::string wrapped_formula(const std::string& formula, std::size_t start, std::size_t indent,
                            std::size_t width) {
  constexpr std::size_t tolerated = 30;  // a slightly longer line is preferred to two lines
  if (start + formula.size() <= width + tolerated) return formula;
  std::string lines;
  std::size_t begin = 0, column = start;
  while (column < width && formula.size() - begin > width - column) {
    const std::size_t end = break_after(formula, begin, width - column);
    if (end == nowhere) break;
    lines += formula.substr(begin, end - begin) + "\n" + std::string(indent, ' ');
    begin = end + 1;  // the operator leads the next line
    column = indent;
  }
  return lines + formula.substr(begin);
}

}  // namespace rattleback
