#include <rattleback/model/text/source.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

namespace rattleback {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// Bytes of the UTF-8 character that begins at i; 0 when it is malformed, overlong, a surrogate or beyond U+10FFFF.
std::size_t character_length(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : (first & 0xF0U) == 0xE0       ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, i + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

std::optional<std::size_t> first_malformed_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

Place place_of_file(const std::string& name) {
  Place place;
  place.file = name;
  return place;
}

int characters(std::string_view bytes) {
  return static_cast<int>(std::count_if(
      bytes.begin(), bytes.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

[[noreturn]] void fail_too_large(const std::string& name, std::uintmax_t size) {
  Error error("file-too-large", fmt::format("a model file of {:.1f} MB", static_cast<double>(size) / 1e6),
              fmt::format("the limit is {} MB", largest_file / 1'000'000),
              "check that this is the file you mean; a model is a page or two");
  throw error.at(place_of_file(name));
}

}  // namespace

Source::Source(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
  if (text_.size() > largest_file) fail_too_large(name_, text_.size());
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
  if (const auto bad = first_malformed_byte(text_)) {
    Error error("invalid-utf8", fmt::format("the byte \\x{:02x} is not UTF-8", byte_at(text_, *bad)),
                "model files are UTF-8 text", "save the file as UTF-8");
    Place at = place({*bad, *bad + 1});
    at.text.clear();  // not fit to print
    throw error.at(std::move(at));
  }
}

Place Source::place(Span span) const {
  const std::size_t begin = std::min(span.begin, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), begin);
  const std::size_t start = *(after - 1);
  std::size_t stop = after == line_starts_.end() ? text_.size() : *after - 1;
  if (stop > start && text_[stop - 1] == '\r') --stop;
  const std::string_view line = std::string_view(text_).substr(start, stop - start);

  Place at;
  at.file = name_;
  at.line = static_cast<int>(after - line_starts_.begin());
  at.column = 1 + characters(line.substr(0, begin - start));
  at.text = std::string(line);
  const std::size_t end = std::clamp(span.end, begin, std::max(begin, stop));
  at.length = std::max(1, characters(std::string_view(text_).substr(begin, end - begin)));
  return at;
}

Place Source::whole() const { return place_of_file(name_); }

namespace {

/// A pipe has no size: a bounded amount is read.
std::string content_of(std::istream& in) {
  std::string text;
  std::vector<char> block(1U << 16U);
  while (in && text.size() <= largest_file) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

}  // namespace

Source read_source(const std::string& path) {
  if (path == standard_input) {
    static const std::string text = content_of(std::cin);  // it can be read once, and may be wanted twice
    return {text, path};
  }
  namespace fs = std::filesystem;
  const auto unreadable = [&](const std::string& why) {
    Error error("unreadable-file", fmt::format("`{}` cannot be read", path), why,
                "check the path and the permissions");
    return error.at(place_of_file(path));
  };
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) throw unreadable("there is no such file");
  if (fs::is_directory(status)) throw unreadable("it is a folder");
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, problem);
    if (!problem && size > largest_file) fail_too_large(path, size);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw unreadable(std::strerror(errno));
  std::string text = content_of(in);
  if (in.bad()) throw unreadable("reading failed");
  return {std::move(text), path};
}

}  // namespace rattleback
