#pragma once
/// The variety N = {φ = 0} of position constraints. While an OnVariety lives, zero tests, modular points, real points and exact
/// proofs of this thread are about functions on N, however N is written.
///
/// Coordinates are split into free and dependent ones where dφ has full rank in the dependent ones. A random point takes the free
/// ones at random and the dependent ones from φ = 0:
///   modulo p   as roots of polynomials: angles are rational in tan(θ/2), elimination by resultants;
///   real       by Newton's method, enclosed by Krawczyk's test in balls;
///   exact      polynomials are reduced by a triangular set of elements of the ideal (pseudo-division).
/// Outside N nothing is claimed: derivatives along fields that are tangent to N are the only ones with a meaning on N.
///
/// Here are the relations and the scope; variety_points.hpp finds the points.

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

class Ball;
class BallPoint;
class ModularPoint;

/// Dependent coordinates, and as many equations that determine them; indices into unknowns() and relations().
struct VarietyChart {
  std::vector<std::size_t> dependent, rows;
  friend bool operator==(const VarietyChart&, const VarietyChart&) = default;
};

/// A real point of N: free coordinates are exact, dependent ones are rounded to some 35 digits.
struct RealVarietyPoint {
  VarietyChart chart;
  std::vector<Rational> at;  ///< one for each of the unknowns
};

/// A point of N modulo p.
struct ModularVarietyPoint {
  std::unordered_map<Symbol, ModP> values;
  std::unordered_map<Symbol, CirclePoint> circles;  ///< cos and sin of angles that were solved for
};

/// One of the parts that N falls into (x·y = 0: two lines), by points on it. What is true at a random point of N may be false on a part
/// that the point is not on.
struct VarietyPart {
  std::vector<std::uint64_t> modular, real;  ///< seeds of points modulo p and of real points
};

class Variety {
 public:
  /// What the innermost OnVariety of this thread says; null in the ambient space.
  static const std::shared_ptr<const Variety>& current();
  /// Cache key of the variety: results of one variety are not used on another; 0 in the ambient space.
  static std::uint64_t current_key() { return current() ? current()->key_ : 0; }

  virtual ~Variety() = default;
  Variety(const Variety&) = delete;
  Variety& operator=(const Variety&) = delete;

  std::span<const Expr> relations() const { return relations_; }
  /// The relations with rotation matrices and unit vectors written in their charts (charts.hpp).
  std::span<const Expr> equations() const { return equations_; }
  std::span<const Symbol> unknowns() const { return unknowns_; }
  std::span<const Symbol> given() const { return given_; }  ///< parameters and time in the relations
  std::optional<std::size_t> index_of(Symbol unknown) const;
  bool is_angle(Symbol s) const;
  /// Is s a coordinate of N, an entry of a matrix or of a unit vector that the relations bind?
  bool concerns(Symbol s) const;

  /// The real point that belongs to the seed and the parameters of `at`; nothing where none was found.
  virtual std::optional<RealVarietyPoint> real_point(const BallPoint& at) const = 0;
  /// Enclosures of the dependent coordinates, in the order of the chart: proved to contain a point of N.
  virtual std::optional<std::vector<Ball>> enclosed(const RealVarietyPoint& point, const BallPoint& at,
                                                    long bits) const = 0;
  /// The point modulo p that belongs to the seed and the parameters of `at`; nothing when the polynomials have no root there.
  virtual std::optional<ModularVarietyPoint> modular_point(const ModularPoint& at) const = 0;
  /// Is there a point modulo p for one of a few seeds?
  virtual bool has_points() const = 0;
  /// The parts that factors of the relations, and of resultants of two of them, tell apart; none where N is in one piece for them.
  virtual std::span<const VarietyPart> parts() const = 0;
  /// Does e vanish at none of several random points, some on each part? Then what holds where e does not vanish holds on all of N, by continuity.
  virtual bool is_generically_nonzero(Expr e) const = 0;

 protected:
  enum class Sort : std::uint8_t { line, angle, chart };
  explicit Variety(std::vector<Expr> relations);

  std::vector<Expr> relations_, equations_;
  std::vector<Symbol> unknowns_, given_;  ///< given: parameters and time
  std::vector<Sort> sorts_;
  std::uint64_t key_;
};

/// Makes this thread compute on N, or in the ambient space when N is null, while the object lives.
class OnVariety {
 public:
  explicit OnVariety(std::shared_ptr<const Variety> variety);
  ~OnVariety();
  OnVariety(const OnVariety&) = delete;
  OnVariety& operator=(const OnVariety&) = delete;

 private:
  std::shared_ptr<const Variety> outer_;
};

/// For algebra that differentiates in all directions, and for forms that are printed: they must hold off N as well.
class InAmbientSpace : OnVariety {
 public:
  InAmbientSpace() : OnVariety(nullptr) {}
};

}  // namespace rattleback
