#pragma once
/// Tree of values (null, bool, integer, text, list, record) for answers and certificates: JSON without a library.

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Nothing, a truth value, an integer, a text, a list or a record whose fields keep their order. Expressions are texts
/// in the model language's own syntax.
class Data {
 public:
  struct Field;
  using List = std::vector<Data>;
  using Record = std::vector<Field>;

  Data();                                        ///< null: unknown
  Data(bool b);                                  // NOLINT: data are what they hold
  Data(int n) : Data(long{n}) {}                 // NOLINT
  Data(long n);                                  // NOLINT
  Data(std::string s);                           // NOLINT
  Data(const char* s) : Data(std::string(s)) {}  // NOLINT
  Data(Expr e);                                  // NOLINT
  Data(const Rational& r) : Data(Expr(r)) {}     // NOLINT
  Data(List list);                               // NOLINT
  Data(Record record);                           // NOLINT
  template <class T>
  Data(const std::vector<T>& items) : Data(List(items.begin(), items.end())) {}  // NOLINT
  Data(const Data&);
  Data(Data&&) noexcept;
  Data& operator=(const Data&);
  Data& operator=(Data&&) noexcept;
  ~Data();

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value_);
  }
  const List* list() const { return std::get_if<List>(&value_); }
  const Record* record() const { return std::get_if<Record>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }

  /// The field of a record; nullptr when there is none.
  const Data* find(const std::string& key) const;
  /// Adds or replaces a field; data that is no record becomes one.
  Data& operator[](const std::string& key);

 private:
  std::variant<std::monostate, bool, long, std::string, List, Record> value_;
};

struct Data::Field {
  std::string key;
  Data value;
};

// Here a Field is complete, as clang requires where a vector of them is constructed or destroyed.
inline Data::Data() = default;
inline Data::Data(bool b) : value_(b) {}
inline Data::Data(long n) : value_(n) {}
inline Data::Data(std::string s) : value_(std::move(s)) {}
inline Data::Data(List list) : value_(std::move(list)) {}
inline Data::Data(const Data&) = default;
inline Data::Data(Data&&) noexcept = default;
inline Data& Data::operator=(const Data&) = default;
inline Data& Data::operator=(Data&&) noexcept = default;
inline Data::~Data() = default;

}  // namespace rattleback
