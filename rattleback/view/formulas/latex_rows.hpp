#pragma once
/// Displayed equations in LaTeX: rows of align environments, long ones broken before + and −.

#include <string>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/view/formulas/named_parts.hpp>

namespace rattleback {

/// `left &= right \\`, on as many rows as the page needs.
std::string latex_row(const std::string& left, const std::string& right);
std::string latex_rows(const std::vector<Statement>& statements);
/// λ_blade = …, R_x = …: the letter with the statement's name as its index.
std::string latex_rows(const char* letter, const std::vector<Statement>& statements);
/// Rows separated, not ended, by \\.
std::string align_environment(std::string rows);

/// The line of an article for formulas: terms are broken to fit it.
const TextWidth& article_width();

/// Text that is not a formula: special characters escaped.
std::string latex_text(const std::string& words);

/// About how many letters wide a formula is when set; the wider of the two sides of a fraction.
std::size_t set_width(std::string_view formula);

}  // namespace rattleback
