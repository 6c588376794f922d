#include <rattleback/algebra/expression/lexer.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {
namespace {

constexpr std::size_t longest_text = input_limits::formula.count;
constexpr std::size_t longest_number = input_limits::number.count;
constexpr long largest_exponent = input_limits::decimal_exponent.count;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Unicode characters that users type, and their ASCII spelling in the syntax.
struct Lookalike {
  std::string_view typed, meant;
};
constexpr std::array lookalikes{
    Lookalike{"×", "*"},     Lookalike{"·", "*"},     Lookalike{"−", "-"},      Lookalike{"–", "-"},
    Lookalike{"’", "'"},     Lookalike{"′", "'"},     Lookalike{"²", "^2"},     Lookalike{"³", "^3"},
    Lookalike{"α", "alpha"}, Lookalike{"β", "beta"},  Lookalike{"γ", "gamma"},  Lookalike{"δ", "delta"},
    Lookalike{"θ", "theta"}, Lookalike{"φ", "phi"},   Lookalike{"ϕ", "phi"},    Lookalike{"ψ", "psi"},
    Lookalike{"ω", "omega"}, Lookalike{"Ω", "Omega"}, Lookalike{"π", "pi"},     Lookalike{"ρ", "rho"},
    Lookalike{"σ", "sigma"}, Lookalike{"μ", "mu"},    Lookalike{"λ", "lambda"}, Lookalike{"√", "sqrt"},
    Lookalike{"½", "1/2"},   Lookalike{"ξ", "xi"},    Lookalike{"η", "eta"},    Lookalike{"ε", "epsilon"},
};

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text.size() > longest_text) {
    throw Error("expression-too-long", fmt::format("an expression of {} characters", text.size()),
                fmt::format("the limit is {} characters", longest_text), "split it with [define]");
  }
  advance();
}

Token Lexer::take() {
  Token t = token_;
  advance();
  return t;
}

bool Lexer::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  advance();
  return true;
}

void Lexer::fail(std::string slug, std::string summary, const Token& where, std::string why,
                 std::string fix) const {
  Error error(std::move(slug), std::move(summary), std::move(why), std::move(fix));
  Place place;
  place.text = std::string(text_);
  place.offset = where.offset;
  place.length = std::max(1, where.length);
  throw error.at(std::move(place));
}

void Lexer::advance() {
  while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0)
    ++position_;
  const std::size_t start = position_;
  token_ = Token{Token::Kind::end, static_cast<int>(start), 0, {}};
  if (start == text_.size()) return;
  const char c = text_[start];
  if (is_digit(c) || (c == '.' && start + 1 < text_.size() && is_digit(text_[start + 1]))) {
    token_.kind = Token::Kind::number;
    skip_number();
  } else if (is_letter(c)) {
    token_.kind = Token::Kind::name;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_])))
      ++position_;
    while (position_ < text_.size() && text_[position_] == '\'') ++position_;
  } else if (std::string_view("+-*/^()[],=<>").find(c) != std::string_view::npos) {
    token_.kind = Token::Kind::symbol;
    ++position_;
    const bool compares = c == '<' || c == '>';
    if (compares && position_ < text_.size() && text_[position_] == '=') ++position_;  // <= and >=
  } else {
    unexpected(start);
  }
  token_.length = static_cast<int>(position_ - start);
  token_.text = text_.substr(start, position_ - start);
}

void Lexer::skip_number() {
  const auto digits = [&] {
    while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
  };
  digits();
  if (position_ < text_.size() && text_[position_] == '.') {
    ++position_;
    digits();
  }
  if (position_ < text_.size() && (text_[position_] == 'e' || text_[position_] == 'E')) {
    std::size_t p = position_ + 1;
    if (p < text_.size() && (text_[p] == '+' || text_[p] == '-')) ++p;
    if (p < text_.size() && is_digit(text_[p])) {
      position_ = p;
      digits();
    }
  }
}

void Lexer::unexpected(std::size_t start) const {
  Token where{Token::Kind::symbol, static_cast<int>(start), 1, {}};
  const std::string_view rest = text_.substr(start);
  for (const Lookalike& l : lookalikes) {
    if (rest.starts_with(l.typed)) {
      fail("unexpected-character", fmt::format("the character `{}` is not part of the syntax", l.typed),
           where, "", fmt::format("write `{}`", l.meant));
    }
  }
  const auto byte = static_cast<unsigned char>(rest[0]);
  const std::string shown =
      byte >= 0x20 && byte < 0x7F ? fmt::format("`{}`", rest[0]) : fmt::format("\\x{:02x}", byte);
  fail("unexpected-character", fmt::format("the character {} is not part of the syntax", shown), where, "",
       "expressions use ASCII letters, digits, + - * / ^ ( ) [ ] , ' and =");
}

Rational exact_number(const Lexer& lexer, const Token& token) {
  std::string digits;
  long exponent = 0, fraction = 0;
  bool after_point = false;
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    const char c = token.text[i];
    if (c == '.') {
      after_point = true;
    } else if (is_digit(c)) {
      digits += c;
      if (after_point) ++fraction;
    } else {  // e or E
      const std::string_view tail = token.text.substr(i + 1);
      const bool negative = tail.starts_with('-');
      for (const char d : tail) {
        if (is_digit(d)) exponent = std::min(largest_exponent + 1, exponent * 10 + (d - '0'));
      }
      if (negative) exponent = -exponent;
      break;
    }
  }
  if (digits.size() > longest_number || exponent > largest_exponent || exponent < -largest_exponent) {
    lexer.fail("number-too-large", "a number that is too long to be meant", token,
               fmt::format("at most {} digits and exponents up to {} are exact here", longest_number,
                           largest_exponent),
               "use a named parameter, or fewer digits");
  }
  return Rational::from_text(digits) * power(Rational(10), exponent - fraction);
}

}  // namespace rattleback
