#pragma once
/// Work for Maxima: the linear system for accelerations and multipliers, formed from the same text in a process of its own.

#include <cstdlib>

#include "question.hpp"

namespace bench {

/// Maxima's program: K (v', λ) = r on the constraint, its time, and the sum of the accelerations at the test point.
inline std::string maxima_program(const Question& q) {
  const Space& Q = q.system.space;
  const auto list = [](const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ","));
  };
  std::vector<std::string> v, f, constraints, psi, at;
  std::vector<Expr> all{q.system.lagrangian};
  for (const Symbol s : Q.velocities()) {
    v.push_back(plain(s.name()));
    psi.push_back(plain(s.name()) + "=" + plain(q.psi.at(s)));
    all.push_back(q.psi.at(s));
  }
  for (const Symbol s : Q.functions()) f.push_back(plain(s.name()));
  for (const Constraint& c : q.system.constraints) {
    constraints.push_back(plain(c.expression));
    all.push_back(c.expression);
  }
  for (const Symbol s : symbols_of(all))
    at.push_back(fmt::format("{}={:.17g}", plain(s.name()), test_value(s.name())));
  return fmt::format(
      "rb_L:{}$ rb_v:{}$ rb_f:{}$ rb_C:{}$ rb_psi:{}$ rb_at:{}$ rb_n:length(rb_v)$ rb_k:length(rb_C)$\n"
      "rb_rate(rb_e):=sum(rb_v[rb_j]*diff(rb_e,rb_f[rb_j]),rb_j,1,rb_n)$ rb_start:elapsed_run_time()$\n"
      // Its clock ticks in steps of 10 ms: small systems are derived again and again.
      "for rb_m:1 unless elapsed_run_time()-rb_start>0.3 do (rb_count:rb_m,\n"
      "rb_p:makelist(diff(rb_L,rb_v[rb_i]),rb_i,1,rb_n),\n"
      "rb_M:genmatrix(lambda([rb_i,rb_j],diff(rb_p[rb_i],rb_v[rb_j])),rb_n,rb_n),\n"
      "rb_A:genmatrix(lambda([rb_a,rb_j],diff(rb_C[rb_a],rb_v[rb_j])),rb_k,rb_n),\n"
      "rb_b:makelist(diff(rb_L,rb_f[rb_i])-rb_rate(rb_p[rb_i]),rb_i,1,rb_n),\n"
      "rb_c:makelist(-rb_rate(rb_C[rb_a]),rb_a,1,rb_k),\n"
      "rb_K:psubst(rb_psi,addrow(addcol(rb_M,-transpose(rb_A)),addcol(rb_A,zeromatrix(rb_k,rb_k)))),\n"
      "rb_r:psubst(rb_psi,append(rb_b,rb_c)))$ rb_seconds:(elapsed_run_time()-rb_start)/rb_count$\n"
      "rb_x:invert(float(psubst(rb_at,rb_K))).transpose(float(psubst(rb_at,rb_r)))$\n"
      "print(\"result\",string(float(rb_seconds)),string(sum(rb_x[rb_i][1],rb_i,1,rb_n)))$ quit()$\n",
      plain(q.system.lagrangian), list(v), list(f), list(constraints), list(psi), list(at));
}

/// Systems in coordinates only.
inline Result by_maxima(const Question& q, double limit) {
  const ScratchFile program(maxima_program(q));
  const std::string command =
      fmt::format("command -v maxima > /dev/null && timeout {} maxima --very-quiet -b '{}' 2> /dev/null",
                  limit, program.name());
  FILE* pipe = program.is_written() ? popen(command.c_str(), "r") : nullptr;
  Result r;
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    std::istringstream line(buffer.data());
    std::string word;
    if (line >> word >> r.seconds >> r.value && word == "result") r.state = Result::State::finished;
  }
  if (pipe != nullptr) pclose(pipe);
  return r;
}

}  // namespace bench
