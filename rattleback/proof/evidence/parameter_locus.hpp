#pragma once
/// For which parameters do functions vanish identically in everything else? The locus, in irreducible components.

#include <span>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/locus.hpp>

namespace rattleback {

struct ParameterLocus {
  std::vector<Locus> components;  ///< irreducible, none within another; without equations: everywhere
  /// Solutions of a component for some of the parameters, to be put into the system; empty when it is not solvable so.
  std::vector<SymbolMap> solutions;
  /// The parameter that each equation of a component is to be solved for; empty where one of them is no symbol.
  std::vector<std::vector<Symbol>> leading;
  bool complete = true;  ///< false: some component could not be taken apart
};

/// Every parameter at which all of `es` vanish lies on one of the components: the coefficients of the functions as polynomials in the
/// state, or, where they are long, their values at random rational points are polynomials in the parameters, and these are decomposed
/// by factoring and pseudo-division (Ritt, Wu). Components without points where the positive parameters are positive are dropped when
/// signs show it. That the functions do vanish on a component is for the caller to verify.
ParameterLocus vanishing_locus(const System& system, std::span<const Expr> es);

/// The same by trying: parameters of any sign set to zero, pairs of parameters set equal, up to three at a time (fewer where
/// there are too many), at random points modulo a prime. For conditions too long to be taken apart; never complete.
ParameterLocus probed_locus(const System& system, std::span<const Expr> es);

/// Free parameters of the system that occur in the expressions.
std::vector<Symbol> parameters_in(const System& system, std::span<const Expr> es);

}  // namespace rattleback
