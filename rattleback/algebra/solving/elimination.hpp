#pragma once
/// Gaussian elimination for matrices of functions: pivots are found by values modulo a prime, entries are expressions.
///
/// A pivot is divided by only when it cannot vanish (a number, a product of positive parameters, …), cheapest
/// first. What then remains falls apart into blocks that share no row and no column; a block of up to four rows
/// is solved by Cramer's rule, so that the only thing assumed about it is that its determinant is not zero, and
/// numerators stay free of denominators: a frame of the kernel stays regular where single pivots vanish. Larger
/// blocks lose uncertain pivots, each recorded as an assumption, until they are small enough.

#include <unordered_map>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/algebra/modular/shadow.hpp>

namespace rattleback {

class Elimination {
 public:
  /// The last `right_sides` columns never hold a pivot.
  explicit Elimination(const Matrix& a, int right_sides = 0);

  /// One solved unknown: denominator·x_column + Σ_f numerators[f]·x_f = numerators[b], with f over the columns
  /// without pivot and b the column of a right-hand side.
  struct Pivot {
    int row, column;
    Expr denominator;
    std::vector<Expr> numerators;
    int block;  ///< −1 when the denominator is 1
  };
  /// Rows and columns of one block of the part without certain pivots.
  struct Block {
    std::vector<int> rows, columns;
    std::vector<int> pivot_rows, pivot_columns;
    Expr determinant;  ///< of the pivot rows and columns
  };

  int rank() const { return static_cast<int>(pivots_.size()); }
  const std::vector<Pivot>& pivots() const { return pivots_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Columns without pivot, right-hand sides excluded.
  std::vector<int> free_columns() const;
  /// The block a free column belongs to; −1 when it is coupled to certain pivots only.
  int block_of(int column) const;
  /// Entries of right-hand sides that must vanish for solutions to exist, and do not.
  const std::vector<Expr>& inconsistencies() const { return inconsistencies_; }
  /// Denominators that must not vanish and might: uncertain pivots, and the determinants of blocks.
  const Assumptions& assumptions() const { return assumptions_; }
  /// The uncertain pivots alone.
  const Assumptions& uncertain_pivots() const { return uncertain_pivots_; }
  /// The matrix after the certain pivots, in which the blocks stand.
  const Matrix& remainder() const { return m_; }
  /// False when uncertain pivots were divided by: then `assumptions` restricts more than necessary.
  bool only_certain_divisions() const { return uncertain_pivots_.empty(); }

 private:
  /// Cost of dividing by an entry; the cheapest pivot is taken first.
  struct Cost {
    int price = 0;
    std::size_t size = 0;
    auto operator<=>(const Cost&) const = default;
  };
  static constexpr int uncertain = 3;
  struct Candidate;
  Cost cost(Expr e);
  bool take_pivot(bool certain);
  void eliminate(int row, int column);
  void drop_zeros();
  void find_blocks();
  bool enlarge_minor(Block& block);
  bool take_unit_minor(Block& block);
  void prefer_unit_minor(const Matrix& a);
  void solve_block(Block& block);
  void add_pivots(const Block& block);
  void back_substitute();
  void look_for_inconsistencies();

  Matrix m_;
  ShadowMatrix shadow_;  ///< of m_, entry by entry
  int columns_;
  std::vector<bool> row_used_, column_used_;
  std::vector<Pivot> pivots_;
  std::vector<Block> blocks_;
  std::vector<Expr> inconsistencies_;
  Assumptions assumptions_, uncertain_pivots_;
  std::unordered_map<Expr, Cost> costs_;
};

}  // namespace rattleback
