#pragma once
/// The table of verbs as other documents: a manual page, a page of the reference, completions for shells.

#include <string>

namespace rattleback::app {

/// roff, for man(1).
std::string man_page(const std::string& version);
/// Markdown: every verb with its options and examples.
/// The same, or the table of model keys, questions or steppers, as a page in Markdown. Throws Error[usage].
std::string reference(const std::string& what);
/// A script for `bash`, `zsh` or `fish`. Throws Error[usage] for another shell.
std::string completions(const std::string& shell);

}  // namespace rattleback::app
