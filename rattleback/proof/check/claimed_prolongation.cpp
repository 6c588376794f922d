#include <rattleback/proof/check/claimed_prolongation.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// [Y, Z][f] = (Y[M_Z] − Z[M_Y] + M_Z M_Y − M_Y M_Z) f.                                                      (Y.2)
ClaimedTransport transport_bracket(const ClaimedSystem& claim, const ClaimedTransport& y,
                                   const ClaimedTransport& z) {
  return {field_bracket(claim, y.Y, z.Y),
          along(claim, y.Y, z.M) - along(claim, z.Y, y.M) + z.M * y.M - y.M * z.M};
}

}  // namespace

Matrix along(const ClaimedSystem& claim, const ClaimedField& Y, Matrix m) {
  for (Expr& e : m.entries()) e = along_field(claim, Y, e);
  return m;
}

void add_brackets(const ClaimedSystem& claim, const Data& certificate, Prolonged& known) {
  for (const Data& item : list_field(certificate, "brackets")) {
    const auto [i, j] = bracket_below(item, known.transports.size());
    known.transports.push_back(transport_bracket(claim, known.transports[at(i)], known.transports[at(j)]));
  }
}

Matrix independent_rows_of(const Matrix& N) { return rows_of(N, independent_columns(transpose(N))); }

Matrix prolonged_conditions(const ClaimedSystem& claim, const Prolonged& known) {
  const Matrix before = known.N;
  Matrix all = before;
  for (std::size_t t = 0; t < known.given; ++t)
    all = stacked(all, along(claim, known.transports[t].Y, before) + before * known.transports[t].M);
  return independent_rows_of(all);
}

Matrix fields_of(const Prolonged& known, int n) {
  Matrix Y(n, static_cast<int>(known.transports.size()));
  for (int t = 0; t < Y.columns(); ++t) {
    for (int i = 0; i < n; ++i) Y(i, t) = known.transports[at(t)].Y[i];
  }
  return Y;
}

Matrix pointwise_rows(const Prolonged& known, int n, int k) {
  const int transports = static_cast<int>(known.transports.size());
  Matrix rows(transports * k + known.N.rows(), (n + 1) * k);
  for (int t = 0; t < transports; ++t) {
    for (int b = 0; b < k; ++b) {
      for (int i = 0; i < n; ++i) rows(t * k + b, i * k + b) = known.transports[at(t)].Y[i];
      for (int c = 0; c < k; ++c) rows(t * k + b, n * k + c) = -known.transports[at(t)].M(b, c);
    }
  }
  for (int r = 0; r < known.N.rows(); ++r) {
    for (int c = 0; c < k; ++c) rows(transports * k + r, n * k + c) = known.N(r, c);
  }
  return rows;
}

Verdict closes(const ClaimedSystem& claim, Prolonged known, int n, int k, int rank_found) {
  const std::size_t count = known.transports.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j)
      known.transports.push_back(transport_bracket(claim, known.transports[i], known.transports[j]));
  }
  known.N = prolonged_conditions(claim, known);  // closed under the fields given, and so under their brackets
  return has_rank(pointwise_rows(known, n, k), rank_found);
}

}  // namespace rattleback
