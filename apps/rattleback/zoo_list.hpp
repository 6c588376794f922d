#pragma once
/// The zoo as a list for people: names, titles, themes.

#include <string>
#include <vector>

namespace rattleback::app {

struct ZooEntry {
  std::string name, title, theme;
};

/// From the plainest theme to the most abstract, without reading whole models.
std::vector<ZooEntry> zoo_by_theme();

}  // namespace rattleback::app
