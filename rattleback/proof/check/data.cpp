#include <rattleback/proof/check/data.hpp>

#include <rattleback/algebra/expression/text.hpp>

namespace rattleback {

Data::Data(Expr e) : value_(rattleback::text(e)) {}
Data::Data(Record record) : value_(std::move(record)) {}

const Data* Data::find(const std::string& key) const {
  if (record() == nullptr) return nullptr;
  for (const Field& field : *record()) {
    if (field.key == key) return &field.value;
  }
  return nullptr;
}

Data& Data::operator[](const std::string& key) {
  if (record() == nullptr) value_ = Record{};
  auto& fields = std::get<Record>(value_);
  for (Field& field : fields) {
    if (field.key == key) return field.value;
  }
  fields.push_back({key, {}});
  return fields.back().value;
}

}  // namespace rattleback
