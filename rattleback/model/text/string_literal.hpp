#pragma once
/// The four string literals of TOML, read one character at a time so that every character keeps its place.

#include <optional>
#include <string>

#include <rattleback/model/text/source.hpp>

namespace rattleback {

class StringLiteral {
 public:
  /// `begin` is the position of the opening quote. A key may not be a multi-line string.
  StringLiteral(const Source& source, std::size_t begin);

  /// The next character of the value, in UTF-8, and the bytes it was written with; nothing at the closing quote.
  /// Throws Error[toml-syntax].
  struct Character {
    std::string bytes;
    Span span;
  };
  std::optional<Character> next();

  bool is_multiline() const { return quotes_ == 3; }
  std::size_t position() const { return position_; }  ///< after the last character read

 private:
  bool at_closing() const;
  void skip_line_continuation();
  Character escape();
  [[noreturn]] void fail(Span where, std::string summary, std::string why, std::string fix) const;

  const Source& source_;
  std::string_view text_;
  std::size_t begin_, position_;
  char quote_;
  std::size_t quotes_;
};

}  // namespace rattleback
