#pragma once
/// Plans of inputs for people and for other programs: text, JSON, and tables that runs read.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/study/plan.hpp>

namespace rattleback {

/// t and one column for each input: what --input NAME=FILE.csv reads.
std::string as_csv(const System& system, const Plan& plan);
std::string as_text(const System& system, const Plan& plan, const std::vector<Goal>& goals,
                    const PlanOptions& options);
/// Schema rattleback.plan/1.
std::string as_json(const Plan& plan, const std::vector<Goal>& goals);

}  // namespace rattleback
