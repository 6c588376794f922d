// Declared in proof/coq/coq_kinds.hpp. Two forms of the equations hold for the same curves.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/proof/check/agreement_claim.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>

namespace rattleback {

std::string coq_agreement_theorem(const ClaimedSystem& claim, const Data& certificate,
                                  std::string& preamble) {
  const std::vector<ClaimedFormOfEquations> forms = claimed_forms(claim, certificate);
  if (forms.size() != 2) no_coq_form("more than two forms are compared", "the theorem is about two");
  CoqSystem file(claim, true);
  std::string about, definitions, proof;
  for (std::size_t k = 0; k < 2; ++k) {
    const ClaimedFormOfEquations& f = forms[k];
    for (const Symbol w : f.speeds) {
      const auto known = [&](const std::vector<Symbol>& list) {
        return std::find(list.begin(), list.end(), w) != list.end();
      };
      if (!known(claim.speeds) && !known(claim.velocities)) file.set_apart(w);
    }
    const std::string tag = std::to_string(k + 1);
    file.define("speeds" + tag, "list BinNums.positive", file.numbers(f.speeds));
    file.define("definitions" + tag, "list Kernel.E", file.formulas(f.definitions));
    file.define("velocities" + tag, "list Kernel.E", file.formulas(f.velocities));
    file.define("rates" + tag, "list Kernel.E", file.formulas(f.rates));
  }
  preamble = file.preamble();
  return fmt::format(
             "(* {} and {}: for curves on the constraint, with the speeds as they are defined, one form of "
             "the equations holds if and only\n"
             "   if the other does. *)\n",
             forms[0].name, forms[1].name) +
         coq_theorem("forms_are_equivalent",
                     "Kernel.equivalent system speeds1 definitions1 speeds2 definitions2 nonzero positive "
                     "rates1 rates2",
                     "Kernel.equivalent_ok system speeds1 definitions1 velocities1 rates1 speeds2 "
                     "definitions2 velocities2 rates2 reading solved");
}

}  // namespace rattleback
