#include <rattleback/algebra/solving/elimination.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/solving/nonzero_record.hpp>
#include <rattleback/algebra/solving/poisson_vector.hpp>

namespace rattleback {
namespace {

/// Cramer's rule up to here: the minors of four rows are still short.
constexpr std::size_t cramer_limit = search_limits::cramer.count;

bool has(const std::vector<int>& v, int k) { return std::find(v.begin(), v.end(), k) != v.end(); }

}  // namespace

struct Elimination::Candidate {
  Cost cost;
  std::size_t fill;
  int row, column;
  auto operator<=>(const Candidate&) const = default;
};

Elimination::Elimination(const Matrix& a, int right_sides)
    : m_(a),
      shadow_(ShadowMatrix::with_free_roots(a)),
      columns_(a.columns() - right_sides),
      row_used_(static_cast<std::size_t>(a.rows()), false),
      column_used_(static_cast<std::size_t>(columns_), false) {
  drop_zeros();
  do {
    while (take_pivot(true)) {
    }
    find_blocks();
  } while (take_pivot(false));
  for (Block& block : blocks_) solve_block(block);
  prefer_unit_minor(a);
  back_substitute();
  look_for_inconsistencies();
  for (const Assumption& nonzero : assumptions_) NonzeroRecord::note(nonzero.expression);
  for (const Expr e : inconsistencies_) NonzeroRecord::note(e);
}

/// Numbers, then positive expressions, then whatever might vanish; among equals the shorter.
Elimination::Cost Elimination::cost(Expr e) {
  if (e.is(Kind::constant)) return {e.is_one() || (-e).is_one() ? 0 : 1, 0};
  const auto [known, is_new] = costs_.try_emplace(e);
  if (is_new) known->second = {known_nonzero(e) ? 2 : uncertain, graph_size(std::span(&e, 1))};
  return known->second;
}

/// Entries that vanish at the random points are set to 0.
void Elimination::drop_zeros() {
  for (int i = 0; i < m_.rows(); ++i) {
    for (int j = 0; j < m_.columns(); ++j) {
      if (shadow_(i, j).is_zero()) m_(i, j) = 0;
    }
  }
}

/// The cheapest pivot: by cost, then by the fill-in it causes (Markowitz), then by position.
/// Uncertain ones are taken only from blocks that are too large for Cramer's rule.
bool Elimination::take_pivot(bool certain) {
  std::vector<bool> wanted(row_used_.size(), certain);
  for (const Block& block : blocks_) {
    for (const int i : block.rows) wanted[i] = wanted[i] || block.rows.size() > cramer_limit;
  }
  std::vector<std::size_t> in_row(static_cast<std::size_t>(m_.rows()), 0), in_column(column_used_.size(), 0);
  const auto eligible = [&](int i, int j) {
    return wanted[i] && !row_used_[i] && !column_used_[j] && !m_(i, j).is_zero() && !shadow_(i, j).has_zero();
  };
  for (int i = 0; i < m_.rows(); ++i) {
    for (int j = 0; j < columns_; ++j) {
      if (eligible(i, j)) ++in_row[i], ++in_column[j];
    }
  }
  std::optional<Candidate> best;
  for (int i = 0; i < m_.rows(); ++i) {
    for (int j = 0; j < columns_; ++j) {
      if (!eligible(i, j)) continue;
      const Candidate c{cost(m_(i, j)), (in_row[i] - 1) * (in_column[j] - 1), i, j};
      if (certain && c.cost.price == uncertain) continue;
      if (!best || c < *best) best = c;
    }
  }
  if (!best) return false;
  if (!certain && shadow_.has_free_roots()) require_nonzero(m_(best->row, best->column));
  if (!certain) {
    uncertain_pivots_.push_back(
        {m_(best->row, best->column), Assumption::Kind::nonzero, "a pivot of the elimination"});
    assumptions_.push_back(uncertain_pivots_.back());
  }
  eliminate(best->row, best->column);
  return true;
}

/// Gauss–Jordan: the pivot row is scaled to pivot 1, and its column cleared in every other row.
void Elimination::eliminate(int row, int column) {
  Budget::check();
  const Expr p = m_(row, column);
  const Shadow p_shadow = shadow_(row, column);
  for (int j = 0; j < m_.columns(); ++j) {
    if (m_(row, j).is_zero()) continue;
    m_(row, j) = m_(row, j) / p;
    shadow_(row, j) = shadow_(row, j) / p_shadow;
  }
  for (int i = 0; i < m_.rows(); ++i) {
    const Expr factor = m_(i, column);
    const Shadow factor_shadow = shadow_(i, column);
    if (i == row || factor.is_zero()) continue;
    for (int j = 0; j < m_.columns(); ++j) {
      if (m_(row, j).is_zero()) continue;
      shadow_(i, j) = shadow_(i, j) - factor_shadow * shadow_(row, j);
      m_(i, j) = shadow_(i, j).is_zero() ? Expr(0) : m_(i, j) - factor * m_(row, j);
    }
  }
  row_used_[row] = column_used_[column] = true;
  pivots_.push_back({row, column, Expr(1), {}, -1});
}

/// Connected parts of what is left: rows and columns are joined where an entry is not zero.
void Elimination::find_blocks() {
  blocks_.clear();
  std::vector<int> part(static_cast<std::size_t>(m_.rows() + columns_));
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int k) {
    while (part[k] != k) k = part[k];
    return k;
  };
  for (int i = 0; i < m_.rows(); ++i) {
    for (int j = 0; j < columns_; ++j) {
      if (!row_used_[i] && !column_used_[j] && !m_(i, j).is_zero()) part[root(m_.rows() + j)] = root(i);
    }
  }
  std::vector<int> roots;
  for (int i = 0; i < m_.rows(); ++i) {
    if (row_used_[i]) continue;
    Block block;
    for (int j = 0; j < columns_; ++j) {
      if (!column_used_[j] && root(m_.rows() + j) == root(i)) block.columns.push_back(j);
    }
    if (block.columns.empty()) continue;
    const auto known = std::find(roots.begin(), roots.end(), root(i));
    if (known != roots.end()) {
      blocks_[static_cast<std::size_t>(known - roots.begin())].rows.push_back(i);
    } else {
      block.rows.push_back(i);
      roots.push_back(root(i));
      blocks_.push_back(std::move(block));
    }
  }
}

