#pragma once
/// Points of a variety: real ones by Newton's method, points modulo p as roots of polynomials. See variety.hpp.

#include <map>

#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/modular/modular_point.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

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
  bool is_generically_nonzero(Expr e) const override;

 private:
  struct Algebra;  ///< the relations as polynomials
  struct Plan;     ///< which of their generators are solved for
  friend class RealVarietySearch;
  const Algebra& algebra() const;
  std::span<const VarietyChart> charts() const;
  std::vector<VarietyChart> found_charts() const;
  VarietyChart preferred_chart(const RealVarietyPoint& at, const BallPoint& point) const;
  VarietyChart generic_chart() const;
  long degree_of(std::size_t unknown) const;  ///< the largest in a relation; 0 for what is not algebraic
  std::shared_ptr<const Plan> plan(std::size_t chart) const;
  std::optional<ModularVarietyPoint> found_modular_point(const ModularPoint& at) const;
  ModularVarietyPoint drawn(const VarietyChart& chart, const ModularPoint& at, std::uint64_t draw) const;
  std::optional<ModularVarietyPoint> solved(const Plan& plan, const ModularPoint& at,
                                            const ModularVarietyPoint& free) const;

  std::vector<std::vector<Expr>> slopes_;  ///< ∂(equation)/∂(unknown)
  mutable std::shared_ptr<Algebra> algebra_;
  mutable std::optional<std::vector<VarietyChart>> charts_;
  mutable std::map<std::vector<std::string>, std::optional<RealVarietyPoint>> real_points_;
  mutable std::unordered_map<std::uint64_t, std::optional<ModularVarietyPoint>> modular_points_;
};

}  // namespace rattleback
