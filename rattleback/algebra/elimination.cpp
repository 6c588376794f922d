#include <rattleback/algebra/elimination.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/minors.hpp>

namespace rattleback {
namespace {

/// Cramer's rule up to here: the minors of four rows are still short.
constexpr std::size_t cramer_limit = 4;

/// How dear it is to divide by e: numbers, then positive expressions, then whatever might vanish.
int price(Expr e) {
  if (e.is_one() || (-e).is_one()) return 0;
  if (e.is(Kind::constant)) return 1;
  return known_nonzero(e) ? 2 : 3;
}

Expr settled_zero(Expr e) {
  return !e.is_zero() && !e.is(Kind::constant) && vanishes_at_random_points(e) ? Expr(0) : e;
}

}  // namespace

struct Elimination::Candidate {
  int price;
  std::size_t size, fill;
  int row, column;
  auto operator<=>(const Candidate&) const = default;
};

Elimination::Elimination(const Matrix& a, int right_sides)
    : m_(a),
      columns_(a.columns() - right_sides),
      row_used_(static_cast<std::size_t>(a.rows()), false),
      column_used_(static_cast<std::size_t>(columns_), false) {
  for (Expr& e : m_.entries()) e = settled_zero(e);
  while (take_pivot(true)) {
  }
  find_blocks();
  while (std::any_of(blocks_.begin(), blocks_.end(),
                     [](const Block& b) { return b.rows.size() > cramer_limit; })) {
    take_pivot(false);
    while (take_pivot(true)) {
    }
    find_blocks();
  }
  for (Block& block : blocks_) solve_block(block);
  back_substitute();
  look_for_inconsistencies();
}

/// The cheapest pivot: by price, then by size, then by the fill-in it causes (Markowitz), then by position.
bool Elimination::take_pivot(bool certain) {
  std::vector<std::size_t> in_row(static_cast<std::size_t>(m_.rows()), 0), in_column(column_used_.size(), 0);
  const auto eligible = [&](int i, int j) {
    return !row_used_[i] && !column_used_[j] && !m_(i, j).is_zero();
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
      const Expr e = m_(i, j);
      const int p = price(e);
      if (certain && p == 3) continue;
      const Candidate c{p, p < 2 ? 0 : graph_size(std::span(&e, 1)), (in_row[i] - 1) * (in_column[j] - 1), i,
                        j};
      if (!best || c < *best) best = c;
    }
  }
  if (!best) return false;
  if (!certain) {
    only_certain_divisions_ = false;
    assumptions_.push_back(
        {m_(best->row, best->column), Assumption::Kind::nonzero, "a pivot of the elimination"});
  }
  eliminate(best->row, best->column);
  return true;
}

/// Gauss–Jordan: the pivot row is scaled to pivot 1, and its column cleared in every other row.
void Elimination::eliminate(int row, int column) {
  Budget::check();
  const Expr p = m_(row, column);
  for (int j = 0; j < m_.columns(); ++j) {
    if (!m_(row, j).is_zero()) m_(row, j) = m_(row, j) / p;
  }
  for (int i = 0; i < m_.rows(); ++i) {
    const Expr factor = m_(i, column);
    if (i == row || factor.is_zero()) continue;
    for (int j = 0; j < m_.columns(); ++j) {
      if (!m_(row, j).is_zero()) m_(i, j) = settled_zero(m_(i, j) - factor * m_(row, j));
    }
    m_(i, column) = 0;
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

namespace {

bool has(const std::vector<int>& v, int k) { return std::find(v.begin(), v.end(), k) != v.end(); }

}  // namespace

/// A largest minor that does not vanish, grown by bordering: when no border of it works, it is largest.
void Elimination::solve_block(Block& block) {
  block.determinant = 1;
  for (bool grown = true; grown;) {
    grown = false;
    std::vector<std::tuple<int, std::size_t, int, int, Expr>> borders;
    for (const int i : block.rows) {
      for (const int j : block.columns) {
        if (has(block.pivot_rows, i) || has(block.pivot_columns, j)) continue;
        std::vector<int> rows = block.pivot_rows, columns = block.pivot_columns;
        rows.push_back(i);
        columns.push_back(j);
        const Expr d = minor(m_, rows, columns);
        if (!d.is_zero()) borders.emplace_back(price(d), graph_size(std::span(&d, 1)), i, j, d);
      }
    }
    std::sort(borders.begin(), borders.end(), [](const auto& x, const auto& y) {
      return std::tie(std::get<0>(x), std::get<1>(x), std::get<2>(x), std::get<3>(x)) <
             std::tie(std::get<0>(y), std::get<1>(y), std::get<2>(y), std::get<3>(y));
    });
    for (const auto& [p, size, i, j, d] : borders) {
      if (vanishes_at_random_points(d)) continue;
      block.pivot_rows.push_back(i);
      block.pivot_columns.push_back(j);
      block.determinant = d;
      grown = true;
      break;
    }
  }
  block.determinant = sign_revealing(block.determinant);
  if (!known_nonzero(block.determinant)) {
    assumptions_.push_back(
        {block.determinant, Assumption::Kind::nonzero, "a determinant of the elimination"});
  }
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

void Elimination::look_for_inconsistencies() {
  for (int i = 0; i < m_.rows(); ++i) {
    if (row_used_[i]) continue;
    const auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [i](const Block& b) { return has(b.rows, i); });
    if (block != blocks_.end() && has(block->pivot_rows, i)) continue;
    for (int c = columns_; c < m_.columns(); ++c) {
      Expr rest = m_(i, c);
      if (block !=
          blocks_.end()) {  // the row is a combination of the block's rows: so must its right side be
        std::vector<int> rows = block->pivot_rows, columns = block->pivot_columns;
        rows.push_back(i);
        columns.push_back(c);
        rest = minor(m_, rows, columns);
      }
      if (!settled_zero(rest).is_zero()) inconsistencies_.push_back(rest);
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
