#include "studio_answers.hpp"

#include <cstdio>

#include <fmt/format.h>

#include <rattleback/algebra/expression/parse.hpp>

namespace rattleback::app {

using nlohmann::ordered_json;

void say(const ordered_json& line) {
  fmt::print("{}\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  std::fflush(stdout);
}

ordered_json error_json(const Error& error, const char* severity) {
  ordered_json places = ordered_json::array();
  for (const Place& p : error.where) {
    if (p.line > 0) places.push_back({{"line", p.line}, {"column", p.column}, {"length", p.length}});
  }
  return {{"severity", severity}, {"slug", error.slug}, {"summary", error.summary},
          {"why", error.why},     {"fix", error.fix},   {"places", places}};
}

std::vector<std::pair<std::string, std::string>> pairs_of(const ordered_json& object) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [name, value] : object.items()) pairs.emplace_back(name, value.get<std::string>());
  return pairs;
}

void give_values(System& system, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (Parameter& p : system.parameters)
      if (p.symbol.name() == name) p.value = parse(value, Scope{});
  }
}

}  // namespace rattleback::app
