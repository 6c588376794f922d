#include <rattleback/model/reading/reading.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/system/units.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_entries = input_limits::array.count;

/// What an array in a model file may hold, as [a, b, c] or [[a, b], [c, d]].
Value assembled(std::vector<Value> parts) {
  std::vector<Expr> scalars;
  for (const Value& part : parts) {
    if (const Expr* e = std::get_if<Expr>(&part)) scalars.push_back(*e);
  }
  if (scalars.size() == parts.size()) return Matrix::column(scalars);
  const auto* first = std::get_if<Matrix>(&parts[0]);
  const int width = first == nullptr ? 0 : first->rows();
  if (parts.size() * static_cast<std::size_t>(width) > most_entries) {
    throw Error("matrix-too-large", "a matrix with too many entries",
                fmt::format("the limit is {}", most_entries), "use smaller matrices");
  }
  Matrix m(static_cast<int>(parts.size()), width);
  for (int i = 0; i < m.rows(); ++i) {
    const auto* row = std::get_if<Matrix>(&parts[static_cast<std::size_t>(i)]);
    if (row == nullptr || !row->is_column() || row->rows() != width) {
      throw Error("shape-mismatch", "the rows of this matrix have different lengths", "",
                  "write [[a, b], [c, d]] with rows of equal length");
    }
    for (int j = 0; j < width; ++j) m(i, j) = (*row)[j];
  }
  return m;
}

std::string shape(const Value& v) {
  if (std::holds_alternative<Expr>(v)) return "a scalar";
  const auto& m = std::get<Matrix>(v);
  return m.is_column() ? fmt::format("a vector of {}", m.rows())
                       : fmt::format("a {}×{} matrix", m.rows(), m.columns());
}

bool is_name(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

/// Hexadecimal, octal and binary integers of TOML, in decimal; infinities have no exact value.
std::string decimal(const std::string& literal) {
  if (literal.ends_with("inf") || literal.ends_with("nan")) {
    throw Error("wrong-type", fmt::format("`{}` is not a number that a model can use", literal),
                "every number is exact", "give a finite number");
  }
  if (literal.size() < 2 || literal[0] != '0' ||
      std::string_view("xob").find(literal[1]) == std::string_view::npos)
    return literal;
  if (literal.size() > 18)
    throw TooLarge("number-too-large", "a number that is too long to be meant", "", "write it in decimal");
  return std::to_string(std::stoull(literal.substr(2), nullptr,
                                    literal[1] == 'x'   ? 16
                                    : literal[1] == 'o' ? 8
                                                        : 2));
}

}  // namespace

const Toml* Reading::section(const std::string& name) const {
  const Toml* found = root_.find(name);
  if (found != nullptr) require(*found, Toml::Kind::table, fmt::format("[{}]", name));
  return found;
}

void Reading::require_name(const std::string& name, const Place& place) const {
  if (is_name(name)) return;
  throw Error("invalid-name", fmt::format("`{}` is not a name", name),
              "a name is a letter followed by letters, digits and _", "choose another name, e.g. theta for θ")
      .at(place);
}

void Reading::declare(const std::string& name, const Place& place) {
  require_name(name, place);
  if (is_reserved(name) || name == "e1" || name == "e2" || name == "e3") {
    throw Error("reserved-name", fmt::format("`{}` already has a meaning in every model", name), "",
                "choose another name")
        .at(place);
  }
  const auto [present, is_new] = names_.emplace(name, place);
  if (!is_new) {
    throw Error("duplicate-name", fmt::format("`{}` is declared twice", name),
                "one name has one meaning in a model", "rename one of them")
        .at(place)
        .at(present->second);
  }
}

