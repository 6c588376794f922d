#include <rattleback/view/full_report.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/first_order.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/simulate/overconstrained.hpp>
#include <rattleback/view/representative_run.hpp>

namespace rattleback {

void add_film(Report& page) {
  try {
    const RepresentativeRun it(page.system);
    if (it.run.rows.size() < 2) {
      page.no_film =
          fmt::format("There is no run: {}.", it.run.failure.value_or("the motion ends where it begins"));
      return;
    }
    page.film = it.film();
    page.film->summary = it.summary();
    page.live = it.live();
  } catch (const Error& error) {
    page.no_film = fmt::format("There is no run: {}.", error.summary);
  } catch (const Exhausted& limit) {
    page.no_film = fmt::format("There is no run: {}.", limit.what());
  } catch (const std::exception& broken) {
    page.no_film = fmt::format("There is no run: its computation failed, bug[{}].", broken.what());
  }
}

std::size_t report_stages() { return all_questions().size() + 4; }

Report full_report(System system, const ReportOptions& options) {
  Report page;
  page.system = std::move(system);
  page.source = options.source;
  page.command = options.command;
  page.seconds = options.seconds;
  options.stage("the model");
  page.found = triage(page.system, {options.seconds});
  if (!page.found.problems.empty()) throw page.found.problems.front();
  options.stage("the equations of motion");
  const auto rest = overconstrained(page.system);
  const System& independent = rest ? rest->system : page.system;
  page.equations = derivation(
      independent, is_first_order(independent) ? std::vector{usual_formalism(independent)} : all_formalisms(),
      false, options.seconds);
  if (rest) page.equations = noted(std::move(page.equations), *rest);
  QuestionSession interview(independent, options.seconds);
  for (const Question& q : all_questions()) {
    options.stage(q.name);
    page.answers.emplace_back(q.name, rest ? noted(interview.answer(q), *rest) : interview.answer(q));
  }
  options.stage("a run");
  {
    const Budget budget({.time = std::chrono::duration<double>(options.seconds)});
    add_film(page);
  }
  options.stage("the page");
  return page;
}

}  // namespace rattleback
