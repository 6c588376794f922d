#include <rattleback/algebra/signs/polynomial_roots.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/flint_headers.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include RATTLEBACK_ARB_HEADER(acb_poly.h)
#pragma GCC diagnostic pop

namespace rattleback {
namespace {

/// Arb's polynomial and the boxes of its roots, freed together.
struct ComplexRoots {
  explicit ComplexRoots(std::span<const Ball> coefficients)
      : degree(static_cast<slong>(coefficients.size()) - 1) {
    acb_poly_init(polynomial);
    for (slong k = 0; k <= degree; ++k) {
      acb_t c;
      acb_init(c);
      acb_set_arb(c, coefficients[static_cast<std::size_t>(k)].raw());
      acb_poly_set_coeff_acb(polynomial, k, c);
      acb_clear(c);
    }
    boxes = _acb_vec_init(degree);
  }
  ~ComplexRoots() {
    _acb_vec_clear(boxes, degree);
    acb_poly_clear(polynomial);
  }
  ComplexRoots(const ComplexRoots&) = delete;
  ComplexRoots& operator=(const ComplexRoots&) = delete;

  slong degree;
  acb_poly_t polynomial;
  acb_ptr boxes;
};

}  // namespace

std::optional<std::vector<EnclosedRoot>> polynomial_roots(std::span<const Ball> coefficients, long bits) {
  if (coefficients.empty() || coefficients.back().contains_zero()) return std::nullopt;
  if (coefficients.size() == 1) return std::vector<EnclosedRoot>{};
  return_flint_memory_at_thread_end();
  ComplexRoots roots(coefficients);
  if (acb_poly_find_roots(roots.boxes, roots.polynomial, nullptr, 0, bits) != roots.degree)
    return std::nullopt;
  // Boxes that touch the real axis are those of real roots: otherwise the conjugate root would share them.
  if (acb_poly_validate_real_roots(roots.boxes, roots.polynomial, bits) == 0) return std::nullopt;
  std::vector<EnclosedRoot> found;
  for (slong k = 0; k < roots.degree; ++k) {
    EnclosedRoot root;
    arb_set(root.re.raw(), acb_realref(roots.boxes + k));
    arb_set(root.im.raw(), acb_imagref(roots.boxes + k));
    root.is_real = root.im.contains_zero();
    found.push_back(std::move(root));
  }
  std::sort(found.begin(), found.end(), [](const EnclosedRoot& a, const EnclosedRoot& b) {
    if (a.is_real != b.is_real) return a.is_real;
    const double x = a.re.midpoint(), y = b.re.midpoint();
    return x != y ? x < y : a.im.midpoint() < b.im.midpoint();
  });
  return found;
}

}  // namespace rattleback
