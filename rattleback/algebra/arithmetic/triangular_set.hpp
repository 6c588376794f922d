#pragma once
/// Triangular sets: polynomials f_1(v_1, …), f_2(v_2, …), … of an ideal such that f_j does not contain v_i for i < j. Pseudo-division by
/// them decides whether a polynomial, times a product of their leading coefficients, lies in the ideal.

#include <functional>
#include <vector>

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

class TriangularSet {
 public:
  /// What is known of generators and polynomials on the zeros of the ideal.
  struct Knowledge {
    std::function<bool(int)> may_lead;                        ///< may the generator be a main variable?
    std::function<bool(const Polynomial&)> vanishes_nowhere;  ///< at general zeros: such factors are dropped
  };
  /// By Euclid's algorithm in one variable after the other. Every polynomial of the set, times factors that vanish nowhere, is in the
  /// ideal of the given ones.
  TriangularSet(std::vector<Polynomial> generators_of_ideal, const Knowledge& known);

  /// c·p modulo the set, where c is a product of initials.
  Polynomial reduced(Polynomial p) const;
  /// Leading coefficients that are not numbers: p is in the ideal where they do not vanish and reduced(p) = 0.
  const std::vector<Polynomial>& initials() const { return initials_; }
  std::size_t size() const { return chain_.size(); }

 private:
  static Polynomial essential(const Polynomial& p, const Knowledge& known);
  struct Link {
    Polynomial f;
    int variable;
  };
  std::vector<Link> chain_;
  std::vector<Polynomial> initials_;
};

}  // namespace rattleback
