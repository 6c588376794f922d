/// Answers do not depend on what was asked before: work is counted by what is asked for, not by what is new.
#include <doctest/doctest.h>

#include <thread>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

/// All that an answer says.
std::string everything(const Data& data) {
  if (const auto* s = data.text()) return *s;
  std::string out;
  if (const auto* n = data.get_if<long>()) out = std::to_string(*n);
  if (const auto* b = data.get_if<bool>()) out = *b ? "true" : "false";
  if (const auto* list = data.list()) {
    for (const Data& item : *list) out += everything(item) + ", ";
  }
  if (const auto* record = data.record()) {
    for (const Data::Field& field : *record) out += field.key + ": " + everything(field.value) + "; ";
  }
  return out;
}
std::string everything(const Answer& a) {
  std::string out = text(a.outcome) + " " + a.evidence_text() + "\n" + everything(a.answer) + "\n" +
                    text(a.unless) + "\n" + a.obstacle + "\n" + a.next_step;
  for (const std::string& line : a.why) out += "\n" + line;
  return out + "\n" + everything(a.certificate);
}

struct Asked {
  std::string said;
  std::size_t steps = 0;
  bool operator==(const Asked&) const = default;
};

/// With the steps it took, in a scope of its own.
Asked asked_once(const Question& q, const System& system) {
  constexpr std::size_t plenty = 1'000'000'000'000;
  const Budget counted({.steps = plenty});
  const std::size_t before = Budget::steps();
  const std::string said = everything(asked(q, system, 600));
  return {said, Budget::steps() - before};
}

/// Asks in a new thread, whose caches are empty: caches belong to a thread.
Asked asked_alone(const Question& q, const System& system) {
  Asked found;
  std::thread([&] { found = asked_once(q, system); }).join();
  return found;
}

}  // namespace

TEST_CASE("steps are those of the computation, whatever the graph and its memories hold already") {
  const Expr e = parse("sin(x*y)^3*exp(x + y)/(1 + x^2*y^2)");
  const auto steps = [&] {
    const Budget counted({.steps = 1'000'000});
    const std::size_t before = Budget::steps();
    Expr d = e;
    for (const Symbol s : symbols_of(e)) d = derivative(d, s);
    (void)short_form(d);
    return Budget::steps() - before;
  };
  const std::size_t first = steps();
  CHECK(first > 20);
  CHECK(steps() == first);
  const auto within = [&](std::size_t limit) {
    const Budget counted({.steps = limit});
    Expr d = e;
    for (const Symbol s : symbols_of(e)) d = derivative(d, s);
    return d;
  };
  CHECK_THROWS_AS(within(3), const Exhausted&);  // although every node is there already
}

TEST_CASE(
    "each question alone, and after all the others in either order, has the same answer after the same "
    "steps") {
  for (const char* model :
       {"chaplygin-sleigh", "vertical-disk", "nonholonomic-particle", "suslov", "heisenberg-suslov"}) {
    CAPTURE(model);
    const System system = load_model(model);
    std::vector<const Question*> questions;
    for (const Question& q : all_questions()) {
      if (q.sum_up == nullptr) questions.push_back(&q);
    }
    std::vector<Asked> alone;
    for (const Question* q : questions) alone.push_back(asked_alone(*q, system));
    for (std::size_t k = 0; k < questions.size(); ++k) {
      CAPTURE(questions[k]->name);
      const Asked again = asked_once(*questions[k], system);
      CHECK(again.said == alone[k].said);
      CHECK(again.steps == alone[k].steps);
    }
    for (std::size_t k = questions.size(); k-- > 0;) {
      CAPTURE(questions[k]->name);
      CHECK(asked_once(*questions[k], system).said == alone[k].said);
    }
  }
}

TEST_CASE("the bicycle answers alike, first or last") {
  const System bicycle = load_model("bicycle");
  const Asked first = asked_alone(question("symmetries"), bicycle);
  (void)asked(question("regularity"), bicycle, 60);
  (void)asked(question("integrability"), bicycle, 60);
  CHECK(asked_once(question("symmetries"), bicycle) == first);
}
