/// Questions, claims and certificates.
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/coq/coq_theorem.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/evidence/coq_checker.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/trial/doubt.hpp>
#include <rattleback/trial/random_model.hpp>
#include <rattleback/view/results/verdicts.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

py::dict answer_as_python(const std::string& question, const Answer& a) {
  py::dict d;
  d["question"] = question;
  d["statement"] = a.statement;
  d["outcome"] = text(a.outcome);
  d["evidence"] = a.evidence_text();
  d["method"] = a.evidence.method;
  py::list unless;
  for (const Locus& locus : a.unless) unless.append(text(locus));
  d["unless"] = unless;
  d["why"] = a.why;
  d["answer"] = as_python(a.answer);
  d["certificate"] = as_python(a.certificate);
  d["certificate_json"] = a.certificate.is_null() ? py::object(py::none()) : py::cast(as_json(a.certificate));
  d["assumptions"] = a.assumptions;
  d["obstacle"] = a.obstacle;
  d["next_step"] = a.next_step;
  d["text"] = as_text(question, a);
  return d;
}

py::list analyze(const Model& model, const std::vector<std::string>& names, double seconds, bool coq,
                 const Waiting& how) {
  const auto answers = run(
      [model, names, seconds, coq](Task& task) {
        std::vector<Question> questions;
        for (const std::string& name : names) questions.push_back(question(name));
        const auto rest = overconstrained(*model);
        QuestionSession session(rest ? rest->system : *model, seconds);
        std::optional<CoqChecker> checker;
        if (coq) {
          task.report("the kernel of Coq", 0);
          checker.emplace();
        }
        std::vector<std::pair<std::string, Answer>> all;
        for (const Question& q : questions) {
          task.report(q.name, static_cast<double>(all.size()) / static_cast<double>(questions.size()));
          Answer answer = rest ? noted(session.answer(q), *rest) : session.answer(q);
          if (checker) checker->check(answer, model->name);
          all.emplace_back(q.name, std::move(answer));
          if (task.stop) break;
        }
        return all;
      },
      how);
  py::list list;
  for (const auto& [name, answer] : answers) list.append(answer_as_python(name, answer));
  return list;
}

py::dict prove(const Model& model, const std::string& kind, const std::string& claim, double seconds,
               const Waiting& how) {
  const Answer answer = run(
      [model, kind, claim, seconds](Task&) {
        const auto rest = overconstrained(*model);
        const System& system = rest ? rest->system : *model;
        try {
          const Budget budget({.time = std::chrono::duration<double>(seconds)});
          Answer found =
              sealed(stated_conjecture(system, kind, claim, "command line, --" + kind), system, kind, claim);
          return rest ? noted(std::move(found), *rest) : found;
        } catch (const Exhausted& limit) {
          return undecided_answer(limit.what(),
                                  "give it more time with timeout=, or numbers for parameters with set()");
        }
      },
      how);
  return answer_as_python(kind + " " + claim, answer);
}

/// The certificates in what the command line printed, or a certificate by itself. The answer around one says what it shows.
std::vector<Data> certificates_of(const Data& data) {
  const auto inner = [](const Data& answer, const std::string& name) -> const Data* {
    const Data* own = answer.find("certificate");
    if (own == nullptr || own->record() == nullptr) return nullptr;
    require_same_answer(answer, name, name.empty() ? std::vector<std::string>{} : question(name).parts, *own);
    return own;
  };
  if (const Data* own = inner(data, "")) return {*own};
  const Data* questions = data.find("questions");
  if (questions == nullptr || questions->record() == nullptr) return {data};
  std::vector<Data> all;
  for (const Data::Field& asked : *questions->record())
    if (const Data* one = inner(asked.value, asked.key)) all.push_back(*one);
  if (all.empty())
    throw Error("bad-certificate", "none of these answers carries a certificate", "",
                "ask a question that leaves one, such as 'chaplygin-multiplier'");
  return all;
}

/// With a model: also that the certificates were made for it and state its system.
py::list check_certificate_of(const std::string& json, const Model& model, const Waiting& how) {
  const auto steps = run(
      [json, model](Task&) {
        std::vector<CheckedStep> all;
        for (const Data& certificate : certificates_of(data_from_json(json))) {
          if (model)
            for (CheckedStep& step : binding_steps(certificate, *model)) all.push_back(std::move(step));
          for (CheckedStep& step : check_certificate(certificate)) all.push_back(std::move(step));
        }
        return all;
      },
      how);
  py::list list;
  for (const CheckedStep& step : steps)
    list.append(py::make_tuple(step.what,
                               proved(step.verdict)    ? "proved"
                               : refuted(step.verdict) ? "refuted"
                                                       : "undecided",
                               evidence(step.verdict)));
  return list;
}

