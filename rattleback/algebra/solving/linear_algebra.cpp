#include <rattleback/algebra/solving/linear_algebra.hpp>

#include <algorithm>
#include <numeric>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/content.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>
#include <rattleback/algebra/solving/elimination.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/minors.hpp>

namespace rattleback {
namespace {

void require(bool shapes_fit, const char* operation) {
  if (!shapes_fit) throw Bug(std::string("matrix shapes do not fit: ") + operation);
}

/// e without the factors that never vanish.
Expr uncertain_part(Expr e) {
  if (!e.is(Kind::product)) return e;
  std::vector<Expr> factors{Expr(1)};
  for (const Expr f : e.args()) {
    if (!known_nonzero(f)) factors.push_back(f);
  }
  return product(factors);
}

Expr sum_of_squares(std::span<const Expr> es) {
  std::vector<Expr> squares;
  for (const Expr e : es) squares.push_back(pow(e, 2));
  return sum(squares);
}

/// Is a row or a column of a rotation matrix among them? Their squares add up to 1.
bool contain_unit_vector(const std::vector<Expr>& es) {
  std::vector<Expr> entries;
  for (const Expr e : es) {
    const bool is_entry = e.is(Kind::symbol) && e.symbol().role() == Role::rotation;
    if (is_entry && std::ranges::find(entries, e) == entries.end()) entries.push_back(e);
  }
  const auto triples = subsets(static_cast<int>(entries.size()), 3);
  return std::ranges::any_of(triples, [&](const std::vector<int>& k) {
    const auto square = [&](int i) { return pow(entries[static_cast<std::size_t>(k[i])], 2); };
    return vanishes_at_random_points(square(0) + square(1) + square(2) - 1);
  });
}

/// Σ e² shows that the entries never vanish together.
bool never_all_zero(std::span<const Expr> es) {
  std::vector<Expr> parts;
  for (const Expr e : es) parts.push_back(uncertain_part(e));
  if (contain_unit_vector(parts)) return true;
  const Expr squares = collapsed(sum_of_squares(parts));
  return never_vanishes(squares) || known_nonzero(sign_revealing(squares));
}

/// x_f = d for one free column f of a block with determinant d, and Cramer's numerators for its pivots: no entry has
/// a denominator, and what all have in common is divided out.
Matrix block_vector(const Elimination& e, int f) {
  const int block = e.block_of(f);
  Matrix x(e.remainder().columns(), 1);
  x[f] = block < 0 ? Expr(1) : e.blocks()[block].determinant;
  for (const Elimination::Pivot& p : e.pivots()) {
    if (p.block >= 0 && p.block == block) x[p.column] = -p.numerators[f];
  }
  if (block < 0 || x[f].is_one()) return x;
  return (-x[f]).is_one() ? -x : primitive(x);
}

/// The certain pivots follow: x_p = −Σ_c m(p, c) x_c.
void back_substitute(const Elimination& e, Matrix& x) {
  const Matrix& m = e.remainder();
  for (const Elimination::Pivot& p : e.pivots()) {
    if (p.block >= 0) continue;
    std::vector<Expr> terms{Expr(0)};
    for (int c = 0; c < m.columns(); ++c) {
      if (c != p.column && !m(p.row, c).is_zero() && !x[c].is_zero()) terms.push_back(-m(p.row, c) * x[c]);
    }
    x[p.column] = sum(terms);
  }
}

/// The vectors of a block are independent where its determinant is not zero. A single one, made of all the largest
/// minors, spans the kernel wherever it is not zero itself: for (cos θ, sin θ) nothing has to be assumed.
void assume_independence(const Elimination& e, int block, const Matrix& vector, int vectors,
                         Assumptions& where) {
  const Expr determinant = e.blocks()[block].determinant;
  if (known_nonzero(determinant)) return;
  if (vectors > 1) {
    where.push_back({determinant, Assumption::Kind::nonzero, "a determinant of the kernel"});
  } else if (!never_all_zero(vector.entries())) {
    where.push_back({sum_of_squares(vector.entries()), Assumption::Kind::nonzero, "a vector of the kernel"});
  }
}

}  // namespace

Kernel kernel(const Matrix& a) {
  const Elimination e(a);
  const std::vector<int> free = e.free_columns();
  Kernel k{Matrix(a.columns(), static_cast<int>(free.size())), e.uncertain_pivots()};
  std::vector<int> vectors(e.blocks().size(), 0);
  for (const int f : free) {
    if (e.block_of(f) >= 0) ++vectors[e.block_of(f)];
  }
  std::vector<bool> assumed(e.blocks().size(), false);
  for (int j = 0; j < k.basis.columns(); ++j) {
    Matrix x = block_vector(e, free[j]);
    const int block = e.block_of(free[j]);
    if (block >= 0 && !assumed[block]) assume_independence(e, block, x, vectors[block], k.where);
    if (block >= 0) assumed[block] = true;
    back_substitute(e, x);
    for (int i = 0; i < x.rows(); ++i) k.basis(i, j) = x[i];
  }
  return k;
}

Kernel left_kernel(const Matrix& a) { return kernel(transpose(a)); }

Rank rank(const Matrix& a) {
  const ShadowMatrix shadow = ShadowMatrix::with_free_roots(a);
  const int r =
      shadow.has_free_roots() ? Elimination(a).rank() : std::max(rank(shadow.at(0)), rank(shadow.at(1)));
  Certificate at_most;
  at_most.exact = r == std::min(a.rows(), a.columns());
  at_most.bits = at_most.exact ? 0 : shadow_bits;
  at_most.method =
      at_most.exact ? "as many rows or columns" : "larger minors vanish at random points modulo a prime";
  return {r, at_most};
}

std::vector<int> independent_columns(const Matrix& a) {
  const ShadowMatrix shadow = ShadowMatrix::with_free_roots(a);
  if (!shadow.has_free_roots()) return row_echelon(shadow.at(0)).pivots;
  std::vector<int> found;
  for (int j = 0; j < a.columns(); ++j) {
    found.push_back(j);
    if (Elimination(columns_of(a, found)).rank() < static_cast<int>(found.size())) found.pop_back();
  }
  return found;
}

Verdict has_rank(const Matrix& a, int r) {
  const Rank found = rank(a);
  if (found.value != r) {
    return Refuted{{{}, std::to_string(found.value), "the rank at a generic point"}};
  }
  if (found.at_most.exact) return Proved{found.at_most, {}};
  return is_zero((a * kernel(a).basis).entries());
}

std::optional<Solution> solve(const Matrix& a, const Matrix& b) {
  require(a.rows() == b.rows(), "solve");
  const Elimination e(beside(a, b), b.columns());
  if (!e.inconsistencies().empty()) return std::nullopt;
  Solution s{Matrix(a.columns(), b.columns()), Matrix(a.columns(), 0), e.assumptions()};
  for (const Elimination::Pivot& p : e.pivots()) {
    for (int c = 0; c < b.columns(); ++c) {
      s.x(p.column, c) = p.numerators[static_cast<std::size_t>(a.columns()) + c] / p.denominator;
    }
  }
  if (e.rank() < a.columns()) s.homogeneous = kernel(a).basis;
  return s;
}

std::optional<Solution> unique_solution(const Matrix& a, const Matrix& b) {
  auto found = solve(a, b);
  return found && found->homogeneous.columns() == 0 ? std::move(found) : std::nullopt;
}

std::vector<Expr> consistency_conditions(const Matrix& a, const Matrix& b) {
  require(a.rows() == b.rows(), "solve");
  return Elimination(beside(a, b), b.columns()).inconsistencies();
}

Solution inverse(const Matrix& a) {
  require(a.rows() == a.columns(), "inverse");
  std::optional<Solution> s = solve(a, Matrix::identity(a.rows()));
  if (!s || s->homogeneous.columns() > 0) {
    throw Singular("singular-matrix", "a matrix that has to be inverted is singular",
                   "its determinant vanishes identically", "remove the dependent rows or columns");
  }
  return *std::move(s);
}

namespace {

/// A certain pivot if there is one, else the smallest entry that does not vanish; the value, with its position.
struct Corner {
  int row = -1, column = -1;
};

Corner corner(const Matrix& a) {
  Corner best, uncertain;
  std::size_t size = 0, uncertain_size = 0;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.columns(); ++j) {
      const Expr e = a(i, j);
      if (e.is_zero()) continue;
      const std::size_t s = graph_size(std::span(&e, 1));
      if (known_nonzero(e)) {
        if (best.row < 0 || s < size) best = {i, j}, size = s;
      } else if ((uncertain.row < 0 || s < uncertain_size) && !vanishes_at_random_points(e)) {
        uncertain = {i, j}, uncertain_size = s;
      }
    }
  }
  return best.row >= 0 ? best : uncertain;
}

}  // namespace

