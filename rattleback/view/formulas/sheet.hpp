#pragma once
/// Layout-independent lines of a derivation: names on the left, formulas of limited length.

#include <set>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/view/formulas/named_parts.hpp>

namespace rattleback {

/// name' = value; for a rotation matrix B' = B Ω̂ with the three components of Ω, or B' = ω̂ B with those of ω.
struct SheetLine {
  std::string name;
  std::vector<Expr> values;
  std::vector<Symbol> components;  ///< of Ω or ω, for a rotation matrix
  bool in_space_axes = false;      ///< ω, not Ω
  bool is_rotation() const { return values.size() == 3; }
};

/// Shared and long parts have names of their own: `step_parts` in the steps, `parts` in the equations.
struct Sheet {
  std::vector<Step> steps;
  std::vector<Statement> step_parts;
  std::vector<SheetLine> lines;
  std::vector<Statement> multipliers, reactions, parts;
  std::vector<Statement> definitions =
      {};                          ///< of velocities beside momenta; they also stand at the end of the parts
  bool names_multipliers = false;  ///< other lines may contain lambda_blade
};
/// Parts get names when a formula, written out, has more than `longest` nodes, or a term is wider than the page.
Sheet sheet_of(const System& system, const EquationsOfMotion& equations, bool steps, std::size_t longest,
               const TextWidth* width = nullptr);

/// Under the names that other lines use: lambda_blade for blade.
std::vector<Statement> with_lambda(std::vector<Statement> multipliers);

/// The steps with every formula in its short form.
std::vector<Step> in_short_form(std::vector<Step> steps);

/// "Chaplygin sleigh", or the model's name when it has no title.
const std::string& heading(const System& system);
/// Names that a part must not take.
std::set<std::string> names_in_use(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback
