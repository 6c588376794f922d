#pragma once
/// What a certificate says about a system and its motion, read back from data and believed in nothing.

#include <string>
#include <vector>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/parse.hpp>
#include <rattleback/proof/data.hpp>

namespace rattleback {

/// X_i f as a map, [X_i, X_j] = C_ij^k X_k, L, Q, constraints C(q, v) = 0, and the motion v = ψ(q, z), z' = F(q, z).
struct ClaimedSystem {
  struct Coefficient {
    int i, j, k;
    Expr value;
  };
  Scope scope{Scope::Unknown::becomes_a_symbol};
  std::vector<Symbol> functions, velocities, speeds;
  std::vector<SymbolMap> frame;
  std::vector<Coefficient> structure;
  Expr lagrangian;
  std::vector<Expr> forces, constraints, admissible, speed_rates;
  SymbolMap psi, motion;  ///< v ↦ ψ(q, z); (q, z, t) ↦ rates

  Expr formula(const std::string& text) const { return parse(text, scope); }
};

/// Throws Error[bad-certificate] for data that is none, for lists that do not fit each other, and for formulas of the
/// motion in velocities that are no speeds.
ClaimedSystem claimed_system(const Data& certificate);

/// The text of a field; throws Error[bad-certificate].
const std::string& text_field(const Data& certificate, const std::string& key);
[[noreturn]] void bad_certificate(const std::string& what);

}  // namespace rattleback
