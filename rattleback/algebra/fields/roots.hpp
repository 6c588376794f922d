#pragma once
/// Square roots and logarithms split over irreducible factors: one generator each.

#include <functional>
#include <unordered_map>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/algebra/fields/signed_factors.hpp>

namespace rattleback {

/// How roots and logarithms of products are taken apart. √(fg) = √f·√g needs f, g ≥ 0.
enum class RootSplitting : std::uint8_t {
  honest,   ///< only where signs are known; other factors stay together, and √(f²) is |f|
  assumed,  ///< always; what had to be positive is recorded
};

class Roots {
 public:
  /// `form_of` gives the form of an expression (for log exp u = u).
  Roots(RootSplitting splitting, std::function<Expr(Expr)> form_of)
      : splitting_(splitting), form_of_(std::move(form_of)) {}

  /// Forms of √x and log x for a form x ≠ 0.
  Expr root(Expr x);
  Expr logarithm(Expr x);

  const Assumptions& assumptions() const { return assumptions_; }
  /// Were factors of unknown sign left together under one root or logarithm?
  bool left_together() const { return left_together_; }

 private:
  struct Doubtful {  ///< an odd power of a factor of unknown sign
    Expr form;
    long half;  ///< (exponent − 1)/2
  };
  void root_of_doubtful(const Field& field, std::span<const Doubtful> doubtful, bool negative,
                        std::vector<Expr>& out);
  void log_of_doubtful(const Field& field, std::span<const SignedFactors::Factor> doubtful, bool negative,
                       std::vector<Expr>& terms);
  Expr searched_root(Expr x);
  Expr root_of_irreducible(const Field& field, const Polynomial& p);
  std::optional<Expr> denested(const Field& field, const Polynomial& p, const Relation& r);
  Expr magnitude(Expr f, long power) const;
  void orient(const Field& field, std::span<const Expr> factors, bool negative);
  void assume_positive(Expr f);

  RootSplitting splitting_;
  std::function<Expr(Expr)> form_of_;
  Assumptions assumptions_;
  bool left_together_ = false;
  std::unordered_map<Expr, Expr> known_roots_;
  std::unordered_map<Expr, int> orientation_;  ///< the sign that makes a factor positive, once chosen
};

}  // namespace rattleback
