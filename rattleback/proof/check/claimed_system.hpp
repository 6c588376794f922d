#pragma once
/// A system and its motion as a certificate states them. Untrusted: every field is checked before use.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/proof/check/data.hpp>

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
  SymbolMap psi, motion;  ///< v ↦ ψ(q, z); (q, z, t) ↦ rates, those of z when it moves
  bool moves = true;      ///< the certificate states ż

  Expr formula(const std::string& text) const { return parse(text, scope); }
};

/// Throws Error[bad-certificate] for data that is none, for lists that do not fit each other, and for formulas of the
/// motion in velocities that are no speeds.
ClaimedSystem claimed_system(const Data& certificate);

/// What moves in formulas: everything else in them is constant.
using Variables = std::initializer_list<const std::vector<Symbol>*>;
/// What moves in them is listed: a symbol that is not would count as a constant. Throws Error[bad-certificate].
void require_listed(const std::vector<Expr>& formulas, Variables variables, const char* where);
/// They are functions of configuration, velocities and time; throws Error[bad-certificate].
void require_of_velocities(const ClaimedSystem& claim, const std::vector<Expr>& formulas);
/// t, for the lists of variables.
const std::vector<Symbol>& time_alone();

/// Different symbols, by name; each has one of the roles, which `what` names. Throws Error[bad-certificate].
std::vector<Symbol> symbols_in(const ClaimedSystem& claim, const Data& list,
                               std::initializer_list<Role> roles, const char* what);
/// Formulas as they are written, of these variables; their number is known.
std::vector<Expr> formulas_of(const ClaimedSystem& claim, const Data& list, std::size_t count,
                              Variables variables, const char* where);
/// Functions on D: of configuration, speeds and time, with ψ for the velocities.
std::vector<Expr> functions_on_D(const ClaimedSystem& claim, std::vector<Expr> formulas);
/// The formulas of a field, as functions on D; their number is known.
std::vector<Expr> formulas_field(const ClaimedSystem& claim, const Data& certificate, const std::string& key,
                                 std::size_t count);
/// Rows of formulas, each as long as the velocities are many; their number is known.
Matrix rows_field(const ClaimedSystem& claim, const Data& certificate, const std::string& key, int count);
/// Entries [i, j, k, value] with indices below n.
std::vector<ClaimedSystem::Coefficient> coefficients_field(const ClaimedSystem& claim,
                                                           const Data& certificate, const std::string& key,
                                                           int n);

/// C_ij^k + C_ji^k, and Σ X_i[C_jk^l] + C_jk^m C_im^l over the cyclic i, j, k: all that is left to ask of legs that move
/// no function. Without a frame the C are constants.
std::vector<Expr> jacobi_residuals(const std::vector<ClaimedSystem::Coefficient>& structure,
                                   const std::vector<SymbolMap>& frame);

/// A minor that does not vanish proves a rank from below, and that is the side that is asked.
Verdict at_least(int found, int asked, const char* of);

/// The text of a field, its list, or its number; throws Error[bad-certificate].
const std::string& text_field(const Data& certificate, const std::string& key);
const Data::List& list_field(const Data& certificate, const std::string& key);
int number_field(const Data& certificate, const std::string& key);
/// A formula or a name as it is written; throws Error[bad-certificate].
const std::string& text_of(const Data& d);
/// A whole number: one that an int does not hold would be another number here than where it is printed. Throws Error[bad-certificate].
int number_of(const Data& d);
/// An index from 0 on, below a bound; throws Error[bad-certificate].
int index_below(const Data& d, std::size_t bound);
/// The field `circles` lists the name.
bool is_circle(const Data& certificate, const std::string& name);
[[noreturn]] void bad_certificate(const std::string& what);

}  // namespace rattleback
