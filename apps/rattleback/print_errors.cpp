#include "print_errors.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace rattleback::app {
namespace {

using nlohmann::ordered_json;

ordered_json place_as_json(const Place& p) {
  ordered_json place{{"file", p.file}};
  if (p.line <= 0) return place;
  place["line"] = p.line;
  place["column"] = p.column;
  place["length"] = p.length;
  return place;
}

bool wants_json(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--format=json") return true;
    if (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json") return true;
  }
  return false;
}

/// Errors behind a result that is printed already, which says itself that it is incomplete.
bool follows_output(const Error& error) {
  return error.slug == "motion-ends" || error.slug == "unwritable-output" || error.slug == "interrupted";
}

}  // namespace

std::string errors_as_json(const std::vector<Error>& errors) {
  ordered_json list = ordered_json::array();
  for (const Error& e : errors) {
    ordered_json places = ordered_json::array();
    for (const Place& p : e.where) places.push_back(place_as_json(p));
    list.push_back({{"slug", e.slug},
                    {"summary", e.summary},
                    {"why", e.why},
                    {"fix", e.fix},
                    {"where", std::move(places)}});
  }
  return ordered_json{{"schema", "rattleback.errors/1"}, {"errors", std::move(list)}}.dump(
             2, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

void print_errors(const std::vector<Error>& errors, const std::vector<std::string>& words) {
  if (wants_json(words) && !follows_output(errors.front())) {
    fmt::print("{}", errors_as_json(errors));
    std::fflush(stdout);
  }
  for (const Error& e : errors) fmt::print(stderr, "{}", coloured(report(e), stderr));
  if (errors.size() > 1) fmt::print(stderr, "{} errors\n", errors.size());
}

}  // namespace rattleback::app
