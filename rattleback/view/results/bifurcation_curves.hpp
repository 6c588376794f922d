#pragma once
/// Curves of bifurcations in two parameters for people and for other programs.

#include <nlohmann/json_fwd.hpp>

#include <rattleback/study/bifurcation_curve.hpp>
#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

/// Ends and some points of each curve; empty where there are none.
std::string curves_text(const std::string& vary, const std::string& second,
                        const std::vector<BifurcationCurve>& curves);
/// A list: kind, ends, points with both parameters, critical frequency, what happens, values.
nlohmann::ordered_json curves_json(const std::vector<BifurcationCurve>& curves);
/// The plane of both parameters.
std::optional<Panel> curves_panel(const std::string& vary, const std::string& second,
                                  const std::vector<BifurcationCurve>& curves);

}  // namespace rattleback
