#include <rattleback/motion/programs/articulated.hpp>

#include <algorithm>
#include <array>

#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/motion/programs/articulated_frames.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {
namespace {

bool is_null(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return e.is_zero(); });
}

/// Only the upper triangle is computed: what is symmetric stays so as written.
template <class Entry>
Matrix symmetric(Entry entry) {
  Matrix s(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) s(i, j) = s(j, i) = entry(i, j);
  return s;
}

/// R A Rᵀ.
Matrix turned(const Matrix& R, const Matrix& A, bool is_symmetric) {
  const Matrix B = R * A;
  const auto entry = [&](int i, int j) { return dot(transpose(B.row(i)), transpose(R.row(j))); };
  if (is_symmetric) return symmetric(entry);
  Matrix C(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = entry(i, j);
  return C;
}

/// ω̂²: what makes ω × (ω × r) of r.
Matrix centripetal(const Matrix& w) {
  return symmetric([&](int i, int j) {
    if (i != j) return w[i] * w[j];
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    return -(w[k] * w[k] + w[l] * w[l]);
  });
}

/// N = J α + H a + n, F = Hᵀ α + M a + f: the articulated inertia of a frame.                              (T.1)
struct Articulated {
  Matrix J = Matrix(3, 3), H = Matrix(3, 3), M = Matrix(3, 3), n = Matrix(3, 1), f = Matrix(3, 1);

  void add(const Articulated& other) {
    J = J + other.J;
    H = H + other.H;
    M = M + other.M;
    n = n + other.n;
    f = f + other.f;
  }
};

/// What a frame that moves freely along its freedoms leaves of (T.1): y − Y (α, a) are the accelerations of the joint.
struct Freed {
  Matrix Y_turn, Y_shift, y;  ///< k × 3, k × 3, k × 1
};

/// x with D x = B for a positive definite D of at most three rows; empty when a pivot is 0. Pivots are added to `pivots`.
Matrix solved(Matrix D, Matrix B, std::vector<Expr>& pivots) {
  const int k = D.rows();
  for (int p = 0; p < k; ++p) {
    if (D(p, p).is_zero()) return {};
    pivots.push_back(D(p, p));
    const Expr inverse = pow(D(p, p), -1);
    for (int i = p + 1; i < k; ++i) {
      const Expr factor = D(p, i) * inverse;
      for (int j = i; j < k; ++j) D(i, j) -= factor * D(p, j);
      for (int j = 0; j < B.columns(); ++j) B(i, j) -= factor * B(p, j);
    }
  }
  for (int p = k - 1; p >= 0; --p) {
    const Expr inverse = pow(D(p, p), -1);
    for (int j = 0; j < B.columns(); ++j) {
      for (int i = p + 1; i < k; ++i) B(p, j) -= D(p, i) * B(i, j);
      B(p, j) *= inverse;
    }
  }
  return B;
}

class Recursion {
 public:
  Recursion(const JointFrames& tree, std::vector<Expr> speeds, std::vector<Expr> forces)
      : frames_(tree.frames), speeds_(std::move(speeds)), forces_(std::move(forces)) {}

  /// The accelerations of the joints, by leg; empty when a frame has no inertia along a freedom.
  std::vector<Expr> accelerations(const Matrix& gravity) {
    find_velocities();
    for (std::size_t i = frames_.size(); i-- > 0;)
      if (!free_and_pass_on(static_cast<int>(i))) return {};
    find_accelerations(gravity);
    return rates_;
  }

  const std::vector<Expr>& pivots() const { return pivots_; }

 private:
  const Matrix& omega(int i) const { return i < 0 ? at_rest_ : omega_[static_cast<std::size_t>(i)]; }

  Matrix relative_velocity(const JointFrame& frame) const {
    std::vector<Expr> z;
    for (const int leg : frame.legs) z.push_back(speeds_[static_cast<std::size_t>(leg)]);
    return z.empty() ? Matrix(3, 1) : frame.directions * Matrix::column(z);
  }

  /// ω_i = Rᵀ ω_p + w, c = (Rᵀ ω_p × w, 0) of a turn; ω_i = ω_p, c = (0, ω × (ω × r) + 2 ω × u) of a shift.         (T.2)
  /// The bodies add n = ω × I ω and f = ω × (ω × m r).
  void find_velocities() {
    for (const JointFrame& frame : frames_) {
      const Matrix w = relative_velocity(frame);
      Matrix bias(3, 1), at = omega(frame.parent), squared;
      if (frame.turns()) {
        const Matrix carried = transpose(frame.rotation) * at;
        bias = cross(carried, w);
        at = carried + w;
        squared = centripetal(at);
      } else {
        squared = frame.parent < 0 ? Matrix(3, 3) : squared_[static_cast<std::size_t>(frame.parent)];
        bias = squared * frame.arm + Expr(2) * cross(at, w);
      }
      Articulated body;
      if (!frame.mass.is_zero() || !is_null(frame.inertia)) {
        body.J = frame.inertia;
        body.H = hat(frame.moment);
        body.M = frame.mass * Matrix::identity(3);
        body.n = cross(at, frame.inertia * at);
        body.f = squared * frame.moment;
      }
      omega_.push_back(at);
      squared_.push_back(squared);
      biases_.push_back(bias);
      inertias_.push_back(std::move(body));
    }
  }

  /// J − U D⁻¹ Uᵀ and so on: what the parent feels of a frame that is free.                                   (T.3)
  bool free(const JointFrame& frame, Articulated& A) {
    freed_.push_back({});
    const int k = frame.freedoms();
    if (k == 0) return true;
    const Matrix& d = frame.directions;
    const Matrix U_turn = frame.turns() ? A.J * d : A.H * d,
                 U_shift = frame.turns() ? transpose(A.H) * d : A.M * d;
    const Matrix D = transpose(d) * (frame.turns() ? U_turn : U_shift),
                 bias = transpose(d) * (frame.turns() ? A.n : A.f);
    Matrix right(k, 7);
    for (int a = 0; a < k; ++a) {
      for (int i = 0; i < 3; ++i) {
        right(a, i) = U_turn(i, a);
        right(a, 3 + i) = U_shift(i, a);
      }
      right(a, 6) = forces_[static_cast<std::size_t>(frame.legs[static_cast<std::size_t>(a)])] - bias[a];
    }
    const Matrix x = solved(D, right, pivots_);
    if (x.rows() == 0) return false;
    Freed& freed = freed_.back();
    freed = {Matrix(k, 3), Matrix(k, 3), x.column(6)};
    for (int a = 0; a < k; ++a)
      for (int i = 0; i < 3; ++i) {
        freed.Y_turn(a, i) = x(a, i);
        freed.Y_shift(a, i) = x(a, 3 + i);
      }
    reduce(frame, A, U_turn, U_shift, freed);
    return true;
  }

  /// Three freedoms take a whole block; it is not left to cancel.
  static void reduce(const JointFrame& frame, Articulated& A, const Matrix& U_turn, const Matrix& U_shift,
                     const Freed& freed) {
    const bool all = frame.freedoms() == 3;
    const Matrix H = U_turn * freed.Y_shift, J = U_turn * freed.Y_turn, M = U_shift * freed.Y_shift;
    A.J = all && frame.turns() ? Matrix(3, 3) : symmetric([&](int i, int j) { return A.J(i, j) - J(i, j); });
    A.M = all && !frame.turns() ? Matrix(3, 3) : symmetric([&](int i, int j) { return A.M(i, j) - M(i, j); });
    A.H = all ? Matrix(3, 3) : A.H - H;
    A.n = A.n + U_turn * freed.y;
    A.f = A.f + U_shift * freed.y;
  }

  /// By the bias of the frame, then to the axes and the origin of the parent:
  ///     J_p = J − H r̂ + r̂ H_pᵀ,  H_p = H + r̂ M,  n_p = n + r × f.                                            (T.4)
  static Articulated passed_on(const JointFrame& frame, Articulated A, const Matrix& bias) {
    if (frame.turns()) {
      A.n = A.n + A.J * bias;
      A.f = A.f + transpose(A.H) * bias;
      const Matrix& R = frame.rotation;
      return {turned(R, A.J, true), turned(R, A.H, false), turned(R, A.M, true), R * A.n, R * A.f};
    }
    A.n = A.n + A.H * bias;
    A.f = A.f + A.M * bias;
    const Matrix r = hat(frame.arm), H = A.H + r * A.M, first = A.H * r, second = r * transpose(H);
    A.J = symmetric([&](int i, int j) { return sum({A.J(i, j), -first(i, j), second(i, j)}); });
    A.H = H;
    A.n = A.n + cross(frame.arm, A.f);
    return A;
  }

  bool free_and_pass_on(int i) {
    const JointFrame& frame = frames_[static_cast<std::size_t>(i)];
    Articulated A = inertias_[static_cast<std::size_t>(i)];
    if (!free(frame, A)) return false;
    if (frame.parent >= 0)
      inertias_[static_cast<std::size_t>(frame.parent)].add(
          passed_on(frame, std::move(A), biases_[static_cast<std::size_t>(i)]));
    return true;
  }

  /// ż = y − Y (α, a), where (α, a) is the acceleration that the parent and the bias give; the ground is accelerated by −g.   (T.5)
  void find_accelerations(const Matrix& gravity) {
    std::vector<Matrix> alpha, a;
    rates_.assign(speeds_.size(), Expr(0));
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const JointFrame& frame = frames_[i];
      const bool root = frame.parent < 0;
      Matrix turning = root ? Matrix(3, 1) : alpha[static_cast<std::size_t>(frame.parent)],
             shifting = root ? -gravity : a[static_cast<std::size_t>(frame.parent)];
      if (frame.turns()) {
        turning = transpose(frame.rotation) * turning + biases_[i];
        shifting = transpose(frame.rotation) * shifting;
      } else {
        shifting = shifting + cross(turning, frame.arm) + biases_[i];
      }
      if (const int k = frame.freedoms(); k > 0) {
        const Freed& freed = freed_[frames_.size() - 1 - i];
        const Matrix rate = freed.y - freed.Y_turn * turning - freed.Y_shift * shifting;
        for (int j = 0; j < k; ++j)
          rates_[static_cast<std::size_t>(frame.legs[static_cast<std::size_t>(j)])] = rate[j];
        (frame.turns() ? turning : shifting) = (frame.turns() ? turning : shifting) + frame.directions * rate;
      }
      alpha.push_back(std::move(turning));
      a.push_back(std::move(shifting));
    }
  }

  const std::vector<JointFrame>& frames_;
  std::vector<Expr> speeds_, forces_, rates_, pivots_;
  const Matrix at_rest_ = Matrix(3, 1);
  std::vector<Matrix> omega_, squared_, biases_;
  std::vector<Articulated> inertias_;
  std::vector<Freed> freed_;  ///< from the last frame to the first
};

