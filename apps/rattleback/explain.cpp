/// rattleback explain SLUG: the page behind an error or a question.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "verb.hpp"

namespace rattleback::app {
namespace {

namespace fs = std::filesystem;

/// The pages of the build tree, or those installed beside the program.
std::vector<fs::path> page_folders() {
  std::vector<fs::path> folders{fs::path(RATTLEBACK_SOURCE_DOCS) / "reference" / "errors"};
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!ignored) folders.push_back(program.parent_path() / RATTLEBACK_INSTALL_DOCS / "reference" / "errors");
  return folders;
}

std::vector<std::string> slugs() {
  std::vector<std::string> all;
  for (const fs::path& folder : page_folders()) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".md" && entry.path().stem() != "README")
        all.push_back(entry.path().stem().string());
    }
    if (!all.empty()) break;
  }
  std::sort(all.begin(), all.end());
  return all;
}

int explain(const Arguments& args) {
  if (!args.positional()) {
    for (const std::string& slug : slugs()) fmt::print("{}\n", slug);
    return Exit::done;
  }
  const std::string& slug = *args.positional();
  const std::vector<std::string> known = slugs();
  if (std::find(known.begin(), known.end(), slug) != known.end()) {
    for (const fs::path& folder : page_folders()) {
      std::ifstream page(folder / (slug + ".md"));
      if (!page) continue;
      std::ostringstream text;
      text << page.rdbuf();
      fmt::print("{}", text.str());
      return Exit::done;
    }
  }
  const auto close = nearest(slug, known);
  throw Error("unknown-page", fmt::format("there is no page `{}`", slug), "",
              close.empty() ? "`rattleback explain` lists all pages"
                            : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
}

}  // namespace

Verb explain_verb() {
  return {"explain", "the page behind an error",
          "[SLUG]",  "",
          {},        {"rattleback explain unknown-symbol", "rattleback explain"},
          explain};
}

}  // namespace rattleback::app
