#pragma once
/// Terminal output: colours, and a progress line that is overwritten. Neither is written to files or pipes.

#include <cstdio>
#include <string>

namespace rattleback::app {

/// The stream is a terminal, NO_COLOR is unset or empty, and TERM is not `dumb`.
bool wants_colours(std::FILE* stream);

/// The text with the first of proved, refuted, undecided, error[...], warning[...] and bug[...] on its first line in colour, if the
/// stream wants colours.
std::string coloured(const std::string& text, std::FILE* stream);

/// `[3/18] invariant-measure` on the terminal behind stderr, each line over the last; silent elsewhere.
class Stages {
 public:
  /// How many there will be, where that is known.
  explicit Stages(std::size_t total = 0);
  ~Stages();
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;
  void next(const std::string& what);
  /// Makes room for other output.
  void clear();

 private:
  bool shown_;
  std::size_t total_, done_ = 0;
};

}  // namespace rattleback::app
