#pragma once
/// Branches of periodic motions for people and for other programs: a summary, CSV, JSON, a bifurcation diagram.

#include <rattleback/study/periodic_branch.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

/// Special points with what happens there, and some of the others, with period and multipliers.
std::string as_text(const std::string& model, const std::string& vary, const PeriodicBranches& found);
/// Schema rattleback.orbits/1.
std::string as_json(const std::string& model, const std::string& vary, const PeriodicBranches& found);
/// One line for each point: branch, what is varied, period, growing multipliers, what happens there, state, multipliers.
std::string as_csv(const std::string& model, const std::string& vary, const PeriodicBranches& found);

/// Period and largest values along the orbit over what is varied: stable parts, unstable parts, special points.
std::vector<Panel> panels_of(const std::string& vary, const PeriodicBranches& found);

}  // namespace rattleback
