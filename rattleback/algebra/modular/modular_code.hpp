#pragma once
/// The instructions behind ModularProgram: a tape whose constants are residues and whose angles and exponents are
/// computed along with the numbers. Private to algebra/.

#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>

namespace rattleback {

struct ModularCode {
  /// Every node has a value as a number; nodes within arguments of sin, cos, exp have one there too.
  enum class Space : std::uint8_t { numbers, angles, exponents };
  enum class Op : std::uint8_t {
    sum,
    product,
    power,
    root,
    keyed,  ///< a call within an angle or an exponent: a generator keyed by its value as a number
    circle,
    sine,
    cosine,
    exponential,
    logarithm,
    arctangent,
    abstract,
  };
  struct Step {
    Op op;
    Space space;
    std::int32_t exponent;       ///< of a power
    std::uint32_t slot;          ///< where the value goes; of a circle, its index
    std::uint32_t first, count;  ///< the operands
    std::uint32_t detail;        ///< circle of a sine; index into exponentials, logarithms, functions
  };
  struct SymbolSlot {
    Symbol symbol;
    std::uint32_t slot;
    bool in_angles, in_exponents;
  };
  /// cos u + i sin u = ζ^(rest − k·π) · (angle k·π) · Π ((1 + i x)/√(1 + x²))^(n/2^h) · Π (cos θ + i sin θ)^(n/2^h), θ an angle
  /// that a variety may bind.
  struct Circle {
    struct Arctangent {
      std::uint32_t slot;
      long numerator;
      int halvings;
    };
    std::uint32_t rest;
    ModAngle pi_coefficient;
    long half_degrees;
    struct Bound {
      Symbol angle;
      long numerator;
      int halvings;
    };
    std::vector<Arctangent> arctangents;
    std::vector<Bound> bound;
  };
  /// exp(rest + Σ c·log a) = g^rest · Π a^c.
  struct Exponential {
    struct Power {
      std::uint32_t base, coefficient;
    };
    std::uint32_t rest;
    std::vector<Power> powers;
  };
  /// log Π = Σ coefficient · (log|factor|, log prime, or the exponent of a factor that is an exponential).
  struct Logarithm {
    enum class Of : std::uint8_t { factor, prime, exponential };
    struct Term {
      ModP coefficient;
      Of of;
      std::uint64_t at;  ///< slot, or the prime
    };
    std::vector<Term> terms;
  };

  std::vector<ModP> numbers;  ///< the constants in place, 0 elsewhere
  std::vector<ModAngle> angles;
  std::vector<ModExponent> exponents;
  std::vector<Symbol> symbols;
  std::vector<SymbolSlot> symbol_slots;
  std::vector<std::uint32_t> operands, outputs;
  std::vector<Step> steps;
  std::vector<Circle> circles;
  std::vector<Exponential> exponentials;
  std::vector<Logarithm> logarithms;
  std::vector<Function> functions;
  std::shared_ptr<const Variety> variety;  ///< that binds some of the symbols
  std::size_t roots = 0;
  bool faithful = true, impossible = false, restricted = false;  ///< as ModularProgram says
};

ModularCode compile(std::span<const Expr> roots);

}  // namespace rattleback
