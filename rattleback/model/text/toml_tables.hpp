#pragma once
/// Tables of a TOML document while it is read: which keys and headers may still add to which table. A name that is given twice is an error
/// at both places.

#include <string>
#include <vector>

#include <rattleback/model/text/toml.hpp>

namespace rattleback {

struct TomlKey {
  std::string name;
  Span span;
};

class TomlTables {
 public:
  explicit TomlTables(const Source& source) : source_(source) {}

  /// [a.b]: the table that following assignments go into. `header` is where it stands.
  void open_table(std::vector<TomlKey> path, Span header);
  /// [[a.b]]: a new element of an array of tables.
  void open_element(std::vector<TomlKey> path, Span header);
  /// Of the header that was read last; the root before any.
  Toml& current_table();
  /// The table for the last key of a.b.c = ...: made where it is absent.
  Toml& dotted_table(Toml& into, const std::vector<TomlKey>& keys);

  /// Error[duplicate-name] where the table has the key.
  void require_new(const Toml& table, const TomlKey& k) const;
  Toml& add(Toml& table, const TomlKey& k, Toml item);

  Toml take() { return std::move(root_); }

 private:
  [[noreturn]] void fail_twice(const std::string& name, Span first, Span second) const;
  /// The table a header path runs through: made when absent, the last one of an array of tables.
  Toml& through(Toml& table, const TomlKey& k);
  /// The table that holds the last key of the current path.
  Toml& holder();

  const Source& source_;
  Toml root_;
  std::vector<TomlKey>
      path_;  ///< of the current table, which is found again by walking it: tables move when others are added
};

}  // namespace rattleback
