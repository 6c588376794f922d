#pragma once
/// Branches of steady motions for people and for other programs: a summary, CSV, JSON, a bifurcation diagram.

#include <rattleback/study/steady_branch.hpp>
#include <rattleback/view/plot.hpp>

namespace rattleback {

/// Special points with what happens there, and some of the others.
std::string as_text(const std::string& model, const std::string& vary, const SteadyBranches& found);
/// Schema rattleback.continue/1.
std::string as_json(const std::string& model, const std::string& vary, const SteadyBranches& found);
/// One line for each point: branch, what is varied, number of growing eigenvalues, what happens there, state, rates, eigenvalues.
std::string as_csv(const std::string& model, const std::string& vary, const SteadyBranches& found);

/// What differs along the branches over what is varied: stable parts, unstable parts, special points.
std::vector<Panel> panels_of(const std::string& vary, const SteadyBranches& found);

}  // namespace rattleback