/// One more row and column for the block's minor, the cheapest that leaves it nonzero. When there is none, the
/// minor is as large as the block's rank.
bool Elimination::enlarge_minor(Block& block) {
  std::optional<Candidate> best;
  for (const int i : block.rows) {
    for (const int j : block.columns) {
      if (has(block.pivot_rows, i) || has(block.pivot_columns, j)) continue;
      std::vector<int> rows = block.pivot_rows, columns = block.pivot_columns;
      rows.push_back(i);
      columns.push_back(j);
      const auto shadow_entry = [this](int r, int c) { return shadow_(r, c); };
      if (minor<Shadow>(shadow_entry, rows, columns).is_zero()) continue;
      const Expr d = minor(m_, rows, columns);
      if (d.is_zero()) continue;  // by a root's square, where roots are free symbols
      const Candidate c{cost(d), 0, i, j};
      if (best && *best < c) continue;
      best = c;
      block.determinant = d;
    }
  }
  if (!best) return false;
  if (shadow_.has_free_roots()) require_nonzero(block.determinant);
  block.pivot_rows.push_back(best->row);
  block.pivot_columns.push_back(best->column);
  return true;
}

/// Columns in which the rows of a block have the minor ±1 in disguise, det B of a rotation or cos² + sin²: by the random points,
/// then by proof.
bool Elimination::take_unit_minor(Block& block) {
  constexpr std::size_t few = search_limits::unit_minors.count;
  const int r = static_cast<int>(block.rows.size());
  if (r < 2 || block.rows.size() > cramer_limit || block.columns.size() < block.rows.size()) return false;
  const auto choices = subsets(static_cast<int>(block.columns.size()), r);
  if (choices.size() > few) return false;
  const auto shadow_entry = [this](int i, int j) { return shadow_(i, j); };
  for (const std::vector<int>& choice : choices) {
    std::vector<int> columns;
    for (const int j : choice) columns.push_back(block.columns[static_cast<std::size_t>(j)]);
    const Shadow shadow = minor<Shadow>(shadow_entry, block.rows, columns);
    for (const int unit : {1, -1}) {
      if (!(shadow - Shadow(unit)).is_zero()) continue;
      if (!proved(is_zero(without_idle_rotations(minor(m_, block.rows, columns)) - unit))) continue;
      block.pivot_rows = block.rows;
      block.pivot_columns = columns;
      block.determinant = unit;
      return true;
    }
  }
  return false;
}

