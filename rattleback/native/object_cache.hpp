#pragma once
/// Disk cache of object files, keyed by the text they were compiled from.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rattleback {

/// Several processes may use one folder. A file appears whole or not at all; one that is damaged, made from another text,
/// or writable by others counts as missing.
class ObjectCache {
 public:
  explicit ObjectCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Of this user: $XDG_CACHE_HOME/rattleback or ~/.cache/rattleback; nothing where neither is known.
  static std::optional<ObjectCache> of_user();

  std::optional<std::vector<char>> find(const std::string& ir) const;
  /// A folder that cannot be written is no error. When there are more than `most` files, the older half is removed.
  void keep(const std::string& ir, const std::vector<char>& object, std::size_t most = 2000) const;

 private:
  std::filesystem::path file(const std::string& ir) const;
  void forget_old_ones(std::size_t most) const;
  std::filesystem::path folder_;
};

}  // namespace rattleback
