#pragma once
/// The folder of model files that the studio lists, opens and saves. Names that lead out of the folder ("..", links) are refused.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace rattleback::app {

/// The file is not what it was when the editor read it.
struct ChangedMeanwhile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class StudioFolder {
 public:
  explicit StudioFolder(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return folder_; }

  struct Entry {
    std::string name;  ///< relative
    long changed = 0;  ///< when, in seconds
  };
  /// Model files here and in subfolders, the latest first; at most some hundreds.
  std::vector<Entry> entries() const;

  /// Throws Error[unknown-model], Error[unreadable-file], or Error[usage] for a name that leads elsewhere.
  std::string read(const std::string& name) const;
  /// A number that differs between different texts.
  static std::string fingerprint(const std::string& text);
  /// Writes a new file beside the old one and puts it in its place, so that one of them is there whatever happens. `before`:
  /// fingerprint of the text that is to be replaced, empty for a new file, "*" for whatever there is. Throws
  /// Error[unwritable-output]; ChangedMeanwhile when another program has written the file.
  void write(const std::string& name, const std::string& text, const std::string& before) const;

 private:
  std::filesystem::path resolved(const std::string& name) const;
  std::filesystem::path folder_;
};

}  // namespace rattleback::app
