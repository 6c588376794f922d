#pragma once
/// The parts of a Coq file that every theorem needs: the system, how its expressions are read, and velocities solved for.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/check/claimed_system.hpp>
#include <rattleback/proof/coq/coq_text.hpp>

namespace rattleback {

/// What the proofs of a system with constraints linear in the velocities use: C = A v + b, v = Ψ z + ψ_0 on the constraint, z = Z(q, v).
struct CoqElimination {
  std::vector<Expr> speeds;  ///< Z(q, v)
  SymbolMap in_velocities;   ///< z ↦ Z(q, v)
  std::vector<Expr> solved;  ///< ψ(q, Z(q, v))
  Matrix A, right_inverse;   ///< A W = 1
  Matrix rows;               ///< v − ψ(q, Z(q, v)) = N C
};
/// Throws Error[no-coq-form] for constraints that are not linear in the velocities.
CoqElimination coq_elimination(const ClaimedSystem& claim);

/// Rational values for symbols, and rational points (c, s) of the circle for angles.
struct CoqPoint {
  std::vector<std::pair<Symbol, Rational>> plain;
  std::vector<std::pair<Symbol, std::pair<Rational, Rational>>> turned;
};
/// The value of an expression there; nothing where it has no rational one, or divides by zero.
std::optional<Rational> value_at(const CoqPoint& point, Expr e);

/// Collects the text of a file: formulas are printed by `formula`, which notes what they divide by.
class CoqSystem {
 public:
  CoqSystem(const ClaimedSystem& claim, bool eliminate);

  std::string formula(Expr e) { return printer_.text(e); }
  std::string formulas(const std::vector<Expr>& es) { return printer_.list(es); }
  /// [[a; b]; [c; d]].
  std::string rows(const Matrix& m);
  std::string numbers(const std::vector<Symbol>& symbols);
  std::string name(Symbol s) { return names_.name(s); }
  int number(Symbol s) { return names_.number(s); }
  const std::vector<Symbol>& accelerations() const { return accelerations_; }
  const std::vector<Symbol>& multipliers() const { return multipliers_; }

  /// A definition that the theorem uses.
  void define(const std::string& name, const std::string& type, const std::string& body);
  /// Everything before the theorem: symbols, system, conditions, reading, elimination, definitions.
  std::string preamble();
  /// A point of the configuration space and values for all symbols, velocities on the constraint when `admissible`, at which none of the
  /// denominators and radicands so far is wrong and e does not vanish. Throws Error[no-coq-form] when none is found.
  std::string point_where(Expr e, bool admissible = false);

 private:
  std::string system_text();
  std::string reading_text();
  CoqPoint drawn(int seed, bool admissible);
  std::vector<std::string> rotation_rules();
  std::string relations();
  const ClaimedSystem* claim_;
  bool eliminate_;
  CoqNames names_;
  CoqPrinter printer_;
  std::vector<Symbol> accelerations_, multipliers_;
  std::string definitions_, system_, solved_;
};

}  // namespace rattleback
