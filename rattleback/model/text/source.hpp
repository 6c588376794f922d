#pragma once
/// The text of a model file, and places in it that a person can find: line, column, the line itself.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {

/// A stretch of bytes.
struct Span {
  std::size_t begin = 0, end = 0;
};

class Source {
 public:
  /// Throws Error[file-too-large], [invalid-utf8]. `name` is what messages call the file.
  Source(std::string text, std::string name);

  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }

  /// Where the span begins; a span over several lines is shown up to the end of its first line.
  Place place(Span span) const;
  /// A place without a line: the file as a whole.
  Place whole() const;

 private:
  std::string text_, name_;
  std::vector<std::size_t> line_starts_;
};

/// What find_model() calls the model that comes through a pipe.
inline constexpr std::string_view standard_input = "standard input";

/// The whole file. Throws Error[unreadable-file], [file-too-large] before anything large is read.
Source read_source(const std::string& path);

/// Model files larger than this are refused.
inline constexpr std::size_t largest_file = input_limits::model_file.count;

}  // namespace rattleback