bool is_a_free_tree(const System& system, const SolvedVelocities& v) {
  if (!system.constraints.empty() || !v.linear || v.psi.size() != v.speeds.size()) return false;
  for (std::size_t i = 0; i < v.psi.size(); ++i)
    if (v.psi[i] != Expr(v.speeds[i])) return false;
  return true;
}

}  // namespace

std::vector<Expr> forces_on_joints(const System& system, const JointTree& tree, const SymbolMap& speeds) {
  const Space& space = system.space;
  std::vector<Expr> Q = system.forces;
  Q.resize(static_cast<std::size_t>(space.dimension()));
  const Expr V = *system.potential - tree.potential;
  if (!V.is_zero()) {
    const auto functions = space.functions();
    const std::vector<Expr> dV = gradient(V, functions);
    SymbolMap slope;
    for (std::size_t k = 0; k < functions.size(); ++k)
      if (!dV[k].is_zero()) slope.emplace(functions[k], dV[k]);
    for (int i = 0; i < space.dimension(); ++i)
      for (const auto& [f, image] : space.leg(i))
        if (const auto found = slope.find(f); found != slope.end())
          Q[static_cast<std::size_t>(i)] -= found->second * image;
  }
  return substitute(Q, speeds);
}

std::optional<EquationsOfMotion> articulated_motion(const System& system, const SolvedVelocities& v) {
  if (!is_a_free_tree(system, v)) return std::nullopt;
  const auto tree = joint_tree_of(system);
  if (!tree) return std::nullopt;
  const auto frames = joint_frames(*tree, system.space);
  if (!frames) return std::nullopt;
  const SymbolMap speeds = v.substitution(system.space);
  Recursion recursion(*frames, v.psi, forces_on_joints(system, *tree, speeds));
  EquationsOfMotion equations;
  equations.speed_rates = recursion.accelerations(tree->gravity);
  if (equations.speed_rates.empty()) return std::nullopt;
  equations.form = "hamel";
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(substitute(system.space.motion().at(f), speeds));
  equations.speeds = v.speeds;
  equations.velocities = speeds;
  equations.speed_definitions = v.definitions;
  equations.where = v.where;
  for (const Expr pivot : recursion.pivots())
    if (!frames->is_definite && !known_nonzero(pivot))
      equations.where.push_back({pivot, Assumption::Kind::nonzero, "a pivot of the kinetic metric"});
  equations.notes = v.notes;
  return equations;
}

std::optional<EquationsOfMotion> articulated_motion(const System& system) {
  if (!system.constraints.empty() || !system.velocities.empty() || system.parametrization)
    return std::nullopt;
  SolvedVelocities v;
  v.speeds.assign(system.space.velocities().begin(), system.space.velocities().end());
  v.psi.assign(v.speeds.begin(), v.speeds.end());
  v.definitions = v.psi;
  return articulated_motion(system, v);
}

}  // namespace rattleback
