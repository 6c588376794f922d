#pragma once
/// Lexer (tokeniser) of the expression language: numbers, names with their primes, operators and brackets.

#include <cstdint>
#include <string>
#include <string_view>

#include <rattleback/algebra/arithmetic/rational.hpp>

namespace rattleback {

struct Token {
  enum class Kind : std::uint8_t { number, name, symbol, end } kind = Kind::end;
  int offset = 0, length = 0;  ///< in bytes
  std::string_view text;
};

/// A stream of tokens with one token of lookahead. The text must outlive it.
class Lexer {
 public:
  /// Throws Error[expression-too-long], and Error[unexpected-character] here and when moving on.
  explicit Lexer(std::string_view text);

  const Token& now() const { return token_; }
  Token take();
  bool at(std::string_view symbol) const {
    return token_.kind == Token::Kind::symbol && token_.text == symbol;
  }
  bool accept(std::string_view symbol);

  /// An error at a token.
  [[noreturn]] void fail(std::string slug, std::string summary, const Token& where, std::string why,
                         std::string fix) const;

 private:
  void advance();
  void skip_number();
  [[noreturn]] void unexpected(std::size_t start) const;

  std::string_view text_;
  std::size_t position_ = 0;
  Token token_;
};

/// "0.125e3" exactly. Long numbers are refused before any arithmetic: Error[number-too-large].
Rational exact_number(const Lexer& lexer, const Token& token);

}  // namespace rattleback
