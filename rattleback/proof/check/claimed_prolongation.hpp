#pragma once
/// Prolongation in the checker: linear equations Y[f] = M f for unknown coefficients f, their brackets, and how many solutions are left
/// (Y.1), (Y.2).

#include <rattleback/proof/check/claimed_fields.hpp>

namespace rattleback {

/// Y[f] = M f for the k + 1 coefficients f, that of J_0 = 1 last.
struct ClaimedTransport {
  ClaimedField Y;
  Matrix M;
};

/// What is known of f: transports, and conditions N f = 0.
struct Prolonged {
  std::vector<ClaimedTransport> transports;
  std::size_t given = 0;  ///< so many of them are not brackets
  Matrix N;
};

/// Y[m], entry by entry.
Matrix along(const ClaimedSystem& claim, const ClaimedField& Y, Matrix m);

/// The brackets that the certificate names, each of two transports before it.
void add_brackets(const ClaimedSystem& claim, const Data& certificate, Prolonged& known);

/// N, and Y[N] + N M for the transports given, once.
Matrix prolonged_conditions(const ClaimedSystem& claim, const Prolonged& known);
Matrix independent_rows_of(const Matrix& N);

/// The fields as columns of n entries.
Matrix fields_of(const Prolonged& known, int n);

/// The rows of (W.8) for the unknowns (df_1, …, df_n, f), f of k entries.
Matrix pointwise_rows(const Prolonged& known, int n, int k);

/// Everything once more changes neither the directions nor the conditions: then there are as many solutions as the rank leaves.
Verdict closes(const ClaimedSystem& claim, Prolonged known, int n, int k, int rank_found);

}  // namespace rattleback
