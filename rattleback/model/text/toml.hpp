#pragma once
/// TOML 1.0 with what a model needs and common readers drop: the order of keys, numbers as they are written
/// (0.1 is 1/10), and the place of every value, down to the single character of a string with escapes.
///
/// Nesting is bounded, so hostile files cost neither stack nor time. Dates are recognised, never interpreted.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <rattleback/model/text/source.hpp>

namespace rattleback {

struct Toml {
  enum class Kind : std::uint8_t { table, array, string, number, boolean, date };
  /// How a table came to be decides who may still add to it.
  enum class Origin : std::uint8_t { value, implied, header, dotted, array_of_tables };

  Kind kind = Kind::table;
  Origin origin = Origin::value;
  std::string key;
  Span key_span;     ///< of the key; of the value when it has none
  Span span;         ///< of the value; of the header for a table with one
  std::string text;  ///< string: its characters; number: as written, without underscores; date: as written
  bool truth = false;
  std::vector<Toml> items;                             ///< in the order of the file
  std::unordered_map<std::string, std::size_t> index;  ///< table: key → item

  bool is(Kind k) const { return kind == k; }
  const Toml* find(const std::string& name) const;
};

/// Throws Error[toml-syntax] and Error[duplicate-name].
Toml parse_toml(const Source& source);

/// "a string", "a number", … with its article.
std::string_view noun(Toml::Kind kind);

/// The bytes of the file that characters [offset, offset + length) of a string value come from.
Span span_within(const Source& source, const Toml& string, std::size_t offset, std::size_t length);

}  // namespace rattleback
