#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

std::string evidence(const Verdict& v) {
  if (refuted(v)) return "refuted";
  if (undecided(v)) return "undecided";
  const Certificate& why = std::get<Proved>(v).why;
  return why.exact ? "proved" : "certain to 2^-" + std::to_string(why.bits);
}

}  // namespace rattleback
