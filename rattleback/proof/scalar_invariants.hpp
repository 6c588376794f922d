#pragma once
/// Functions of the configuration that every symmetry leaves alone, whatever the symmetries are.

#include <rattleback/model/system.hpp>

namespace rattleback {

/// How many functions with independent differentials are made of the potential V and the metric g alone:
///     V, g⁻¹(dV, dV), g⁻¹(dV, df), g⁻¹(df, df), … for f among those before.                                 (N.10)
/// A symmetry preserves g, V and therefore all of them; when they are as many as the dimension there is none.
/// Zero when L is not of the form ½ g(v, v) − V, depends on time, or g is singular. Where the differentials are independent at one
/// point they are so at almost all: the number is proved from below.
int invariant_differentials(const System& system);

}  // namespace rattleback
