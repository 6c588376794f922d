#pragma once
/// Reference cases (cases/*.json) in the model language.

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::inline tests {

using nlohmann::ordered_json;

inline std::string quoted(const std::string& s) { return ordered_json(s).dump(); }

/// The case in the model language: coordinates on lines, everything else as it stands.
inline std::string as_model(const ordered_json& c) {
  std::string head = fmt::format("title = {}\n", quoted(c.value("title", "")));
  if (c.contains("lagrangian")) head += fmt::format("lagrangian = {}\n", quoted(c["lagrangian"]));
  if (c.contains("rayleigh")) head += fmt::format("rayleigh = {}\n", quoted(c["rayleigh"]));
  std::string body;
  if (c.contains("coordinates")) {
    body += "[space]\n";
    for (const std::string q : c["coordinates"]) body += fmt::format("{} = \"R\"\n", q);
  }
  const auto table = [&](const char* key, const char* section) {
    if (!c.contains(key) || c[key].empty()) return;
    body += fmt::format("[{}]\n", section);
    for (const auto& [name, value] : c[key].items())
      body += fmt::format("{} = {}\n", quoted(name), quoted(value));
  };
  table("parameters", "parameters");
  table("definitions", "define");
  table("forces", "forces");
  if (c.contains("constraints") && !c["constraints"].empty()) {
    body += "[constraints]\n";
    int s = 0;
    for (const auto& constraint : c["constraints"])
      body += fmt::format("c{} = {}\n", ++s, quoted(constraint["expr"]));
  }
  if (c["expected"].contains("initial")) {
    body += "[simulation.initial]\n";
    for (const auto& [name, value] : c["expected"]["initial"].items())
      body += fmt::format("{} = {}\n", quoted(name), quoted(value));
  }
  return head + body;
}

}  // namespace rattleback::inline tests
