#include <rattleback/geometry/connection.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

std::vector<int> complement(int n, const std::vector<int>& some) {
  std::vector<int> rest;
  for (int i = 0; i < n; ++i) {
    if (std::find(some.begin(), some.end(), i) == some.end()) rest.push_back(i);
  }
  return rest;
}

}  // namespace

Connection::Connection(Space space, std::vector<int> base, std::vector<int> fibre, Matrix A)
    : space_(std::move(space)), base_(std::move(base)), fibre_(std::move(fibre)), A_(std::move(A)) {
  if (A_.rows() != static_cast<int>(fibre_.size()) || A_.columns() != static_cast<int>(base_.size())) {
    throw Bug("a connection needs one row per fibre leg and one column per base leg");
  }
}

Connection Connection::from_constraints(const Space& space, const std::vector<OneForm>& phi,
                                        std::vector<int> fibre) {
  const Matrix rows = as_rows(space, phi);
  std::vector<int> base = complement(space.dimension(), fibre);
  const std::optional<Solution> A = solve(columns_of(rows, fibre), columns_of(rows, base));
  if (!A || A->homogeneous.columns() > 0 || phi.size() != fibre.size()) {
    throw Inapplicable("not-horizontal", "the constraints do not determine the fibre velocities",
                       "their block of fibre velocities is singular", "choose other fibre coordinates");
  }
  return {space, std::move(base), std::move(fibre), A->x};
}

VectorField Connection::horizontal(int alpha) const {
  VectorField X = VectorField::leg(space_, base_[alpha]);
  for (std::size_t a = 0; a < fibre_.size(); ++a) X[fibre_[a]] = -A_(static_cast<int>(a), alpha);
  return X;
}

Distribution Connection::horizontal_distribution() const {
  std::vector<VectorField> fields;
  for (int alpha = 0; alpha < static_cast<int>(base_.size()); ++alpha) fields.push_back(horizontal(alpha));
  return Distribution::spanned_by(space_, fields);
}

namespace {

/// A^c_α X_c(f).
Expr along_fibre(const Connection& w, int alpha, Expr f) {
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t c = 0; c < w.fibre().size(); ++c) {
    terms.push_back(w.A(static_cast<int>(c), alpha) * w.space().derivative(w.fibre()[c], f));
  }
  return sum(terms);
}

/// C_ij^k X_α^i X_β^j: the part of a bracket that the frame's own brackets contribute.
Expr frame_term(const Connection& w, const VectorField& X, const VectorField& Y, int k) {
  const StructureCoefficients& C = w.space().c();
  std::vector<Expr> terms{Expr(0)};
  for (int i = 0; i < C.dimension(); ++i) {
    if (X[i].is_zero()) continue;
    for (int j = 0; j < C.dimension(); ++j) {
      if (!C(i, j, k).is_zero()) terms.push_back(C(i, j, k) * X[i] * Y[j]);
    }
  }
  return sum(terms);
}

/// φ^a of the same: C_ij^a X_α^i X_β^j + A^a_γ C_ij^γ X_α^i X_β^j.
Expr group_term(const Connection& w, int a, int alpha, int beta) {
  if (w.space().c().all_zero()) return 0;
  const VectorField X = w.horizontal(alpha), Y = w.horizontal(beta);
  std::vector<Expr> terms{frame_term(w, X, Y, w.fibre()[a])};
  for (std::size_t g = 0; g < w.base().size(); ++g)
    terms.push_back(w.A(a, static_cast<int>(g)) * frame_term(w, X, Y, w.base()[g]));
  return sum(terms);
}

}  // namespace

Curvature curvature(const Connection& w) {
  const int m = static_cast<int>(w.fibre().size()), n = static_cast<int>(w.base().size());
  const auto along_base = [&](int alpha, Expr f) { return w.space().derivative(w.base()[alpha], f); };
  Curvature B(m, n);
  for (int a = 0; a < m; ++a) {
    for (int alpha = 0; alpha < n; ++alpha) {
      for (int beta = alpha + 1; beta < n; ++beta) {
        B(a, alpha, beta) = along_base(beta, w.A(a, alpha)) - along_base(alpha, w.A(a, beta)) +
                            along_fibre(w, alpha, w.A(a, beta)) - along_fibre(w, beta, w.A(a, alpha)) +
                            group_term(w, a, alpha, beta);
        B(a, beta, alpha) = -B(a, alpha, beta);
      }
    }
  }
  return B;
}

StructureCoefficients base_coefficients(const Connection& w) {
  const int n = static_cast<int>(w.base().size());
  StructureCoefficients c(n);
  if (w.space().c().all_zero()) return c;
  for (int alpha = 0; alpha < n; ++alpha) {
    for (int beta = alpha + 1; beta < n; ++beta) {
      const VectorField X = w.horizontal(alpha), Y = w.horizontal(beta);
      for (int g = 0; g < n; ++g) c.set(alpha, beta, g, frame_term(w, X, Y, w.base()[g]));
    }
  }
  return c;
}

}  // namespace rattleback
