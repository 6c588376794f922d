#pragma once
/// The sections and keys of a model file: one table for the reader, its error messages and the reference.

#include <span>
#include <string>
#include <string_view>

#include <rattleback/model/text/toml.hpp>

namespace rattleback {

struct KeyInfo {
  std::string_view table;  ///< "" is the file itself; "bodies.*" stands for [bodies.NAME]
  std::string_view key;
  std::string_view example;
  std::string_view about;
};

/// Every key with a fixed name. Sections whose keys are names of the model ([space], [define], …) have none.
std::span<const KeyInfo> known_keys();

/// Throws Error[unknown-key], or Error[unknown-section] for the file itself, with a suggestion.
void require_known_keys(const Source& source, const Toml& table, std::string_view name);

}  // namespace rattleback
