#pragma once
/// A mechanical system as its model file states it: everything exact, every statement with its place.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/model/system/contact.hpp>
#include <rattleback/model/system/scene.hpp>
#include <rattleback/model/text/toml.hpp>

namespace rattleback {

struct Parameter {
  Symbol symbol;
  std::optional<Expr> value;  ///< exact; may refer to parameters declared before
  bool positive = false;
  std::string about;
  Place place;
};

/// A function of which nothing is known but its name; what is proved holds for all of them.
struct AbstractFunction {
  Function function;
  std::vector<Symbol> arguments;
  std::optional<Expr> value;  ///< a formula in the arguments and parameters, for numbers only
  std::string about;
  Place place;
};

struct Definition {
  std::string name;
  Value value;
  Place place;
};

/// `expression` = 0, in the velocities of the frame; when the model constrains positions, it is the rate of `position`.
struct Constraint {
  std::string name;
  Expr expression;
  std::optional<Expr> position;
  Place place;
  std::optional<ContactReaction> reaction;  ///< which contact exerts it, in which direction
};

/// A quasi-velocity u = expression, linear or affine in the velocities of the frame.
struct QuasiVelocity {
  Symbol symbol;
  Expr expression;
  Place place;
};

/// v^i = psi[i](q, z): the admissible velocities, solved for.
struct Parametrization {
  std::vector<Symbol> speeds;
  std::vector<Expr> psi;
  Place place;
};

/// An infinitesimal generator ξ = ξ^i X_i.
struct Generator {
  std::string name;
  VectorField field;
  Place place;
};

struct Symmetry {
  std::string group;
  std::vector<Generator> generators;
  Place place;
};

struct InitialValue {
  std::string name;  ///< x, x', u, B, Omega, …
  Value value;       ///< constant up to parameters
  Place place;
};

struct Simulation {
  std::vector<InitialValue> initial;
  std::optional<Expr> until;
  Place place;
};

struct System {
  std::string name;  ///< of the file, without folder and extension
  std::string title;
  std::vector<std::string> references;

  Space space;
  Symbol time = Symbol::make("t", {.role = Role::time});
  std::vector<Parameter> parameters;
  std::vector<AbstractFunction> functions;
  std::vector<Definition> definitions;

  Expr lagrangian;  ///< with the bodies' energies
  std::optional<Expr> kinetic,
      potential;  ///< when the model states them apart: lagrangian = kinetic − potential
  Place lagrangian_place;
  std::vector<Expr> forces;  ///< Q_i along X_i, dissipation included: E_i(L) = Q_i + reactions

  std::vector<Constraint> constraints;
  std::vector<QuasiVelocity> velocities;
  std::optional<Parametrization> parametrization;
  std::vector<Symmetry> symmetries;
  std::vector<RigidBody> bodies;
  std::vector<Contact> contacts;
  Simulation simulation;

  std::optional<Scene> scene;  ///< what the model wants drawn; see view/film/scene.hpp for the default

  Toml known;  ///< as written; only tests read it
  std::vector<Error> warnings;
  /// What names mean, for expressions given later. A quasi-velocity is its symbol; see on_frame().
  Scope scope;
};

/// Exact values of the parameters that have one, references among them resolved.
SymbolMap parameter_values(const System& system);

/// e with every abstract function that has a formula replaced by it, derivatives too: for numbers, never for proofs.
Expr with_formulas(const System& system, Expr e);
/// Those formulas as they are written: "V(x, y)" and "x^2/2 + y^2".
std::vector<std::pair<std::string, std::string>> written_formulas(const System& system);

/// e with every quasi-velocity of [velocities] replaced by its expression in the velocities of the frame.
Expr on_frame(const System& system, Expr e);

/// The system at these parameter values, each an exact expression, put in place of the parameters everywhere. Throws Error[unknown-parameter] with a suggestion.
System with_values(System system, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace rattleback
