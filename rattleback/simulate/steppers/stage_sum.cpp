/// Compiled for several instruction sets; see stage_sum.hpp. RATTLEBACK_STAGES is the name of its functions.
#include <rattleback/simulate/steppers/stage_sum.hpp>

namespace rattleback::stage_rows {
namespace {

/// Rates are written one by one, and what was written just now can be read at once only in the same pieces. Where a register holds
/// eight doubles, rows are read whole all the same, but for the last one; otherwise nothing is gained by it: processors of
/// 256 bits were found to wait longer for each row than they add. The order of the sums is the same.
#ifdef __AVX512F__
typedef double Piece __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long Bits __attribute__((vector_size(64)));
constexpr std::size_t width = 8;
constexpr bool is_read_whole = true;

Piece absolute(Piece x) { return reinterpret_cast<Piece>(reinterpret_cast<Bits>(x) & 0x7fffffffffffffffLL); }
Piece larger(Piece a, Piece b) { return a > b ? a : b; }
double entry(Piece x, std::size_t i) { return x[i]; }
Piece at(const double* x) { return *reinterpret_cast<const Piece*>(x); }
void put(Piece x, double* to) { *reinterpret_cast<Piece*>(to) = x; }
#else
/// Doubles one by one, enough of them that their sums need not wait for each other.
constexpr std::size_t width = 4;
constexpr bool is_read_whole = false;
struct Piece {
  double x[width];
};

template <class F>
Piece each(F f) {
  return {{f(0), f(1), f(2), f(3)}};
}
Piece operator*(double a, Piece b) {
  return each([&](int i) { return a * b.x[i]; });
}
Piece operator*(Piece a, Piece b) {
  return each([&](int i) { return a.x[i] * b.x[i]; });
}
Piece operator+(Piece a, Piece b) {
  return each([&](int i) { return a.x[i] + b.x[i]; });
}
Piece operator+(double a, Piece b) {
  return each([&](int i) { return a + b.x[i]; });
}
Piece operator/(double a, Piece b) {
  return each([&](int i) { return a / b.x[i]; });
}
Piece& operator+=(Piece& a, Piece b) { return a = a + b; }
Piece absolute(Piece a) {
  return each([&](int i) { return __builtin_fabs(a.x[i]); });
}
Piece larger(Piece a, Piece b) {
  return each([&](int i) { return a.x[i] > b.x[i] ? a.x[i] : b.x[i]; });
}
double entry(const Piece& a, std::size_t i) { return a.x[i]; }
Piece at(const double* x) {
  return each([&](int i) { return x[i]; });
}
void put(const Piece& a, double* to) {
  for (std::size_t i = 0; i < width; ++i) to[i] = a.x[i];
}
#endif

double squares(Piece a) {
  double sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += entry(a, i) * entry(a, i);
  return sum;
}

/// Some variables at a time, so that their sums stay in registers.
void sum_rows(const double* k, std::size_t stride, const Weight* weights, std::size_t count, const double* y,
              double h, double* to) {
  const Weight* const last = weights + (count - 1);
  const double* const fresh = k + static_cast<std::size_t>(last->stage) * stride;
  const double weight = h * last->value;
  for (std::size_t first = 0; first < stride; first += width) {
    Piece total{};
    for (const Weight* w = weights; w != last; ++w)
      total += w->value * at(k + static_cast<std::size_t>(w->stage) * stride + first);
    const Piece sum = at(y + first) + h * total;
    put(is_read_whole ? sum : sum + weight * at(fresh + first), to + first);
  }
  if (is_read_whole)
    for (std::size_t i = 0; i < stride; ++i) to[i] += weight * fresh[i];
}

Errors end_of_step(const double* k, std::size_t stride, const EndWeight* weights, std::size_t count,
                   const double* y, double h, double rtol, double atol, double* to) {
  Errors errors{0, 0};
  for (std::size_t first = 0; first < stride; first += width) {
    Piece total{}, fifth{}, third{};
    for (const EndWeight *w = weights, *end = w + count; w != end; ++w) {
      const Piece rate = at(k + static_cast<std::size_t>(w->stage) * stride + first);
      total += w->value * rate;
      fifth += w->fifth * rate;
      third += w->third * rate;
    }
    const Piece before = at(y + first), after = before + h * total;
    put(after, to + first);
    const Piece a = absolute(before), b = absolute(after);
    const Piece scale = 1 / (atol + rtol * larger(a, b));
    errors.fifth += squares(fifth * scale);
    errors.third += squares(third * scale);
  }
  return errors;
}

/// A register, and what is done with it at a time so that sums need not wait for each other.
#if defined(__AVX512F__)
constexpr std::size_t wide = 8;
#elif defined(__AVX2__)
constexpr std::size_t wide = 4;
#else
constexpr std::size_t wide = 2;
#endif
typedef double Wide __attribute__((vector_size(8 * wide), aligned(8), may_alias));
typedef long long WideBits __attribute__((vector_size(8 * wide)));
Wide wide_at(const double* x) { return *reinterpret_cast<const Wide*>(x); }
void put_wide(Wide x, double* to) { *reinterpret_cast<Wide*>(to) = x; }
Wide wide_absolute(Wide x) {
  return reinterpret_cast<Wide>(reinterpret_cast<WideBits>(x) & 0x7fffffffffffffffLL);
}
void sum_whole(const double* k, std::size_t stride, const Weight* weights, std::size_t count, const double* y,
               double h, double* to) {
  const Weight* const end = weights + count;
  std::size_t first = 0;
  for (; first + 4 * wide <= stride; first += 4 * wide) {
    Wide a{}, b{}, c{}, d{};
    for (const Weight* w = weights; w != end; ++w) {
      const double* row = k + static_cast<std::size_t>(w->stage) * stride + first;
      a += w->value * wide_at(row);
      b += w->value * wide_at(row + wide);
      c += w->value * wide_at(row + 2 * wide);
      d += w->value * wide_at(row + 3 * wide);
    }
    put_wide(wide_at(y + first) + h * a, to + first);
    put_wide(wide_at(y + first + wide) + h * b, to + first + wide);
    put_wide(wide_at(y + first + 2 * wide) + h * c, to + first + 2 * wide);
    put_wide(wide_at(y + first + 3 * wide) + h * d, to + first + 3 * wide);
  }
  for (; first < stride; first += wide) {
    Wide a{};
    for (const Weight* w = weights; w != end; ++w)
      a += w->value * wide_at(k + static_cast<std::size_t>(w->stage) * stride + first);
    put_wide(wide_at(y + first) + h * a, to + first);
  }
}

Errors end_whole(const double* k, std::size_t stride, const EndWeight* weights, std::size_t count,
                 const double* y, double h, double rtol, double atol, double* to) {
  Wide fifths{}, thirds{};
  for (std::size_t first = 0; first < stride; first += wide) {
    Wide total{}, fifth{}, third{};
    for (const EndWeight *w = weights, *end = w + count; w != end; ++w) {
      const Wide rate = wide_at(k + static_cast<std::size_t>(w->stage) * stride + first);
      total += w->value * rate;
      fifth += w->fifth * rate;
      third += w->third * rate;
    }
    const Wide before = wide_at(y + first), after = before + h * total;
    put_wide(after, to + first);
    const Wide a = wide_absolute(before), b = wide_absolute(after);
    const Wide scale = 1 / (atol + rtol * (a > b ? a : b));
    fifths += (fifth * scale) * (fifth * scale);
    thirds += (third * scale) * (third * scale);
  }
  Errors errors{0, 0};
  for (std::size_t i = 0; i < wide; ++i) {
    errors.fifth += fifths[i];
    errors.third += thirds[i];
  }
  return errors;
}

#ifdef __FMA__
double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
double multiply_add(double a, double b, double c) { return a * b + c; }
#endif

void shift(const double* y, double h, const double* k, std::size_t n, double* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = multiply_add(h, k[i], y[i]);
}
void kutta(const double* y, double sixth, const double* const k[4], std::size_t n, double* to) {
  for (std::size_t i = 0; i < n; ++i) {
    const double sum = multiply_add(2, k[1][i] + k[2][i], k[0][i]) + k[3][i];
    to[i] = multiply_add(sixth, sum, y[i]);
  }
}

}  // namespace

const Functions RATTLEBACK_STAGES{width, sum_rows, end_of_step, sum_whole, end_whole, shift, kutta};

}  // namespace rattleback::stage_rows
