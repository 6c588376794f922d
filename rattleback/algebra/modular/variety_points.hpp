#pragma once
/// Points of a variety: real ones by Newton's method, points modulo p as roots of polynomials. See variety.hpp.

#include <array>
#include <map>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/modular/modular_point.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

class ModularProgram;

/// N = {φ = 0} for relations in coordinates, entries of rotation matrices and unit vectors, parameters and time. Null when they bind
/// nothing. The same relations give the same object, with the points that were found before.
std::shared_ptr<const Variety> variety_of(const std::vector<Expr>& relations);

class VarietyPoints final : public Variety, public std::enable_shared_from_this<VarietyPoints> {
 public:
  explicit VarietyPoints(std::vector<Expr> relations);

  std::optional<RealVarietyPoint> real_point(const BallPoint& at) const override;
  std::optional<std::vector<Ball>> enclosed(const RealVarietyPoint& point, const BallPoint& at,
                                            long bits) const override;
  std::optional<ModularVarietyPoint> modular_point(const ModularPoint& at) const override;
  bool has_points() const override;
  std::span<const VarietyPart> parts() const override;
  bool is_generically_nonzero(Expr e) const override;

 private:
  struct Algebra;  ///< the relations as polynomials
  struct Plan;     ///< which of their generators are solved for
  friend class RealVarietySearch;
  const Algebra& algebra(bool turned) const;
  SymbolMap turned_angles(int quarters) const;  ///< a + quarters π/2 in place of every angle a
  std::span<const VarietyChart> charts() const;
  std::vector<VarietyChart> found_charts() const;
  VarietyChart preferred_chart(const RealVarietyPoint& at, const BallPoint& point) const;
  VarietyChart generic_chart() const;
  long degree_of(std::size_t unknown) const;  ///< the largest in a relation; 0 for what is not algebraic
  std::shared_ptr<const Plan> plan(std::size_t chart, bool turned) const;
  /// Are two parts told apart by points modulo p?
  bool has_modular_parts() const;
  std::optional<ModularVarietyPoint> found_modular_point(const ModularPoint& at) const;
  ModularVarietyPoint drawn(const VarietyChart& chart, const ModularPoint& at, std::uint64_t draw) const;
  std::optional<ModularVarietyPoint> solved(const Plan& plan, bool turned, const ModularPoint& at,
                                            const ModularVarietyPoint& free) const;

  std::vector<Expr> splitting_factors() const;
  void add_splitting_factors(bool turned, std::vector<Expr>& found) const;
  std::vector<VarietyPart> found_parts() const;
  bool vanishes_on_no_part(Expr e) const;

  std::vector<std::vector<Expr>> slopes_;                     ///< ∂(equation)/∂(unknown)
  mutable std::array<std::shared_ptr<Algebra>, 2> algebras_;  ///< in the angles, and in these turned
  mutable std::shared_ptr<const ModularProgram> check_;       ///< the equations themselves
  mutable std::optional<std::vector<VarietyChart>> charts_;
  mutable std::optional<std::vector<VarietyPart>> parts_;
  mutable bool looks_for_parts_ = false;
  mutable std::map<std::vector<std::string>, std::optional<RealVarietyPoint>> real_points_;
  mutable std::unordered_map<std::uint64_t, std::optional<ModularVarietyPoint>> modular_points_;
};

}  // namespace rattleback
