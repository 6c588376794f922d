#pragma once
/// Certificates of how many gauge momenta there are.

#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/momenta/gauge_momenta.hpp>

namespace rattleback {

/// The group, the sections, the slopes of the coefficients, the brackets and derivatives that bound their number from above, and the
/// coefficients of the closed forms, which bound it from below (W.8). `constants` are functions said to be constant as well. Null when the
/// formulas are too long or take too much work.
Data gauge_certificate(const System& system, const EquationsOfMotion& motion, const GaugeSystem& gauge,
                       const std::vector<Expr>& closed, const std::vector<Expr>& constants);

}  // namespace rattleback
