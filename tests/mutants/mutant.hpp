#pragma once
// What the copies of the kernel call that tools/mutate_checker.py writes: each function is the original, or its mutant when that is active.

#include <cstddef>
#include <vector>

namespace mutant {

inline int active = 0;             ///< the number of a mutant; 0: the original
inline std::vector<bool> reached;  ///< which mutants would have made a difference to what was executed

inline bool is(int number) {
  const auto place = static_cast<std::size_t>(number);
  if (place >= reached.size()) reached.resize(place + 1);
  reached[place] = true;
  return number == active;
}

template <class T>
bool forced(int number, const T& condition) {
  if (is(number)) return false;
  return is(number + 1) || static_cast<bool>(condition);
}
template <class T>
bool ended(int number, const T& condition) {
  return !is(number) && static_cast<bool>(condition);
}
template <class T>
T none(int number, T value) {
  return is(number) ? T{} : value;
}

template <class A, class B>
bool less(int number, const A& a, const B& b) {
  return is(number) ? a <= b : a < b;
}
template <class A, class B>
bool less_or_equal(int number, const A& a, const B& b) {
  return is(number) ? a < b : a <= b;
}
template <class A, class B>
bool greater(int number, const A& a, const B& b) {
  return is(number) ? a >= b : a > b;
}
template <class A, class B>
bool greater_or_equal(int number, const A& a, const B& b) {
  return is(number) ? a > b : a >= b;
}

template <class A, class B>
auto sum(int number, const A& a, const B& b) {
  return is(number) ? a - b : a + b;
}
template <class A, class B>
auto difference(int number, const A& a, const B& b) {
  return is(number) ? a + b : a - b;
}
template <class A, class B>
A& add(int number, A& a, const B& b) {
  return is(number) ? a -= b : a += b;
}
template <class A, class B>
A& subtract(int number, A& a, const B& b) {
  return is(number) ? a += b : a -= b;
}
template <class A>
auto negated(int number, const A& a) {
  return is(number) ? decltype(-a)(a) : -a;
}

inline int number(int number, int n) { return is(number) ? n + 1 : n; }
template <class I>
I index(int number, I i) {
  if (!is(number)) return i;
  return i > 0 ? i - 1 : i + 1;
}
inline bool left_out(int number) { return is(number); }

}  // namespace mutant
