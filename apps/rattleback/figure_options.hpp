#pragma once
/// Options of figures: file, --title, --size and --style, checked before the work begins.

#include <rattleback/view/pictures/plot.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// The options with --title, --size and --style behind those that say what is drawn.
std::vector<Option> with_figure_options(std::vector<Option> options);

/// Does the name end as figures do: .svg, .pdf or .png?
bool is_figure_file(const std::string& name);
/// Before the work, not after it: the ending is known, the folder can be written to, the size is one.
/// Throws Error[usage] and Error[unwritable-output].
void require_figure(const Arguments& args, const std::string& file);

/// Throws Error[usage].
FigureStyle figure_style(const Arguments& args);
/// --title, or else this one.
std::string figure_title(const Arguments& args, const std::string& otherwise);
void write_figure(const std::string& file, const Picture& picture);

}  // namespace rattleback::app
