#include <rattleback/model/text/toml_tables.hpp>

#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

Toml* child(Toml& table, const std::string& name) {
  const auto found = table.index.find(name);
  return found == table.index.end() ? nullptr : &table.items[found->second];
}

}  // namespace

void TomlTables::fail_twice(const std::string& name, Span first, Span second) const {
  throw Error("duplicate-name", fmt::format("`{}` is given twice", name), "", "delete or rename one of them")
      .at(source_.place(second))
      .at(source_.place(first));
}

void TomlTables::require_new(const Toml& table, const TomlKey& k) const {
  if (const Toml* present = table.find(k.name)) fail_twice(k.name, present->key_span, k.span);
}

Toml& TomlTables::add(Toml& table, const TomlKey& k, Toml item) {
  require_new(table, k);
  table.index.emplace(k.name, table.items.size());
  item.key = k.name;
  item.key_span = k.span;
  return table.items.emplace_back(std::move(item));
}

Toml& TomlTables::through(Toml& table, const TomlKey& k) {
  Toml* next = child(table, k.name);
  if (next == nullptr) {
    Toml implied;
    implied.origin = Toml::Origin::implied;
    implied.span = k.span;
    return add(table, k, std::move(implied));
  }
  if (next->is(Toml::Kind::array) && next->origin == Toml::Origin::array_of_tables) return next->items.back();
  if (!next->is(Toml::Kind::table) || next->origin == Toml::Origin::value)
    fail_twice(k.name, next->key_span, k.span);
  return *next;
}

Toml& TomlTables::holder() {
  Toml* table = &root_;
  for (std::size_t i = 0; i + 1 < path_.size(); ++i) table = &through(*table, path_[i]);
  return *table;
}

void TomlTables::open_table(std::vector<TomlKey> path, Span header) {
  path_ = std::move(path);
  Toml& table = holder();
  const TomlKey& last = path_.back();
  Toml* present = child(table, last.name);
  if (present == nullptr) {
    Toml opened;
    opened.span = header;
    opened.origin = Toml::Origin::header;
    add(table, last, std::move(opened));
    return;
  }
  if (!present->is(Toml::Kind::table) || present->origin != Toml::Origin::implied)
    fail_twice(last.name, present->key_span, last.span);
  present->origin = Toml::Origin::header;
  present->key_span = last.span;
  present->span = header;
}

void TomlTables::open_element(std::vector<TomlKey> path, Span header) {
  path_ = std::move(path);
  Toml& table = holder();
  const TomlKey& last = path_.back();
  Toml* present = child(table, last.name);
  if (present == nullptr) {
    Toml tables;
    tables.kind = Toml::Kind::array;
    tables.origin = Toml::Origin::array_of_tables;
    tables.span = header;
    present = &add(table, last, std::move(tables));
  } else if (!present->is(Toml::Kind::array) || present->origin != Toml::Origin::array_of_tables) {
    fail_twice(last.name, present->key_span, last.span);
  }
  Toml opened;
  opened.span = header;
  opened.origin = Toml::Origin::header;
  opened.key_span = last.span;
  present->items.push_back(std::move(opened));
}

Toml& TomlTables::current_table() {
  Toml* table = &root_;
  for (const TomlKey& k : path_) {
    table = child(*table, k.name);
    if (table->is(Toml::Kind::array)) table = &table->items.back();
  }
  return *table;
}

Toml& TomlTables::dotted_table(Toml& into, const std::vector<TomlKey>& keys) {
  Toml* table = &into;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    Toml* next = child(*table, keys[i].name);
    if (next == nullptr) {
      Toml dotted;
      dotted.origin = Toml::Origin::dotted;
      dotted.span = keys[i].span;
      next = &add(*table, keys[i], std::move(dotted));
    } else if (!next->is(Toml::Kind::table) || next->origin != Toml::Origin::dotted) {
      fail_twice(keys[i].name, next->key_span, keys[i].span);
    }
    table = next;
  }
  return *table;
}

}  // namespace rattleback
