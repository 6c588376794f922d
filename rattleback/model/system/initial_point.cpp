#include <rattleback/model/system/initial_point.hpp>

namespace rattleback {

SymbolMap initial_point(const System& system) {
  SymbolMap state = parameter_values(system);
  const auto assign = [&](Expr quantity, Expr value) {
    if (quantity.is(Kind::symbol)) state.insert_or_assign(quantity.symbol(), value);
  };
  for (const InitialValue& given : system.simulation.initial) {
    const Value* meaning = system.scope.find(given.name);
    if (meaning == nullptr) continue;
    if (const Expr* quantity = std::get_if<Expr>(meaning)) {
      if (const Expr* value = std::get_if<Expr>(&given.value)) assign(*quantity, *value);
      continue;
    }
    const Matrix& quantities = std::get<Matrix>(*meaning);
    // A rotation given as 1 is the identity.
    const Matrix values = std::holds_alternative<Matrix>(given.value) ? std::get<Matrix>(given.value)
                                                                      : Matrix::identity(quantities.rows());
    for (std::size_t k = 0; k < quantities.entries().size() && k < values.entries().size(); ++k) {
      assign(quantities.entries()[k], values.entries()[k]);
    }
  }
  return state;
}

bool is_guess(const InitialValue& value) { return value.name.starts_with('~'); }

std::string guessed_name(const InitialValue& value) {
  return is_guess(value) ? value.name.substr(1) : value.name;
}

InitialValue guess_of(InitialValue value) {
  if (!is_guess(value)) value.name.insert(0, 1, '~');
  return value;
}

}  // namespace rattleback
