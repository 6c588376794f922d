#include <rattleback/model/text/toml.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/model/text/string_literal.hpp>
#include <rattleback/model/text/toml_scalar.hpp>
#include <rattleback/model/text/toml_tables.hpp>

namespace rattleback {
namespace {

constexpr int deepest_nesting = input_limits::toml.count;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// What people write for true and false elsewhere; null for other words.
const char* truth_meant(std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* yes : {"yes", "on", "true"})
    if (small == yes) return "true";
  for (const char* no : {"no", "off", "false"})
    if (small == no) return "false";
  return nullptr;
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), text_(source.text()) {}

  Toml document() {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
    for (skip_empty_lines(); position_ < text_.size(); skip_empty_lines()) {
      if (now() == '[') {
        header();
      } else {
        assignment(document_.current_table(), 0);
      }
      end_of_line();
    }
    return document_.take();
  }

 private:
  char now() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool at(std::string_view what) const { return text_.substr(position_).starts_with(what); }
  bool accept(char c) {
    if (now() != c || position_ >= text_.size()) return false;
    ++position_;
    return true;
  }
  Span here(std::size_t length = 1) const { return {position_, position_ + length}; }

  [[noreturn]] void fail(Span where, std::string summary, std::string why = {},
                         std::string fix = "check this line") const {
    throw Error("toml-syntax", std::move(summary), std::move(why), std::move(fix)).at(source_.place(where));
  }
  void skip_blanks() {
    while (now() == ' ' || now() == '\t') ++position_;
  }
  void skip_comment() {
    if (now() != '#') return;
    for (; position_ < text_.size() && now() != '\n'; ++position_) {
      const auto byte = static_cast<unsigned char>(now());
      if ((byte < 0x20 && byte != '\t' && byte != '\r') || byte == 0x7F)
        fail(here(), fmt::format("the control character \\x{:02x} in a comment", byte), "", "delete it");
    }
  }
  bool newline() {
    if (at("\r\n")) ++position_;
    return accept('\n');
  }
  void skip_empty_lines() {
    do {
      skip_blanks();
      skip_comment();
    } while (newline());
  }
  void end_of_line() {
    skip_blanks();
    skip_comment();
    if (position_ >= text_.size() || newline()) return;
    require_no_decimal_comma();
    fail(here(), "more text after the value", "a line holds one key and one value",
         "put it on a line of its own; put text between quotes");
  }

  /// 0,5 for 0.5.
  void require_no_decimal_comma() {
    const auto digit = [&](std::size_t i) { return i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; };
    if (now() != ',' || position_ == 0 || !digit(position_ - 1) || !digit(position_ + 1)) return;
    std::size_t begin = position_, end = position_ + 1;
    while (begin > 0 && (digit(begin - 1) || text_[begin - 1] == '-')) --begin;
    while (digit(end)) ++end;
    const std::string whole(text_.substr(begin, position_ - begin)),
        digits(text_.substr(position_ + 1, end - position_ - 1));
    fail({begin, end}, fmt::format("`{},{}` is not a number", whole, digits), "decimals have a point",
         fmt::format("write {}.{}", whole, digits));
  }

  // ---- keys

  TomlKey key() {
    const std::size_t start = position_;
    if (now() == '"' || now() == '\'') {
      StringLiteral literal(source_, position_);
      if (literal.is_multiline()) fail(here(3), "a key in triple quotes", "", "use single or double quotes");
      TomlKey k;
      while (const auto c = literal.next()) k.name += c->bytes;
      position_ = literal.position();
      k.span = {start, position_};
      return k;
    }
    while (is_bare(now())) ++position_;
    if (position_ == start) {
      const auto byte = static_cast<unsigned char>(now());
      if (position_ < text_.size() && byte < 0x20)
        fail(here(), fmt::format("the control character \\x{:02x}", byte), "", "delete it");
      if (byte >= 0x80)
        fail(here(), "a name in letters that are not ASCII", "names are made of ASCII letters, digits and _",
             "spell it out, such as theta, omega or mu; titles and comments may use any letters");
      fail(here(),
           position_ < text_.size() ? "a key should stand here" : "the file ends where a key should stand",
           "", "write key = value; keys with primes or spaces stand between quotes");
    }
    return {std::string(text_.substr(start, position_ - start)), {start, position_}};
  }

