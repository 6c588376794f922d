#pragma once
/// A function of time given by a table: a CSV file, interpolated linearly or by a natural cubic spline.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

enum class Interpolation { linear, cubic };

struct LawTable {
  std::vector<Rational> times, values;  ///< as written, exact; times ascend
  std::string time_unit, value_unit;    ///< as the head line gives them, `t [ms], tau [N*cm]`; empty without
  int head_line = 0;
};

/// Two columns of numbers, time and value, separated by commas, semicolons or blanks; lines that begin with # and a first line of
/// names are skipped. `column` chooses the column of values by its name; the second one when it is empty.
/// Throws Error[unreadable-file], [bad-table] with the line.
LawTable read_table(const std::string& path, const std::string& column);

/// Times and values in base units. `expected` is the unit of the input in a model that gives units, empty when it is not known; nothing for
/// a model without units, whose numbers mean what they are written in: then units other than base units are refused, except angles.
/// Throws Error[bad-table].
LawTable in_base_units(LawTable table, const std::string& path, const std::optional<std::string>& expected);

/// Does the head line of the table name this column? False for a file that cannot be read.
bool has_column(const std::string& path, const std::string& column);

/// The interpolation as one expression of t, constant before the first and after the last line. Its pieces are joined by sign(t − t_k),
/// so that a run has an event at every knot where a derivative jumps.
Expr interpolated(const LawTable& table, Interpolation how, Symbol t);

}  // namespace rattleback
