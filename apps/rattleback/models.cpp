/// rattleback models [NAME]: the zoo.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>

#include "verb.hpp"

namespace rattleback::app {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The title without reading the whole model: the list stays quick however large the zoo grows.
std::string title_in(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("title")) continue;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open < close && close != std::string::npos) return line.substr(open + 1, close - open - 1);
  }
  return {};
}

int models(const Arguments& args) {
  if (args.positional()) {
    fmt::print("{}", contents(find_model(*args.positional())));
    return Exit::done;
  }
  std::size_t width = 0;
  const std::vector<std::string> names = zoo();
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const std::string& name : names) fmt::print("{:<{}}  {}\n", name, width, title_in(find_model(name)));
  return Exit::done;
}

}  // namespace

Verb models_verb() {
  return {"models", "the zoo: list it, or print one model", "[NAME]", "", {}, {"rattleback models", "rattleback models chaplygin-sleigh > my-sleigh.toml"}, models};
}

}  // namespace rattleback::app
