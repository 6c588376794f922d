#pragma once
/// The text of a wheeled chain: the number of its first link, lengths, masses and forces by link, lines of its wheels, and letters that the model
/// leaves free.

#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/wheel_axles.hpp>
#include <rattleback/view/vectors/wheeled_chain.hpp>

namespace rattleback {

/// Writes `first`, `headings`, `quantities`, `letters` and `wheel_lines`. `system` is the model without its wheels.
void write_quantities(const System& system, const WheelAxles& geometry, WheeledChain& chain);

}  // namespace rattleback
