#include <rattleback/algebra/modular/shadow.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/modular/modular.hpp>

namespace rattleback {
namespace {

/// Why there is no such point: a number whose root the prime does not have, where one can be named.
std::string no_point(std::span<const Expr> es) {
  const Tape tape(es);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (!is_call_of(e, Builtin::sqrt) || !e.args()[0].is(Kind::constant)) continue;
    const auto value = ModP::from(e.args()[0].value());
    if (value && root(*value)) continue;
    return fmt::format(
        "{0} has no value modulo the prime of the zero tests; give it a name in [parameters], s = \"{0}\", "
        "and "
        "write s in its place",
        text(e));
  }
  return "no random point modulo the prime at which these functions have values";
}

}  // namespace

namespace {

/// At a point of that part of the variety, where it falls into parts: what vanishes on one of two is then no zero.
std::optional<ModularRun> run_on_part(const ModularProgram& program, std::size_t point) {
  const auto& variety = Variety::current();
  if (!variety || variety->parts().empty()) return std::nullopt;
  const VarietyPart& part = variety->parts()[point % variety->parts().size()];
  for (const std::uint64_t seed : part.modular) {
    if (auto run = program.run(ModularPoint(seed))) return run;
  }
  return std::nullopt;
}

}  // namespace

ShadowMatrix::ShadowMatrix(const Matrix& a)
    : rows_(a.rows()), columns_(a.columns()), entries_(a.entries().size()) {
  const ModularProgram program(a.entries());
  std::uint64_t seed = 1;
  for (std::size_t point = 0; point < 2; ++point) {
    std::optional<ModularRun> run = run_on_part(program, point);
    if (!run) run = program.run_near(seed);
    if (!run) throw Exhausted(no_point(a.entries()));
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
