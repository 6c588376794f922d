#include <rattleback/algebra/shadow.hpp>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/modular.hpp>

namespace rattleback {

ShadowMatrix::ShadowMatrix(const Matrix& a)
    : rows_(a.rows()), columns_(a.columns()), entries_(a.entries().size()) {
  const ModularProgram program(a.entries());
  std::uint64_t seed = 1;
  for (std::size_t point = 0; point < 2; ++point) {
    const std::optional<ModularRun> run = program.run_near(seed);
    if (!run) throw Exhausted("no random point modulo the prime at which these functions have values");
    for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].at[point] = run->value(k);
    seed = run->point().seed() + 1;
  }
}

ModularMatrix ShadowMatrix::at(std::size_t point) const {
  ModularMatrix m(rows_, columns_);
  for (int i = 0; i < rows_; ++i) {
    for (int j = 0; j < columns_; ++j) m(i, j) = (*this)(i, j).at[point];
  }
  return m;
}

}  // namespace rattleback
