#pragma once
/// The relations of a variety as polynomials in coordinates, half-angle tangents, roots and other functions. Private to algebra/modular/.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>

namespace rattleback {

/// Calls without unknowns get names: their values are known at a point, and cos(80 t) is not taken apart.
class NamedCalls {
 public:
  NamedCalls(std::span<const Expr> es, std::span<const Symbol> unknowns);
  const std::vector<Expr>& expressions() const { return expressions_; }
  /// With the calls in place of their names, which may stand within each other.
  Expr meaning(Expr e) const;

 private:
  std::vector<Expr> expressions_;
  SymbolMap meanings_;
};

/// Which generators of the relations are solved for, and a program for the values of the others.
struct VarietyPoints::Plan {
  std::vector<std::optional<std::size_t>> variable;  ///< by generator
  std::vector<std::size_t> variables;
  std::optional<ModularProgram> given;
};

struct VarietyPoints::Algebra {
  std::unique_ptr<NamedCalls> named;
  std::unique_ptr<Field> field;
  std::vector<Polynomial> polynomials;
  std::vector<Expr> functions;                                    ///< of the generators
  std::vector<std::optional<std::shared_ptr<const Plan>>> plans;  ///< by chart
  bool exists = false;
};

}  // namespace rattleback
