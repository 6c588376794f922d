#pragma once
/// Articulated-body recursions written by hand, for chains of equal rods: in the plane, and in space with axes that alternate.

#include <array>
#include <cmath>
#include <vector>

namespace bench {

struct Rod {
  double mass, length, inertia,
      gravity;  ///< the inertia is across, about the mass centre; along it is a hundredth of that
};

/// q'' of a chain of revolute joints about e3, each link a rod along e1; weight along −e2.
class PlanarChain {
 public:
  PlanarChain(int n, Rod rod) : rod_(rod), links_(static_cast<std::size_t>(n)) {}

  /// y = q, q'; rate = q', q''.
  void operator()(const double* y, double* rate) {
    const std::size_t n = links_.size();
    const double m = rod_.mass, l = rod_.length, h = m * l / 2, J = rod_.inertia + m * l * l / 4;
    double w = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Link& k = links_[i];
      k.c = std::cos(y[i]);
      k.s = std::sin(y[i]);
      k.pull = -l * w * w;  // of the joint, in the axes of the link before
      w += y[n + i];
      k.fx = -h * w * w;
      k.J = J, k.H1 = 0, k.H2 = h, k.M11 = m, k.M12 = 0, k.M22 = m, k.n = 0, k.fy = 0;
    }
    for (std::size_t i = n; i-- > 0;) {
      Link& k = links_[i];
      k.inverse = 1 / k.J;
      k.y = -k.n * k.inverse;
      k.Y1 = k.H1 * k.inverse;
      k.Y2 = k.H2 * k.inverse;
      if (i == 0) break;
      const double M11 = k.M11 - k.H1 * k.Y1, M12 = k.M12 - k.H1 * k.Y2, M22 = k.M22 - k.H2 * k.Y2,
                   fx = k.fx + k.H1 * k.y, fy = k.fy + k.H2 * k.y;
      const double a = k.c * M11 - k.s * M12, b = k.c * M12 - k.s * M22, c = k.s * M11 + k.c * M12,
                   d = k.s * M12 + k.c * M22;
      const double P11 = a * k.c - b * k.s, P12 = a * k.s + b * k.c, P22 = c * k.s + d * k.c;
      const double gx = k.c * fx - k.s * fy + P11 * k.pull, gy = k.s * fx + k.c * fy + P12 * k.pull;
      Link& p = links_[i - 1];
      p.J += l * l * P22;
      p.H1 += l * P12;
      p.H2 += l * P22;
      p.M11 += P11;
      p.M12 += P12;
      p.M22 += P22;
      p.n += l * gy;
      p.fx += gx;
      p.fy += gy;
    }
    double alpha = 0, ax = 0, ay = rod_.gravity;
    for (std::size_t i = 0; i < n; ++i) {
      const Link& k = links_[i];
      if (i > 0) {
        ax += k.pull;
        ay += alpha * l;
      }
      const double bx = k.c * ax + k.s * ay, by = k.c * ay - k.s * ax;
      const double acceleration = k.y - alpha - k.Y1 * bx - k.Y2 * by;
      rate[i] = y[n + i];
      rate[n + i] = acceleration;
      alpha += acceleration;
      ax = bx;
      ay = by;
    }
  }

 private:
  struct Link {
    double c, s, pull, J, H1, H2, M11, M12, M22, n, fx, fy, inverse, y, Y1, Y2;
  };
  Rod rod_;
  std::vector<Link> links_;
};

/// q'' of a chain of revolute joints about e2, e3, e2, … in turn, each link a rod along e1; weight along −e3.
class SpatialChain {
 public:
  SpatialChain(int n, Rod rod) : rod_(rod), links_(static_cast<std::size_t>(n)) {}

  void operator()(const double* y, double* rate) {
    const std::size_t n = links_.size();
    Vector w{};
    for (std::size_t i = 0; i < n; ++i) links_[i].start(rod_, i % 2 == 0 ? 1 : 2, y[i], y[n + i], w);
    for (std::size_t i = n; i-- > 0;) links_[i].free(i == 0 ? nullptr : &links_[i - 1], rod_.length);
    Vector alpha{}, a{0, 0, rod_.gravity};
    for (std::size_t i = 0; i < n; ++i) {
      rate[i] = y[n + i];
      rate[n + i] = links_[i].accelerate(alpha, a, i == 0 ? 0 : rod_.length);
    }
  }

 private:
  using Vector = std::array<double, 3>;
  using Block = std::array<Vector, 3>;

  struct Link {
    int axis, first, second;  ///< the axis of the joint, and the two that it turns into each other
    double c, s;
    Vector pull, bias;  ///< of the origin in the axes of the link before, and of the turning
    Block J, H, M;      ///< N = J α + H a + n, F = Hᵀ α + M a + f
    Vector n, f, Y_turn, Y_shift;
    double y;

