#pragma once
/// The zoo's folder and the list of its models. A package that brings its own copy of models/ sets the folder.

#include <string>

namespace rattleback {

/// The folder of the zoo from now on, for packages that carry their own models. RATTLEBACK_MODELS (environment) still goes before it.
void set_zoo_folder(const std::string& folder);

/// A line of the list of models, read without reading the whole model.
struct ZooEntry {
  std::string name, title, theme;
};
/// Title and theme of a model of the zoo.
ZooEntry zoo_entry(const std::string& name);

}  // namespace rattleback
