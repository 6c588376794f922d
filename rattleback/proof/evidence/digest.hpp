#pragma once
/// SHA-256 (FIPS 180-4): a name for a text that no other text shares.

#include <string>
#include <string_view>

namespace rattleback {

/// 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace rattleback
