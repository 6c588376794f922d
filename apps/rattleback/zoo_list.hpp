#pragma once
/// The zoo as a list for people: names, titles, themes.

#include <vector>

#include <rattleback/model/reading/zoo.hpp>

namespace rattleback::app {

/// From the plainest theme to the most abstract, without reading whole models.
std::vector<ZooEntry> zoo_by_theme();

}  // namespace rattleback::app
