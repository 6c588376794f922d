#pragma once
/// The coefficients of gauge momenta: in closed form where they have one of a common shape, otherwise as tables.

#include <string>
#include <vector>

#include <rattleback/proof/momenta/gauge_momenta.hpp>

namespace rattleback {

/// Gauge momenta f^b(s) J_b, proved by differentiation, with f^b a constant combination of products of
///     trigonometric polynomials and powers of the shape variables of degree at most two, and powers ±1/2, ±1 of the
///     denominators of (Y.1).                                                                               (Y.4)
/// Independent of each other; at most gauge.count() of them.
std::vector<Expr> gauge_momenta_in_closed_form(const System& system, const EquationsOfMotion& motion,
                                               const GaugeSystem& gauge);

/// Values of a basis of the coefficients over one shape variable, at the model's parameter values: along a curve across the
/// orbits, parametrised by the shape, or by a coordinate where no function of the space is the shape.
struct GaugeTable {
  Symbol shape;
  std::vector<double> at;  ///< values of the shape
  std::vector<std::vector<std::vector<double>>>
      f;           ///< f[k][j][b]: solution k at place j; f^0 last, where it is added
  int digits = 0;  ///< correct ones, as two step sizes agree on them
  std::vector<std::pair<Symbol, double>>
      from;  ///< the other coordinates at the first place, where they matter
};
/// f' = M f/ṡ along a curve across the orbits, from the model's initial configuration, by extrapolation (Gragg, Bulirsch,
/// Stoer); the first values are a basis of N f = 0. Nothing without one shape variable and numbers for everything.   (Y.5)
std::optional<GaugeTable> gauge_table(const System& system, const GaugeSystem& gauge);

}  // namespace rattleback
