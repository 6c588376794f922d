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
      "L:{}$ v:{}$ f:{}$ C:{}$ psi:{}$ at:{}$ n:length(v)$ k:length(C)$ start:elapsed_run_time()$\n"
      "p:makelist(diff(L,x),x,v)$ rate(e):=sum(v[j]*diff(e,f[j]),j,1,n)$\n"
      "M:genmatrix(lambda([i,j],diff(p[i],v[j])),n,n)$ A:genmatrix(lambda([a,j],diff(C[a],v[j])),k,n)$\n"
      "b:makelist(diff(L,f[i])-rate(p[i]),i,1,n)$ c:makelist(-rate(C[a]),a,1,k)$\n"
      "K:psubst(psi,addrow(addcol(M,-transpose(A)),addcol(A,zeromatrix(k,k))))$ r:psubst(psi,append(b,c))$\n"
      "seconds:elapsed_run_time()-start$ x:invert(float(psubst(at,K))).transpose(float(psubst(at,r)))$\n"
      "printf(true,\"result ~a ~a~%\",seconds,sum(x[i][1],i,1,n))$ quit()$\n",
      plain(q.system.lagrangian), list(v), list(f), list(constraints), list(psi), list(at));
}

/// Systems in coordinates only.
inline Result by_maxima(const Question& q, double limit) {
  char name[] = "/tmp/rattleback-bench-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) return {};
  const std::string program = maxima_program(q);
  const bool written = write(file, program.data(), program.size()) == static_cast<ssize_t>(program.size());
  close(file);
  const std::string command = fmt::format(
      "command -v maxima > /dev/null && timeout {} maxima --very-quiet -b {} 2> /dev/null", limit, name);
  FILE* pipe = written ? popen(command.c_str(), "r") : nullptr;
  Result r;
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    std::istringstream line(buffer.data());
    std::string word;
    if (line >> word >> r.seconds >> r.value && word == "result") r.state = Result::State::finished;
  }
  if (pipe != nullptr) pclose(pipe);
  std::remove(name);
  return r;
}

}  // namespace bench