/// Errors inside an expression know their offset in it; here it becomes a line and a column of the file.
template <class Work>
auto Reading::located(const Toml& item, Work work) const {
  try {
    return work();
  } catch (Error& error) {
    if (error.where.empty()) error.at(place(item));
    for (Place& at : error.where) {
      if (!at.file.empty()) continue;
      const auto offset = static_cast<std::size_t>(at.offset),
                 length = static_cast<std::size_t>(std::max(1, at.length));
      if (item.is(Toml::Kind::string)) {
        at = source_.place(span_within(source_, item, offset, length));
      } else {
        at = place(item);
      }
    }
    throw;
  }
}

void Reading::require_place_of_quantity(const Toml& item) const {
  const auto holds = [&](auto&& self, const Toml& tree) -> bool {
    return &tree == &item ||
           std::ranges::any_of(tree.items, [&](const Toml& part) { return self(self, part); });
  };
  for (const char* section : {"parameters", "space", "simulation", "inputs"})
    if (const Toml* found = root_.find(section); found != nullptr && holds(holds, *found)) return;
  const std::size_t blank = item.text.find(' ');
  fail(item, Error("dimension-mismatch",
                   fmt::format("`{}` stands where a formula is, whose numbers have no unit", item.text),
                   "the dimensions of formulas follow from the units of the names in them",
                   fmt::format("name it in [parameters], such as p = \"{}\"{}", item.text,
                               blank == std::string::npos
                                   ? ""
                                   : fmt::format("; for a product write {}*{}", item.text.substr(0, blank),
                                                 item.text.substr(blank + 1)))));
}

Value Reading::value(const Toml& item, const Scope& scope) const {
  switch (item.kind) {
    case Toml::Kind::string:
      if (const auto quantity = quantity_in(item.text)) {
        if (!quantity->dimension.is_none()) require_place_of_quantity(item);
        if (gives_units(root_)) return quantity->factor;
      }
      return located(item, [&] { return parse_value(item.text, scope); });
    case Toml::Kind::number:
      return located(item, [&]() -> Value { return parse(decimal(item.text), scope); });
    case Toml::Kind::array: {
      if (item.items.empty())
        fail(item, Error("shape-mismatch", "an empty vector", "", "give at least one component"));
      std::vector<Value> parts;
      for (const Toml& part : item.items) parts.push_back(value(part, scope));
      return located(item, [&] { return assembled(std::move(parts)); });
    }
    default: break;
  }
  fail(item,
       Error("wrong-type", fmt::format("{} where an expression is needed", noun(item.kind)), "",
             item.kind == Toml::Kind::table
                 ? "write name = \"expression\" on one line, above the first [section] if it belongs to none"
                 : "write a number, or an expression between quotes"));
}

Expr Reading::scalar(const Toml& item, const Scope& scope) const {
  const Value v = value(item, scope);
  if (const Expr* e = std::get_if<Expr>(&v)) return *e;
  fail(item, Error("shape-mismatch", fmt::format("{} where a scalar is needed", shape(v)), "",
                   "take a component v[1], or dot(u, v)"));
}

Matrix Reading::vector(const Toml& item, int size) const {
  Value v = value(item);
  if (auto* m = std::get_if<Matrix>(&v); m != nullptr && m->is_column() && m->rows() == size)
    return std::move(*m);
  fail(item, Error("shape-mismatch", fmt::format("{} where a vector of {} is needed", shape(v), size), "",
                   "write it as \"[a, b, c]\""));
}

std::string Reading::written_key(const Toml& item) const {
  const std::string_view text = source().text();
  const Span& at = item.key_span;
  if (at.begin == item.span.begin || at.end <= at.begin || at.end > text.size()) return item.key;
  return std::string(text.substr(at.begin, at.end - at.begin));
}

