#pragma once
/// Conserved functions (energy, momenta, integrals, constraints) whose drift is watched along a run.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

struct Invariant {
  std::string name;
  Expr value;  ///< in configuration, velocities and quasi-velocities
};

/// What needs no search: the energy, where it is proved; constraints on positions; momenta of the model's symmetries that
/// are proved constant.
std::vector<Invariant> known_invariants(const System& system);
/// The same, and the constraints on velocities where the speeds of the flow do not satisfy them by themselves.
std::vector<Invariant> known_invariants(const Flow& flow);

/// What `analyze` proves besides: integrals of the constraints, momenta of horizontal and gauge symmetries, integrals polynomial
/// in the speeds. Functions of those before them are left out.
struct FoundInvariants {
  std::vector<Invariant> invariants;
  bool complete = true;  ///< false: not everything was tried to its end
};
/// Without a limit of time, what takes a fraction of a second: which searches that are follows from the size of the system, so
/// that the answer is the same on every machine.
FoundInvariants found_invariants(const Flow& flow, const std::vector<Invariant>& known,
                                 std::optional<double> seconds = std::nullopt);

}  // namespace rattleback
