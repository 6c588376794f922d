#pragma once
/// Loads models: a file, a text or the name of a zoo model becomes a System.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The system a text describes; `file` is what messages call it. Throws Error with the place in the text.
System read_model(std::string text, const std::string& file);

/// A file, or the name of a model in the zoo.
System load_model(const std::string& name);

/// The path of a model: a file as it stands, or models/NAME.toml in the zoo. Throws Error[unknown-model] with a
/// suggestion.
std::string find_model(const std::string& name);

/// The names of the zoo's models, sorted. The zoo is the folder RATTLEBACK_MODELS (environment), or the installed one,
/// or the one beside the sources.
std::vector<std::string> zoo();

}  // namespace rattleback
