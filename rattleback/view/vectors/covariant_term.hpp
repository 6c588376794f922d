#pragma once
/// Vector algebra that is printed whole: cross and dot products, dyads and tensors, each with its components beside the words.
///
/// The functions below keep the two together, so that what is printed is what was proved.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// The same formula for a terminal (`K × Omega`), for a paper (`K \times \Omega`) and in the model language (`cross(K, Omega)`).
struct Notations {
  std::string text, latex, code;
  bool operator==(const Notations&) const = default;
};

/// A scalar, a vector or a tensor. What binds less tightly than its neighbour gets brackets.
struct CovariantTerm {
  enum class Tightness : std::uint8_t { sum, cross, product, atom };
  Matrix value;  ///< 1 × 1, 3 × 1 or 3 × 3
  Notations words;
  Tightness tightness = Tightness::atom;

  bool is_zero() const;
  std::size_t length() const { return words.text.size(); }
};

/// A name of its own.
CovariantTerm named_term(const std::string& name, Matrix value);
/// name', the rate of a vector.
CovariantTerm named_rate(const std::string& name, Matrix value);
/// A formula in components.
CovariantTerm scalar_term(Expr e);
/// e_k.
CovariantTerm unit_term(int k);
/// [a, b, c], e3, 2*e1; a diagonal tensor as diag(a, b, c).
CovariantTerm constant_term(const Matrix& value);

CovariantTerm cross(const CovariantTerm& a, const CovariantTerm& b);
CovariantTerm dot(const CovariantTerm& a, const CovariantTerm& b);
/// T a.
CovariantTerm applied(const CovariantTerm& T, const CovariantTerm& a);
/// T⁻¹ a; `inverse` are the components of T⁻¹.
CovariantTerm solved(const CovariantTerm& T, const Matrix& inverse, const CovariantTerm& a);
/// s a for a scalar s.
CovariantTerm scaled(const CovariantTerm& s, const CovariantTerm& a);
CovariantTerm scaled(Expr s, const CovariantTerm& a);
CovariantTerm quotient(const CovariantTerm& a, const CovariantTerm& s);
CovariantTerm root(const CovariantTerm& s);
/// Those that vanish are left out.
CovariantTerm sum_of(const std::vector<CovariantTerm>& terms);

}  // namespace rattleback
