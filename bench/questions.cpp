/// Every question on every model of the zoo, as `analyze` asks them: seconds per question and per model, the slowest pairs, and
/// what stays undecided, with its obstacle.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

struct Column {
  double seconds = 0;
  std::array<int, 4> outcomes{};
  int refused = 0;
};

double seconds_since(ProcessorTime::time_point start) {
  return std::chrono::duration<double>(ProcessorTime::now() - start).count();
}

std::string counted(const Column& c) {
  return fmt::format("{} proved, {} refuted, {} undecided, {} not applicable{}", c.outcomes[0], c.outcomes[1],
                     c.outcomes[2], c.outcomes[3],
                     c.refused > 0 ? fmt::format(", {} refused", c.refused) : "");
}

}  // namespace

int main() {
  constexpr double seconds_each = 20;
  constexpr std::size_t slowest = 20;
  std::vector<std::tuple<double, std::string, std::string>> pairs;
  std::vector<std::string> open;
  std::vector<Column> columns(all_questions().size());
  double total = 0;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    QuestionSession interview(system, seconds_each);
    double sum = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Question& q = all_questions()[k];
      const auto start = ProcessorTime::now();
      try {
        const Answer& a = interview.answer(q);
        ++columns[k].outcomes[static_cast<std::size_t>(a.outcome)];
        if (a.outcome == Outcome::undecided)
          open.push_back(fmt::format("{} of {}: {}", q.name, name, a.obstacle));
      } catch (const Error&) {
        ++columns[k].refused;
      }
      const double seconds = seconds_since(start);
      pairs.emplace_back(seconds, q.name, name);
      columns[k].seconds += seconds;
      sum += seconds;
    }
    fmt::print("{:<32} {:7.2f} s\n", name, sum);
    std::fflush(stdout);
    total += sum;
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    fmt::print("{:<32} {:7.2f} s   {}\n", all_questions()[k].name, columns[k].seconds, counted(columns[k]));
  fmt::print("{:<32} {:7.2f} s\nslowest:\n", "all", total);
  std::sort(pairs.rbegin(), pairs.rend());
  for (std::size_t k = 0; k < std::min(slowest, pairs.size()); ++k)
    fmt::print("  {:6.2f} s  {} of {}\n", std::get<0>(pairs[k]), std::get<1>(pairs[k]),
               std::get<2>(pairs[k]));
  fmt::print("undecided:\n");
  for (const std::string& line : open) fmt::print("  {}\n", line);
}
