#include <rattleback/algebra/arithmetic/pieces.hpp>

namespace rattleback {

std::vector<std::string> pieces(std::string_view text, char separator) {
  std::vector<std::string> found(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == separator && depth <= 0) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

}  // namespace rattleback
