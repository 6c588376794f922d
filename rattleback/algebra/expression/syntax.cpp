#include <rattleback/algebra/expression/syntax.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/lexer.hpp>

namespace rattleback {
namespace {

constexpr int deepest_nesting = input_limits::brackets.count;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}

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
    if (t.kind == Token::Kind::symbol && (t.text[0] == '<' || t.text[0] == '>')) {
      lexer_.fail("syntax", fmt::format("a comparison with `{}`", t.text), t,
                  "comparisons stand in piecewise(...), in [forces] and [inputs]",
                  "write piecewise(x > 0, a, b): a where x > 0, b elsewhere");
    }
    if (t.kind == Token::Kind::name && (t.text == "deg" || t.text == "degrees")) {
      lexer_.fail("syntax", "an angle in degrees", t, "angles are in radians",
                  "write 90 degrees as `pi/2`, or declare units");
    }
    if (t.kind != Token::Kind::symbol || t.text == "(") {
      lexer_.fail("syntax", fmt::format("an operator is missing before `{}`", t.text), t,
                  "multiplication is always written", fmt::format("write `*{}`", t.text));
    }
    if (t.kind == Token::Kind::symbol && t.text == ",") refuse_decimal_comma(t);
    lexer_.fail("syntax", fmt::format("`{}` is not expected here", t.text), t, "",
                "check the expression around this place");
  }

  /// 0,5 for 0.5.
  void refuse_decimal_comma(const Token& comma) const {
    const auto is_digit = [&](std::size_t i) {
      return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
    };
    std::size_t first = static_cast<std::size_t>(comma.offset), last = first + 1;
    while (first > 0 && is_digit(first - 1)) --first;
    while (is_digit(last)) ++last;
    const std::string whole(text_.substr(first, last - first));
    if (whole.front() == ',' || whole.back() == ',') return;
    std::string point = whole;
    point[point.find(',')] = '.';
    lexer_.fail("syntax", fmt::format("`{}` is not a number", whole), comma, "decimals have a point",
                "write " + point);
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
      if (op.text == "/") f = wrapped(Kind::reciprocal, op.offset, std::move(f));
      factors.push_back(std::move(f));
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
        } else if (lexer_.now().kind == Token::Kind::name && Function::find_builtin(s.text)) {
          lexer_.fail("syntax", fmt::format("the argument of `{}` stands in brackets", s.text), lexer_.now(),
                      "", fmt::format("write `{}({})`", s.text, lexer_.now().text));
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
      do items.push_back(compared());
      while (lexer_.accept(","));
    }
    close(closing, opening);
    return items;
  }

  /// a < b or a > b, as a call of that name with two arguments; anything else as it is. Only piecewise(…) gives it a meaning.
  Syntax compared() {
    Syntax left = sum();
    for (const char* sign : {"<", ">", "<=", ">="}) {
      if (!lexer_.at(sign)) continue;
      Syntax both;
      both.kind = Kind::call;
      both.text = std::string(lexer_.take().text).substr(0, 1);
      both.offset = left.offset;
      both.children.push_back(std::move(left));
      both.children.push_back(sum());
      both.length = both.children[1].offset + both.children[1].length - both.offset;
      return both;
    }
    return left;
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

  std::string_view text_;
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
