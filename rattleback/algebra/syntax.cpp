#include <rattleback/algebra/syntax.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>

namespace rattleback {
namespace {

constexpr std::size_t longest_text = 1'000'000;
constexpr int deepest_nesting = 200;
constexpr std::size_t longest_number = 4000;
constexpr long largest_exponent = 4000;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Token {
  enum class Kind : std::uint8_t { number, name, symbol, end } kind = Kind::end;
  int offset = 0, length = 0;
  std::string_view text;
};

/// What people type and what the syntax wants instead.
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

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    if (text.size() > longest_text) {
      throw Error("expression-too-long", fmt::format("an expression of {} characters", text.size()),
                  fmt::format("the limit is {} characters", longest_text), "split it with [define]");
    }
    advance();
  }

  const Token& now() const { return token_; }
  Token take() {
    Token t = token_;
    advance();
    return t;
  }
  bool at(std::string_view symbol) const {
    return token_.kind == Token::Kind::symbol && token_.text == symbol;
  }
  bool accept(std::string_view symbol) {
    if (!at(symbol)) return false;
    advance();
    return true;
  }

  [[noreturn]] void fail(std::string slug, std::string summary, const Token& where, std::string why,
                         std::string fix) const {
    Error error(std::move(slug), std::move(summary), std::move(why), std::move(fix));
    Place place;
    place.text = std::string(text_);
    place.offset = where.offset;
    place.length = std::max(1, where.length);
    throw error.at(std::move(place));
  }

