#pragma once
/// From expressions to forms (exact_field.hpp): every call becomes a rational expression in independent
/// generators, so that equal functions have equal forms in the field.

#include <unordered_set>

#include <rattleback/algebra/fields/angles.hpp>
#include <rattleback/algebra/fields/roots.hpp>

namespace rattleback {

/// Which generators to take where there is a choice.
struct GeneratorChoice {
  RootSplitting splitting = RootSplitting::honest;
  bool half_angles = false;  ///< t = tan(b/2) instead of the pair cos b, sin b: no relation, higher degree
  bool hyperbolic = false;   ///< cosh u, sinh u instead of exp u
  std::vector<LinearForm> angles;  ///< base angles, if they generate all that occur
};

class Generators {
 public:
  Generators(std::span<const Expr> expressions, GeneratorChoice choice);
  Generators(const Generators&) = delete;
  Generators& operator=(const Generators&) = delete;

  std::span<const Expr> forms() const { return forms_; }
  const Assumptions& assumptions() const { return roots_.assumptions(); }
  bool left_together() const { return roots_.left_together(); }
  /// Are the free generators known to be algebraically independent? If not, a form that is not zero may still
  /// belong to a function that is.
  bool independent() const { return independent_; }
  /// The arguments of sin and cos that occurred, without multiples of π.
  std::span<const LinearForm> angles() const { return angle_arguments_; }
  bool has_exponentials() const { return !exponents_.empty(); }

 private:
  void note(Expr primitive);
  Expr form(Expr primitive);
  Expr form_of_node(Expr e);
  CosSin circular(const LinearForm& argument);
  CosSin base_pair(Expr base);
  Expr exponential_form(const LinearForm& exponent);
  Expr exponential_of(const LinearForm::Term& term);

  GeneratorChoice choice_;
  std::vector<Expr> forms_;
  Roots roots_;
  std::unordered_map<Expr, LinearForm> arguments_;  ///< of sin, cos and exp
  std::vector<LinearForm> angle_arguments_, exponents_;
  std::optional<Angles> angles_;
  std::unordered_map<Expr, Rational> exponent_denominators_;  ///< per atom
  std::unordered_map<Expr, Expr> known_;
  std::unordered_set<Expr> noted_;  ///< cos x for sin x and cos x, exp x for itself
  bool independent_ = true;
};

/// The generator tan(b/2) of half_angles: what the form of an angle b is rational in.
const Function& half_angle_tangent();
/// A form in the functions that its generators stand for: tan(b/2) = sin b/(1 + cos b), exponentials.
Expr in_functions(Expr form);

}  // namespace rattleback
