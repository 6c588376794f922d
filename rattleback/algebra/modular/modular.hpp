#pragma once
/// Expressions modulo a prime: values at random points of the manifold, with forward and reverse derivatives.
///
/// A point is a homomorphism from functions to F_p. sin and cos take their argument modulo q' and exp modulo q (see
/// modular_field.hpp), so addition theorems hold without being known. Fractional and symbolic powers are
/// exp(c·log a) = a^c. atan within sin and cos is the circle point (1, x)/√(1 + x²). Logarithms, atan elsewhere,
/// abstract functions and their derivatives are free generators, keyed by the values of their arguments.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/modular/modular_point.hpp>

namespace rattleback {

struct ModularCode;
class ModularRun;

/// Expressions prepared for evaluation at many points. Any thread may run it.
class ModularProgram {
 public:
  explicit ModularProgram(std::span<const Expr> roots);
  explicit ModularProgram(Expr root) : ModularProgram(std::span<const Expr>(&root, 1)) {}

  std::size_t size() const;  ///< nodes
  std::size_t outputs() const;
  std::span<const Symbol> symbols() const;
  std::optional<std::size_t> index_of(Symbol s) const;  ///< among symbols()

  /// True when a point is a homomorphism on the field of functions that the expressions live in, so that a nonzero
  /// value proves a nonzero function. Generators that may depend on each other make it false, and so do roots:
  /// F_p cannot tell which of the two is the positive one.
  bool is_faithful() const;
  /// How many square roots there are. A zero holds for some choice of their signs.
  std::size_t roots() const;
  /// Roots, logarithms or powers with real exponents: not every real point is in the domain.
  bool is_restricted() const;
  /// There is a root of a number that is not a square in F_p, or tan(π/2): no point will ever do.
  bool is_impossible() const;

  /// Nothing at a pole, or where a radicand is not a square: draw another point.
  std::optional<ModularRun> run(const ModularPoint& point) const;
  /// The same for the points of seeds seed, seed + 1, … until one does; nothing after many failures. Where there are many roots,
  /// single symbols of a point are drawn again until all radicands are squares (modular_roots.hpp).
  std::optional<ModularRun> run_near(std::uint64_t seed) const;

 private:
  std::optional<ModularRun> run_with_roots(std::uint64_t seed) const;

  std::shared_ptr<const ModularCode> code_;
};

/// A program at a point.
class ModularRun {
 public:
  ModP value(std::size_t output = 0) const;
  ModP symbol(std::size_t index) const;  ///< the value of symbols()[index]
  const ModularPoint& point() const { return point_; }

  /// The derivatives of all outputs along a direction, which has one component per symbol of the program.
  std::vector<ModP> tangent(std::span<const ModP> direction) const;
  /// ∂(output)/∂(symbol) for every symbol of the program, in one reverse sweep.
  std::vector<ModP> gradient(std::size_t output) const;
  /// The gradient of an output and the derivative of that gradient along a direction: a row of the Hessian.
  struct Gradient {
    std::vector<ModP> value, tangent;
  };
  Gradient gradient_along(std::size_t output, std::span<const ModP> direction) const;

 private:
  friend class ModularProgram;
  ModularRun(std::shared_ptr<const ModularCode> code, ModularPoint point)
      : code_(std::move(code)), point_(std::move(point)) {}
  /// False at a pole, or where a radicand is not a square. With a list, evaluation goes on behind such a radicand, with 1 for its
  /// root, and the steps that failed are listed.
  bool evaluate(std::vector<std::size_t>* without_root = nullptr);

  std::shared_ptr<const ModularCode> code_;
  ModularPoint point_;
  std::vector<ModP> values_;
  std::vector<CirclePoint> circles_;
};

}  // namespace rattleback
