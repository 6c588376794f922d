#pragma once
/// What the sections of a model share while it is read: the source, the names, and how values become expressions.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/model/system/pose.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

struct JointPlan;
struct Machine;

class Reading {
 public:
  Reading(const Source& source, const Toml& root) : source_(source), root_(root) {}

  System system;
  Attitudes attitudes;  ///< rotations that are products of joints, by the name of their definition
  std::shared_ptr<const JointPlan> joints;     ///< of [joints]; see model/reading/joints.hpp
  std::map<std::string, Pose> poses;           ///< of the bodies: their origin and axes in space
  std::map<std::string, Matrix> mass_centers;  ///< of the bodies, from their origin, in body axes
  std::shared_ptr<Machine> machine;  ///< what `check` says about joints; see model/system/machine.hpp

  const Source& source() const { return source_; }
  const Toml& root() const { return root_; }
  /// The section of this name, when there is one; Error[wrong-type] unless it is a table.
  const Toml* section(const std::string& name) const;

  Place place(const Toml& item) const { return source_.place(item.span); }
  Place place_of_key(const Toml& item) const { return source_.place(item.key_span); }
  /// Throws the error at the value, or at its key.
  [[noreturn]] void fail(const Toml& item, Error error) const { throw error.at(place(item)); }
  [[noreturn]] void fail_at_key(const Toml& item, Error error) const { throw error.at(place_of_key(item)); }

  /// Throws Error[invalid-name] unless it can stand in an expression.
  void require_name(const std::string& name, const Place& place) const;
  /// Gives a name to a quantity. Throws Error[reserved-name], [invalid-name], [duplicate-name].
  void declare(const std::string& name, const Place& place);

  /// A scalar: a number, or an expression in a string.
  Expr scalar(const Toml& item) const { return scalar(item, system.scope); }
  Expr scalar(const Toml& item, const Scope& scope) const;
  /// A scalar, vector or matrix: an expression, or an array of them.
  Value value(const Toml& item) const { return value(item, system.scope); }
  Value value(const Toml& item, const Scope& scope) const;
  std::string written_key(const Toml& item)
      const;  ///< as in the file, where another key stands for it: `axle` of a wheel for `axis`
  Matrix vector(const Toml& item, int size) const;  ///< Error[shape-mismatch] for anything else
  Matrix matrix(const Toml& item, int size) const;  ///< square
  Matrix direction(const Toml& item) const;         ///< a constant unit vector, Error[wrong-direction]
  /// left − right of an equation, or the expression itself.
  Value equation(const Toml& item) const;
  /// The syntax of a string, before names mean anything.
  Syntax syntax(const Toml& item) const;

  const std::string& text(const Toml& item) const;  ///< Error[wrong-type] unless it is a string
  bool truth(const Toml& item) const;
  std::vector<std::string> texts(const Toml& item) const;
  void require(const Toml& item, Toml::Kind kind, std::string_view example) const;
  /// The value of a key that must be there.
  const Toml& required(const Toml& table, const std::string& key, std::string_view example) const;

 private:
  /// "2 kg" has a place in [parameters], [space], [simulation] and [inputs]; Error[dimension-mismatch] elsewhere.
  void require_place_of_quantity(const Toml& item) const;
  template <class Work>
  auto located(const Toml& item, Work work) const;

  const Source& source_;
  const Toml& root_;
  std::map<std::string, Place> names_;
};

/// A rotation: a product of joints where it is written as one, else any rotation matrix.
Attitude read_attitude(const Reading& reading, const Toml& item);

/// A line or circle, and its name in scope.
Factor named_coordinate(Reading& reading, const std::string& name, bool circle, const Place& place,
                        int order);
/// SO(3): its matrix and the vectors of its angular velocity, in scope.
struct RotationNames {
  std::string matrix, body, space;
};
Factor named_rotation(Reading& reading, const RotationNames& names, const Place& place, int order);

/// Does e contain a velocity (of the frame, a quasi-velocity or a speed)?
bool has_velocities(Expr e);
bool has_velocities(const Value& v);

/// A declared sign is a promise that proofs rely on: throws Error[not-positive] when the value breaks it.
void require_declared_sign(const Parameter& parameter, Expr value, const Place& place);

// One function per section, in the order in which they are read.
void read_parameters(Reading& reading);
void read_functions(Reading& reading);
void plan_joints(Reading& reading);
void read_space(Reading& reading);
void add_joint_coordinates(Reading& reading, std::vector<Factor>& factors);  ///< called by read_space
Factor read_algebra(Reading& reading, const Toml& section, int order);       ///< called by read_space
void read_definitions(Reading& reading);
void read_velocities(Reading& reading);
void read_parametrization(Reading& reading);
/// The constraints that [parametrization] implies when there are no others.
void constrain_by_parametrization(Reading& reading);
void read_bodies(Reading& reading);
void place_bodies(Reading& reading);  ///< called by read_bodies
void read_joint_springs(Reading& reading);
void read_energy(Reading& reading);
void read_forces(Reading& reading);
void read_joint_dampers(Reading& reading);
void read_constraints(Reading& reading);
void close_loops(Reading& reading);
void read_joint_drives(Reading& reading);
void read_contacts(Reading& reading);
void read_symmetry(Reading& reading);
void read_simulation(Reading& reading);
void read_scene(Reading& reading);
/// Adds Error[unused-parameter] to the warnings for a parameter that nothing depends on.
void warn_about_unused_parameters(System& system);

}  // namespace rattleback