/// Starts again with one block where a minor of all rows is ±1: eliminating the certain pivots has left uncertain ones.
void Elimination::prefer_unit_minor(const Matrix& a) {
  if (assumptions_.empty() || static_cast<std::size_t>(a.rows()) > cramer_limit || rank() < a.rows()) return;
  Elimination whole(*this);
  whole.m_ = a;
  whole.shadow_ = ShadowMatrix::with_free_roots(a);
  whole.drop_zeros();
  Block block;
  block.rows.resize(static_cast<std::size_t>(a.rows()));
  block.columns.resize(static_cast<std::size_t>(columns_));
  std::iota(block.rows.begin(), block.rows.end(), 0);
  std::iota(block.columns.begin(), block.columns.end(), 0);
  if (!whole.take_unit_minor(block)) return;
  whole.pivots_.clear();
  whole.assumptions_.clear();
  whole.uncertain_pivots_.clear();
  whole.blocks_ = {std::move(block)};
  whole.add_pivots(whole.blocks_.front());
  *this = std::move(whole);
}

/// Cramer's rule: the numerator for column c is the determinant with the pivot's column replaced by c.
void Elimination::solve_block(Block& block) {
  block.determinant = 1;
  while (enlarge_minor(block)) {
  }
  block.determinant = sign_revealing(block.determinant);
  if (!known_nonzero(block.determinant)) {
    assumptions_.push_back(
        {block.determinant, Assumption::Kind::nonzero, "a determinant of the elimination"});
  }
  add_pivots(block);
}

void Elimination::add_pivots(const Block& block) {
  const int number = static_cast<int>(&block - blocks_.data());
  for (std::size_t t = 0; t < block.pivot_columns.size(); ++t) {
    Pivot pivot{block.pivot_rows[t], block.pivot_columns[t], block.determinant, {}, number};
    pivot.numerators.assign(static_cast<std::size_t>(m_.columns()), Expr(0));
    for (int c = 0; c < m_.columns(); ++c) {
      if (has(block.pivot_columns, c) || (c < columns_ && !has(block.columns, c))) continue;
      std::vector<int> columns = block.pivot_columns;
      columns[t] = c;
      pivot.numerators[c] = minor(m_, block.pivot_rows, columns);
    }
    pivots_.push_back(std::move(pivot));
  }
}

/// The certain pivots' rows still contain unknowns that blocks have solved for: x_b = −(Σ n_c x_c)/d.
void Elimination::back_substitute() {
  std::vector<const Pivot*> solved(column_used_.size(), nullptr);
  for (const Pivot& p : pivots_) {
    if (p.block >= 0) solved[p.column] = &p;
  }
  for (Pivot& p : pivots_) {
    if (p.block >= 0) continue;
    p.numerators.assign(static_cast<std::size_t>(m_.columns()), Expr(0));
    for (int c = 0; c < m_.columns(); ++c) {
      if (c == p.column || m_(p.row, c).is_zero()) continue;
      if (c >= columns_ || solved[c] == nullptr) {
        p.numerators[c] += m_(p.row, c);
        continue;
      }
      for (int f = 0; f < m_.columns(); ++f) {
        const Expr n = solved[c]->numerators[f];
        if (!n.is_zero()) p.numerators[f] -= m_(p.row, c) * n / solved[c]->denominator;
      }
    }
  }
}

/// Consistency: a row that is a combination of others needs a right-hand side that is the same combination.
void Elimination::look_for_inconsistencies() {
  for (int i = 0; i < m_.rows(); ++i) {
    if (row_used_[i]) continue;
    const auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [i](const Block& b) { return has(b.rows, i); });
    std::vector<int> rows, columns;
    if (block != blocks_.end()) rows = block->pivot_rows, columns = block->pivot_columns;
    if (has(rows, i)) continue;
    rows.push_back(i);
    for (int c = columns_; c < m_.columns(); ++c) {
      columns.push_back(c);
      const auto shadow_entry = [this](int r, int k) { return shadow_(r, k); };
      if (minor<Shadow>(shadow_entry, rows, columns).is_zero()) {
        columns.pop_back();
        continue;
      }
      const Expr contradiction = minor(m_, rows, columns);
      if (shadow_.has_free_roots() && !contradiction.is_zero()) require_nonzero(contradiction);
      if (!contradiction.is_zero()) inconsistencies_.push_back(contradiction);
      columns.pop_back();
    }
  }
}

std::vector<int> Elimination::free_columns() const {
  std::vector<bool> held(column_used_.size(), false);
  for (const Pivot& p : pivots_) held[p.column] = true;
  std::vector<int> free;
  for (int j = 0; j < columns_; ++j) {
    if (!held[j]) free.push_back(j);
  }
  return free;
}

int Elimination::block_of(int column) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (has(blocks_[b].columns, column)) return static_cast<int>(b);
  }
  return -1;
}

}  // namespace rattleback