py::tuple doubt_as_python(const Finding& f) {
  return py::make_tuple(f.question, f.statement,
                        f.result == Finding::Result::stands         ? "stands"
                        : f.result == Finding::Result::contradicted ? "contradicted"
                                                                    : "not tried",
                        f.method, f.detail);
}

/// (question, statement, result, method, detail) of every statement that was tried.
py::list doubts(const Model& model, const std::string& source, const std::vector<std::string>& questions,
                double seconds, std::uint64_t seed, const Waiting& how) {
  const Findings found = run(
      [=](Task& task) {
        DoubtOptions options{.questions = questions, .seconds = seconds, .seed = seed, .progress = {}};
        options.progress = [&task, done = 0, all = questions.size()](const std::string& question) mutable {
          task.report(question, static_cast<double>(done++) / static_cast<double>(all));
          if (task.stop) throw Exhausted("the computation was cancelled");
        };
        return doubt(source, *model, options);
      },
      how);
  py::list list;
  for (const Finding& f : found) list.append(doubt_as_python(f));
  return list;
}

/// Statements about random models, until the time is up: (models, doubts with the model of each).
py::tuple doubts_of_random_models(const std::vector<std::string>& questions, double each, double all,
                                  std::uint64_t seed, const Waiting& how) {
  struct Doubted {
    std::size_t models = 0;
    std::vector<std::pair<Finding, std::string>> findings;
  };
  const Doubted found = run(
      [=](Task& task) {
        using Watch = std::chrono::steady_clock;
        const Watch::time_point begin = Watch::now();
        const auto part = [&] { return std::chrono::duration<double>(Watch::now() - begin).count() / all; };
        const DoubtOptions options{.questions = questions, .seconds = each, .seed = seed, .progress = {}};
        Random random(seed);
        Doubted doubted;
        while (part() < 1 && !task.stop) {
          task.report("random models", part());
          const std::string text = random_model(random);
          try {
            for (Finding& f : doubt(text, read_model(text, "generated.toml"), options))
              doubted.findings.emplace_back(std::move(f), text);
            ++doubted.models;
          } catch (const Error&) {  // a text that is no model: refused, as it should be
          }
        }
        return doubted;
      },
      how);
  py::list list;
  for (const auto& [f, text] : found.findings) list.append(py::make_tuple(doubt_as_python(f), text));
  return py::make_tuple(found.models, list);
}

}  // namespace

void bind_verdicts(py::module_& m) {
  m.def("questions", [] {
    py::list all;
    for (const Question& q : all_questions()) all.append(py::make_tuple(q.name, q.about));
    return all;
  });
  m.def("claims", [] { return kinds_of_claims(); });
  m.def("analyze", [](const Model& s, const std::vector<std::string>& names, double seconds, bool coq,
                      const py::object& progress) {
    return analyze(s, names, seconds, coq, {std::nullopt, progress});
  });
  m.def("prove", [](const Model& s, const std::string& kind, const std::string& claim, double seconds,
                    const py::object& progress) {
    return prove(s, kind, claim, seconds, {std::nullopt, progress});
  });
  m.def("check_certificate",
        [](const std::string& json, const Model& model, const std::optional<double>& timeout) {
          return check_certificate_of(json, model, {timeout, py::none()});
        });
  m.def("doubt_random",
        [](const std::vector<std::string>& questions, double each, double all, std::uint64_t seed,
           const std::optional<double>& timeout, const py::object& progress) {
          return doubts_of_random_models(questions, each, all, seed, {timeout, progress});
        });
  m.def("doubt", [](const Model& s, const std::string& source, const std::vector<std::string>& questions,
                    double seconds, std::uint64_t seed, const std::optional<double>& timeout,
                    const py::object& progress) {
    return doubts(s, source, questions, seconds, seed, {timeout, progress});
  });
  m.def("coq", [](const std::string& json, const std::string& model) {
    return coq_file(data_from_json(json), model);
  });
  m.def("stated_in", [](const std::string& json) { return stated_in(data_from_json(json)); });
}

}  // namespace rattleback::python
