#pragma once
/// Static analysis of a model for `rattleback check`: kinds of constraints, rank, regularity, warnings.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// How a constraint is written.
enum class Writing : std::uint8_t { position, linear, affine, nonlinear };
/// What it does.
enum class Effect : std::uint8_t {
  redundant,            ///< follows from those before it
  inconsistent,         ///< no velocity satisfies it together with those before it
  singular,             ///< never negative, or never positive: its slopes vanish wherever it holds
  exact,                ///< the rate of a function
  integrable,           ///< becomes one after multiplication with an integrating factor
  integrable_together,  ///< holonomic, but only together with the others
  nonholonomic,
  undecided,  ///< deciding it takes longer than the time limit
};

struct ConstraintKind {
  std::string name;
  Writing writing = Writing::linear;
  Effect effect = Effect::nonholonomic;
  std::optional<Expr> integral;  ///< constant along the motion, when a closed form was found
  std::string note;              ///< e.g. the relation that makes it redundant
};

/// Is the Lagrangian regular on the admissible velocities?
struct Regularity {
  enum class Kind : std::uint8_t { positive_definite, nondegenerate, degenerate };
  Kind kind = Kind::nondegenerate;
  std::string why;  ///< degenerate: the massless direction
  /// Positive definite at a generic configuration: the energy is a sum of squares, and regular there.
  bool generic = false;
  bool regular_everywhere = true;  ///< on all of TQ, not only on the constraint
  bool quadratic = true;           ///< in the velocities; otherwise regularity may fail at special ones
  /// With the given parameter values the kinetic energy is negative somewhere: a mass may have the wrong sign.
  bool negative_energy = false;
};

struct Triage {
  int dimension = 0, rank = 0;
  int degrees_of_freedom() const { return dimension - rank; }
  std::vector<ConstraintKind> constraints;
  /// Where the rank is smaller; nothing when the constraints are too long for that question.
  std::optional<RankDrop> rank_drop = RankDrop{};
  /// Empty when a constraint is nonlinear: then there is no distribution. For affine constraints: of the linear part.
  std::vector<int> growth_vector;
  /// At the initial configuration, when it differs there.
  std::optional<Growth> growth_at_start;
  int holonomic_dimension = 0;  ///< independent functions that are constant along every admissible motion
  std::vector<Expr> integrals;  ///< those with a closed form
  /// Affine constraints, or moving ones: leaves and brackets of the linear part do not say where a motion can go.
  bool drifts = false;
  Regularity regularity;
  std::optional<bool> velocities_are_a_frame;  ///< when the model gives [velocities]
  std::vector<Error> problems;  ///< what makes the model impossible: derivations will refuse it
  std::vector<Error> warnings;
  std::vector<std::string> open;  ///< parts that were given up when their time was over
};

/// The time for each part of a triage, and who is told which part is next.
struct TriageLimits {
  std::optional<double> seconds = {};
  std::function<void(const std::string&)> next = {};
};

/// Where the rank of constraints that are linear in the velocities drops and the position constraints may hold. Nothing where they are long.
std::optional<RankDrop> rank_drop_of_constraints(const System& system);

Triage triage(const System& system, const TriageLimits& limits = {});

/// Runs one part of a triage; false when its time was over. Without a limit everybody's limits hold.
bool within_limits(const TriageLimits& limits, const std::string& part, const std::function<void()>& run);

}  // namespace rattleback
