#pragma once
// What tests of certificates have in common: they are asked for, changed in one place, and checked.

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

namespace rattleback::inline tests {

inline Answer answer_to(const char* name, const char* model) {
  return asked(question(name), load_model(model), 60);
}

/// The certificate of an answer, of the kind that is expected.
inline Data honest(const char* name, const char* model, const char* kind) {
  CAPTURE(name);
  CAPTURE(model);
  Data certificate = answer_to(name, model).certificate;
  REQUIRE_FALSE(certificate.is_null());
  REQUIRE(*certificate.find("certificate")->text() == kind);
  return certificate;
}

/// The step that fails, without the name of the group or type it is about.
inline std::string first_refuted(const Data& certificate) {
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (refuted(step.verdict))
      return step.what.substr(step.what.find(": ") + 1 == 0 ? 0 : step.what.find(": ") + 2);
    CHECK(proved(step.verdict));
  }
  return "nothing";
}

inline Data with(Data certificate, const char* key, Data value) {
  certificate[key] = std::move(value);
  return certificate;
}

/// One entry of a list of records changed.
inline Data with_in(Data certificate, const char* list, std::size_t at, const char* key, Data value) {
  Data::List all = *certificate.find(list)->list();
  all[at][key] = std::move(value);
  certificate[list] = all;
  return certificate;
}

inline Data::List list_in(const Data& certificate, const char* key) { return *certificate.find(key)->list(); }

/// A certificate of this system that claims nothing yet: that 1 is constant.
inline Data system_of(const char* model) {
  Data certificate = conserved_conjecture(read_model(model, "test.toml"), Expr(1)).certificate;
  REQUIRE(first_refuted(certificate) == "nothing");
  return certificate;
}

/// The same system under another claim.
inline Data claiming(Data certificate, const char* kind, const char* question, const char* verdict) {
  certificate["certificate"] = kind;
  certificate["question"] = question;
  certificate["verdict"] = verdict;
  return certificate;
}

/// Without the motion, as claims about the constraints and L alone want it.
inline Data at_rest(const Data& certificate) {
  Data::Record kept;
  for (const Data::Field& field : *certificate.record()) {
    if (field.key != "speed_rates" && field.key != "function") kept.push_back(field);
  }
  return {kept};
}

constexpr int of(Role role) { return static_cast<int>(role); }

inline Data and_symbol(Data certificate, const char* name, int role, std::optional<bool> positive = {}) {
  Data symbol;
  symbol["name"] = name;
  symbol["role"] = role;
  if (positive) symbol["positive"] = *positive;
  Data::List all = list_in(certificate, "symbols");
  all.push_back(symbol);
  certificate["symbols"] = all;
  return certificate;
}

inline void is_no_certificate(const Data& certificate) {
  CHECK_THROWS_AS(check_certificate(certificate), const Error&);
}

/// A list of lists, each of several entries or of one.
inline Data::List lists(std::initializer_list<Data::List> all) { return Data::List(all.begin(), all.end()); }

inline Data zeros(std::size_t n) { return Data::List(n, Data("0")); }

}  // namespace rattleback::inline tests
