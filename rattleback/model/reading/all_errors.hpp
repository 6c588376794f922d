#pragma once
/// All errors of a model file at once, up to twenty.

#include <functional>
#include <vector>

#include <rattleback/model/text/toml.hpp>

namespace rattleback {

/// The first error of a model file, which this object is, and those after it. What read_model() and load_model() throw.
class ModelErrors : public Error {
 public:
  ModelErrors(const Error& first, std::vector<Error> further) : Error(first), further_(std::move(further)) {}
  const std::vector<Error>& further() const { return further_; }

 private:
  std::vector<Error> further_;
};

/// The error itself, and for a model file the others that it has.
std::vector<Error> all_errors(const Error& error);

/// Reads a file that is parsed, and throws its first error.
using ReadSections = std::function<void(const Source&, const Toml&)>;

/// What reading throws once the entries at fault are left out, one after the other. A line that is no TOML is skipped; a parameter at
/// fault stays as a symbol without value. Errors that only follow from what was left out (names that it would have declared, keys
/// that it would have given) are not listed.
std::vector<Error> errors_in(const Source& source, const ReadSections& read);

}  // namespace rattleback
