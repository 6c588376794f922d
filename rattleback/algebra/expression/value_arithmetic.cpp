#include <rattleback/algebra/expression/value_arithmetic.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {
namespace {

/// u*transpose(v) of two long vectors would not fit into memory.
void require_size(const Syntax& s, long rows, long columns) {
  constexpr long most_entries = input_limits::matrix.count;
  if (rows * columns <= most_entries) return;
  fail_at_syntax("matrix-too-large", fmt::format("a {}×{} matrix", rows, columns), s,
                 fmt::format("the limit is {} entries", most_entries), "use smaller matrices");
}

}  // namespace

Place place_of(const Syntax& s) {
  Place place;
  place.offset = s.offset;
  place.length = std::max(1, s.length);
  return place;
}

void fail_at_syntax(std::string slug, std::string summary, const Syntax& at, std::string why,
                    std::string fix) {
  throw Error(std::move(slug), std::move(summary), std::move(why), std::move(fix)).at(place_of(at));
}

std::string shape_text(const Value& v) {
  if (std::holds_alternative<Expr>(v)) return "a scalar";
  const auto& m = std::get<Matrix>(v);
  return m.is_column() ? fmt::format("a vector of {}", m.rows())
                       : fmt::format("a {}×{} matrix", m.rows(), m.columns());
}

Value scalar_if_single(Matrix m) {
  if (m.rows() == 1 && m.columns() == 1) return m(0, 0);
  return m;
}

Value sum_of(const Syntax& s, const ValueOf& value) {
  std::vector<Expr> scalars;
  std::vector<Matrix> matrices;
  for (const Syntax& child : s.children) {
    Value v = value(child);
    if (const Expr* e = std::get_if<Expr>(&v)) {
      scalars.push_back(*e);
    } else {
      matrices.push_back(std::get<Matrix>(std::move(v)));
    }
    const bool mixed = !scalars.empty() && !matrices.empty();
    const bool unequal = matrices.size() > 1 && (matrices.back().rows() != matrices[0].rows() ||
                                                 matrices.back().columns() != matrices[0].columns());
    if (mixed || unequal) {
      fail_at_syntax("shape-mismatch",
                     fmt::format("a sum of {} and {}", mixed ? "a scalar" : shape_text(matrices[0]),
                                 shape_text(matrices.back())),
                     child, "", "terms of a sum need the same shape");
    }
  }
  if (matrices.empty()) return sum(scalars);
  Matrix total = matrices[0];
  for (std::size_t i = 1; i < matrices.size(); ++i) total = total + matrices[i];
  return total;
}

Value product_of(const Syntax& s, const ValueOf& value) {
  std::vector<Expr> scalars;
  std::optional<Matrix> m;
  for (const Syntax& child : s.children) {
    Value v = value(child);
    if (const Expr* e = std::get_if<Expr>(&v)) {
      scalars.push_back(*e);
      continue;
    }
    const Matrix& right = std::get<Matrix>(v);
    if (!m) {
      m = right;
    } else {
      if (m->columns() != right.rows()) {
        fail_at_syntax("shape-mismatch",
                       fmt::format("the product of {} and {}", shape_text(*m), shape_text(right)), child, "",
                       m->is_column() && right.is_column()
                           ? "use dot(u, v) or cross(u, v)"
                           : "columns of the first must match rows of the second");
      }
      require_size(child, m->rows(), right.columns());
      const Value p = scalar_if_single(*m * right);
      if (const Expr* e = std::get_if<Expr>(&p)) {
        scalars.push_back(*e);
        m.reset();
      } else {
        m = std::get<Matrix>(p);
      }
    }
  }
  const Expr k = scalars.empty() ? Expr(1) : product(scalars);
  if (!m) return k;
  return k.is_one() ? *m : k * *m;
}

Value negated(const Value& v) {
  if (const Expr* e = std::get_if<Expr>(&v)) return -*e;
  return -std::get<Matrix>(v);
}

Value vector_of(const Syntax& s, const ValueOf& value) {
  if (s.children.empty())
    fail_at_syntax("shape-mismatch", "an empty vector", s, "", "give at least one component");
  std::vector<Matrix> rows;
  std::vector<Expr> scalars;
  for (const Syntax& child : s.children) {
    Value v = value(child);
    if (const Expr* e = std::get_if<Expr>(&v)) {
      scalars.push_back(*e);
    } else {
      rows.push_back(std::get<Matrix>(std::move(v)));
    }
  }
  require_size(s, static_cast<int>(s.children.size()), rows.empty() ? 1 : rows[0].rows());
  if (rows.empty()) return Matrix::column(scalars);
  const int width = rows[0].rows();
  if (!scalars.empty() || !std::all_of(rows.begin(), rows.end(),
                                       [&](const Matrix& r) { return r.is_column() && r.rows() == width; })) {
    fail_at_syntax("shape-mismatch", "the rows of this matrix have different lengths", s, "",
                   "write [[a, b], [c, d]] with rows of equal length");
  }
  Matrix m(static_cast<int>(rows.size()), width);
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < width; ++j) m(i, j) = rows[static_cast<std::size_t>(i)][j];
  }
  return m;
}

Value entry(const Syntax& s, const Matrix& m) {
  const std::size_t indices = s.children.size() - 1;
  const auto number = [&](std::size_t k, int size) {
    const Syntax& child = s.children[k];
    const long i = child.kind == Syntax::Kind::number ? child.number.to_long(-1) : -1;
    if (i < 1 || i > size)
      fail_at_syntax("index-out-of-range", fmt::format("index of {}", shape_text(m)), child,
                     fmt::format("indices run from 1 to {}", size), "use a whole number in this range");
    return static_cast<int>(i - 1);
  };
  if (m.is_column() && indices == 1) return m[number(1, m.rows())];
  if (indices == 2) {
    const int i = number(1, m.rows());
    return m(i, number(2, m.columns()));
  }
  fail_at_syntax("index-out-of-range", fmt::format("{} indices for {}", indices, shape_text(m)), s, "",
                 "write v[i] or M[i,j]");
}

}  // namespace rattleback
