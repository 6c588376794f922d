#pragma once
/// Web assets compiled into the program: style sheets, scripts, and KaTeX when it was there at build time.

#include <string_view>

namespace rattleback {

/// A file of web/ by its name, "katex.js" or "katex.css"; empty when there is no such file.
std::string_view web_file(std::string_view name);

/// Was KaTeX there when the program was built? Otherwise pages show formulas as text.
bool has_typesetting();

}  // namespace rattleback