  /// a.b.c
  std::vector<TomlKey> path() {
    std::vector<TomlKey> keys{key()};
    for (skip_blanks(); accept('.'); skip_blanks()) {
      skip_blanks();
      if (keys.size() >= deepest_nesting)
        fail(here(), "a key with too many dots", fmt::format("the limit is {} levels", deepest_nesting));
      keys.push_back(key());
    }
    return keys;
  }

  // ---- sections and assignments

  /// [a.b] or [[a.b]]
  void header() {
    const std::size_t start = position_;
    const bool array = at("[[");
    position_ += array ? 2 : 1;
    skip_blanks();
    const std::vector<TomlKey> keys = path();
    if (!at(array ? "]]" : "]"))
      fail(here(), "a section header is not closed", "", array ? "add ]]" : "add ]");
    position_ += array ? 2 : 1;
    if (array) {
      document_.open_element(keys, {start, position_});
    } else {
      document_.open_table(keys, {start, position_});
    }
  }

  /// { value = 0,5 }: the digits behind the comma were read as a key.
  void fail_at_decimal_comma(const TomlKey& key) const {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t begin = key.span.begin;
    if (!std::all_of(key.name.begin(), key.name.end(), is_digit) || begin < 2 ||
        source_.text()[begin - 1] != ',' || !is_digit(source_.text()[begin - 2]))
      return;
    --begin;
    while (begin > 0 && (is_digit(source_.text()[begin - 1]) || source_.text()[begin - 1] == '-')) --begin;
    const Span number{begin, key.span.end};
    std::string written = source_.text().substr(number.begin, number.end - number.begin), right = written;
    right[right.find(',')] = '.';
    fail(number, fmt::format("`{}` is not a number", written), "decimals have a point", "write " + right);
  }

  /// key = value, or a.b = value
  void assignment(Toml& into, int depth) {
    const std::vector<TomlKey> keys = path();
    skip_blanks();
    if (now() == '\'')
      fail(here(), fmt::format("`{}'` is not a bare key", keys.back().name),
           "bare keys have letters, digits, - and _ only",
           fmt::format("put the name between quotes: \"{}'\" = ...", keys.back().name));
    if (!accept('=')) {
      fail_at_decimal_comma(keys.back());
      const std::string& name = keys.back().name;
      const bool is_group = depth > 0 && (name == "R" || name == "S1" || name == "SO");
      fail(here(), fmt::format("`=` is missing after `{}`", name), "",
           is_group ? fmt::format("write group = \"{}\"", name == "SO" ? "SO(3)" : name)
                    : "write key = value");
    }
    skip_blanks();
    Toml& table = document_.dotted_table(into, keys);
    document_.require_new(table, keys.back());
    document_.add(table, keys.back(), value(depth));
  }

  // ---- values

  Toml value(int depth) {
    if (depth > deepest_nesting)
      fail(here(), "values are nested too deeply", fmt::format("the limit is {} levels", deepest_nesting),
           "use fewer brackets");
    const std::size_t start = position_;
    Toml v = now() == '"' || now() == '\'' ? string()
             : now() == '['                ? array(depth)
             : now() == '{'                ? inline_table(depth)
                                           : scalar();
    v.span = {start, position_};
    v.key_span = v.span;
    return v;
  }

  Toml string() {
    Toml v;
    v.kind = Toml::Kind::string;
    StringLiteral literal(source_, position_);
    while (const auto c = literal.next()) v.text += c->bytes;
    position_ = literal.position();
    return v;
  }

  Toml array(int depth) {
    Toml v;
    v.kind = Toml::Kind::array;
    const Span opening = here();
    ++position_;
    while (true) {
      skip_empty_lines();
      if (accept(']')) return v;
      if (position_ >= text_.size()) fail(opening, "this array is never closed", "", "add ]");
      v.items.push_back(value(depth + 1));
      skip_empty_lines();
      if (accept(',')) continue;
      if (!accept(']'))
        fail(position_ < text_.size() ? here() : opening, "`,` or `]` is missing in an array", "",
             "separate values with commas");
      return v;
    }
  }

