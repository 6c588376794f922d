#pragma once
/// What was taken for granted, as a person would state it.

#include <rattleback/algebra/verdict.hpp>

namespace rattleback {

/// The same conditions in short forms: products split into their factors, factors that cannot vanish left out, each
/// condition once.
Assumptions simplified(const Assumptions& where);

}  // namespace rattleback
