#pragma once
/// Taylor coefficients of the solution of y' = f(y, t) as straight-line code: the recurrences of jets.hpp, written out for one order.
///
/// Interpreted at first and compiled when that pays, like all code; the sums of a recurrence do not wait for each other.

#include <optional>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// Code with the inputs (y, t) and the parameters of the rates, and the outputs y_1 … y_order, all variables of one order after the
/// other, y_k = y^(k)/k! (S.3). None where it would be much longer than `longest`, or where a function has no recurrence here.
std::optional<Code> jet_code(const Code& rates, std::size_t order, std::size_t longest = 20'000);

}  // namespace rattleback
