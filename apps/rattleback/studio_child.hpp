#pragma once
/// A computation in a process of its own: the program runs itself with other arguments, in a folder of its own, within limits.

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace rattleback::app {

struct Job {
  std::vector<std::string> words;  ///< of the command line
  std::string input;               ///< what the process reads from standard input
  std::vector<std::pair<std::string, std::string>> files = {};  ///< names and contents, put into its folder
  std::string result = {};  ///< a file of the folder that is the answer; empty: standard output is
  double seconds = 60;      ///< of real time
  bool urgent = false;      ///< before questions in the queue
  /// Not empty: the process stays for the next job of this key. It reads jobs line by line, and ends each answer with a line that begins
  /// with the byte 1e.
  std::string key = {};
};

/// The running process. What it writes is read by the owner; destruction ends it and removes its folder.
class Child {
 public:
  /// Throws Error[unwritable-output] when the folder or the process cannot be made.
  explicit Child(const Job& job);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int output() const { return output_; }
  int errors() const { return errors_; }
  /// The next job of a process that stays; false when it does not take it.
  bool ask(const std::string& input);
  /// Both pipes have come to their end: {"exit": 0} or {"signal": 11}, as JSON, with what was written to standard error.
  std::string ending(const std::string& error_text, const std::string& stopped);
  void stop();
  std::string result() const;

 private:
  std::string folder_, result_;
  pid_t pid_ = -1;
  int output_ = -1, errors_ = -1;
  int jobs_ = -1;  ///< a socket for the jobs of a process that stays
};

}  // namespace rattleback::app
