#include <rattleback/view/vectors/vector_names.hpp>

#include <algorithm>

#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {

std::optional<Expr> multiple_of_unit(const Matrix& T) {
  const Matrix rest = T - T(0, 0) * Matrix::identity(3);
  return vanish_at_random_states(rest) ? std::optional(T(0, 0)) : std::nullopt;
}

std::string VectorNames::name_of(const Matrix& value, std::vector<std::string> wishes) {
  for (const Definition& d : system_.definitions) {
    const auto* own = std::get_if<Matrix>(&d.value);
    if (own == nullptr || own->rows() != value.rows() || own->columns() != value.columns()) continue;
    if (!vanish_at_random_states(*own - value)) continue;
    taken_.insert(d.name);
    return d.name;
  }
  const auto is_free = [&](const std::string& name) {
    return system_.scope.find(name) == nullptr && system_.scope.find_function(name) == nullptr &&
           !is_reserved(name) && !taken_.contains(name);
  };
  const auto found = std::ranges::find_if(wishes, is_free);
  std::string name = found != wishes.end() ? *found : wishes.front();
  while (!is_free(name)) name += '_';
  taken_.insert(name);
  return name;
}

CovariantTerm VectorNames::defined(const CovariantTerm& formula, const std::vector<std::string>& wishes) {
  const CovariantTerm own = named_term(name_of(formula.value, wishes), formula.value);
  lines.push_back({own.words, formula.words});
  return own;
}

CovariantTerm VectorNames::applied_tensor(const Matrix& T, const std::vector<std::string>& wishes,
                                          const CovariantTerm& a) {
  if (const auto s = multiple_of_unit(T)) return scaled(*s, a);
  return applied(defined(constant_term(T), wishes), a);
}

}  // namespace rattleback