 private:
  void advance() {
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
    } else if (std::string_view("+-*/^()[],=").find(c) != std::string_view::npos) {
      token_.kind = Token::Kind::symbol;
      ++position_;
    } else {
      unexpected(start);
    }
    token_.length = static_cast<int>(position_ - start);
    token_.text = text_.substr(start, position_ - start);
  }

  void skip_number() {
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

  [[noreturn]] void unexpected(std::size_t start) const {
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

  std::string_view text_;
  std::size_t position_ = 0;
  Token token_;
};

/// "0.125e3" exactly. Long numbers are refused before any arithmetic.
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

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Syntax whole() {
    Syntax s = sum();
    expect_end();
    return s;
  }

  Equation equation() {
    Equation e{sum(), std::nullopt};
    if (lexer_.accept("=")) {
      if (lexer_.at("="))
        lexer_.fail("syntax", "`==` is not an equation", lexer_.now(), "", "write a single `=`");
      e.right = sum();
    }
    expect_end();
    return e;
  }

 private:
  using Kind = Syntax::Kind;

  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_nesting) {
        parser_.lexer_.fail("expression-too-deep", "brackets are nested too deeply", parser_.lexer_.now(),
                            fmt::format("the limit is {} levels", deepest_nesting),
                            "name inner parts in [define]");
      }
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Parser& parser_;
  };

  void expect_end() {
    if (lexer_.now().kind == Token::Kind::end) return;
    const Token& t = lexer_.now();
    if (t.kind == Token::Kind::symbol && (t.text == ")" || t.text == "]")) {
      lexer_.fail("syntax", fmt::format("`{}` without an opening bracket", t.text), t, "",
                  fmt::format("delete it or add the missing `{}`", t.text == ")" ? "(" : "["));
    }
    if (t.kind == Token::Kind::symbol && t.text == "=") {
      lexer_.fail("syntax", "an `=` where an expression should end", t,
                  "an equation has exactly one `=`, a definition none", "delete it");
    }
    if (t.kind != Token::Kind::symbol || t.text == "(") {
      lexer_.fail("syntax", fmt::format("an operator is missing before `{}`", t.text), t,
                  "multiplication is always written", fmt::format("write `*{}`", t.text));
    }
    lexer_.fail("syntax", fmt::format("`{}` is not expected here", t.text), t, "",
                "check the expression around this place");
  }

  Syntax joined(Kind kind, std::vector<Syntax> children) {
    if (children.size() == 1) return std::move(children[0]);
    Syntax s;
    s.kind = kind;
    s.offset = children.front().offset;
    s.length = children.back().offset + children.back().length - s.offset;
    s.children = std::move(children);
    return s;
  }

  Syntax wrapped(Kind kind, int offset, Syntax inner) {
    Syntax s;
    s.kind = kind;
    s.offset = offset;
    s.length = inner.offset + inner.length - offset;
    s.children.push_back(std::move(inner));
    return s;
  }

  Syntax sum() {
    const Depth depth(*this);
    std::vector<Syntax> terms;
    bool negative = false;
    int sign_at = lexer_.now().offset;
    if (lexer_.at("-") || lexer_.at("+")) negative = lexer_.take().text == "-";
    while (true) {
      Syntax t = term();
      terms.push_back(negative ? wrapped(Kind::negative, sign_at, std::move(t)) : std::move(t));
      if (!lexer_.at("+") && !lexer_.at("-")) break;
      sign_at = lexer_.now().offset;
      negative = lexer_.take().text == "-";
    }
    return joined(Kind::sum, std::move(terms));
  }

  Syntax term() {
    std::vector<Syntax> factors;
    factors.push_back(signed_power());
    while (lexer_.at("*") || lexer_.at("/")) {
      const Token op = lexer_.take();
      if (op.text == "*" && lexer_.at("*"))
        lexer_.fail("syntax", "`**` is not an operator here", lexer_.now(), "", "write powers as x^2");
      Syntax f = signed_power();
      factors.push_back(op.text == "*" ? std::move(f) : wrapped(Kind::reciprocal, op.offset, std::move(f)));
    }
    return joined(Kind::product, std::move(factors));
  }

  /// Allows a sign after an operator: 2*-x, x^-1.
  Syntax signed_power() {
    const Depth depth(*this);
    if (lexer_.at("-") || lexer_.at("+")) {
      const Token sign = lexer_.take();
      Syntax p = signed_power();
      return sign.text == "-" ? wrapped(Kind::negative, sign.offset, std::move(p)) : p;
    }
    return power();
  }

  Syntax power() {
    Syntax base = indexed();
    if (!lexer_.accept("^")) return base;
    std::vector<Syntax> both;
    both.push_back(std::move(base));
    both.push_back(signed_power());
    return joined(Kind::power, std::move(both));
  }

  Syntax indexed() {
    Syntax s = atom();
    while (lexer_.at("[")) {
      lexer_.take();
      std::vector<Syntax> children = list("]");
      const Token& next = lexer_.now();
      if (s.kind == Kind::name && lexer_.at("(") && next.offset > 0)
        return derivative_call(std::move(s), children);
      children.insert(children.begin(), std::move(s));
      Syntax i;
      i.kind = Kind::index;
      i.offset = children.front().offset;
      i.length = last_end_ - i.offset;
      i.children = std::move(children);
      s = std::move(i);
    }
    return s;
  }

  /// V[1,0](x, y): derivative of the abstract function V by its first argument.
  Syntax derivative_call(Syntax name, const std::vector<Syntax>& orders) {
    for (const Syntax& o : orders) {
      const long k = o.kind == Kind::number ? o.number.to_long(-1) : -1;
      if (k < 0 || k > 100) {
        Token where{Token::Kind::number, o.offset, o.length, {}};
        lexer_.fail("syntax", "orders of differentiation are whole numbers", where, "",
                    "write V[1,0](x, y) for the derivative by the first argument");
      }
      name.orders.push_back(static_cast<int>(k));
    }
    lexer_.take();
    name.kind = Kind::call;
    name.children = list(")");
    name.length = last_end_ - name.offset;
    return name;
  }

  Syntax atom() {
    const Token t = lexer_.now();
    Syntax s;
    s.offset = t.offset;
    s.length = t.length;
    switch (t.kind) {
      case Token::Kind::number:
        s.kind = Kind::number;
        s.number = exact_number(lexer_, t);
        lexer_.take();
        if (lexer_.now().kind == Token::Kind::name && lexer_.now().offset == t.offset + t.length)
          expect_end();
        return s;
      case Token::Kind::name:
        lexer_.take();
        s.kind = Kind::name;
        s.text = std::string(t.text);
        if (lexer_.accept("(")) {
          s.kind = Kind::call;
          s.children = list(")");
          s.length = last_end_ - s.offset;
        }
        return s;
      case Token::Kind::symbol:
        if (lexer_.accept("(")) {
          Syntax inner = sum();
          close(")", t);
          inner.length = last_end_ - t.offset;
          inner.offset = t.offset;
          return inner;
        }
        if (lexer_.accept("[")) {
          s.kind = Kind::vector;
          s.children = list("]");
          s.length = last_end_ - s.offset;
          return s;
        }
        [[fallthrough]];
      default: break;
    }
    const bool end = t.kind == Token::Kind::end;
    lexer_.fail(
        "syntax",
        end ? "the expression ends too early" : fmt::format("`{}` where a value should stand", t.text), t,
        "a number, a name or an opening bracket is expected",
        end ? "complete the expression" : "check the expression around this place");
  }

  std::vector<Syntax> list(std::string_view closing) {
    const Depth depth(*this);
    const Token opening = lexer_.now();
    std::vector<Syntax> items;
    if (!lexer_.at(closing)) {
      do items.push_back(sum());
      while (lexer_.accept(","));
    }
    close(closing, opening);
    return items;
  }

  void close(std::string_view closing, const Token& opening) {
    last_end_ = lexer_.now().offset + lexer_.now().length;
    if (lexer_.accept(closing)) return;
    if (lexer_.now().kind == Token::Kind::end) {
      lexer_.fail("syntax", fmt::format("a bracket is never closed: `{}` is missing", closing), opening, "",
                  fmt::format("add `{}`", closing));
    }
    expect_end();
  }

  Lexer lexer_;
  int depth_ = 0;
  int last_end_ = 0;
};

}  // namespace

Syntax parse_syntax(std::string_view text) { return Parser(text).whole(); }
Equation parse_equation(std::string_view text) { return Parser(text).equation(); }

std::pair<std::string_view, int> split_primes(std::string_view name) {
  int primes = 0;
  while (name.ends_with('\'')) {
    name.remove_suffix(1);
    ++primes;
  }
  return {name, primes};
}

}  // namespace rattleback
