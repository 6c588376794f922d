#include "output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace rattleback::app {

Place command_line(const std::string& option) {
  Place place;
  place.file = "command line, " + option;
  return place;
}

namespace {

Error unwritable(const std::string& path, int reason) {
  return {"unwritable-output", fmt::format("`{}` could not be written", path), std::strerror(reason),
          "check the folder, its permissions and the disk"};
}

}  // namespace

void require_writable(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) throw unwritable(path, errno);
  if (std::filesystem::is_directory(path)) throw unwritable(path, EISDIR);
}

namespace {

/// Devices, pipes and links stay what they are; a file is replaced whole.
bool is_kept(const std::string& path) {
  std::error_code none;
  const auto kind = std::filesystem::symlink_status(path, none).type();
  return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular;
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  const bool kept = is_kept(path);
  const std::string draft = kept ? path : path + ".part";
  const auto fail = [&] {
    const int reason = errno;
    if (!kept) std::remove(draft.c_str());
    throw unwritable(path, reason);
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(draft.c_str(), "wb"), std::fclose);
  if (!file) fail();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) fail();
  if (std::fclose(file.release()) != 0) fail();
  if (!kept && std::rename(draft.c_str(), path.c_str()) != 0) fail();
}

}  // namespace rattleback::app
