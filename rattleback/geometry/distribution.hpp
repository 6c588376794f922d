#pragma once
/// Distributions: subbundles of the tangent bundle, given by fields that span or by one-forms that annihilate.

#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

class Distribution {
 public:
  /// Fields that depend on earlier ones (at a generic point) are left out.
  static Distribution spanned_by(const Space& space, const std::vector<VectorField>& fields);
  /// D = {X : ω^s(X) = 0}; forms that depend on earlier ones are left out.                           (D.1)
  static Distribution annihilated_by(const Space& space, const std::vector<OneForm>& forms);

  const Space& space() const { return space_; }
  int rank() const { return static_cast<int>(fields_.size()); }
  const std::vector<VectorField>& fields() const { return fields_; }
  /// Independent one-forms with common kernel D, as many as the corank.
  const std::vector<OneForm>& annihilator() const { return annihilator_; }
  /// Where the fields, or the forms, are what they are at a generic point.
  const Assumptions& where() const { return where_; }

 private:
  Distribution(Space space, std::vector<VectorField> fields, std::vector<OneForm> annihilator,
               Assumptions where);
  Space space_;
  std::vector<VectorField> fields_;
  std::vector<OneForm> annihilator_;
  Assumptions where_;
};

/// Frobenius, by fields: D is integrable iff ω^s([X_a, X_b]) = 0 for all a, b, s.                     (D.2)
Verdict is_involutive(const Distribution& D);
/// Frobenius, by forms: iff dω^s ∧ ω^1 ∧ … ∧ ω^k = 0 for all s. An independent test of the same.      (D.3)
Verdict is_involutive_by_forms(const Distribution& D);

/// Does the field lie in D: ω^s(X) = 0 for all s?
Verdict contains(const Distribution& D, const VectorField& X);

}  // namespace rattleback
