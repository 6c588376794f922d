#include <rattleback/view/vectors/repeated_links.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

std::string written(const Matrix& m) {
  if (m.columns() == 1) return fmt::format("[{}, {}, {}]", text(m[0]), text(m[1]), text(m[2]));
  bool diagonal = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) diagonal = diagonal && (i == j || m(i, j).is_zero());
  if (diagonal) return fmt::format("diag({}, {}, {})", text(m(0, 0)), text(m(1, 1)), text(m(2, 2)));
  return text(m);
}

/// Where the letter stands with an index, from a place on.
std::size_t indexed_from(const std::string& text, const std::string& letter, std::size_t from) {
  const std::string name = letter + "_";
  const auto is_in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\\';
  };
  for (std::size_t at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t next = at + name.size();
    const bool starts = at == 0 || !is_in_word(text[at - 1]);
    const char c = next < text.size() ? text[next] : ' ';
    const bool is_index =
        c == 'i' || c == '(' || c == '{' || std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (starts && is_index) return at;
  }
  return std::string::npos;
}

}  // namespace

bool occurs_indexed(const std::string& text, const std::string& letter) {
  return indexed_from(text, letter, 0) != std::string::npos;
}

std::string with_letter(std::string text, const std::string& letter, const std::string& other) {
  for (std::size_t at = indexed_from(text, letter, 0); at != std::string::npos;
       at = indexed_from(text, letter, at + other.size()))
    text.replace(at, letter.size(), other);
  return text;
}

std::optional<NumberedName> numbered_name(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits >= name.size() || name.size() - digits > 6) return std::nullopt;
  NumberedName found{name.substr(0, digits), 0};
  std::from_chars(name.data() + digits, name.data() + name.size(), found.number);
  while (found.base.size() > 1 && found.base.back() == '_') found.base.pop_back();
  return found;
}

void put_name(SymbolMap& names, Symbol s, const std::string& name) {
  names.insert_or_assign(s, Expr(Symbol::make(name, s.attributes())));
}

std::string IndexedFormulas::operator()(Expr e) {
  learn(symbols_of(e));
  return text(substitute(short_form(e), names_));
}

std::string IndexedFormulas::operator()(const Matrix& m) {
  Matrix named = m;
  learn(symbols_of(m.entries()));
  for (Expr& e : named.entries()) e = substitute(short_form(e), names_);
  return written(named);
}

void IndexedFormulas::learn(const std::vector<Symbol>& symbols) {
  for (const Symbol s : symbols) {
    if (s.role() != Role::parameter || names_.contains(s)) continue;
    const auto parts = numbered_name(s.name());
    if (parts && parts->number == number_) put_name(names_, s, parts->base + "_i");
  }
}

// values[k] for k ≥ root repeat with the period.
std::vector<std::pair<std::string, std::string>> grouped_by_index(const std::string& name,
                                                                  const std::vector<std::string>& values,
                                                                  int first, int fewest,
                                                                  const std::vector<std::string>& alone) {
  const int n = static_cast<int>(values.size()), last = first + n - 1;
  const auto at = [&](int k) -> const std::string& { return values[static_cast<std::size_t>(k)]; };
  for (const int root : {0, 1, 2, 3}) {
    for (const int period : {1, 2, 3}) {
      bool repeats = n - root >= std::max(fewest, 2 * period);
      for (int k = root; repeats && k + period < n; ++k) repeats = at(k) == at(k + period);
      if (!repeats) continue;
      std::vector<std::pair<std::string, std::string>> lines;
      for (int k = 0; k < root; ++k)
        lines.emplace_back(fmt::format("{}_{}", name, first + k),
                           alone.empty() ? at(k) : alone[static_cast<std::size_t>(k)]);
      for (int k = root; k < root + period; ++k) {
        const std::string range = period > 1 ? fmt::format("i = {}, {}, ...", first + k, first + k + period)
                                  : root > 0 ? fmt::format("i = {}..{}", first + k, last)
                                             : "";
        lines.emplace_back(name + "_i", range.empty() ? at(k) : fmt::format("{} for {}", at(k), range));
      }
      return lines;
    }
  }
  return {};
}

std::string listed_by_index(const std::string& letter, int first, const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  const bool shortened = names.size() > shown + 1;
  std::string left, right;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (shortened && k == shown) {
      left += ", ...";
      right += ", ...";
    }
    if (shortened && k >= shown && k + 1 < names.size()) continue;
    left += fmt::format("{}{}_{}", k == 0 ? "" : ", ", letter, first + static_cast<int>(k));
    right += fmt::format("{}{}", k == 0 ? "" : ", ", names[k]);
  }
  return left + " = " + right;
}

}  // namespace rattleback
