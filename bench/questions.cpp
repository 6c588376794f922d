/// Every question on every model of the zoo: seconds per question, the slowest pairs, and what stayed undecided.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/proof/question.hpp>

using namespace rattleback;

int main() {
  using Clock = std::chrono::steady_clock;
  std::vector<std::tuple<double, std::string, std::string>> all;
  double total = 0;
  for (const Question& q : all_questions()) {
    double sum = 0;
    int counts[4] = {0, 0, 0, 0}, refused = 0;
    for (const std::string& name : zoo()) {
      const System system = load_model(name);
      const auto start = Clock::now();
      try {
        ++counts[static_cast<int>(asked(q, system, 60).outcome)];
      } catch (const Error&) {
        ++refused;
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      all.emplace_back(seconds, q.name, name);
      sum += seconds;
    }
    fmt::print("{:<28} {:7.1f} s   {} proved, {} refuted, {} undecided, {} not applicable{}\n", q.name, sum,
               counts[0], counts[1], counts[2], counts[3],
               refused > 0 ? fmt::format(", {} refused", refused) : "");
    std::fflush(stdout);
    total += sum;
  }
  std::sort(all.rbegin(), all.rend());
  fmt::print("{:<28} {:7.1f} s\nslowest:\n", "all", total);
  for (std::size_t k = 0; k < std::min<std::size_t>(10, all.size()); ++k)
    fmt::print("  {:6.1f} s  {} of {}\n", std::get<0>(all[k]), std::get<1>(all[k]), std::get<2>(all[k]));
}
