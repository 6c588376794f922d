#include "model_argument.hpp"

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>

namespace rattleback::app {
namespace {

/// "m=2,J=1/3" as pairs; commas within brackets belong to the value.
std::vector<std::pair<std::string, std::string>> assignments(const std::string& list) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    const std::string item = list.substr(start, i - start);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      Place place;
      place.file = "command line, --set";
      throw Error("usage", fmt::format("`{}` does not give a parameter a value", item), "", "write --set m=2,J=1/3").at(place);
    }
    pairs.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    start = i + 1;
  }
  return pairs;
}

}  // namespace

System model_argument(const Arguments& args) {
  System system = load_model(*args.positional());
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& list : args.all("--set")) {
    for (auto& pair : assignments(list)) values.push_back(std::move(pair));
  }
  return values.empty() ? system : with_values(std::move(system), values);
}

}  // namespace rattleback::app
