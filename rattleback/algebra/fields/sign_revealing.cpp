#include <rattleback/algebra/fields/sign_revealing.hpp>

#include <unordered_map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>
#include <rattleback/algebra/signs/sign_samples.hpp>

namespace rattleback {
namespace {

/// The canonical form, remembered with its effort: the same determinants are asked about again and again.
Expr remembered_canonical(Expr e) {
  struct Found {
    Expr form;
    Spent cost;
  };
  constexpr std::size_t most_known = search_limits::canonical_forms.count;
  thread_local std::unordered_map<Expr, Found> known;
  if (const auto found = known.find(e); found != known.end()) {
    try {
      found->second.cost.charge();
      return found->second.form;
    } catch (const Exhausted&) {
      return e;
    }
  }
  const Spent before = Spent::so_far();
  const Expr form = canonical(e);
  if (known.size() >= most_known) known.clear();
  if (form != e) known.emplace(e, Found{form, Spent::so_far().since(before)});
  return form;
}

}  // namespace

Expr sign_revealing(Expr e) {
  constexpr std::size_t small = search_limits::sign_revealing_form.count;
  if (known_nonzero(e) || graph_size(std::span(&e, 1)) > small || has_no_sign(e)) return e;
  if (const Expr plain = collapsed(e); plain != e && known_nonzero(plain)) return plain;
  const Expr c = remembered_canonical(e);
  return known_nonzero(c) ? c : e;
}

}  // namespace rattleback
