#pragma once
/// The parts of a Coq file that every theorem needs: the system, how its expressions are read, and velocities solved for.

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/check/claimed_system.hpp>
#include <rattleback/proof/coq/coq_point.hpp>
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

/// Which symbols of a file get a value at a point.
enum class CoqValues {
  everything,
  admissible,  ///< velocities on the constraint
  on_field     ///< time, parameters, functions and speeds alone
};

/// Collects the text of a file: formulas are printed by `formula`, which notes what they divide by.
class CoqSystem {
 public:
  /// Parameters that are fixed have these values in every statement of the file: relations of the system say so, and of the position
  /// constraints that this thread computes on.
  CoqSystem(const ClaimedSystem& claim, bool eliminate, SymbolMap fixed = {});

  std::string formula(Expr e) { return printer_.text(e); }
  void note_at(Expr e, const SymbolMap& values) { printer_.note_at(e, values); }
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
  /// One more condition of the statement: e is positive.
  void assume_positive(Expr e) { printer_.add_positive("(" + formula(e) + ")"); }
  /// A name of the proof that is no parameter of the system.
  void set_apart(Symbol s) { apart_.push_back(s); }
  /// A point of the configuration space, with velocities on the constraint when they are `admissible`, at which none of the denominators and
  /// radicands so far is wrong, and which is accepted. Throws Error[no-coq-form] when none is found.
  CoqPoint point(CoqValues values, const std::function<bool(const CoqPoint&)>& accept);
  /// None of the denominators and radicands so far is wrong there.
  bool defined_at(const CoqPoint& point) const;
  /// The same where e does not vanish, as text.
  std::string point_where(Expr e, CoqValues values = CoqValues::everything);
  std::string point_text(const CoqPoint& point);

 private:
  std::string system_text();
  std::string reading_text();
  CoqPoint drawn(int seed, CoqValues values);
  bool has_value(Symbol s, CoqValues values) const;
  std::vector<Expr> relations() const;
  std::string rule(Expr monomial, Expr by, const std::vector<std::pair<std::size_t, Expr>>& coefficients);
  std::vector<std::string> relation_rules();
  bool meets_positions(CoqPoint& point) const;
  const ClaimedSystem* claim_;
  bool eliminate_;
  std::vector<std::pair<Symbol, Expr>> fixed_;
  std::vector<Expr> positions_;  ///< after the rotation matrices and before what is fixed
  CoqNames names_;
  CoqPrinter printer_;
  std::vector<Symbol> accelerations_, multipliers_, apart_;
  std::string definitions_, system_, solved_;
};

/// The entries of each rotation matrix among the functions, row by row.
std::map<std::string, std::array<Symbol, 9>> rotation_entries(const ClaimedSystem& claim);

}  // namespace rattleback
