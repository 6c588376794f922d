#include "studio_film.hpp"

#include <sys/resource.h>

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/film/flying_run.hpp>

#include "studio_answers.hpp"
#include "studio_limits.hpp"
#include "studio_worker.hpp"

namespace rattleback::app {
namespace {

using nlohmann::ordered_json;

/// Numbers for the parameters of a flow, as another system of the same text gives them.
std::vector<double> parameters_of(const Flow& flow, const System& system) {
  const SymbolMap values = parameter_values(system);
  std::vector<double> numbers;
  for (const Symbol p : flow.parameters()) numbers.push_back(evaluate(substitute(Expr(p), values), {}));
  return numbers;
}

/// The same motion with other numbers, without a derivation; nothing where the equations may be others.
std::optional<StartedMotion> started_again(const StartedMotion& base, const System& system,
                                           bool other_start) {
  if (!base.notes.empty()) return std::nullopt;                                  // other speeds took over
  if (other_start && !base.flow.equations().notes.empty()) return std::nullopt;  // the start chose a branch
  Flow flow = base.flow;
  flow.set_parameters(parameters_of(flow, system));
  auto state = restarted(flow, {.given = &system.simulation.initial});
  if (!state) return std::nullopt;
  return StartedMotion{std::move(flow), std::move(*state), {}, {}};
}

}  // namespace

void StudioFilm::read(const ordered_json& request) {
  const std::string text = request.at("text");
  if (system_ && text == text_) return;
  system_.reset();
  base_.reset();
  first_film_.clear();
  System system = read_model(text, request.at("name"));
  require_possible_constraints(system);
  system_ = std::move(system);
  text_ = text;
}

RepresentativeRun StudioFilm::run(const ordered_json& request) {
  const auto initial = pairs_of(request.value("initial", ordered_json::object())),
             set = pairs_of(request.value("set", ordered_json::object()));
  System system = *system_;
  if (!initial.empty()) system = with_initial_values(std::move(system), initial);
  give_values(system, set);
  const double until = request.value("until", 0.0);
  // A film must come soon: for large models the code of the rates is quicker than their Taylor series.
  const std::string method = "dop853";
  // Of a motion that needs very small steps, its beginning is seen; of a draft, as much as a hand does not wait for.
  const RunQuality quality = request.value("draft", false) ? RunQuality::draft : RunQuality::exact;
  const double seconds = quality == RunQuality::draft ? 0.025 : request.value("live", true) ? 10 : 1;
  if (base_) {
    try {
      if (auto again = started_again(*base_, system, !initial.empty()))
        return RepresentativeRun(std::move(*again), until, method, seconds, quality);
    } catch (const Error&) {  // the long way says why
    }
  }
  StartedMotion started = started_motion(system);
  if (!base_) base_ = started;
  return RepresentativeRun(std::move(started), until, method, seconds, quality);
}

namespace {

void require_frames(const Trajectory& run) {
  if (run.rows.size() < 2)
    throw Error("motion-ends", "there is no run", run.failure.value_or("the motion ends where it begins"),
                "give another initial state in [simulation]");
}

/// Without the brace that closes it.
std::string film_text(const Film& film, const std::string& summary) {
  return fmt::format("{{\"summary\":{},\n\"data\":{}", ordered_json(summary).dump(), as_json(film));
}

/// The film of the text as it stands, which a page asks for when it opens.
bool is_first_film(const ordered_json& request) {
  const auto none = [&](const char* key) { return request.value(key, ordered_json::object()).empty(); };
  return request.value("live", true) && !request.value("fly", false) && !request.value("draft", false) &&
         request.value("until", 0.0) == 0 && none("set") && none("initial");
}

}  // namespace

/// The motion with contacts that open and close.
std::string StudioFilm::flight(const ordered_json& request) {
  System system = *system_;
  give_values(system, pairs_of(request.value("set", ordered_json::object())));
  const FlyingRun it(system, pairs_of(request.value("initial", ordered_json::object())),
                     request.value("until", 0.0));
  require_frames(it.run);
  return film_text(it.film(), it.summary());
}

std::string StudioFilm::film(const ordered_json& request) {
  const bool live = request.value("live", true), fly = request.value("fly", false);
  if (fly && !live) return flight(request) + "}\n";
  const RepresentativeRun it = run(request);
  std::string text;
  if (fly) {
    text = flight(request);
  } else {
    require_frames(it.run);
    text = film_text(it.film(live                            ? Neighbours::all
                             : request.value("draft", false) ? Neighbours::none
                                                             : Neighbours::short_ones),
                     it.summary());
  }
  if (!live) return text + "}\n";
  const Live motion = it.live();
  return text +
         fmt::format(",\n\"live\":{},\n\"script\":{}}}\n", motion.json, ordered_json(motion.script).dump());
}

int StudioFilm::answer(const ordered_json& request) {
  try {
    read(request);
    const bool is_first = is_first_film(request);
    std::string text = is_first && !first_film_.empty() ? first_film_ : film(request);
    if (!request.value("ahead", false)) fmt::print("{}", text);
    if (is_first) first_film_ = std::move(text);
    return Exit::done;
  } catch (const Error& error) {
    say({{"problems", {error_json(error, "error")}}});
  } catch (const Exhausted& limit) {  // before the first step; later a film is cut
    say({{"problems",
          {error_json(Error("budget", "the film takes too long", limit.what(),
                            "run `rattleback simulate`, which has no such limit"),
                      "error")}}});
  }
  return Exit::error;
}

int studio_films() {
  constexpr long kilobytes = studio_limits::memory_of_films / 1000;
  StudioFilm films;
  for (std::string line; std::getline(std::cin, line);) {
    int exit = Exit::error;
    const ordered_json request = ordered_json::parse(line, nullptr, false);
    try {
      if (!request.is_discarded()) exit = films.answer(request);
    } catch (const ordered_json::exception& wrong) {  // a field is missing, or is of another kind
      say({{"problems",
            {error_json(Error("usage", "the request cannot be read", wrong.what(), "reload the page"),
                        "error")}}});
    }
    fmt::print("\x1e{{\"exit\":{}}}\n", exit);
    std::fflush(stdout);
    rusage used{};
    if (getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss > kilobytes) break;
  }
  return Exit::done;
}

}  // namespace rattleback::app
