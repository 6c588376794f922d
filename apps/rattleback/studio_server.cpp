#include "studio_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "studio_kept.hpp"
#include "studio_limits.hpp"

namespace rattleback::app {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

std::size_t most_computations() { return std::max(3U, std::thread::hardware_concurrency() + 1); }

struct Running {
  std::unique_ptr<Child> child;
  Clock::time_point deadline;
  double seconds = 0;
  std::string errors, stopped;
  bool output_open = true, errors_open = true, forwards = true;
  std::optional<Job> again;  ///< for another process, when one that stayed turns out to be gone
  std::string key;           ///< of a process that stays
  std::string ending;        ///< its last line, from the byte 1e on
  bool answered() const { return ending.ends_with('\n'); }
};

struct Connection {
  int fd;
  RequestReader reader = {};
  std::string out = {};
  bool closing = false;  ///< after `out` is sent
  bool waiting = false;  ///< a job of it is in the queue
  bool leaving = false;  ///< all is sent; what still arrives is thrown away, so that the answer is seen
  bool hung_up = false;
  std::unique_ptr<Running> running = {};
  Clock::time_point deadline = Clock::now() + studio_limits::request;

  bool busy() const { return waiting || running != nullptr; }
};

}  // namespace

struct Server::State {
  int listening;
  const std::function<Reply(const Request&)>& answer;
  std::list<Connection> connections = {};
  std::deque<std::pair<Connection*, Job>> queue = {};
  KeptProcesses kept = {};
  std::size_t computing = 0;

  void send(Connection& c, const Response& response, bool keep) {
    c.out += response_head(response, static_cast<long>(response.body.size()), keep) + response.body;
    c.closing = c.closing || !keep;
    c.deadline = Clock::now() + studio_limits::unread_response;
  }

  void begin(Connection& c, const Job& job) {
    c.waiting = false;
    auto running = std::make_unique<Running>();
    try {
      running->child = kept.take(job);
      if (running->child)
        running->again = job;
      else
        running->child = std::make_unique<Child>(job);
    } catch (const Unavailable& error) {
      return send(c, refusal(503, error.summary + ": " + error.why), false);
    }
    running->key = job.key;
    running->seconds = job.seconds;
    running->deadline = Clock::now() + Milliseconds(static_cast<long>(1000 * job.seconds));
    running->forwards = job.result.empty();
    c.out += response_head({200, "application/octet-stream", ""}, -1, true);
    c.running = std::move(running);
    ++computing;
  }

  void start_waiting() {
    while (computing < most_computations()) {
      auto next = std::find_if(queue.begin(), queue.end(),
                               [&](const auto& q) { return q.second.urgent && !kept.is_busy(q.second.key); });
      if (next == queue.end())
        next = std::find_if(queue.begin(), queue.end(),
                            [&](const auto& q) { return !kept.is_busy(q.second.key); });
      if (next == queue.end()) return;
      const auto [connection, job] = std::move(*next);
      queue.erase(next);
      begin(*connection, job);
    }
  }

  void handle(Connection& c) {
    const Request request = c.reader.take();
    Reply reply = answer(request);
    if (const Response* response = std::get_if<Response>(&reply))
      return send(c, *response, request.header("connection") != "close");
    c.waiting = true;
    queue.emplace_back(&c, std::get<Job>(std::move(reply)));
    start_waiting();
  }

  /// One request at a time; the next one is read when its answer is on the way.
  void consume(Connection& c, std::string_view bytes) {
    if (c.reader.empty()) c.deadline = Clock::now() + studio_limits::request;
    switch (c.reader.add(bytes)) {
      case RequestReader::State::reading: return;
      case RequestReader::State::refused:
        return send(c, refusal(c.reader.refusal(), "the request is not accepted"), false);
      case RequestReader::State::complete: return handle(c);
    }
  }

  void receive(Connection& c) {
    std::array<char, 65536> buffer;
    const ssize_t n = recv(c.fd, buffer.data(), buffer.size(), 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
      c.hung_up = true;
      return;
    }
    if (c.closing) return;  // what comes after a refusal is thrown away
    if (c.busy()) {         // a second request before the answer to the first: not ours
      c.hung_up = true;
      return;
    }
    consume(c, {buffer.data(), static_cast<std::size_t>(n)});
  }

