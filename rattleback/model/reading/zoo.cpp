// Declared in model/reading/load.hpp. Model lookup: the folder of the zoo, its list, and paths by name.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/reading/zoo.hpp>
#include <rattleback/model/text/source.hpp>

namespace rattleback {
namespace {

namespace fs = std::filesystem;

/// What set_zoo_folder() chose.
fs::path& chosen_folder() {
  static fs::path folder;
  return folder;
}

/// The folder of the zoo; empty when there is none.
fs::path zoo_folder() {
  if (const char* chosen = std::getenv("RATTLEBACK_MODELS"); chosen != nullptr && *chosen != '\0')
    return chosen;
  if (!chosen_folder().empty()) return chosen_folder();
  std::error_code problem;
#ifdef RATTLEBACK_INSTALL_MODELS
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (!problem) {
    const fs::path installed = (program.parent_path() / RATTLEBACK_INSTALL_MODELS).lexically_normal();
    if (fs::is_directory(installed, problem)) return installed;
  }
#endif
#ifdef RATTLEBACK_SOURCE_MODELS
  if (fs::is_directory(RATTLEBACK_SOURCE_MODELS, problem)) return RATTLEBACK_SOURCE_MODELS;
#endif
  return {};
}

/// A line `key = "text"` without reading the whole model: the list stays quick however large the zoo grows.
std::string text_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key + " =")) continue;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open < close && close != std::string::npos) return line.substr(open + 1, close - open - 1);
  }
  return {};
}

}  // namespace

void set_zoo_folder(const std::string& folder) { chosen_folder() = folder; }

ZooEntry zoo_entry(const std::string& name) {
  const std::string path = find_model(name);
  return {name, text_in(path, "title"), text_in(path, "theme")};
}

std::vector<std::string> zoo() {
  std::vector<std::string> names;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(zoo_folder(), problem)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_model(const std::string& name) {
  if (name == "-") return std::string(standard_input);
  std::error_code problem;
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".toml");
  const fs::file_status status = fs::status(name, problem);
  if (is_path || (fs::exists(status) && !fs::is_directory(status))) {
    if (fs::exists(status)) return name;
  } else if (!name.empty()) {
    const fs::path found = zoo_folder() / (name + ".toml");
    if (fs::exists(found, problem)) return found.string();
  }
  const std::vector<std::string> names = zoo();
  const std::string stem = fs::path(name).stem().string();
  const auto close = nearest(stem, names);
  const bool known = std::find(names.begin(), names.end(), stem) != names.end();
  std::string fix = known ? fmt::format("the zoo has `{}`: leave out the folder and .toml", stem)
                    : close.empty()
                        ? "`rattleback models` lists the zoo; a file needs its path, and - is standard input"
                        : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"));
  Error error("unknown-model", fmt::format("there is no model `{}`", name),
              is_path ? "no such file" : "neither a file nor a model of the zoo has this name",
              std::move(fix));
  throw error;
}

}  // namespace rattleback
