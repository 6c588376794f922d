#pragma once
/// What `rattleback check` says of a model.

#include <string>

#include <rattleback/model/triage.hpp>

namespace rattleback {

std::string as_text(const System& system, const Triage& found);
/// Schema rattleback.check/1.
std::string as_json(const System& system, const Triage& found);

}  // namespace rattleback
