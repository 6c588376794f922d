#pragma once
/// HTTP server of the studio: one thread that polls connections, requests and the output of computations.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "studio_child.hpp"
#include "studio_http.hpp"

namespace rattleback::app {

/// What a request gets: an answer, or a computation whose output is sent as it comes. After the output follow the byte 0x1E
/// and a line of JSON that says how the computation ended: exit, signal or stopped, and errors.
using Reply = std::variant<Response, Job>;

class Server {
 public:
  /// Binds the port, 0 for any free one. Throws Error[usage] when it is taken.
  Server(const std::string& host, int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }
  /// Until something can be read from `stop`. `ahead`: a job of a process that stays, begun before anybody asks.
  void run(const std::function<Reply(const Request&)>& answer, int stop,
           const std::optional<Job>& ahead = {});

 private:
  struct State;
  int socket_ = -1, port_ = 0;
};

}  // namespace rattleback::app
