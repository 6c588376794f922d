#include <rattleback/proof/evidence/locus_order.hpp>

#include <algorithm>
#include <tuple>

#include <rattleback/algebra/expression/display_order.hpp>

namespace rattleback {

Locus in_canonical_order(Locus locus) {
  std::ranges::stable_sort(locus, {}, [](Expr e) { return std::pair(written_size(e), text(Locus{e})); });
  return locus;
}

std::vector<Locus> in_canonical_order(std::vector<Locus> loci) {
  for (Locus& locus : loci) locus = in_canonical_order(std::move(locus));
  std::ranges::stable_sort(loci, {}, [](const Locus& locus) {
    std::size_t size = 0;
    for (const Expr e : locus) size += written_size(e);
    return std::tuple(locus.size(), size, text(locus));
  });
  return loci;
}

}  // namespace rattleback
