#include <rattleback/simulate/states/big_float.hpp>

#include <memory>

namespace rattleback {
namespace {

thread_local long working_bits = 128;

}  // namespace

void BigFloat::set_precision(long wanted) { working_bits = wanted; }
long BigFloat::precision() { return working_bits; }

BigFloat BigFloat::of(const Rational& r) {
  BigFloat x;
  arb_set_fmpq(x.value_, r.raw(), working_bits);
  mag_zero(arb_radref(x.value_));
  return x;
}

BigFloat BigFloat::pi() {
  BigFloat x;
  arb_const_pi(x.value_, working_bits);
  mag_zero(arb_radref(x.value_));
  return x;
}

std::string BigFloat::text() const {
  const long digits = static_cast<long>(static_cast<double>(working_bits) * 0.30103);
  const std::unique_ptr<char, void (*)(void*)> written(arb_get_str(value_, digits, ARB_STR_NO_RADIUS),
                                                       [](void* p) { flint_free(p); });
  return written.get();
}

}  // namespace rattleback
