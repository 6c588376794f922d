#pragma once
/// Sums, products, vectors and entries of scalars and matrices in the model language, with errors at the place of the operand that does not fit.

#include <functional>
#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>

namespace rattleback {

Place place_of(const Syntax& s);

[[noreturn]] void fail_at_syntax(std::string slug, std::string summary, const Syntax& at, std::string why,
                                 std::string fix);

/// "a scalar", "a vector of 3", "a 2×3 matrix".
std::string shape_text(const Value& v);

/// A 1×1 matrix is a scalar: transpose(u)*v needs no unpacking.
Value scalar_if_single(Matrix m);

/// The value of an operand. Operands are evaluated from left to right, so that the first error is the one reported.
using ValueOf = std::function<Value(const Syntax&)>;

/// Terms of equal shape.
Value sum_of(const Syntax& s, const ValueOf& value);
/// Scalars and matrices that fit: columns of the one are rows of the next.
Value product_of(const Syntax& s, const ValueOf& value);
Value negated(const Value& v);
/// [a, b, c] is a vector, [[a, b], [c, d]] a matrix by rows.
Value vector_of(const Syntax& s, const ValueOf& value);
/// v[i] or M[i,j]: s is the syntax, m the value of what stands before the bracket.
Value entry(const Syntax& s, const Matrix& m);

}  // namespace rattleback
