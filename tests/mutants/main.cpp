// Runs the mutants of the trusted kernel (tools/mutate_checker.py) on the certificates that the tests hand to the checker.
//
//     run_mutants record CORPUS [options of doctest]   runs the tests, and keeps every certificate that they have checked or stated
//     run_mutants judge CORPUS POINTS KINDS RESULTS [JOBS [SECONDS...]]  the answers of each mutant to them, in a process of its own
//     run_mutants probe CORPUS POINTS KINDS RESULTS [JOBS [SECONDS...]]  the same with a corpus that is not complete: what do these few kill?
//
// A corpus that has lost certificates judges nothing: it ends with an error when it has fewer than `smallest_corpus`, or when a kind of the list
// KINDS has no certificate that is accepted or none that is rejected.
//
// A mutant is killed by a certificate about which it answers otherwise than the kernel does: it accepts a forgery, rejects what is
// true, or states something else. One that crashes, or needs much more time than the kernel, is killed, too.
//
// Only certificates that reach the mutated expression are tried: first those that killed the mutants before it, then one for each set
// of expressions that certificates reach, then the others, for SECONDS of the processor (2); those that one step at most rejects come
// before others, the quickest first. What survives is judged again with the next SECONDS, the kernel's own answers being known by then.
// RESULTS is continued when it is there: mutants that it names are not judged again, unless they survived fewer seconds.
// RESULTS.killers, when it is there, names a certificate for a mutant that is tried first: the one that killed it in another run.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "mutant.hpp"
#include "trial.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/view/results/verdicts.hpp>

using namespace rattleback;

namespace {

std::filesystem::path kept_in;  // where certificates are kept; empty while mutants are judged
std::size_t recorded = 0;

/// Kept at once: a run that is stopped loses nothing.
void record(const char* entry, const Data& certificate) {
  if (kept_in.empty()) return;
  const std::string text = as_json(certificate);
  const auto file = kept_in / fmt::format("{}-{:016x}.json", entry, std::hash<std::string>()(text));
  ++recorded;
  if (!std::filesystem::exists(file)) std::ofstream(file) << text;
}

}  // namespace

// The entries of the checker, in place of those of the library, and what they are called in its copies.
namespace rattleback {

std::vector<CheckedStep> mutated_check_certificate(const Data& certificate);
bool mutated_is_confirmed_exactly(const Data& certificate);
std::vector<std::string> mutated_stated_in(const Data& certificate);

std::vector<CheckedStep> check_certificate(const Data& certificate) {
  record("check", certificate);
  return mutated_check_certificate(certificate);
}

bool is_confirmed_exactly(const Data& certificate) {
  record("confirm", certificate);
  return mutated_is_confirmed_exactly(certificate);
}

std::vector<std::string> stated_in(const Data& certificate) {
  record("state", certificate);
  return mutated_stated_in(certificate);
}

}  // namespace rattleback

namespace {

/// The first column of a table.
std::vector<int> numbers_in(const char* points) {
  std::vector<int> numbers;
  std::ifstream in(points);
  for (std::string line; std::getline(in, line);) numbers.push_back(std::stoi(line));
  return numbers;
}

/// In a process of its own: 1 when killed by a certificate, 0 when it survives all.
[[noreturn]] void judge(int number, const std::vector<Trial>& trials, const std::vector<std::size_t>& order,
                        double seconds, int report) {
  constexpr rlim_t memory = rlim_t{8} << 30;
  const rlimit space{memory, memory};
  setrlimit(RLIMIT_AS, &space);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
  mutant::active = number;
  const double started = processor_time();
  for (const std::size_t i : order) {
    if (processor_time() - started > seconds) break;
    limit_processor_time(1 + 5 * trials[i].seconds);
    const std::string name = trials[i].name + "\n";
    if (write(report, name.data(), name.size()) < 0) _exit(2);
    if (answer(trials[i]) != trials[i].answer) _exit(1);
  }
  _exit(0);
}

/// The certificates that reach a mutant: likely killers first, then one for each set that is reached, then the others.
std::vector<std::size_t> order_of(const std::vector<Trial>& trials, int number,
                                  const std::vector<std::size_t>& killers) {
  std::vector<std::size_t> order, others;
  std::set<std::size_t> taken;
  std::set<int> sets;
  const auto reaches = [&](std::size_t i) { return trials[i].reached[static_cast<std::size_t>(number)]; };
  for (const std::size_t i : killers) {
    if (reaches(i) && taken.insert(i).second) order.push_back(i);
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!reaches(i) || taken.contains(i)) continue;
    (sets.insert(trials[i].reached_set).second ? order : others).push_back(i);
  }
  order.insert(order.end(), others.begin(), others.end());
  return order;
}

/// What is missing in the corpus; empty when it is complete.
std::vector<std::string> missing_in(const std::vector<Trial>& trials, const char* kinds) {
  constexpr std::size_t smallest_corpus = 6000;
  std::vector<std::string> missing;
  if (trials.size() < smallest_corpus)
    missing.push_back(
        fmt::format("{} certificates; there must be {} at least", trials.size(), smallest_corpus));
  std::map<std::string, std::pair<int, int>> counts;  // accepted, rejected
  for (const Trial& trial : trials) {
    const Data* kind = trial.certificate.find("certificate");
    if (trial.entry == "state" || kind == nullptr || kind->text() == nullptr) continue;
    auto& [accepted, rejected] = counts[*kind->text()];
    ++(trial.answer == "rejected" || trial.answer == "crashed" ? rejected : accepted);
  }
  std::ifstream in(kinds);
  int listed = 0;
  for (std::string kind; std::getline(in, kind); ++listed) {
    const auto [accepted, rejected] = counts[kind];
    fmt::print("{:<32} {:>5} accepted {:>6} rejected\n", kind, accepted, rejected);
    if (accepted == 0) missing.push_back(fmt::format("no certificate of kind `{}` is accepted", kind));
    if (rejected == 0) missing.push_back(fmt::format("no certificate of kind `{}` is rejected", kind));
  }
  if (listed == 0) missing.emplace_back("the list of kinds is empty");
  return missing;
}

