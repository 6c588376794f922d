#pragma once
/// The part of a state on which a motion depends, with compiled rates and slopes, symmetries, constraints and integrals in it.

#include <memory>

#include <rattleback/simulate/states/invariants.hpp>
#include <rattleback/study/sloped_functions.hpp>

namespace rattleback {

/// Coordinates on which no rate depends (the position of a rolling ball, the angle of a wheel) are left out. Functions are of
/// (y, t, p): the numbers that are kept, the time, and the parameters that stay free. Each thread needs its own.
class ReducedMotion {
 public:
  /// `state` is one of the flow, near which symmetries and integrals are tried in numbers; those of `known` that are constant are kept.
  ReducedMotion(const System& system, std::span<const double> state,
                const std::vector<std::string>& free_parameters, const std::vector<Invariant>& known);

  const Flow& flow() const { return flow_; }
  Eigen::Index size() const { return n_; }
  bool forced() const { return forced_; }  ///< rates depend on time
  const std::vector<std::size_t>& kept() const { return kept_; }
  const std::vector<Eigen::Index>& quaternions() const { return quaternions_; }
  const std::vector<Symbol>& parameters() const { return parameters_; }  ///< those that are free
  const Eigen::VectorXd& parameter_values() const { return parameter_values_; }
  const std::vector<std::string>& field_names() const { return field_names_; }
  const std::vector<std::string>& integral_names() const { return integral_names_; }
  bool is_of_kept(Expr e) const;           ///< an expression of the state of the flow
  bool is_angle(Eigen::Index i) const;     ///< the i-th number that is kept
  std::vector<std::string> names() const;  ///< of what is kept
  Eigen::VectorXd kept_of(std::span<const double> state) const;

  std::unique_ptr<SlopedFunctions> functions(std::span<const Expr> on_state) const;
  Eigen::VectorXd inputs(const Eigen::VectorXd& y, double t, const Eigen::VectorXd& parameters) const;

  SlopedFunctions& rates() const { return *rates_; }
  SlopedFunctions& relations() const { return *relations_; }  ///< constraints, |q| = 1
  SlopedFunctions& integrals() const { return *integrals_; }
  const std::vector<std::unique_ptr<SlopedFunctions>>& fields() const { return fields_; }  ///< symmetries
  /// The fields of the group, and the motion itself where the rates do not depend on time, in columns.
  Eigen::MatrixXd neutral_fields(const Eigen::VectorXd& x) const;
  /// Gradients of constraints and integrals, in columns.
  Eigen::MatrixXd gradients(const Eigen::VectorXd& x) const;

 private:
  void choose_parameters(const System& system, const std::vector<std::string>& free);
  void choose_states();
  void choose_fields();
  void choose_integrals(const std::vector<Invariant>& known);
  /// Inputs at the state, moved a little: at a symmetric one more fields commute than elsewhere.
  Eigen::VectorXd arbitrary_inputs() const;

  Flow flow_;
  std::vector<double> state_;
  bool forced_ = false, bound_ = false;
  Eigen::Index n_ = 0;
  std::vector<std::size_t> kept_;
  std::vector<Eigen::Index> quaternions_;
  std::vector<Symbol> parameters_, inputs_;
  Eigen::VectorXd parameter_values_;
  SymbolMap values_;
  std::vector<Expr> relation_expressions_;
  std::unique_ptr<SlopedFunctions> rates_, relations_, integrals_;
  std::vector<std::string> field_names_, integral_names_;
  std::vector<std::unique_ptr<SlopedFunctions>> fields_;
};

/// An orthonormal basis of the span of columns; singular values below 10^-8 of the largest count as zero.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns);
/// An orthonormal basis of what is orthogonal to all columns, which have n entries.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& columns, Eigen::Index n);
/// An orthonormal basis of {c : m c = 0}.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& m);

}  // namespace rattleback
