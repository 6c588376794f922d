#pragma once
/// What the program says when it cannot go on: what, where, why, and how to fix it.

#include <exception>
#include <string>
#include <vector>

namespace rattleback {

/// A stretch of source text. Inside one expression only `offset` and `length` are known; the model reader
/// turns them into file, line and column. Lines and columns count from 1, columns in characters.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text;  ///< the source line, or the expression itself when there is no file
  int offset = 0;    ///< of the stretch, in bytes, within the expression
  int length = 1;
};

/// One error of the user's input. `slug` names its page in docs/reference/errors (`rattleback explain slug`).
class Error : public std::exception {
 public:
  std::string slug, summary;
  std::vector<Place> where;
  std::string why, fix;

  Error(std::string slug, std::string summary, std::string why = {}, std::string fix = {});

  Error& at(Place place);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// A broken invariant of our own; never the user's fault.
class Bug : public std::exception {
 public:
  explicit Bug(std::string invariant) : message_(std::move(invariant)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// The error as a terminal shows it: `error[slug]: ...`, the source line with carets, why, fix.
std::string report(const Error& error, const char* severity = "error");

/// The names nearest to a misspelt one, nearest first; empty when nothing is near.
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace rattleback
