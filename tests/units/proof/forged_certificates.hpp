#pragma once
// What tests of certificates have in common: they are asked for, changed in one place, and checked.

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
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

inline Data zeros(std::size_t n) { return Data::List(n, Data("0")); }

}  // namespace rattleback::inline tests
