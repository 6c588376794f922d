#pragma once
/// One order for the equations and components of a locus, however they were found: short equations first, equations of one size by
/// name; components with few equations first.

#include <rattleback/proof/evidence/locus.hpp>

namespace rattleback {

Locus in_canonical_order(Locus locus);
std::vector<Locus> in_canonical_order(std::vector<Locus> loci);

}  // namespace rattleback
