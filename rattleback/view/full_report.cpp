#include <rattleback/view/full_report.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/first_order.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/simulate/full_triage.hpp>
#include <rattleback/simulate/overconstrained.hpp>
#include <rattleback/view/flying_run.hpp>
#include <rattleback/view/representative_run.hpp>

namespace rattleback {

namespace {

/// A run that is too short to be shown says why.
bool is_shown(const Trajectory& run, Report& page) {
  if (run.rows.size() >= 2) return true;
  page.no_film = fmt::format("There is no run: {}.", run.failure.value_or("the motion ends where it begins"));
  return false;
}

/// Adds the film; what goes wrong is said in its place.
template <class Add>
void add_or_say_why(Report& page, Add add) {
  try {
    add();
  } catch (const Error& error) {
    page.no_film = fmt::format("There is no run: {}.", error.summary);
  } catch (const Exhausted& limit) {
    page.no_film = fmt::format("There is no run: {}.", limit.what());
  } catch (const std::exception& broken) {
    page.no_film = fmt::format("There is no run: its computation failed, bug[{}].", broken.what());
  }
}

}  // namespace

void add_film(Report& page) {
  add_or_say_why(page, [&] {
    const RepresentativeRun it(page.system);
    if (!is_shown(it.run, page)) return;
    page.film = it.film();
    page.film->summary = it.summary();
    page.live = it.live();
  });
}

void add_flight(Report& page) {
  add_or_say_why(page, [&] {
    const FlyingRun it(page.system);
    if (is_shown(it.run, page)) page.film = it.film();
  });
}

std::size_t report_stages() { return all_questions().size() + 4; }

Report full_report(System system, const ReportOptions& options) {
  Report page;
  page.system = std::move(system);
  page.source = options.source;
  page.command = options.command;
  page.seconds = options.seconds;
  options.stage("the model");
  page.found = full_triage(page.system, {options.seconds});
  if (!page.found.problems.empty()) throw page.found.problems.front();
  options.stage("the equations of motion");
  const auto rest = overconstrained(page.system);
  if (rest) page.independent = rest->system;
  const System& independent = page.derived_system();
  page.equations = derivation(
      independent, is_first_order(independent) ? std::vector{usual_formalism(independent)} : all_formalisms(),
      false, options.seconds);
  if (rest) page.equations = noted(std::move(page.equations), *rest);
  QuestionSession session(independent, options.seconds);
  for (const Question& q : all_questions()) {
    options.stage(q.name);
    page.answers.emplace_back(q.name, rest ? noted(session.answer(q), *rest) : session.answer(q));
  }
  options.stage("a run");
  {
    const Budget budget({.time = std::chrono::duration<double>(options.seconds)});
    if (options.fly)
      add_flight(page);
    else
      add_film(page);
  }
  options.stage("the page");
  return page;
}

}  // namespace rattleback
