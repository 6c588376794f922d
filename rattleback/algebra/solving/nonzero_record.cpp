#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/nonzero_record.hpp>

#include <algorithm>

namespace rattleback {
namespace {

thread_local NonzeroRecord* innermost = nullptr;

bool contains_parameters(Expr e) {
  return std::ranges::any_of(symbols_of(e), [](Symbol s) { return s.role() == Role::parameter; });
}

}  // namespace

NonzeroRecord::NonzeroRecord() : outer_(innermost) { innermost = this; }
NonzeroRecord::~NonzeroRecord() { innermost = outer_; }

void NonzeroRecord::note(Expr e) {
  constexpr std::size_t most = search_limits::nonzero_factors.count;
  if (innermost == nullptr || e.is(Kind::constant)) return;
  NonzeroRecord& record = *innermost;
  if (record.functions_.size() >= most) {
    record.overflowed_ = true;
    return;
  }
  if (record.seen_.insert(e).second && contains_parameters(e)) record.functions_.push_back(e);
}

}  // namespace rattleback
