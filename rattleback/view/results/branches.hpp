#pragma once
/// Branches of steady motions for people and for other programs: a summary, CSV, JSON, a bifurcation diagram.

#include <functional>
#include <string>
#include <vector>

#include <rattleback/study/steady_branch.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

/// Special points with what happens there, and some of the others.
std::string as_text(const std::string& model, const std::string& vary, const SteadyBranches& found);
/// Schema rattleback.continue/1.
std::string as_json(const std::string& model, const std::string& vary, const SteadyBranches& found);
/// One line for each point: branch, what is varied, number of growing eigenvalues, what happens there, state, rates, eigenvalues.
std::string as_csv(const std::string& model, const std::string& vary, const SteadyBranches& found);

/// The same for branches of any kind; `event` says what happens at a point.
std::string branches_as_csv(const std::string& model, const std::string& vary,
                            const std::vector<std::string>& held, const std::vector<std::string>& names,
                            const std::vector<const Branch*>& branches,
                            const std::function<std::string(const Branch&, std::size_t)>& event);

/// What differs along the branches over what is varied: stable parts, unstable parts, special points.
std::vector<Panel> panels_of(const std::string& vary, const SteadyBranches& found);

}  // namespace rattleback