/// det a = ± p · det(a without the pivot's row and column, after elimination).
Expr determinant(const Matrix& a) {
  require(a.rows() == a.columns(), "determinant");
  constexpr int small = 4;
  if (a.rows() <= small) {
    std::vector<int> all(static_cast<std::size_t>(a.rows()));
    std::iota(all.begin(), all.end(), 0);
    return minor(a, all, all);
  }
  const Corner at = corner(a);
  if (at.row < 0) return Expr(0);
  const Expr p = a(at.row, at.column);
  Matrix rest(a.rows() - 1, a.columns() - 1);
  for (int i = 0; i < rest.rows(); ++i) {
    for (int j = 0; j < rest.columns(); ++j) {
      const int r = i + (i >= at.row ? 1 : 0), c = j + (j >= at.column ? 1 : 0);
      rest(i, j) = a(r, c) - a(r, at.column) * a(at.row, c) / p;
    }
  }
  const Expr d = p * determinant(rest);
  return (at.row + at.column) % 2 == 0 ? d : -d;
}

namespace {

/// Where all the minors vanish: where their common factor does, or where the cofactors all do.
void add_common_zeros(const std::vector<Expr>& minors, RankDrop& drop) {
  if (never_all_zero(minors)) return;
  const Matrix reduced = primitive(Matrix::column(minors));
  if (!never_all_zero(reduced.entries())) {
    drop.loci.push_back(minors);
    return;
  }
  for (int i = 0; i < reduced.rows(); ++i) {  // the common factor is minor/cofactor, for any cofactor
    if (reduced[i].is_zero()) continue;
    drop.loci.push_back({canonical(minors[static_cast<std::size_t>(i)] / reduced[i])});
    return;
  }
}

}  // namespace

