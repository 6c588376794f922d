#include <rattleback/view/pages/full_report.hpp>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/simulate/loops/full_triage.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/view/film/flying_run.hpp>
#include <rattleback/view/film/representative_run.hpp>

namespace rattleback {

namespace {

/// The computing time of a page. The run and the writing have their parts for themselves; of the rest nothing takes more than a quarter
/// of what is left, so that one question that would never end leaves time for those after it.
class SharedTime {
 public:
  explicit SharedTime(double seconds) : seconds_(seconds), begin_(ProcessorTime::now()) {}

  double for_a_part() const {
    const std::chrono::duration<double> taken = ProcessorTime::now() - begin_;
    return std::max(seconds_ * 5 / 8 - taken.count(), 0.0) / 4;
  }
  double for_the_run() const { return seconds_ / 4; }
  double for_writing() const { return seconds_ / 8; }

 private:
  double seconds_;
  ProcessorTime::time_point begin_;
};

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
  const SharedTime time(options.seconds);
  page.seconds = time.for_writing();
  options.stage("the model");
  page.found = full_triage(page.system, {time.for_a_part() / 2});
  if (!page.found.problems.empty()) throw page.found.problems.front();
  options.stage("the equations of motion");
  const auto rest = overconstrained(page.system);
  if (rest)
    page.independent = rest->system;
  else
    page.independent = without_dependent_constraints(page.system);
  const System& independent = page.derived_system();
  {
    const double share = time.for_a_part();
    const Budget all_forms({.time = std::chrono::duration<double>(share)});
    page.equations =
        derivation(independent,
                   is_first_order(independent) ? std::vector{usual_formalism(independent)} : all_formalisms(),
                   false, share / 2);
  }
  if (rest) page.equations = noted(std::move(page.equations), *rest);
  QuestionSession session(independent, 0);
  for (const Question& q : all_questions()) {
    options.stage(q.name);
    session.allow(time.for_a_part());
    page.answers.emplace_back(q.name, rest ? noted(session.answer(q), *rest) : session.answer(q));
  }
  options.stage("a run");
  {
    const Budget budget({.time = std::chrono::duration<double>(time.for_the_run())});
    if (options.fly)
      add_flight(page);
    else
      add_film(page);
  }
  options.stage("the page");
  return page;
}

}  // namespace rattleback
