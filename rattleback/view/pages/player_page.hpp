#pragma once
/// HTML page with the animation player of a report alone.

#include <rattleback/view/pages/report.hpp>

namespace rattleback {

/// A page with the drawing and its controls only, for an iframe in another page.
std::string player_page(const Report& report);

}  // namespace rattleback
