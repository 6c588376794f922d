#pragma once
/// Exceptions: errors that a user can act on (what, where, why, how to fix it), by kind, and broken invariants of our own.

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
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

/// What went wrong, in kinds that decide what a caller can do about it.
enum class ErrorKind : std::uint8_t {
  usage,         ///< an option, an argument or a name on the command line or in a call
  model,         ///< the model file contradicts itself, or says something that cannot be meant
  inapplicable,  ///< a form, a method or a question that this system does not have
  no_value,      ///< a pole, a singular matrix or state, a number beyond all limits
  unavailable,   ///< a file, an extension or memory
};

/// An error that a user can act on. `slug` names its page in docs/reference/errors (`rattleback explain slug`) and decides its kind.
/// Code that goes on after an error catches the type that it means (OutOfDomain and those derived from it), and Error itself only to print it.
class Error : public std::exception {
 public:
  std::string slug, summary;
  std::vector<Place> where;
  std::string why, fix;

  Error(std::string slug, std::string summary, std::string why = {}, std::string fix = {});
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;

  Error& at(Place place);
  ErrorKind kind() const;
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// The kind that belongs to a slug: the table of all slugs. Bug for a slug that is not listed.
ErrorKind kind_of(std::string_view slug);
/// All slugs, in alphabetical order.
std::vector<std::string_view> error_slugs();

/// The system or the point lies outside the domain of a method. What a computation that may be left out catches.
class OutOfDomain : public Error {
 public:
  using Error::Error;
};

/// A form, a method or a question does not apply to this system; `why` says which hypothesis fails.
class Inapplicable : public OutOfDomain {
 public:
  using OutOfDomain::OutOfDomain;
};
/// It needs constraints, or a parametrisation, that are linear in the velocities.
class NonlinearConstraint : public Inapplicable {
 public:
  using Inapplicable::Inapplicable;
};
/// The admissible velocities have no parametrisation q' = ψ(q, z) in closed form.
class NoParametrization : public Inapplicable {
 public:
  using Inapplicable::Inapplicable;
};
/// A certificate, or a part of it, has no form as a Coq theorem.
class NoCoqForm : public Inapplicable {
 public:
  using Inapplicable::Inapplicable;
};

/// An expression cannot be built or evaluated here.
class NoValue : public OutOfDomain {
 public:
  using OutOfDomain::OutOfDomain;
};
/// A pole, or a matrix that has no inverse.
class Singular : public NoValue {
 public:
  using NoValue::NoValue;
};
/// The constraints, the frame or the metric degenerate identically.
class Degenerate : public Singular {
 public:
  using Singular::Singular;
};
/// A symmetric matrix without an LDLᵀ decomposition in any order of its rows.
class NoDiagonalPivot : public Singular {
 public:
  using Singular::Singular;
};
/// A symbol or an abstract function has no number.
class NoNumber : public NoValue {
 public:
  using NoValue::NoValue;
};
/// A number or an exponent beyond all limits.
class TooLarge : public NoValue {
 public:
  using NoValue::NoValue;
};

/// A formula uses a name that means nothing where it stands.
class UnknownSymbol : public Error {
 public:
  std::string name;

  UnknownSymbol(std::string symbol, std::string what, std::string advice)
      : Error("unknown-symbol", std::move(what), {}, std::move(advice)), name(std::move(symbol)) {}
};

/// An initial state violates a constraint.
class OffConstraint : public Error {
 public:
  using Error::Error;
};

/// A file, an extension or a library is missing.
class Unavailable : public Error {
 public:
  using Error::Error;
};

/// The error with its place, its type kept.
template <class E>
E located(E error, Place place) {
  error.at(std::move(place));
  return error;
}

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
