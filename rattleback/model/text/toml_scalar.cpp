#include <rattleback/model/text/toml_scalar.hpp>

#include <algorithm>

namespace rattleback {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits, with single underscores between them; without leading zeros where TOML forbids them.
bool take_digits(std::string_view& word, std::string& out, const char* allowed = "0123456789") {
  bool any = false;
  while (!word.empty()) {
    const bool underscore = any && word[0] == '_' && word.size() > 1;
    if (underscore) word.remove_prefix(1);
    if (std::string_view(allowed).find(word[0]) == std::string_view::npos) return any && !underscore;
    out += word[0];
    word.remove_prefix(1);
    any = true;
  }
  return any;
}

}  // namespace

std::optional<std::string> without_underscores(std::string_view word) {
  std::string out;
  if (word.starts_with("0x") || word.starts_with("0o") || word.starts_with("0b")) {
    out = word.substr(0, 2);
    const char* digits = word[1] == 'x' ? "0123456789abcdefABCDEF" : word[1] == 'o' ? "01234567" : "01";
    word.remove_prefix(2);
    return take_digits(word, out, digits) && word.empty() ? std::optional(out) : std::nullopt;
  }
  if (word.starts_with('+') || word.starts_with('-')) {
    if (word[0] == '-') out = "-";
    word.remove_prefix(1);
  }
  if (word == "inf" || word == "nan") return out + std::string(word);
  const bool leading_zero = word.size() > 1 && word[0] == '0' && (is_digit(word[1]) || word[1] == '_');
  if (leading_zero || !take_digits(word, out)) return std::nullopt;
  if (word.starts_with('.')) {
    out += '.';
    word.remove_prefix(1);
    if (!take_digits(word, out)) return std::nullopt;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    out += 'e';
    word.remove_prefix(1);
    if (word.starts_with('+') || word.starts_with('-')) {
      out += word[0];
      word.remove_prefix(1);
    }
    if (!take_digits(word, out)) return std::nullopt;
  }
  return word.empty() ? std::optional(out) : std::nullopt;
}

bool looks_like_date(std::string_view word) {
  const auto digits = [&](std::size_t from, std::size_t count) {
    return word.size() >= from + count &&
           std::all_of(word.begin() + static_cast<long>(from), word.begin() + static_cast<long>(from + count),
                       is_digit);
  };
  return (digits(0, 4) && word.substr(4).starts_with('-') && digits(5, 2) &&
          word.substr(7).starts_with('-') && digits(8, 2)) ||
         (digits(0, 2) && word.substr(2).starts_with(':') && digits(3, 2));
}

}  // namespace rattleback
