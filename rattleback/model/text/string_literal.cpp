#include <rattleback/model/text/string_literal.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace rattleback {
namespace {

/// UTF-8 of a code point; empty for surrogates and what lies beyond U+10FFFF.
std::string encoded(std::uint32_t code) {
  const auto byte = [](std::uint32_t b) { return static_cast<char>(static_cast<unsigned char>(b)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | code >> 6U), byte(0x80U | (code & 0x3FU))};
  if (code >= 0xD800 && code < 0xE000) return {};
  if (code < 0x10000)
    return {byte(0xE0U | code >> 12U), byte(0x80U | (code >> 6U & 0x3FU)), byte(0x80U | (code & 0x3FU))};
  if (code >= 0x110000) return {};
  return {byte(0xF0U | code >> 18U), byte(0x80U | (code >> 12U & 0x3FU)), byte(0x80U | (code >> 6U & 0x3FU)),
          byte(0x80U | (code & 0x3FU))};
}

}  // namespace

StringLiteral::StringLiteral(const Source& source, std::size_t begin)
    : source_(source),
      text_(source.text()),
      begin_(begin),
      position_(begin),
      quote_(text_[begin]),
      quotes_(1) {
  const std::string triple(3, quote_);
  if (text_.substr(begin).starts_with(triple)) quotes_ = 3;
  position_ += quotes_;
  if (quotes_ < 3) return;
  if (text_.substr(position_).starts_with("\r\n"))
    ++position_;  // a newline right after """ is not part of the value
  if (text_.substr(position_).starts_with("\n")) ++position_;
}

/// In a multi-line string up to two quotes may stand before the closing three.
bool StringLiteral::at_closing() const {
  if (text_[position_] != quote_) return false;
  if (quotes_ == 1) return true;
  std::size_t run = 0;
  while (position_ + run < text_.size() && run < 6 && text_[position_ + run] == quote_) ++run;
  return run == 3 || run == 6;
}

void StringLiteral::skip_line_continuation() {
  while (quotes_ == 3 && quote_ == '"' && position_ < text_.size() && text_[position_] == '\\') {
    const std::size_t line_end = text_.find_first_not_of(" \t\r", position_ + 1);
    if (line_end == std::string_view::npos || text_[line_end] != '\n') return;
    position_ = std::min(text_.find_first_not_of(" \t\r\n", line_end), text_.size());
  }
}

std::optional<StringLiteral::Character> StringLiteral::next() {
  skip_line_continuation();
  const auto unclosed = [&] {
    fail({begin_, begin_ + quotes_}, "this string is never closed", "",
         fmt::format("add {}", std::string(quotes_, quote_)));
  };
  if (position_ >= text_.size()) unclosed();
  if (at_closing()) {
    position_ += quotes_;
    return std::nullopt;
  }
  const char c = text_[position_];
  if (c == '\\' && quote_ == '"') return escape();
  if (quotes_ == 1 && (c == '\n' || c == '\r')) unclosed();
  const std::size_t start = position_++;
  if (c == '\r' && quotes_ == 3 && position_ < text_.size() && text_[position_] == '\n') {
    ++position_;
    return Character{"\n", {start, position_}};
  }
  const auto byte = static_cast<unsigned char>(c);
  if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F) {
    fail({start, start + 1}, fmt::format("the control character \\x{:02x} in a string", byte), "",
         "delete it, or write it as an escape such as \\n");
  }
  while (position_ < text_.size() && (static_cast<unsigned char>(text_[position_]) & 0xC0U) == 0x80)
    ++position_;
  return Character{std::string(text_.substr(start, position_ - start)), {start, position_}};
}

StringLiteral::Character StringLiteral::escape() {
  const std::size_t start = position_;
  const char letter = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
  constexpr std::string_view letters = "btnfr\"\\", meanings = "\b\t\n\f\r\"\\";
  if (const std::size_t k = letters.find(letter); k != std::string_view::npos && letter != '\0') {
    position_ += 2;
    return {std::string(1, meanings[k]), {start, position_}};
  }
  const std::size_t digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits > 0 && start + 2 + digits <= text_.size()) {
    std::uint32_t code = 0;
    const char* const first = text_.data() + start + 2;
    const auto [end, problem] = std::from_chars(first, first + digits, code, 16);
    if (problem == std::errc() && end == first + digits) {
      if (std::string bytes = encoded(code); !bytes.empty()) {
        position_ += 2 + digits;
        return {std::move(bytes), {start, position_}};
      }
    }
  }
  fail({start, std::min(start + 2 + digits, text_.size())}, "an unknown escape in a string",
       "\\ begins an escape between double quotes",
       "write \\\\ for a backslash, or put the text between single quotes");
}

void StringLiteral::fail(Span where, std::string summary, std::string why, std::string fix) const {
  throw Error("toml-syntax", std::move(summary), std::move(why), std::move(fix)).at(source_.place(where));
}

}  // namespace rattleback
