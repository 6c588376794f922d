#include "studio_child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

#include "studio_limits.hpp"

namespace rattleback::app {
namespace {

[[noreturn]] void throw_system_error(const char* what) {
  throw Unavailable("unwritable-output", fmt::format("no process for the computation: {}", what),
                    std::strerror(errno), "check memory, disk and the number of processes");
}

std::string own_folder() {
  std::string path = (std::filesystem::temp_directory_path() / "rattleback-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw_system_error("a temporary folder");
  return path;
}

struct Pipe {
  enum class Kind { pipe, sockets };
  int ends[2] = {-1, -1};
  explicit Pipe(Kind kind = Kind::pipe) {
    const int made = kind == Kind::pipe ? pipe2(ends, O_CLOEXEC)
                                        : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    if (made != 0) throw_system_error("a pipe");
  }
  int take(int end) { return std::exchange(ends[end], -1); }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
};

void limit(int what, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(what), &both);
}

/// In the new process: the program again, with the words of the job.
[[noreturn]] void run_program(const Job& job, int output, int errors, int input, const std::string& folder) {
  std::vector<char*> words;
  std::vector<std::string> kept{"rattleback"};
  kept.insert(kept.end(), job.words.begin(), job.words.end());
  for (std::string& w : kept) words.push_back(w.data());
  words.push_back(nullptr);
  setpgid(0, 0);
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0 ||
      chdir(folder.c_str()) != 0)
    _exit(127);
  limit(RLIMIT_AS, studio_limits::addresses);
  limit(RLIMIT_FSIZE, studio_limits::output);
  limit(RLIMIT_CORE, 0);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  execv("/proc/self/exe", words.data());
  _exit(127);
}

}  // namespace

Child::Child(const Job& job) : folder_(own_folder()), result_(job.result) {
  for (const auto& [name, content] : job.files) {
    std::ofstream file(std::filesystem::path(folder_) / name, std::ios::binary);
    file << content;
    file.close();
    if (!file) {
      std::error_code ignored;
      std::filesystem::remove_all(folder_, ignored);
      throw_system_error("its files");
    }
  }
  const std::string input_path = folder_ + "/.input";
  if (job.key.empty()) std::ofstream(input_path, std::ios::binary) << job.input;
  Pipe out, err;
  Pipe jobs(Pipe::Kind::sockets);
  pid_ = fork();
  if (pid_ < 0) throw_system_error("fork");
  if (pid_ == 0)
    run_program(job, out.ends[1], err.ends[1],
                job.key.empty() ? open(input_path.c_str(), O_RDONLY) : jobs.ends[1], folder_);
  setpgid(pid_, pid_);
  output_ = out.take(0);
  errors_ = err.take(0);
  for (const int fd : {output_, errors_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  if (job.key.empty()) return;
  jobs_ = jobs.take(0);
  const timeval send_timeout{2, 0};
  setsockopt(jobs_, SOL_SOCKET, SO_SNDTIMEO, &send_timeout, sizeof send_timeout);
  ask(job.input);
}

bool Child::ask(const std::string& input) {
  const std::string line = input + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = send(jobs_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

void Child::stop() {
  if (pid_ > 0) kill(-pid_, SIGKILL);
}

Child::~Child() {
  stop();
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  for (const int fd : {output_, errors_, jobs_})
    if (fd >= 0) close(fd);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Child::result() const {
  if (result_.empty()) return {};
  std::ifstream file(std::filesystem::path(folder_) / result_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Child::ending(const std::string& error_text, const std::string& stopped) {
  int status = 0;
  if (pid_ > 0) waitpid(pid_, &status, 0);
  pid_ = -1;
  nlohmann::json end;
  if (!stopped.empty()) end["stopped"] = stopped;
  if (WIFSIGNALED(status) && stopped.empty()) end["signal"] = WTERMSIG(status);
  end["exit"] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (!error_text.empty()) end["errors"] = error_text;
  return end.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rattleback::app
