#pragma once
/// HTTP/1.1 as far as one page and its requests need it: reading requests within limits, writing responses.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rattleback::app {

struct Request {
  std::string method, path;                    ///< the path without its query, decoded
  std::map<std::string, std::string> query;    ///< decoded
  std::map<std::string, std::string> headers;  ///< names in small letters
  std::string body;
  std::string header(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// A request that arrives in pieces. Nothing beyond the limits is kept: a body is refused by its announced length.
class RequestReader {
 public:
  enum class State { reading, complete, refused };
  State add(std::string_view bytes);
  /// With what status a refused request is answered: 400, 411, 413, 431.
  int refusal() const { return refusal_; }
  /// The complete request; the reader begins anew with what arrived after it.
  Request take();
  bool empty() const { return bytes_.empty() && !head_read_; }

 private:
  State refuse(int status);
  State read_head(std::string_view head);
  State progress();

  std::string bytes_;
  bool head_read_ = false;
  std::size_t body_length_ = 0;
  int refusal_ = 0;
  Request request_;
};

/// Status line and headers; `length` is that of the body, or -1 for one that is sent in chunks.
std::string response_head(const Response& response, long length, bool keep_alive);
/// A piece of a body sent in chunks; an empty piece ends it.
std::string chunk(std::string_view piece);

/// %2F and + as characters; nothing for a broken escape.
std::string url_decoded(std::string_view text);

/// {"error": "…"} with a status.
Response refusal(int status, const std::string& sentence);

}  // namespace rattleback::app