/// Mutants that need not be judged for so many seconds: "number verdict by-what seconds" in a row. The last row of a mutant counts.
std::set<int> judged_for(double seconds, const char* results) {
  std::set<int> known;
  std::ifstream before(results);
  for (std::string line; std::getline(before, line);) {
    const bool survived = line.find("\tsurvived\t") != std::string::npos;
    if (!survived || std::stod(line.substr(line.rfind('\t') + 1)) >= seconds)
      known.insert(std::stoi(line));
    else
      known.erase(std::stoi(line));
  }
  return known;
}

/// Of RESULTS.killers, "number certificate" in a row: where the certificates stand among the trials.
std::map<int, std::size_t> killers_before(const std::vector<Trial>& trials, const std::string& results) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < trials.size(); ++i) places.emplace(trials[i].name, i);
  std::map<int, std::size_t> known;
  std::ifstream in(results + ".killers");
  std::string name;
  for (int number = 0; in >> number >> name;) {
    if (const auto place = places.find(name); place != places.end()) known.emplace(number, place->second);
  }
  return known;
}

/// "killed", "killed by time", "survived" or "not reached", by what, and for how many seconds it was tried.
void judge_all(const std::vector<Trial>& trials, std::vector<int> mutants, const char* results, int jobs,
               double seconds) {
  const std::set<int> known = judged_for(seconds, results);
  std::erase_if(mutants, [&](int n) { return known.contains(n); });
  std::ofstream out(results, std::ios::app);
  const std::map<int, std::size_t> before = killers_before(trials, results);
  std::vector<std::size_t> killers;  // the last ones first
  constexpr std::size_t remembered = 12;
  struct Running {
    int number, report;
  };
  std::map<pid_t, Running> running;
  const auto collect = [&] {
    int status = 0;
    const pid_t child = wait(&status);
    const Running r = running.at(child);
    running.erase(child);
    std::string names(1 << 16, '\0');  // the last one that was begun
    names.resize(
        static_cast<std::size_t>(std::max<ssize_t>(0, pread(r.report, names.data(), names.size(), 0))));
    close(r.report);
    const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    const bool alive = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!names.empty()) names.pop_back();
    const std::string last = names.substr(names.rfind('\n') + 1);
    const auto killer = std::ranges::find(trials, last, &Trial::name);
    if (!alive && killer != trials.end()) {
      std::erase(killers, static_cast<std::size_t>(killer - trials.begin()));
      killers.insert(killers.begin(), static_cast<std::size_t>(killer - trials.begin()));
      if (killers.size() > remembered) killers.pop_back();
    }
    out << r.number << '\t'
        << (alive  ? "survived"
            : late ? "killed by time"
                   : "killed")
        << '\t' << (alive ? "" : last) << '\t' << seconds << std::endl;
  };
  for (const int number : mutants) {
    std::vector<std::size_t> likely = killers;
    if (const auto killer = before.find(number); killer != before.end())
      likely.insert(likely.begin(), killer->second);
    const std::vector<std::size_t> order = order_of(trials, number, likely);
    if (order.empty()) {
      out << number << "\tnot reached\t\t" << seconds << std::endl;
      continue;
    }
    if (static_cast<int>(running.size()) == jobs) collect();
    char name[] = "/tmp/mutant-XXXXXX";
    const int report = mkstemp(name);
    unlink(name);
    const pid_t child = fork();
    if (child == 0) judge(number, trials, order, seconds, report);
    running.emplace(child, Running{number, report});
  }
  while (!running.empty()) collect();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 2 ? argv[1] : "";
  if (verb == "record") {
    kept_in = argv[2];
    std::filesystem::create_directories(kept_in);
    doctest::Context context(argc - 2, argv + 2);
    const int failed = context.run();
    fmt::print("{} certificates\n", recorded);
    return failed;
  }
  if ((verb == "judge" || verb == "probe") && argc > 5) {
    const std::vector<int> mutants = numbers_in(argv[3]);
    std::vector<Trial> trials = trials_of(argv[2]);
    try_kernel(trials, mutants.back());
    const std::vector<std::string> missing = missing_in(trials, argv[4]);
    for (const std::string& what : missing) fmt::print(stderr, "the corpus is not complete: {}\n", what);
    if (!missing.empty() && verb == "judge") return 1;
    const int jobs = argc > 6 ? std::stoi(argv[6]) : 2;
    if (argc <= 7) judge_all(trials, mutants, argv[5], jobs, 2);
    for (int k = 7; k < argc; ++k) judge_all(trials, mutants, argv[5], jobs, std::stod(argv[k]));
    return 0;
  }
  fmt::print(stderr,
             "run_mutants record CORPUS [options of doctest] | judge|probe CORPUS POINTS KINDS RESULTS [JOBS "
             "[SECONDS...]]\n");
  return 2;
}
