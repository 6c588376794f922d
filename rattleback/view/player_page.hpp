#pragma once
/// The film of a report by itself.

#include <rattleback/view/report.hpp>

namespace rattleback {

/// A page with the stage and its controls alone, for a frame within another page.
std::string player_page(const Report& report);

}  // namespace rattleback
