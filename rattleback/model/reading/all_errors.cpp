#include <rattleback/model/reading/all_errors.hpp>

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_errors = input_limits::errors_at_once.count,
                      most_attempts = input_limits::attempts_at_errors.count;

/// Where a place begins in the text; nothing for the file as a whole, or another file.
std::optional<std::size_t> offset_of(const Source& source, const Place& place) {
  if (place.file != source.name() || place.line <= 0) return std::nullopt;
  const std::string& text = source.text();
  std::size_t at = 0;
  for (int line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80; };
  for (int column = 1; column < place.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && continues(at)) ++at;
  }
  return at;
}

// ---- lines that are no TOML

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The name of the section that a line stands in: of the last header above it.
std::string section_above(const std::string& text, std::size_t line_begin) {
  std::string section;
  for (std::size_t begin = 0; begin < line_begin;) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    if (text[begin] == '[' && text.find(']', begin) < end)
      section = text.substr(begin + 1, text.find(']', begin) - begin - 1);
    begin = end + 1;
  }
  return section;
}

/// The text with the line `key = value` around this place made harmless, its length kept, and the key. Nothing for a line of another
/// form: a header, or a value over several lines.
struct Skipped {
  std::string text, key;
};
std::optional<Skipped> without_line(const std::string& text, std::size_t at) {
  std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 = 0
  if (at > 0 && at <= text.size() && text[at - 1] == '\n') begin = at;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  while (begin < end && is_blank(text[begin])) ++begin;
  const std::string line = text.substr(begin, end - begin);
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos || equals == 0 || line[0] == '[' || line[0] == '#') return std::nullopt;
  if (line.find("\"\"\"") != std::string::npos || line.find("'''") != std::string::npos) return std::nullopt;
  std::string key = line.substr(0, equals);
  while (!key.empty() && is_blank(key.back())) key.pop_back();
  if (key.size() > 1 && (key[0] == '"' || key[0] == '\'')) key = key.substr(1, key.size() - 2);
  // A parameter without value: its name is still known.
  const bool symbol_remains = section_above(text, begin) == "parameters" && end - begin - equals > 2;
  Skipped skipped{text, key};
  const std::size_t from = begin + (symbol_remains ? equals + 1 : 0);
  std::fill(skipped.text.begin() + static_cast<long>(from), skipped.text.begin() + static_cast<long>(end),
            ' ');
  if (symbol_remains) skipped.text.replace(from, 2, "{}");
  return skipped;
}

// ---- entries that cannot be read

void index_again(Toml& table) {
  table.index.clear();
  for (std::size_t k = 0; k < table.items.size(); ++k) table.index.emplace(table.items[k].key, k);
}

/// A parameter without value, a line for a space that is none, no energy: what the rest of the file needs stays known.
bool made_harmless(const Toml& table, Toml& item) {
  const bool energy =
      table.key.empty() && (item.key == "lagrangian" || item.key == "kinetic" || item.key == "potential");
  if (item.is(Toml::Kind::table)) return false;
  if (table.key == "parameters") {
    item.kind = Toml::Kind::table;
    item.items.clear();
    return true;
  }
  if (energy && item.kind != Toml::Kind::number) {
    item.kind = Toml::Kind::number;
    item.text = "0";
    return true;
  }
  if (table.key == "space" && item.text != "R") {
    item.kind = Toml::Kind::string;
    item.text = "R";
    return true;
  }
  return false;
}

/// Names that an entry may declare: its own, and those that it lists, as a joint does its coordinates.
void add_names(const Toml& item, std::set<std::string>& names) {
  names.insert(item.key);
  if (item.is(Toml::Kind::string)) names.insert(item.text);
  for (const Toml& part : item.items) add_names(part, names);
}

