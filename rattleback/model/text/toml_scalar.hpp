#pragma once
/// What a word of TOML is: a number or a date, told by its letters.

#include <optional>
#include <string>
#include <string_view>

namespace rattleback {

/// A number as TOML writes it, without its underscores and its plus sign; nothing when the word is none.
std::optional<std::string> without_underscores(std::string_view word);

/// 1911-05-27, 07:32:00, or both with a T between; the form with a blank between them is not read.
bool looks_like_date(std::string_view word);

}  // namespace rattleback
