#pragma once
/// Which momenta of the symmetries are conserved, and how many combinations f^a(s) J_a of them?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: momenta of horizontal or gauge symmetries are conserved. The number of gauge momenta f^b(s) J_b is counted by
/// prolongation (Y.2), a proof even where f has no closed form: two for the falling disk. Closed forms are looked for, and
/// tables of f are computed where there are none. Answer {conserved, gauge_count, gauge_momenta, gauge_table, group,
/// shape_dimension, sections}.
Answer momenta_answer(const System& system);

}  // namespace rattleback