  Toml inline_table(int depth) {
    Toml v;
    const Span opening = here();
    ++position_;
    skip_blanks();
    if (accept('}')) return v;
    while (true) {
      skip_blanks();
      if (now() == '\n' || now() == '\r' || position_ >= text_.size()) {
        fail(opening, "a { … } table must end on its own line", "",
             "close it, or give it a section [name] of its own");
      }
      assignment(v, depth + 1);
      skip_blanks();
      if (accept(',')) continue;
      if (!accept('}'))
        fail(position_ < text_.size() && now() != '\n' ? here() : opening,
             "`,` or `}` is missing in a { … } table", "",
             now() != '\n' && std::string_view("+-*/^(").find(now()) != std::string_view::npos
                 ? "put a formula in quotes, such as \"1/10\""
                 : "separate keys with commas, on one line");
      return v;
    }
  }

  /// true, false, a number or a date, told apart by their letters.
  Toml scalar() {
    const std::size_t start = position_;
    while (is_bare(now()) || now() == '+' || now() == '.' || now() == ':') ++position_;
    const std::string_view word = text_.substr(start, position_ - start);
    if (word.empty())
      fail(here(), "a value should stand here", "", "write a number, true, false, or text between quotes");
    Toml v;
    v.text = std::string(word);
    if (word == "true" || word == "false") {
      v.kind = Toml::Kind::boolean;
      v.truth = word == "true";
    } else if (looks_like_date(word)) {
      v.kind = Toml::Kind::date;
    } else if (const auto number = without_underscores(word)) {
      v.kind = Toml::Kind::number;
      v.text = *number;
    } else if (const char* truth = truth_meant(word)) {
      fail({start, position_}, fmt::format("`{}` is not a value", word), "truth is written true or false",
           fmt::format("write {}", truth));
    } else if (word[0] >= '0' && word[0] <= '9') {
      fail({start, position_}, fmt::format("`{}` is not a number", word.substr(0, 40)),
           "numbers have no unit; names and expressions are strings",
           word.ends_with("deg")
               ? "write the angle in radians, 90 degrees are \"pi/2\", or declare units and write \"90 deg\""
               : fmt::format("put an expression between quotes: \"{}\"", word.substr(0, 40)));
    } else {
      fail({start, position_}, fmt::format("`{}` is not a value", word.substr(0, 40)),
           "names and expressions are strings",
           fmt::format("put it between quotes: \"{}\"", word.substr(0, 40)));
    }
    return v;
  }

  const Source& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  TomlTables document_{source_};
};

}  // namespace

const Toml* Toml::find(const std::string& name) const {
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &items[found->second];
}

Toml parse_toml(const Source& source) { return Reader(source).document(); }

std::string_view noun(Toml::Kind kind) {
  switch (kind) {
    case Toml::Kind::table: return "a table";
    case Toml::Kind::array: return "an array";
    case Toml::Kind::string: return "a string";
    case Toml::Kind::number: return "a number";
    case Toml::Kind::boolean: return "true or false";
    case Toml::Kind::date: return "a date";
  }
  throw Bug("a kind of TOML value without a name");
}

Span span_within(const Source& source, const Toml& string, std::size_t offset, std::size_t length) {
  StringLiteral literal(source, string.span.begin);
  Span found{string.span.end > 0 ? string.span.end - 1 : 0,
             string.span.end};  // past the end: the closing quote
  std::size_t decoded = 0;
  bool begun = false;
  while (const auto c = literal.next()) {
    if (!begun && decoded + c->bytes.size() > offset) {
      found = c->span;
      begun = true;
    }
    decoded += c->bytes.size();
    if (begun) found.end = c->span.end;
    if (begun && decoded >= offset + length) break;
  }
  return found;
}

}  // namespace rattleback
