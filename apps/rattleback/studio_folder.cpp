#include "studio_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "studio_limits.hpp"

namespace rattleback::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void unwritable(const std::string& name) {
  throw Error("unwritable-output", fmt::format("`{}` could not be saved", name), std::strerror(errno),
              "the text is still in the editor, and the old file is unchanged: make room, or save under "
              "another name");
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto [a, b] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return a == folder.end();
}

}  // namespace

StudioFolder::StudioFolder(const fs::path& folder) : folder_(fs::canonical(folder)) {}

fs::path StudioFolder::resolved(const std::string& name) const {
  const fs::path relative(name);
  const bool plain =
      !name.empty() && name.size() < 200 && relative.is_relative() && relative.extension() == ".toml" &&
      std::none_of(name.begin(), name.end(),
                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\'; }) &&
      std::none_of(relative.begin(), relative.end(),
                   [](const fs::path& part) { return part == ".." || part.string().starts_with('.'); });
  if (!plain)
    throw Error("usage", fmt::format("`{}` is not the name of a model file in this folder", name), "",
                "use a name such as my-model.toml");
  // A link may lead out of the folder, too.
  const fs::path path = fs::weakly_canonical(folder_ / relative);
  if (!is_within(path, folder_))
    throw Error("usage", fmt::format("`{}` lies outside of the folder", name), "",
                "start the studio where the file is");
  return path;
}

std::vector<StudioFolder::Entry> StudioFolder::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder_, fs::directory_options::skip_permission_denied, error),
       end;
       !error && at != end; at.increment(error)) {
    const std::string leaf = at->path().filename();
    if (at.depth() > 2 || leaf.starts_with('.') || leaf == "node_modules" || leaf == "build") {
      at.disable_recursion_pending();
      if (leaf.starts_with('.')) continue;
    }
    if (at->path().extension() != ".toml" || !at->is_regular_file(error)) continue;
    const auto when = fs::last_write_time(at->path(), error).time_since_epoch();
    found.push_back({fs::relative(at->path(), folder_, error).string(),
                     static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(when).count())});
    if (found.size() >= studio_limits::entries) break;
  }
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) {
    return std::pair(-a.changed, a.name) < std::pair(-b.changed, b.name);
  });
  return found;
}

std::string StudioFolder::read(const std::string& name) const {
  const fs::path path = resolved(name);
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw Error("unknown-model", fmt::format("there is no file `{}` in this folder", name), "",
                "look at the list of files");
  if (fs::file_size(path, error) > studio_limits::document)
    throw Error("file-too-large", fmt::format("`{}` is too large for the editor", name), "",
                "use the command line");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error("unreadable-file", fmt::format("`{}` cannot be read", name), std::strerror(errno),
                "check its permissions");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string StudioFolder::fingerprint(const std::string& text) {
  return fmt::format("{:016x}-{}", std::hash<std::string>()(text), text.size());
}

void StudioFolder::write(const std::string& name, const std::string& text, const std::string& before) const {
  const fs::path path = resolved(name);
  std::error_code error;
  if (before != "*" && fs::exists(path, error) != !before.empty() && fs::exists(path, error))
    throw ChangedMeanwhile(fmt::format("there is already a file `{}`", name));
  if (before != "*" && !before.empty() && fs::exists(path, error) && fingerprint(read(name)) != before)
    throw ChangedMeanwhile(fmt::format("`{}` was changed by another program", name));
  fs::create_directories(path.parent_path(), error);
  std::string draft = (path.parent_path() / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  const int fd = mkostemp(draft.data(), O_CLOEXEC);
  if (fd < 0) unwritable(name);
  const auto give_up = [&] {
    const int reason = errno;
    unlink(draft.c_str());
    errno = reason;
    unwritable(name);
  };
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int reason = errno;
      close(fd);
      errno = reason;
      give_up();
    }
    done += static_cast<std::size_t>(n);
  }
  fchmod(fd, 0644);
  const bool kept = fsync(fd) == 0 || errno == EINVAL;
  if (close(fd) != 0 || !kept) give_up();
  if (rename(draft.c_str(), path.c_str()) != 0) give_up();
}

}  // namespace rattleback::app