    /// To the axes of this link, and back to those of the link before.
    Vector inwards(const Vector& v) const {
      Vector u = v;
      u[first] = c * v[first] + s * v[second];
      u[second] = c * v[second] - s * v[first];
      return u;
    }
    Vector outwards(const Vector& v) const {
      Vector u = v;
      u[first] = c * v[first] - s * v[second];
      u[second] = s * v[first] + c * v[second];
      return u;
    }
    Block outwards(const Block& A) const {
      Block B = A;
      for (int j = 0; j < 3; ++j) {
        B[first][j] = c * A[first][j] - s * A[second][j];
        B[second][j] = s * A[first][j] + c * A[second][j];
      }
      Block C = B;
      for (int i = 0; i < 3; ++i) {
        C[i][first] = B[i][first] * c - B[i][second] * s;
        C[i][second] = B[i][first] * s + B[i][second] * c;
      }
      return C;
    }

    void start(const Rod& rod, int about, double angle, double speed, Vector& w) {
      axis = about, first = (about + 1) % 3, second = (about + 2) % 3;
      c = std::cos(angle), s = std::sin(angle);
      const double l = rod.length, m = rod.mass, h = m * l / 2;
      pull = {-l * (w[1] * w[1] + w[2] * w[2]), l * w[0] * w[1], l * w[0] * w[2]};
      w = inwards(w);
      bias = {};
      bias[first] = w[second] * speed;
      bias[second] = -w[first] * speed;
      w[axis] += speed;
      const double I1 = rod.inertia / 100, I2 = rod.inertia + m * l * l / 4;
      J = {Vector{I1, 0, 0}, Vector{0, I2, 0}, Vector{0, 0, I2}};
      H = {Vector{0, 0, 0}, Vector{0, 0, -h}, Vector{0, h, 0}};
      M = {Vector{m, 0, 0}, Vector{0, m, 0}, Vector{0, 0, m}};
      n = {0, (I1 - I2) * w[0] * w[2], (I2 - I1) * w[0] * w[1]};
      f = {-h * (w[1] * w[1] + w[2] * w[2]), h * w[0] * w[1], h * w[0] * w[2]};
    }

    void free(Link* before, double l) {
      const double inverse = 1 / J[axis][axis];
      for (int i = 0; i < 3; ++i) {
        Y_turn[i] = J[i][axis] * inverse;
        Y_shift[i] = H[axis][i] * inverse;
      }
      y = -n[axis] * inverse;
      if (before == nullptr) return;
      Block A, B, C;
      Vector p, g;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          A[i][j] = J[i][j] - J[i][axis] * Y_turn[j];
          B[i][j] = H[i][j] - J[i][axis] * Y_shift[j];
          C[i][j] = M[i][j] - H[axis][i] * Y_shift[j];
        }
      }
      for (int i = 0; i < 3; ++i) {
        p[i] = n[i] + J[i][axis] * y + A[i][first] * bias[first] + A[i][second] * bias[second];
        g[i] = f[i] + H[axis][i] * y + B[first][i] * bias[first] + B[second][i] * bias[second];
      }
      A = outwards(A), B = outwards(B), C = outwards(C), p = outwards(p), g = outwards(g);
      for (int i = 0; i < 3; ++i) {
        p[i] += B[i][0] * pull[0] + B[i][1] * pull[1] + B[i][2] * pull[2];
        g[i] += C[i][0] * pull[0] + C[i][1] * pull[1] + C[i][2] * pull[2];
      }
      // To the origin of the link before, by l e1: B' = B + l ê1 C, A' = A - l B ê1 + l ê1 B'ᵀ.
      Block D = B;
      for (int j = 0; j < 3; ++j) {
        D[1][j] -= l * C[2][j];
        D[2][j] += l * C[1][j];
      }
      for (int i = 0; i < 3; ++i) {
        A[i][1] -= l * B[i][2];
        A[i][2] += l * B[i][1];
        A[1][i] -= l * D[i][2];
        A[2][i] += l * D[i][1];
      }
      p[1] -= l * g[2];
      p[2] += l * g[1];
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          before->J[i][j] += A[i][j];
          before->H[i][j] += D[i][j];
          before->M[i][j] += C[i][j];
        }
        before->n[i] += p[i];
        before->f[i] += g[i];
      }
    }

    double accelerate(Vector& alpha, Vector& a, double l) const {
      if (l > 0) {
        a[0] += pull[0];
        a[1] += pull[1] + l * alpha[2];
        a[2] += pull[2] - l * alpha[1];
      }
      a = inwards(a);
      alpha = inwards(alpha);
      double rate = y;
      for (int i = 0; i < 3; ++i) {
        alpha[i] += bias[i];
        rate -= Y_turn[i] * alpha[i] + Y_shift[i] * a[i];
      }
      alpha[axis] += rate;
      return rate;
    }
  };
  Rod rod_;
  std::vector<Link> links_;
};

}  // namespace bench
