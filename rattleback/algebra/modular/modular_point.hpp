#pragma once
/// Random evaluation point modulo the primes of modular_field.hpp: residues for symbols, angles and exponents, on the position constraints.

#include <unordered_map>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

struct ModularVarietyPoint;

/// The value of a symbol depends on the seed and the symbol alone, so no list of symbols is needed and the same
/// symbol has the same value in every expression. The nine entries of a rotation matrix are those of the rational
/// matrix of a random quaternion, the three components of a direction are a rational point of the sphere, a
/// positive symbol is a square.
class ModularPoint {
 public:
  explicit ModularPoint(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t seed() const { return seed_; }
  /// The value as a number (ModP), within angles (ModAngle) or within exponents (ModExponent).
  template <class R>
  R value(Symbol s) const;
  /// A value for a free generator: equal keys, equal values.
  template <class R>
  R generator(std::uint64_t key) const {
    return R::from_hash(uniform(key, R::modulus));
  }
  /// Gives a symbol a value of its own, e.g. a velocity that satisfies the constraints. Its values within angles
  /// and exponents stay random, so the symbol should not occur there.
  void set(Symbol s, ModP value) { given_[s] = value; }
  /// Draws another value for a symbol; for a rotation matrix or a direction, for all its entries.
  void redraw(Symbol s) { ++redrawn_[key_of(s)]; }
  /// What redraw(s) changes: symbols with equal keys change together.
  static std::uint64_t key_of(Symbol s);

  /// This point moved onto a variety (variety.hpp): coordinates that it binds have the values found there.
  ModularPoint completed(const ModularVarietyPoint& on) const;
  bool is_completed() const { return completed_; }
  /// cos and sin of an angle that was solved for; nothing for an angle that is free.
  std::optional<CirclePoint> solved_circle(Symbol angle) const;

 private:
  std::uint64_t uniform(std::uint64_t key, std::uint64_t salt) const;
  std::uint64_t seed_;
  std::unordered_map<Symbol, ModP> given_;
  std::unordered_map<Symbol, CirclePoint> circles_;
  bool completed_ = false;
  std::unordered_map<std::uint64_t, std::uint64_t> redrawn_;  ///< how often
};

}  // namespace rattleback
