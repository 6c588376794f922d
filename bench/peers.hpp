#pragma once
/// The other systems: scripts for SymPy and work for GiNaC, each in a process of its own with a limit on its CPU time.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include <rattleback/algebra/expression/text.hpp>

#include "systems.hpp"
#include "timing.hpp"

namespace bench {

/// What a contender needed for one job.
struct Result {
  enum class State { absent, finished, too_slow, failed } state = State::absent;
  double seconds = 0;  ///< the limit, when it was too slow
  double value = 0;    ///< of the answer at the test point, for comparison
  long length = 0;     ///< of the answer, in characters
  std::string remark;

  std::string time() const {
    if (state == State::finished) return duration(seconds);
    if (state == State::too_slow) return fmt::format("> {:.0f} s", seconds);
    return state == State::failed ? "failed" : "absent";
  }
  /// How many times slower than us; a contender that did not finish is at least that slow.
  std::string against(double ours) const {
    if (state == State::finished) return ratio(seconds, ours);
    return state == State::too_slow ? "> " + ratio(seconds, ours) : "-";
  }
};

/// Bytes of addresses that this process has taken, used or not.
inline rlim_t addresses() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Runs the work in a child that may use `limit` seconds of CPU time and 3 GB more; an empty child in which nothing is remembered.
inline Result in_child(double limit, const std::function<Result()>& work) {
  std::array<int, 2> channel{};
  if (pipe(channel.data()) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const auto most = static_cast<rlim_t>(limit) + 1;
    const rlim_t room = addresses() + (3UL << 30U);
    const rlimit cpu{most, most}, memory{room, room};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    Result r;
    try {
      r = work();
    } catch (const std::exception&) {
      r.state = Result::State::failed;
    }
    std::ostringstream out;
    out.precision(17);
    out << static_cast<int>(r.state) << ' ' << r.seconds << ' ' << r.value << ' ' << r.length << ' '
        << r.remark << '\n';
    const std::string line = out.str();
    const bool written = write(channel[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  std::string line;
  std::array<char, 256> buffer{};
  for (ssize_t n = 0; (n = read(channel[0], buffer.data(), buffer.size())) > 0;)
    line.append(buffer.data(), static_cast<std::size_t>(n));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Result r{Result::State::too_slow, limit, 0, 0, {}};
  int state = 0;
  if (std::istringstream in(line);
      in >> state >> r.seconds >> r.value >> r.length >> r.remark || !line.empty()) {
    r.state = static_cast<Result::State>(state);
  } else {
    r.seconds = limit;
  }
  return r;
}

/// A file for another program to read, gone with the object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& contents)
      : name_((std::filesystem::temp_directory_path() / "rattleback-bench-XXXXXX").string()) {
    const int file = mkstemp(name_.data());
    if (file < 0) return;
    written_ = write(file, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size());
    close(file);
  }
  ~ScratchFile() { std::remove(name_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& name() const { return name_; }
  bool is_written() const { return written_; }

 private:
  std::string name_;
  bool written_ = false;
};

/// Names that other systems accept: x' becomes x_dot.
inline std::string plain(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos;) text.replace(at, 1, "_dot");
  return text;
}
inline std::string plain(Expr e) { return plain(text(e)); }

/// Runs a script of this folder. It reads the job as lines `key<tab>value` and prints `job<tab>state<tab>seconds<tab>
/// value<tab>length` for each of its jobs as they end.
inline std::map<std::string, Result> sympy(const std::string& script, double limit, const std::string& job) {
  std::map<std::string, Result> results;
  const ScratchFile file(job);
  const std::string command = fmt::format("'{}' -B '{}/{}' {} < '{}' 2> /dev/null", RATTLEBACK_PYTHON,
                                          RATTLEBACK_BENCH_DIR, script, limit, file.name());
  FILE* pipe = file.is_written() ? popen(command.c_str(), "r") : nullptr;
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    std::istringstream line(buffer.data());
    std::string which, state;
    Result r;
    if (!std::getline(line, which, '\t') || !(line >> state >> r.seconds >> r.value >> r.length)) continue;
    r.state = state == "finished"   ? Result::State::finished
              : state == "too_slow" ? Result::State::too_slow
                                    : Result::State::failed;
    results[which] = r;
  }
  if (pipe != nullptr) pclose(pipe);
  return results;
}

/// A system as text: functions, velocities, the frame, its structure coefficients, the Lagrangian, the constraints.
inline std::string as_job(const System& s) {
  std::string job;
  const auto put = [&](const std::string& key, const std::string& value) {
    job += key + "\t" + plain(value) + "\n";
  };
  const int n = s.space.dimension();
  for (const Symbol f : s.space.functions()) put("function", f.name());
  for (const Symbol v : s.space.velocities()) put("velocity", v.name());
  for (int i = 0; i < n; ++i) {
    for (const Symbol f : s.space.functions()) {
      if (const auto found = s.space.leg(i).find(f); found != s.space.leg(i).end())
        put(fmt::format("leg {} {}", i, f.name()), text(found->second));
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int l = 0; l < n; ++l) {
      for (int m = 0; m < n; ++m) {
        if (!s.space.c()(i, l, m).is_zero())
          put(fmt::format("c {} {} {}", i, l, m), text(s.space.c()(i, l, m)));
      }
    }
  }
  put("lagrangian", text(s.lagrangian));
  for (const Constraint& c : s.constraints) put("constraint", text(c.expression));
  return job;
}

/// A value for every symbol, by its name: the same for all contenders.
inline double test_value(const std::string& name) {
  unsigned h = 0;
  for (const char c : plain(name)) h = (h * 31 + static_cast<unsigned char>(c)) % 997;
  return 0.5 + h / 997.0;
}

}  // namespace bench
