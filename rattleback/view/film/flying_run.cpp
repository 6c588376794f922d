#include <rattleback/view/film/flying_run.hpp>

#include <fmt/format.h>

#include <rattleback/view/film/flight_marks.hpp>
#include <rattleback/view/film/representative_run.hpp>

namespace rattleback {

FlyingRun::FlyingRun(const System& system, const std::vector<std::pair<std::string, std::string>>& initial,
                     double until)
    : motion(system, initial, {}),
      options(film_options(motion.flow(), until, "dop853")),
      run(motion.run(options)) {}

Film FlyingRun::film() const {
  Film made = film_of(motion.flow(), motion.state(), run);
  made.can_fly = true;
  made.summary = summary();
  return made;
}

std::string FlyingRun::summary() const {
  std::string s = fmt::format(
      "From the initial state of the model until t = {:.6g}, in {} steps, with contacts that may open. "
      "Method: {}. {}",
      run.end, run.counts.steps, stepper_named(options.method).title, flight_sentence(run));
  if (run.failure) s += fmt::format(" The motion ends there: {}.", *run.failure);
  return s;
}

}  // namespace rattleback