  void transmit(Connection& c) {
    const ssize_t n = ::send(c.fd, c.out.data(), c.out.size(), MSG_NOSIGNAL);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0) {
      c.hung_up = true;
      return;
    }
    c.out.erase(0, static_cast<std::size_t>(n));
    c.deadline = Clock::now() + studio_limits::unread_response;
    if (!c.out.empty()) return;
    if (c.closing) {
      shutdown(c.fd, SHUT_WR);
      c.leaving = true;
      c.deadline = Clock::now() + Seconds(2);
    } else if (!c.busy()) {
      c.deadline = Clock::now() + studio_limits::idle_connection;
      if (!c.reader.empty()) consume(c, {});
    }
  }

  void read_output(Connection& c) {
    Running& r = *c.running;
    std::array<char, 65536> buffer;
    const ssize_t n = read(r.child->output(), buffer.data(), buffer.size());
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
      r.output_open = false;
    } else if (r.forwards) {
      std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
      if (!r.key.empty()) {  // the last line of an answer
        const std::size_t mark = r.ending.empty() ? bytes.find('\x1e') : 0;
        if (mark != std::string_view::npos) {
          r.ending += bytes.substr(mark);
          bytes = bytes.substr(0, mark);
        }
      }
      r.again.reset();  // it lives
      if (!bytes.empty()) c.out += chunk(bytes);
    }
    c.deadline = Clock::now() + studio_limits::unread_response;
  }

  void read_errors(Connection& c) {
    Running& r = *c.running;
    std::array<char, 4096> buffer;
    const ssize_t n = read(r.child->errors(), buffer.data(), buffer.size());
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0)
      r.errors_open = false;
    else if (r.errors.size() < studio_limits::messages)
      r.errors.append(buffer.data(), static_cast<std::size_t>(n));
  }

  /// A process that stayed was gone before it said anything: another one takes its job. False when there is none.
  bool begin_again(Running& r) {
    if (!r.again || !r.stopped.empty()) return false;
    const Job job = *std::exchange(r.again, std::nullopt);
    try {
      r.child = std::make_unique<Child>(job);
    } catch (const Unavailable&) {
      return false;
    }
    r.output_open = r.errors_open = true;
    r.errors.clear();
    return true;
  }

  void finish(Connection& c) {
    Running& r = *c.running;
    if (!r.answered() && begin_again(r)) return;
    const bool stays = r.answered() && r.output_open;
    const std::string end =
        stays ? r.ending.substr(1, r.ending.size() - 2) : r.child->ending(r.errors, r.stopped);
    if (!r.forwards) {
      if (const std::string result = r.child->result(); !result.empty()) c.out += chunk(result);
    }
    if (stays) kept.keep(std::move(r.child), r.key, false);
    c.out += chunk("\x1e" + end) + chunk({});
    c.running.reset();
    --computing;
    c.deadline = Clock::now() + studio_limits::unread_response;
    start_waiting();
  }

  /// Ends what is overdue, and what belongs to connections that are gone.
  void tidy() {
    const Clock::time_point now = Clock::now();
    for (auto c = connections.begin(); c != connections.end();) {
      if (c->running && (c->running->answered() || (!c->running->output_open && !c->running->errors_open)))
        finish(*c);
      if (c->running && now >= c->running->deadline && c->running->stopped.empty()) {
        c->running->stopped = fmt::format("after {:g} seconds", c->running->seconds);
        c->running->child->stop();
      }
      const bool stalled = now >= c->deadline && (!c->busy() || !c->out.empty());
      if (!c->hung_up && !stalled) {
        ++c;
        continue;
      }
      if (c->running) {
        --computing;
        if (!c->running->key.empty() && c->running->output_open && c->running->stopped.empty())
          kept.keep(std::move(c->running->child), c->running->key, true);
      }
      std::erase_if(queue, [&](const auto& waiting) { return waiting.first == &*c; });
      close(c->fd);
      c = connections.erase(c);
      start_waiting();
    }
    if (kept.end_overdue(now)) start_waiting();
  }

  int milliseconds_to_wait() const {
    std::optional<Clock::time_point> next;
    const auto consider = [&](Clock::time_point t) { next = next ? std::min(*next, t) : t; };
    for (const Connection& c : connections) {
      if (!c.busy() || !c.out.empty()) consider(c.deadline);
      if (c.running && c.running->stopped.empty()) consider(c.running->deadline);
    }
    if (const auto end = kept.next_deadline()) consider(*end);
    if (!next) return -1;
    const auto left = std::chrono::duration_cast<Milliseconds>(*next - Clock::now()).count();
    return static_cast<int>(std::clamp<long>(left + 1, 0, 600'000));
  }

  void welcome() {
    const int fd = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections.push_back({.fd = fd});
  }

  /// False when something can be read from `stop`.
  bool wait_and_serve(int stop) {
    struct Wish {
      Connection* connection;
      enum class What { socket, output, errors, kept } what;
      const Child* child = nullptr;
    };
    std::vector<pollfd> fds;
    std::vector<Wish> wishes;
    fds.push_back({stop, POLLIN, 0});
    fds.push_back({connections.size() < studio_limits::connections ? listening : -1, POLLIN, 0});
    const std::size_t first = fds.size();
    for (Connection& c : connections) {
      const short wanted = static_cast<short>(POLLIN | (c.out.empty() ? 0 : POLLOUT));
      fds.push_back({c.fd, wanted, 0});
      wishes.push_back({&c, Wish::What::socket});
      if (!c.running) continue;
      if (c.running->output_open && c.out.size() < studio_limits::unsent) {
        fds.push_back({c.running->child->output(), POLLIN, 0});
        wishes.push_back({&c, Wish::What::output});
      }
      if (c.running->errors_open) {
        fds.push_back({c.running->child->errors(), POLLIN, 0});
        wishes.push_back({&c, Wish::What::errors});
      }
    }
    for (const Child* child : kept.all()) {
      fds.push_back({child->output(), POLLIN, 0});
      wishes.push_back({nullptr, Wish::What::kept, child});
    }
    std::vector<const Child*> readable;
    if (poll(fds.data(), fds.size(), milliseconds_to_wait()) < 0) return true;  // a signal; look again
    if (fds[0].revents != 0) return false;
    for (std::size_t k = first; k < fds.size(); ++k) {
      if (fds[k].revents == 0) continue;
      if (wishes[k - first].what == Wish::What::kept) {
        readable.push_back(wishes[k - first].child);
        continue;
      }
      Connection& c = *wishes[k - first].connection;
      if (wishes[k - first].what == Wish::What::output) {
        if (c.running) read_output(c);
      } else if (wishes[k - first].what == Wish::What::errors) {
        if (c.running) read_errors(c);
      } else {
        if ((fds[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) receive(c);
        if ((fds[k].revents & POLLOUT) != 0 && !c.hung_up) transmit(c);
      }
    }
    kept.drain(readable);
    if (!readable.empty()) start_waiting();
    if (fds[1].revents != 0) welcome();
    tidy();
    return true;
  }
};

Server::Server(const std::string& host, int port) {
  const auto throw_system_error = [&](const char* what) {
    throw Error("usage", fmt::format("the studio cannot use {}:{}", host, port),
                fmt::format("{}: {}", what, std::strerror(errno)),
                "give another --port, or 0 for any free one");
  };
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    errno = EINVAL;
    throw_system_error("the host is not an IPv4 address");
  }
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) throw_system_error("socket");
  const int on = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw_system_error("bind");
  if (listen(socket_, 128) != 0) throw_system_error("listen");
  socklen_t length = sizeof address;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
}

Server::~Server() {
  if (socket_ >= 0) close(socket_);
}

void Server::run(const std::function<Reply(const Request&)>& answer, int stop,
                 const std::optional<Job>& ahead) {
  State state{socket_, answer};
  try {
    if (ahead) state.kept.begin_ahead(*ahead);
  } catch (const Unavailable&) {  // the page asks for it, and is told
  }
  while (state.wait_and_serve(stop)) {
  }
  for (const Connection& c : state.connections) close(c.fd);
}

}  // namespace rattleback::app
