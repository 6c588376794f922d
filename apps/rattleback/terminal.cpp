#include "terminal.hpp"

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace rattleback::app {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 7> colours{{{"proved", 32},
                                                                   {"refuted", 31},
                                                                   {"undecided", 33},
                                                                   {"not found", 33},
                                                                   {"error[", 31},
                                                                   {"warning[", 33},
                                                                   {"bug[", 31}}};

}  // namespace

bool wants_colours(std::FILE* stream) {
  const char *refused = std::getenv("NO_COLOR"), *kind = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && (refused == nullptr || *refused == '\0') &&
         (kind == nullptr || std::string_view(kind) != "dumb");
}

std::string coloured(const std::string& text, std::FILE* stream) {
  if (!wants_colours(stream)) return text;
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::size_t first = end, last = end;
  int colour = 0;
  for (const auto& [word, number] : colours) {
    const std::size_t at = text.find(word);
    if (at >= first) continue;
    first = at;
    last = word.back() == '[' ? std::min(text.find(']', at) + 1, end) : at + word.size();
    colour = number;
  }
  if (colour == 0) return text;
  return fmt::format("{}\033[1;{}m{}\033[0m{}", text.substr(0, first), colour,
                     text.substr(first, last - first), text.substr(last));
}

Stages::Stages(std::size_t total) : shown_(isatty(STDERR_FILENO) != 0), total_(total) {}

Stages::~Stages() { clear(); }

void Stages::clear() {
  if (shown_ && done_ > 0) fmt::print(stderr, "\r\033[K");
}

void Stages::next(const std::string& what) {
  ++done_;
  if (!shown_) return;
  if (total_ == 0) {
    fmt::print(stderr, "\r\033[K{}", what);
  } else {
    fmt::print(stderr, "\r\033[K[{}/{}] {}", done_, total_, what);
  }
}

}  // namespace rattleback::app
