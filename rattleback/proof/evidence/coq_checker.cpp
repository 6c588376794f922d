#include <rattleback/proof/evidence/coq_checker.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <random>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/proof/coq/coq_theorem.hpp>

namespace rattleback {
namespace {

/// What a command prints; empty when it fails.
std::string printed_by(const char* command) {
  std::FILE* pipe = ::popen(command, "r");
  if (pipe == nullptr) return {};
  std::string all;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) all += static_cast<char>(c);
  return ::pclose(pipe) == 0 ? all : std::string();
}

/// "Coq 8.16" of "The Coq Proof Assistant, version 8.16.1", "Rocq 9.0" of "The Rocq Prover, version 9.0.0".
std::string short_version(const std::string& text) {
  const std::string mark = "version ";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "Coq";
  const std::size_t start = at + mark.size(), dot = text.find('.', start);
  const std::size_t end = text.find_first_not_of("0123456789", dot == std::string::npos ? start : dot + 1);
  return fmt::format("{} {}", text.find("Rocq") == std::string::npos ? "Coq" : "Rocq",
                     text.substr(start, end - start));
}

std::filesystem::path fresh_folder() {
  std::random_device entropy;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       fmt::format("rattleback-coq-{:08x}{:08x}", entropy(), entropy());
  std::filesystem::create_directories(folder);
  return folder;
}

/// The exit code of a line for the shell; -1 where it cannot be started. Unlike std::system it leaves the signals of this process alone,
/// and it ends what runs when the computation is cancelled.
int run_line(std::string line) {
  std::string shell = "sh", option = "-c";
  const std::array<char*, 4> words{shell.data(), option.data(), line.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, "sh", nullptr, nullptr, words.data(), environ) != 0) return -1;
  int status = 0;
  try {
    while (waitpid(child, &status, WNOHANG) == 0) {
      Budget::check();
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  } catch (...) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    throw;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Error no_coqc(const std::string& what, const std::string& why, const std::string& fix) {
  Error error("no-coqc", what, why, fix);
  Place place;
  place.file = "command line, --coq";
  error.at(place);
  return error;
}

}  // namespace

CoqChecker::CoqChecker() {
  const std::string version = printed_by("coqc --version 2>/dev/null");
  if (version.empty())
    throw no_coqc(
        "`coqc` is not installed, or not on the path", "--coq lets Coq check the verdicts",
        "install Coq 8.16 or later with Coquelicot (Debian: coq, libcoq-coquelicot), or leave --coq out");
  name_ = short_version(version);
  folder_ = fresh_folder();
  std::ofstream(folder_ / "kernel.v") << coq_kernel();
  constexpr int long_enough = search_limits::coq_kernel.count;
  try {
    if (run("kernel.v", long_enough) == 0) return;
    throw no_coqc(fmt::format("{} does not accept the kernel of the theorems", name_),
                  "it needs the library Coquelicot",
                  "install it (Debian: libcoq-coquelicot; opam: coq-coquelicot), or leave --coq out");
  } catch (...) {
    std::filesystem::remove_all(folder_);
    throw;
  }
}

CoqChecker::~CoqChecker() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

int CoqChecker::run(const std::string& file, int seconds) const {
  return run_line(
      fmt::format("cd '{}' && ulimit -s unlimited 2>/dev/null; ulimit -t {}; exec coqc -q -R . '' {} "
                  ">/dev/null 2>&1",
                  folder_.string(), seconds, file));
}

void CoqChecker::check(Answer& answer, const std::string& model) const {
  if (!answer.decided()) return;
  if (answer.certificate.is_null()) {
    answer.why.push_back(fmt::format("not checked by {}: the answer carries no certificate", name_));
    return;
  }
  try {
    std::ofstream(folder_ / "theorem.v") << coq_theorems(answer.certificate, model);
  } catch (const NoCoqForm& error) {
    answer.why.push_back(fmt::format("not checked by {}: {}", name_, error.summary));
    return;
  }
  constexpr int limit = search_limits::coq_theorem.count;
  if (run("theorem.v", limit) == 0) {
    answer.answer["checked_by"] = name_;
    answer.why.push_back(fmt::format("checked by {}", name_));
  } else {
    answer.why.push_back(
        fmt::format("not checked by {}: it does not accept the theorem within {} s", name_, limit));
  }
}

}  // namespace rattleback
