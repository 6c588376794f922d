/// rattleback models [NAME]: the zoo.
#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>

#include "model_argument.hpp"
#include "verb.hpp"
#include "zoo_list.hpp"

namespace rattleback::app {
namespace {

/// From the plainest to the most abstract; a theme that is not here comes after these.
constexpr std::array themes{"Skates and sleighs",
                            "Wheels and vehicles",
                            "Machines",
                            "Rigid bodies with a fixed point",
                            "Balls and rolling bodies",
                            "Particles",
                            "Nonlinear and time-dependent constraints",
                            "Lie algebras",
                            "Controls and counterexamples"};

std::size_t rank_of(const std::string& theme) {
  return static_cast<std::size_t>(std::find(themes.begin(), themes.end(), theme) - themes.begin());
}

/// The sections with these names, [bodies.stone] among those of `bodies`, with their headings.
std::string sections_of(const std::string& text, const std::vector<std::string>& names) {
  std::istringstream in(text);
  std::string found;
  bool is_wanted = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) {
      const std::string heading = line.substr(1, line.find_first_of(".]") - 1);
      is_wanted = std::find(names.begin(), names.end(), heading) != names.end();
      if (is_wanted && !found.empty() && !found.ends_with("\n\n")) found += "\n";
    }
    if (is_wanted) found += line + "\n";
  }
  while (found.ends_with("\n\n")) found.pop_back();
  return found;
}

}  // namespace

std::vector<ZooEntry> zoo_by_theme() {
  std::map<std::pair<std::size_t, std::string>, std::vector<ZooEntry>> by_theme;
  for (const std::string& name : zoo()) {
    ZooEntry entry = zoo_entry(name);
    by_theme[{rank_of(entry.theme), entry.theme}].push_back(std::move(entry));
  }
  std::vector<ZooEntry> all;
  for (const auto& [theme, entries] : by_theme) all.insert(all.end(), entries.begin(), entries.end());
  return all;
}

namespace {

int models(const Arguments& args) {
  if (args.positional()) {
    const std::string text = model_text(*args.positional());
    fmt::print("{}", args.has("--section") ? sections_of(text, listed(args.get("--section"), {})) : text);
    return Exit::done;
  }
  const std::vector<ZooEntry> entries = zoo_by_theme();
  std::size_t width = 0;
  for (const ZooEntry& e : entries) width = std::max(width, e.name.size());
  const ZooEntry* before = nullptr;
  for (const ZooEntry& e : entries) {
    if (before == nullptr || before->theme != e.theme)
      fmt::print("{}{}\n", before == nullptr ? "" : "\n", e.theme);
    fmt::print("  {:<{}}  {}\n", e.name, width, e.title);
    before = &e;
  }
  return Exit::done;
}

}  // namespace

Verb models_verb() {
  return {"models",
          "the zoo: list it, or print one model",
          "[NAME]",
          "",
          {{"--section", "NAME,...", "only these sections of the model, e.g. space,constraints"}},
          {"rattleback models", "rattleback models chaplygin-sleigh > my-sleigh.toml",
           "rattleback models chaplygin-sphere --section space,constraints"},
          models};
}

}  // namespace rattleback::app
