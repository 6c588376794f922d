#include <rattleback/native/extension.hpp>

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

namespace fs = std::filesystem;

/// What set_extension_folder() chose.
fs::path& chosen_folder() {
  static fs::path folder;
  return folder;
}

/// In the chosen folder, beside the installed program, or where the build puts it.
fs::path file_of(const std::string& name) {
  const std::string file = fmt::format("librattleback_{}.so", name);
  std::error_code problem;
  if (const fs::path carried = chosen_folder() / file;
      !chosen_folder().empty() && fs::exists(carried, problem))
    return carried;
#ifdef RATTLEBACK_INSTALL_EXTENSIONS
  if (const fs::path program = fs::read_symlink("/proc/self/exe", problem); !problem) {
    const fs::path installed =
        (program.parent_path() / RATTLEBACK_INSTALL_EXTENSIONS / file).lexically_normal();
    if (fs::exists(installed, problem)) return installed;
  }
#endif
#ifdef RATTLEBACK_BUILD_EXTENSIONS
  if (const fs::path built = fs::path(RATTLEBACK_BUILD_EXTENSIONS) / file; fs::exists(built, problem))
    return built;
#endif
  return {};
}

}  // namespace

void set_extension_folder(const std::string& folder) { chosen_folder() = folder; }

bool has_extension(const std::string& name) { return !file_of(name).empty(); }

void* extension_function(const std::string& name, const char* symbol) {
  const fs::path file = file_of(name);
  const auto refuse = [&](const std::string& why) {
    return Unavailable(
        "missing-extension", fmt::format("this installation cannot use {}", name), why,
        fmt::format("build Rattleback on a machine that has the development package of {}", name));
  };
  if (file.empty()) throw refuse("the program was built without it");
  // A library keeps its state while it is open, and MPI's may be opened only once: never closed.
  void* object = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (object == nullptr) throw refuse(dlerror());
  void* function = dlsym(object, symbol);
  if (function == nullptr) throw Bug(fmt::format("{} has no function {}", file.string(), symbol));
  return function;
}

}  // namespace rattleback
