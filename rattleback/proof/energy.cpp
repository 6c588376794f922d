#include <rattleback/proof/energy.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/motion/energy.hpp>

namespace rattleback {

Answer energy_answer(const System& system) {
  const Expr e = energy(system);
  Answer a = answer_of(conserves_energy(system));
  a.answer["conserved"] = Data();
  if (a.outcome != Outcome::undecided) a.answer["conserved"] = a.outcome == Outcome::proved;
  constexpr std::size_t readable = 4000;
  if (written_size(e) <= readable) a.answer["energy"] = short_form(e);
  if (a.outcome == Outcome::proved) {
    a.why.emplace_back("the reactions do no work, and neither forces nor time change it");
  } else if (a.outcome == Outcome::refuted) {
    a.why.emplace_back("dE/dt is not zero at an admissible state");
  }
  return a;
}

}  // namespace rattleback
