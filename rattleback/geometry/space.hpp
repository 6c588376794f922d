#pragma once
/// Configuration space: a product of factors (lines, circles, groups) with a frame of derivations X_i and quasi-velocities v^i.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <rattleback/geometry/factor.hpp>

namespace rattleback {

/// A cheap handle to an immutable product of factors. Coordinates are the special case C = 0.
class Space {
 public:
  Space() : Space(std::vector<Factor>{}) {}
  explicit Space(std::vector<Factor> factors);
  /// Rⁿ with these coordinates and the frame ∂/∂q.
  static Space chart(std::span<const Symbol> coordinates);

  int dimension() const;
  const std::vector<Factor>& factors() const;
  std::span<const Symbol> functions() const;      ///< coordinates and matrix entries, factor by factor
  std::span<const Symbol> velocities() const;     ///< v^i, in the order of the frame
  std::span<const Symbol> accelerations() const;  ///< (v^i)'
  const StructureCoefficients& c() const;         ///< [X_i, X_j] = C_ij^k X_k
  /// X_i as a derivation: what it makes of each function.
  const SymbolMap& leg(int i) const;
  /// q when X_i = ∂/∂q.
  std::optional<Symbol> coordinate(int i) const;

  /// X_i f.
  Expr derivative(int i, Expr f) const;
  /// df/dt = v^i X_i f + ∂f/∂t along the motion, for a function of the configuration.                (F.1)
  Expr rate(Expr f) const;
  /// df/dt for a function of configuration and velocities; the accelerations come in.
  Expr total_rate(Expr f) const;
  /// The velocity of every function: f ↦ v^i X_i f.
  const SymbolMap& motion() const;

  /// The same space and functions with another frame and its quasi-velocities.
  Space in_frame(const std::vector<SymbolMap>& frame, StructureCoefficients c,
                 std::vector<Symbol> velocities) const;

  friend Space operator*(const Space& a, const Space& b);
  friend bool operator==(const Space& a, const Space& b) { return a.data_ == b.data_; }

 private:
  struct Data;
  explicit Space(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// The product: both frames side by side.
Space operator*(const Space& a, const Space& b);

/// TQ as a space: the functions of Q and the v^i, the frame (X_1, …, X_n, ∂/∂v^1, …, ∂/∂v^n).
Space tangent_bundle(const Space& Q);

}  // namespace rattleback