/// Takes the innermost entry around this place out of the table, and says which names went with it.
std::optional<std::set<std::string>> taken_out(Toml& table, std::size_t at) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    Toml& item = table.items[i];
    if (item.is(Toml::Kind::table)) {
      if (auto inner = taken_out(item, at)) return inner;
    }
    const std::size_t end = std::max({item.span.end, item.key_span.end, item.key_span.begin + 1});
    if (item.key.empty() || at < item.key_span.begin || at >= end) continue;
    std::set<std::string> names;
    add_names(item, names);
    if (at >= item.span.begin && made_harmless(table, item)) return std::set{item.key};
    table.items.erase(table.items.begin() + static_cast<long>(i));
    index_again(table);
    return names;
  }
  return std::nullopt;
}

/// May the error only say that something is missing which was left out?
bool may_follow(const Error& error, const std::set<std::string>& left_out) {
  if (left_out.empty()) return false;
  for (const char* slug :
       {"missing-key", "missing-space", "missing-lagrangian", "unplaced-body", "unused-parameter"})
    if (error.slug == slug) return true;
  return std::any_of(left_out.begin(), left_out.end(), [&](const std::string& name) {
    if (name.empty()) return false;
    // NAME_1, NAME_u: coordinates that a joint or a contact would have brought.
    return error.summary.find(fmt::format("`{}_", name)) != std::string::npos ||
           error.summary.find(fmt::format("`{}`", name)) != std::string::npos ||
           error.summary.find(fmt::format("`{}'`", name)) != std::string::npos;
  });
}

class Collection {
 public:
  explicit Collection(const Source& source) : source_(source), text_(source.text()) {}

  std::vector<Error> read(const ReadSections& sections) {
    if (std::optional<Toml> root = parsed()) read_sections(sections, std::move(*root));
    // As a reader meets them, whichever section is read first; the first one stays what it is.
    const auto line = [](const Error& e) { return e.where.empty() ? 0 : e.where[0].line; };
    if (all_.size() > 2)
      std::stable_sort(all_.begin() + 1, all_.end(),
                       [&](const Error& a, const Error& b) { return line(a) < line(b); });
    return std::move(all_);
  }

 private:
  /// The file without the lines that are no TOML.
  std::optional<Toml> parsed() {
    while (all_.size() < most_errors) {
      try {
        return parse_toml(Source(text_, source_.name()));
      } catch (const Error& error) {
        all_.push_back(with_own_text(error));
        const auto at = error.where.empty() ? std::nullopt : offset_of(source_, error.where[0]);
        auto skipped = at ? without_line(text_, *at) : std::nullopt;
        if (!skipped || skipped->text == text_) return std::nullopt;
        text_ = std::move(skipped->text);
        left_out_.insert(std::move(skipped->key));
      }
    }
    return std::nullopt;
  }

  /// A line that another error blanked is shown as it was written.
  Error with_own_text(Error error) const {
    for (Place& p : error.where) {
      if (const auto at = offset_of(source_, p))
        p.text = source_.place({*at, *at + static_cast<std::size_t>(std::max(1, p.length))}).text;
    }
    return error;
  }

  void read_sections(const ReadSections& sections, Toml root) {
    const Source source(text_, source_.name());
    for (std::size_t attempt = 0; attempt < most_attempts && all_.size() < most_errors; ++attempt) {
      try {
        return sections(source, root);
      } catch (const Error& error) {
        if (!may_follow(error, left_out_)) all_.push_back(error);
        const auto at = error.where.empty() ? std::nullopt : offset_of(source_, error.where[0]);
        const auto names = at ? taken_out(root, *at) : std::nullopt;
        if (!names) return;
        left_out_.insert(names->begin(), names->end());
      } catch (const Exhausted&) {
        return;
      }
    }
  }

  const Source& source_;
  std::string text_;
  std::set<std::string> left_out_;
  std::vector<Error> all_;
};

}  // namespace

std::vector<Error> all_errors(const Error& error) {
  std::vector<Error> all{error};
  if (const auto* several = dynamic_cast<const ModelErrors*>(&error))
    all.insert(all.end(), several->further().begin(), several->further().end());
  return all;
}

std::vector<Error> errors_in(const Source& source, const ReadSections& read) {
  return Collection(source).read(read);
}

}  // namespace rattleback
