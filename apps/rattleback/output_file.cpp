#include "output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace rattleback::app {

Place command_line(const std::string& option) {
  Place place;
  place.file = "command line, " + option;
  return place;
}

void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::remove(draft.c_str());
    throw Error("unwritable-output", fmt::format("`{}` could not be written", path), reason,
                "check the folder, its permissions and the disk");
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(draft.c_str(), "wb"), std::fclose);
  if (!file) fail();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) fail();
  if (std::fclose(file.release()) != 0) fail();
  if (std::rename(draft.c_str(), path.c_str()) != 0) fail();
}

}  // namespace rattleback::app
