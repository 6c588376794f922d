#include "studio_http.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "studio_limits.hpp"

namespace rattleback::app {
namespace {

std::string small_letters(std::string_view text) {
  std::string s(text);
  for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

const char* phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 421: return "Misdirected Request";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 507: return "Insufficient Storage";
    default: return "Error";
  }
}

}  // namespace

std::string Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string url_decoded(std::string_view text) {
  std::string s;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      s += ' ';
    } else if (text[i] != '%') {
      s += text[i];
    } else {
      unsigned byte = 0;
      if (i + 2 >= text.size()) return {};
      const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      if (error != std::errc() || end != text.data() + i + 3) return {};
      s += static_cast<char>(byte);
      i += 2;
    }
  }
  return s;
}

RequestReader::State RequestReader::refuse(int status) {
  refusal_ = status;
  bytes_.clear();
  return State::refused;
}

RequestReader::State RequestReader::read_head(std::string_view head) {
  const std::size_t line_end = std::min(head.find("\r\n"), head.size());
  const std::string_view line = head.substr(0, line_end);
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return refuse(400);
  if (!line.substr(second + 1).starts_with("HTTP/1.")) return refuse(400);
  request_.method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, second - first - 1);
  if (!target.starts_with('/')) return refuse(400);
  const std::size_t mark = std::min(target.find('?'), target.size());
  request_.path = url_decoded(target.substr(0, mark));
  std::string_view query = mark < target.size() ? target.substr(mark + 1) : std::string_view();
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    request_.query[url_decoded(pair.substr(0, equals))] =
        equals < pair.size() ? url_decoded(pair.substr(equals + 1)) : std::string();
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::string_view rest = line_end < head.size() ? head.substr(line_end + 2) : std::string_view();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view field = rest.substr(0, end);
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) return refuse(400);
    const std::string name = small_letters(field.substr(0, colon));
    if (request_.headers.contains(name) && (name == "host" || name == "origin" || name == "content-length"))
      return refuse(400);  // said twice, it may be read in two ways
    request_.headers[name] = trimmed(field.substr(colon + 1));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  if (request_.headers.contains("transfer-encoding")) return refuse(411);
  const std::string length = request_.header("content-length");
  body_length_ = 0;
  if (!length.empty()) {
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), body_length_);
    if (error != std::errc() || end != length.data() + length.size())
      return refuse(length.size() > 18 ? 413 : 400);
  }
  if (body_length_ > studio_limits::body) return refuse(413);
  head_read_ = true;
  return State::reading;
}

RequestReader::State RequestReader::progress() {
  if (!head_read_) {
    const std::size_t end = bytes_.find("\r\n\r\n");
    if (end == std::string::npos) return bytes_.size() > studio_limits::head ? refuse(431) : State::reading;
    if (end > studio_limits::head) return refuse(431);
    const std::string head = bytes_.substr(0, end);
    bytes_.erase(0, end + 4);
    if (read_head(head) == State::refused) return State::refused;
  }
  return bytes_.size() < body_length_ ? State::reading : State::complete;
}

RequestReader::State RequestReader::add(std::string_view bytes) {
  if (refusal_ != 0) return State::refused;
  bytes_ += bytes;
  return progress();
}

Request RequestReader::take() {
  request_.body = bytes_.substr(0, body_length_);
  bytes_.erase(0, body_length_);
  head_read_ = false;
  body_length_ = 0;
  return std::exchange(request_, {});
}

std::string response_head(const Response& response, long length, bool keep_alive) {
  std::string s = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", response.status,
                              phrase(response.status), response.type);
  s += length < 0 ? "Transfer-Encoding: chunked\r\n" : fmt::format("Content-Length: {}\r\n", length);
  s += fmt::format("Connection: {}\r\n", keep_alive ? "keep-alive" : "close");
  s += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
       "Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\n";
  for (const auto& [name, value] : response.headers) s += fmt::format("{}: {}\r\n", name, value);
  return s + "\r\n";
}

std::string chunk(std::string_view piece) { return fmt::format("{:x}\r\n{}\r\n", piece.size(), piece); }

Response refusal(int status, const std::string& sentence) {
  return {status, "application/json", nlohmann::json{{"error", sentence}}.dump()};
}

}  // namespace rattleback::app
