#pragma once
/// Which momenta of the symmetries are conserved, and how many combinations f^a(s) J_a of them?

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// Proved: momenta of horizontal or gauge symmetries are conserved. The number of gauge momenta f^b(s) J_b over a shape space
/// of dimension one is counted by prolongation (Y.2), a proof even where f has no closed form: two for the falling disk.
/// Answer {conserved, gauge_count}.
Answer momenta_answer(const System& system);

}  // namespace rattleback
