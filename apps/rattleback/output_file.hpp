#pragma once
/// Writes output files atomically, checks beforehand that they can be written, and names options as the place of an error.

#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback::app {

/// All of the text or nothing: written beside the file first, then moved into place. Throws Error[unwritable-output].
void write_file(const std::string& path, const std::string& text);
/// Before the work that the file is for: its folder exists and can be written to. Throws Error[unwritable-output].
void require_writable(const std::string& path);

Place command_line(const std::string& option);

}  // namespace rattleback::app
