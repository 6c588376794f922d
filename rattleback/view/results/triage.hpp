#pragma once
/// The output of `rattleback check` as text and JSON: kinds of constraints, rank, regularity, problems.

#include <string>
#include <string_view>

#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/system/machine.hpp>

namespace rattleback {

/// "linear", "nonholonomic", …
std::string_view word(Writing writing);
std::string_view word(Effect effect);

std::string as_text(const System& system, const Triage& found, const Machine& machine = {});
/// Schema rattleback.check/1.
std::string as_json(const System& system, const Triage& found, const Machine& machine = {});

}  // namespace rattleback