/// Certain pivots never vanish, so the rank drops exactly where the largest minors of one block all do.
RankDrop rank_drop(const Matrix& a) {
  const Elimination e(a);
  RankDrop drop;
  drop.exact = e.only_certain_divisions();
  for (const Elimination::Block& block : e.blocks()) {
    const int r = static_cast<int>(block.pivot_rows.size());
    std::vector<Expr> minors;
    for (const auto& rows : subsets(static_cast<int>(block.rows.size()), r)) {
      for (const auto& columns : subsets(static_cast<int>(block.columns.size()), r)) {
        std::vector<int> row_names, column_names;
        for (const int i : rows) row_names.push_back(block.rows[static_cast<std::size_t>(i)]);
        for (const int j : columns) column_names.push_back(block.columns[static_cast<std::size_t>(j)]);
        const Expr d = minor(e.remainder(), row_names, column_names);
        if (!d.is_zero() && !vanishes_at_random_points(d)) minors.push_back(d);
      }
    }
    add_common_zeros(minors, drop);
  }
  if (!e.only_certain_divisions()) {
    for (const Assumption& assumed : e.uncertain_pivots()) drop.loci.push_back({assumed.expression});
  }
  return drop;
}

Matrix rows_of(const Matrix& a, const std::vector<int>& rows) {
  Matrix m(static_cast<int>(rows.size()), a.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) m(i, j) = a(rows[static_cast<std::size_t>(i)], j);
  }
  return m;
}

Matrix columns_of(const Matrix& a, const std::vector<int>& columns) {
  return transpose(rows_of(transpose(a), columns));
}

Matrix beside(const Matrix& a, const Matrix& b) {
  require(a.rows() == b.rows(), "beside");
  Matrix m(a.rows(), a.columns() + b.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < a.columns(); ++j) m(i, j) = a(i, j);
    for (int j = 0; j < b.columns(); ++j) m(i, a.columns() + j) = b(i, j);
  }
  return m;
}

}  // namespace rattleback
