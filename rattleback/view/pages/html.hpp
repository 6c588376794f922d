#pragma once
/// HTML helpers: escaped text, formulas, code, data for scripts.

#include <string>
#include <string_view>

namespace rattleback {

/// & < > " as entities: for text and for attributes in double quotes.
std::string escaped(std::string_view text);

/// A displayed formula: LaTeX that the page sets when it can, with a text that stands there until then.
std::string formula_html(std::string_view latex, std::string_view plain);

/// LaTeX as view/results/equations prints it (comments, sentences, align environments) as paragraphs and formulas.
std::string latex_html(const std::string& latex);

/// Text in which `…` is code.
std::string prose_html(std::string_view text);

/// JSON that may stand in a <script> element.
std::string script_json(std::string json);

}  // namespace rattleback
