#pragma once
/// JSON helpers of the studio's workers: output of a line, errors with their places, parameter values of a request.

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback::app {

/// One line of JSON, at once.
void say(const nlohmann::ordered_json& line);
/// An error or a warning with its places in the text.
nlohmann::ordered_json error_json(const Error& error, const char* severity);
/// {"a": "1/2", …}.
std::vector<std::pair<std::string, std::string>> pairs_of(const nlohmann::ordered_json& object);
/// Other values for parameters, which stay symbols.
void give_values(System& system, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace rattleback::app