Matrix Reading::direction(const Toml& item) const {
  Matrix v = vector(item, 3);
  for (const Expr e : v.entries()) {
    for (const Symbol s : symbols_of(e)) {
      if (s.role() == Role::parameter || s.role() == Role::constant) continue;
      fail(item, Error("wrong-direction", fmt::format("`{}` depends on `{}`", written_key(item), s.name()),
                       "this direction must be constant", "use numbers and parameters only"));
    }
  }
  if (!vanishes_at_random_points(dot(v, v) - 1))
    fail(item, Error("wrong-direction", fmt::format("`{}` is not a unit vector", written_key(item)),
                     "its length is not 1",
                     written_key(item) == "axle" ? "divide it by its length; the place of the wheel is `at`"
                                                 : "divide it by its length"));
  return v;
}

Matrix Reading::matrix(const Toml& item, int size) const {
  Value v = value(item);
  if (auto* m = std::get_if<Matrix>(&v); m != nullptr && m->rows() == size && m->columns() == size)
    return std::move(*m);
  fail(item, Error("shape-mismatch", fmt::format("{} where a {}×{} matrix is needed", shape(v), size, size),
                   "", "write it by rows, or with diag(a, b, c)"));
}

Value Reading::equation(const Toml& item) const {
  text(item);
  return located(item, [&]() -> Value {
    const Equation equation = parse_equation(item.text);
    Value left = evaluate(equation.left, system.scope);
    if (!equation.right) return left;
    const Value right = evaluate(*equation.right, system.scope);
    const Expr *a = std::get_if<Expr>(&left), *b = std::get_if<Expr>(&right);
    if (a != nullptr && b != nullptr) return *a - *b;
    const Matrix *u = std::get_if<Matrix>(&left), *v = std::get_if<Matrix>(&right);
    if (u != nullptr && v != nullptr && u->rows() == v->rows() && u->columns() == v->columns())
      return *u - *v;
    Error error("shape-mismatch", fmt::format("an equation between {} and {}", shape(left), shape(right)),
                "both sides of an equation need the same shape",
                "compare scalars with scalars, vectors with vectors of the same length");
    Place at;
    at.offset = equation.right->offset;
    at.length = equation.right->length;
    throw error.at(std::move(at));
  });
}

Syntax Reading::syntax(const Toml& item) const {
  return located(item, [&] { return parse_syntax(item.text); });
}

const std::string& Reading::text(const Toml& item) const {
  require(item, Toml::Kind::string, "a text between quotes");
  return item.text;
}

bool Reading::truth(const Toml& item) const {
  require(item, Toml::Kind::boolean, "true or false");
  return item.truth;
}

std::vector<std::string> Reading::texts(const Toml& item) const {
  require(item, Toml::Kind::array, "[\"a\", \"b\"]");
  std::vector<std::string> all;
  for (const Toml& part : item.items) all.push_back(text(part));
  return all;
}

void Reading::require(const Toml& item, Toml::Kind kind, std::string_view example) const {
  if (item.is(kind)) return;
  const std::string what = item.key.empty() ? "this value" : fmt::format("`{}`", item.key);
  fail(item, Error("wrong-type", fmt::format("{} is {}, not {}", what, noun(item.kind), noun(kind)), "",
                   fmt::format("write {}", example)));
}

const Toml& Reading::required(const Toml& table, const std::string& key, std::string_view example) const {
  if (const Toml* found = table.find(key)) return *found;
  const std::string what = table.key.empty() ? "this table" : fmt::format("`{}`", table.key);
  fail_at_key(table, Error("missing-key", fmt::format("{} needs a key `{}`", what, key), "",
                           fmt::format("add {} = {}", key, example)));
}

bool has_velocities(Expr e) {
  const std::vector<Symbol> all = symbols_of(e);
  return std::any_of(all.begin(), all.end(), [](Symbol s) { return s.role() == Role::velocity; });
}

bool has_velocities(const Value& v) {
  if (const Expr* e = std::get_if<Expr>(&v)) return has_velocities(*e);
  const std::span<const Expr> entries = std::get<Matrix>(v).entries();
  return std::any_of(entries.begin(), entries.end(), [](Expr e) { return has_velocities(e); });
}

}  // namespace rattleback
