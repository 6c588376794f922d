#include <rattleback/view/chain_recursion.hpp>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/articulated.hpp>
#include <rattleback/motion/articulated_frames.hpp>

namespace rattleback {
namespace {

constexpr std::size_t fewest_links = 4, fewest_spherical = 3;

/// name = base + number, as in q12; nothing for other names.
struct Numbered {
  std::string base;
  int number = 0;
};
std::optional<Numbered> numbered(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits >= name.size() || name.size() - digits > 6) return std::nullopt;
  Numbered found{name.substr(0, digits), 0};
  std::from_chars(name.data() + digits, name.data() + name.size(), found.number);
  while (found.base.size() > 1 && found.base.back() == '_') found.base.pop_back();
  return found;
}

/// One freedom, or the three of a spherical joint, with the arm that leads there.
struct ChainJoint {
  Matrix arm = Matrix(3, 1), turn = Matrix(3, 1), shift = Matrix(3, 1);
  std::vector<int> legs;
  const JointFrame* body = nullptr;  ///< none: nothing sits between this freedom and the next
};

/// The frames as a chain of single freedoms; empty when they are anything else.
class ChainOfFrames {
 public:
  explicit ChainOfFrames(const Space& space) : space_(space) {}

  std::vector<ChainJoint> joints(const std::vector<JointFrame>& frames) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      if (frames[k].parent != static_cast<int>(k) - 1 ||
          !(frames[k].turns() ? add_turn(frames[k]) : add_shift(frames[k])))
        return {};
    }
    return chain_;
  }

 private:
  bool add_turn(const JointFrame& frame) {
    if (frame.freedoms() != 1 && frame.freedoms() != 3) return false;
    ChainJoint joint;
    joint.arm = std::exchange(arm_, Matrix(3, 1));
    if (frame.freedoms() == 1) joint.turn = frame.directions;
    if (frame.freedoms() == 3 && !(frame.directions == Matrix::identity(3))) return false;
    joint.legs = frame.legs;
    joint.body = &frame;
    chain_.push_back(std::move(joint));
    return true;
  }

  /// arm + Σ q_j direction_j, one freedom after the other.
  bool add_shift(const JointFrame& frame) {
    SymbolMap zero;
    for (const int leg : frame.legs)
      if (const auto q = space_.coordinate(leg)) zero.emplace(*q, Expr(0));
    arm_ = arm_ + substitute(frame.arm, zero);
    if (frame.freedoms() == 0) return frame.mass.is_zero();
    for (int j = 0; j < frame.freedoms(); ++j) {
      ChainJoint joint;
      joint.arm = std::exchange(arm_, Matrix(3, 1));
      joint.shift = frame.directions.column(j);
      joint.legs = {frame.legs[static_cast<std::size_t>(j)]};
      if (j + 1 == frame.freedoms()) joint.body = &frame;
      chain_.push_back(std::move(joint));
    }
    return true;
  }

  const Space& space_;
  Matrix arm_ = Matrix(3, 1);
  std::vector<ChainJoint> chain_;
};

bool is_null(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return e.is_zero(); });
}

/// Nothing when spherical joints and others follow each other.
std::optional<ChainRecursion::Kind> kind_of(const std::vector<ChainJoint>& chain) {
  using Kind = ChainRecursion::Kind;
  const auto count = [&](auto is) { return static_cast<std::size_t>(std::ranges::count_if(chain, is)); };
  const std::size_t spherical = count([](const ChainJoint& j) { return j.legs.size() == 3; });
  if (spherical > 0) return spherical == chain.size() ? std::optional(Kind::spherical) : std::nullopt;
  const std::size_t turns = count([](const ChainJoint& j) { return !is_null(j.turn); });
  return turns == chain.size() ? Kind::revolute : Kind::mixed;
}

/// Formulas in which names with the number of the link have the index i instead.
class Indexed {
 public:
  Indexed(int number, const Space& space, const ChainJoint& joint, const std::string& angle)
      : number_(number) {
    for (std::size_t k = 0; k < joint.legs.size(); ++k) {
      const Symbol velocity = space.velocities()[static_cast<std::size_t>(joint.legs[k])];
      if (joint.legs.size() == 3) {
        put(velocity, fmt::format("{}_i[{}]", angle, k + 1));
        continue;
      }
      put(*space.coordinate(joint.legs[k]), angle + "_i");
      put(velocity, angle + "_i'");
    }
  }
  std::string operator()(Expr e) {
    learn(symbols_of(e));
    return text(substitute(short_form(e), names_));
  }
  std::string operator()(const Matrix& m) {
    Matrix named = m;
    learn(symbols_of(m.entries()));
    for (Expr& e : named.entries()) e = substitute(short_form(e), names_);
    return written(named);
  }

 private:
  static std::string written(const Matrix& m) {
    if (m.columns() == 1) return fmt::format("[{}, {}, {}]", text(m[0]), text(m[1]), text(m[2]));
    bool diagonal = true;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) diagonal = diagonal && (i == j || m(i, j).is_zero());
    if (diagonal) return fmt::format("diag({}, {}, {})", text(m(0, 0)), text(m(1, 1)), text(m(2, 2)));
    return text(m);
  }
  void put(Symbol s, const std::string& name) {
    names_.insert_or_assign(s, Expr(Symbol::make(name, s.attributes())));
  }
  void learn(const std::vector<Symbol>& symbols) {
    for (const Symbol s : symbols) {
      if (s.role() != Role::parameter || names_.contains(s)) continue;
      const auto parts = numbered(s.name());
      if (parts && parts->number == number_) put(s, parts->base + "_i");
    }
  }
  int number_;
  SymbolMap names_;
};

/// values[k] for k ≥ root repeat with the period; empty when they do not.
std::vector<std::pair<std::string, std::string>> grouped(const std::string& name,
                                                         const std::vector<std::string>& values, int first) {
  const int n = static_cast<int>(values.size()), last = first + n - 1;
  const auto at = [&](int k) -> const std::string& { return values[static_cast<std::size_t>(k)]; };
  for (const int root : {0, 1, 2, 3}) {
    for (const int period : {1, 2, 3}) {
      bool repeats = n - root >= std::max(3, 2 * period);
      for (int k = root; repeats && k + period < n; ++k) repeats = at(k) == at(k + period);
      if (!repeats) continue;
      std::vector<std::pair<std::string, std::string>> lines;
      for (int k = 0; k < root; ++k) lines.emplace_back(fmt::format("{}_{}", name, first + k), at(k));
      for (int k = root; k < root + period; ++k) {
        const std::string range = period > 1 ? fmt::format("i = {}, {}, ...", first + k, first + k + period)
                                  : root > 0 ? fmt::format("i = {}..{}", first + k, last)
                                             : "";
        lines.emplace_back(name + "_i", range.empty() ? at(k) : fmt::format("{} for {}", at(k), range));
      }
      return lines;
    }
  }
  return {};
}

/// The letter of the coordinates and the number of the first, when they are q1, q2, … in this order.
std::optional<Numbered> common_letter(const std::vector<ChainJoint>& chain, const Space& space) {
  std::optional<Numbered> first;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const auto q = space.coordinate(chain[k].legs[0]);
    const auto parts = q ? numbered(q->name()) : std::nullopt;
    if (!parts) return std::nullopt;
    if (!first) first = parts;
    if (parts->base != first->base || parts->number != first->number + static_cast<int>(k))
      return std::nullopt;
  }
  return first;
}

/// "q_1, q_2, ..., q_10 = a1, b1, ..., b5".
std::string listed_coordinates(const std::vector<ChainJoint>& chain, const Space& space) {
  std::string left, right;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    constexpr std::size_t shown = 6;
    if (chain.size() > shown + 1 && k == shown) {
      left += ", ...";
      right += ", ...";
    }
    if (chain.size() > shown + 1 && k >= shown && k + 1 < chain.size()) continue;
    left += fmt::format("{}q_{}", k == 0 ? "" : ", ", k + 1);
    right += fmt::format("{}{}", k == 0 ? "" : ", ", space.coordinate(chain[k].legs[0])->name());
  }
  return left + " = " + right;
}

/// "R_i = q1, q2, ...": the rotations of spherical joints.
std::string listed_rotations(const std::vector<ChainJoint>& chain, const Space& space) {
  std::string left, right;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    constexpr std::size_t shown = 3;
    const auto is_this = [&](const Factor& f) {
      return f.velocities[0] == space.velocities()[static_cast<std::size_t>(chain[k].legs[0])];
    };
    const auto f = std::ranges::find_if(space.factors(), is_this);
    if (f == space.factors().end()) return "";
    if (k == shown && chain.size() > shown + 1) {
      left += ", ...";
      right += ", ...";
    }
    if (k >= shown && k + 1 < chain.size()) continue;
    left += fmt::format("{}R_{}", k == 0 ? "" : ", ", k + 1);
    right += fmt::format("{}{}", k == 0 ? "" : ", ", f->name);
  }
  return left + " = " + right;
}

struct Line {
  const char *left, *right, *left_latex, *right_latex;
};

constexpr Line velocities[] = {
    {"w_i", "transpose(R_i)*w_(i-1) + @_i'*e_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\dot{@}_i e_i"},
    {"c_i", "@_i'*w_i × e_i", "c_i", "\\dot{@}_i \\omega_i \\times e_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i)", "b_i", "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i)"},
};
constexpr Line inertias[] = {
    {"d_i", "dot(e_i, J_i*e_i)", "d_i", "e_i \\cdot J_i e_i"},
    {"U_i", "J_i*e_i/d_i", "U_i", "J_i e_i/d_i"},
    {"V_i", "transpose(H_i)*e_i/d_i", "V_i", "H_i^T e_i/d_i"},
    {"s_i", "(tau_i - dot(e_i, n_i))/d_i", "s_i", "(\\tau_i - e_i \\cdot n_i)/d_i"},
    {"A_i", "R_i*(J_i - d_i*U_i*transpose(U_i))*transpose(R_i)", "A_i", "R_i (J_i - d_i U_i U_i^T) R_i^T"},
    {"B_i", "R_i*(H_i - d_i*U_i*transpose(V_i))*transpose(R_i)", "B_i", "R_i (H_i - d_i U_i V_i^T) R_i^T"},
    {"C_i", "R_i*(M_i - d_i*V_i*transpose(V_i))*transpose(R_i)", "C_i", "R_i (M_i - d_i V_i V_i^T) R_i^T"},
    {"p_i", "R_i*(n_i + d_i*s_i*U_i) + A_i*R_i*c_i + B_i*b_i", "p_i",
     "R_i (n_i + d_i s_i U_i) + A_i R_i c_i + B_i b_i"},
    {"g_i", "R_i*(f_i + d_i*s_i*V_i) + transpose(B_i)*R_i*c_i + C_i*b_i", "g_i",
     "R_i (f_i + d_i s_i V_i) + B_i^T R_i c_i + C_i b_i"},
    {"J_(i-1)", "I_(i-1) + A_i - B_i*hat(r_i) + hat(r_i)*transpose(B_i + hat(r_i)*C_i)", "J_{i-1}",
     "I_{i-1} + A_i - B_i \\hat r_i + \\hat r_i (B_i + \\hat r_i C_i)^T"},
    {"H_(i-1)", "hat(h_(i-1)) + B_i + hat(r_i)*C_i", "H_{i-1}", "\\hat h_{i-1} + B_i + \\hat r_i C_i"},
    {"M_(i-1)", "m_(i-1)*E + C_i", "M_{i-1}", "m_{i-1} E + C_i"},
    {"n_(i-1)", "w_(i-1) × (I_(i-1)*w_(i-1)) + p_i + r_i × g_i", "n_{i-1}",
     "\\omega_{i-1} \\times I_{i-1} \\omega_{i-1} + p_i + r_i \\times g_i"},
    {"f_(i-1)", "w_(i-1) × (w_(i-1) × h_(i-1)) + g_i", "f_{i-1}",
     "\\omega_{i-1} \\times (\\omega_{i-1} \\times h_{i-1}) + g_i"},
};
constexpr Line accelerations[] = {
    {"z_i", "transpose(R_i)*alpha_(i-1) + c_i", "z_i", "R_i^T \\alpha_{i-1} + c_i"},
    {"a_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "a_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"@_i''", "s_i - dot(U_i, z_i) - dot(V_i, a_i)", "\\ddot{@}_i", "s_i - U_i \\cdot z_i - V_i \\cdot a_i"},
    {"alpha_i", "z_i + @_i''*e_i", "\\alpha_i", "z_i + \\ddot{@}_i e_i"},
};

// Turns about e_i and shifts along t_i; one of the two is 0.
constexpr Line mixed_velocities[] = {
    {"r_i", "l_i + @_i*t_i", "r_i", "l_i + @_i t_i"},
    {"w_i", "transpose(R_i)*w_(i-1) + @_i'*e_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\dot{@}_i e_i"},
    {"c_i", "@_i'*w_i × e_i", "c_i", "\\dot{@}_i \\omega_i \\times e_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i) + 2*@_i'*w_(i-1) × t_i", "b_i",
     "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i) + 2 \\dot{@}_i \\omega_{i-1} \\times t_i"},
};
constexpr Line mixed_freedom[] = {
    {"d_i", "dot(e_i, J_i*e_i) + dot(t_i, M_i*t_i)", "d_i", "e_i \\cdot J_i e_i + t_i \\cdot M_i t_i"},
    {"U_i", "(J_i*e_i + H_i*t_i)/d_i", "U_i", "(J_i e_i + H_i t_i)/d_i"},
    {"V_i", "(transpose(H_i)*e_i + M_i*t_i)/d_i", "V_i", "(H_i^T e_i + M_i t_i)/d_i"},
    {"s_i", "(tau_i - dot(e_i, n_i) - dot(t_i, f_i))/d_i", "s_i",
     "(\\tau_i - e_i \\cdot n_i - t_i \\cdot f_i)/d_i"},
};
constexpr Line mixed_accelerations[] = {
    {"z_i", "transpose(R_i)*alpha_(i-1) + c_i", "z_i", "R_i^T \\alpha_{i-1} + c_i"},
    {"y_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "y_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"@_i''", "s_i - dot(U_i, z_i) - dot(V_i, y_i)", "\\ddot{@}_i", "s_i - U_i \\cdot z_i - V_i \\cdot y_i"},
    {"alpha_i", "z_i + @_i''*e_i", "\\alpha_i", "z_i + \\ddot{@}_i e_i"},
    {"a_i", "y_i + @_i''*t_i", "a_i", "y_i + \\ddot{@}_i t_i"},
};

// Three freedoms take all of J and H.
constexpr Line spherical_velocities[] = {
    {"w_i", "transpose(R_i)*w_(i-1) + @_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\@_i"},
    {"c_i", "w_i × @_i", "c_i", "\\omega_i \\times \\@_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i)", "b_i", "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i)"},
};
constexpr Line spherical_inertias[] = {
    {"U_i", "inverse(J_i)*H_i", "U_i", "J_i^{-1} H_i"},
    {"s_i", "inverse(J_i)*(tau_i - n_i)", "s_i", "J_i^{-1} (\\tau_i - n_i)"},
    {"C_i", "R_i*(M_i - transpose(H_i)*U_i)*transpose(R_i)", "C_i", "R_i (M_i - H_i^T U_i) R_i^T"},
    {"g_i", "R_i*(f_i + transpose(H_i)*s_i) + C_i*b_i", "g_i", "R_i (f_i + H_i^T s_i) + C_i b_i"},
    {"J_(i-1)", "I_(i-1) - hat(r_i)*C_i*hat(r_i)", "J_{i-1}", "I_{i-1} - \\hat r_i C_i \\hat r_i"},
    {"H_(i-1)", "hat(h_(i-1)) + hat(r_i)*C_i", "H_{i-1}", "\\hat h_{i-1} + \\hat r_i C_i"},
    {"M_(i-1)", "m_(i-1)*E + C_i", "M_{i-1}", "m_{i-1} E + C_i"},
    {"n_(i-1)", "w_(i-1) × (I_(i-1)*w_(i-1)) + R_i*tau_i + r_i × g_i", "n_{i-1}",
     "\\omega_{i-1} \\times I_{i-1} \\omega_{i-1} + R_i \\tau_i + r_i \\times g_i"},
    {"f_(i-1)", "w_(i-1) × (w_(i-1) × h_(i-1)) + g_i", "f_{i-1}",
     "\\omega_{i-1} \\times (\\omega_{i-1} \\times h_{i-1}) + g_i"},
};
constexpr Line spherical_accelerations[] = {
    {"a_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "a_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"alpha_i", "s_i - U_i*a_i", "\\alpha_i", "s_i - U_i a_i"},
    {"@_i'", "alpha_i - transpose(R_i)*alpha_(i-1) - c_i", "\\dot{\\@}_i",
     "\\alpha_i - R_i^T \\alpha_{i-1} - c_i"},
    {"R_i'", "R_i*hat(@_i)", "\\dot R_i", "R_i \\hat{\\@}_i"},
};

/// The lines of the three sweeps.
struct Sweeps {
  std::vector<Line> outwards, inwards, accelerations;
};
Sweeps sweeps_of(ChainRecursion::Kind kind) {
  const auto all = [](std::span<const Line> lines) { return std::vector<Line>(lines.begin(), lines.end()); };
  if (kind == ChainRecursion::Kind::spherical)
    return {all(spherical_velocities), all(spherical_inertias), all(spherical_accelerations)};
  if (kind == ChainRecursion::Kind::revolute) return {all(velocities), all(inertias), all(accelerations)};
  Sweeps sweeps{all(mixed_velocities), all(inertias), all(mixed_accelerations)};
  std::ranges::copy(mixed_freedom, sweeps.inwards.begin());
  return sweeps;
}

std::string with_angle(std::string s, const std::string& angle) {
  for (std::size_t at = s.find('@'); at != std::string::npos; at = s.find('@')) s.replace(at, 1, angle);
  return s;
}

std::string block(std::span<const Line> lines, const std::string& angle) {
  std::string s;
  for (const Line& line : lines)
    s += fmt::format("  {:<7} = {}\n", with_angle(line.left, angle), with_angle(line.right, angle));
  return s;
}

std::string latex_block(std::span<const Line> lines, const std::string& angle) {
  std::string s = "\\begin{align*}\n";
  for (const Line& line : lines)
    s += fmt::format("  {} &= {}{}\n", with_angle(line.left_latex, angle),
                     with_angle(line.right_latex, angle), &line == &lines.back() ? "" : " \\\\");
  return s + "\\end{align*}\n";
}

/// What the letters mean.
std::string legend(const ChainRecursion& chain) {
  if (chain.kind == ChainRecursion::Kind::spherical)
    return fmt::format(
        "with {}, E the unit matrix, and for the link i, in its axes: r_i from the joint before, in the axes "
        "of that link,\nm_i the mass, h_i "
        "the mass times the place of its centre, I_i the inertia about the joint, tau_i the torque:\n",
        chain.coordinates);
  const std::string names = chain.coordinates.empty() ? "" : chain.coordinates + ",\n";
  if (chain.kind == ChainRecursion::Kind::mixed)
    return fmt::format(
        "with {0}R_i the rotation about e_i by {1}_i (none where e_i = 0), E the unit matrix, and for the "
        "freedom i: e_i the axis of a "
        "turn,\nt_i the direction of a shift, l_i from the origin before, m_i the mass, h_i the mass times "
        "the place of its centre, I_i the "
        "inertia about the origin, tau_i the force or torque:\n",
        names, chain.angle);
  return fmt::format(
      "with {}R_i the rotation about e_i by {}_i, E the unit matrix, and for the link i, in its axes: e_i "
      "its "
      "axis, r_i from the joint "
      "before,\nm_i the mass, h_i the mass times the place of its centre, I_i the inertia about the joint, "
      "tau_i the torque:\n",
      names, chain.angle);
}

}  // namespace

std::optional<ChainRecursion> chain_recursion(const System& system) {
  if (!system.constraints.empty() || !system.velocities.empty() || system.parametrization)
    return std::nullopt;
  const auto tree = joint_tree_of(system);
  if (!tree || tree->links.size() < 2) return std::nullopt;
  const auto frames = joint_frames(*tree, system.space);
  if (!frames) return std::nullopt;
  const std::vector<ChainJoint> chain = ChainOfFrames(system.space).joints(frames->frames);
  const auto kind = chain.empty() ? std::nullopt : kind_of(chain);
  if (!kind) return std::nullopt;
  const bool spherical = *kind == ChainRecursion::Kind::spherical,
             mixed = *kind == ChainRecursion::Kind::mixed;
  std::size_t freedoms = 0;
  for (const ChainJoint& joint : chain) freedoms += joint.legs.size();
  if (chain.size() < (spherical ? fewest_spherical : fewest_links) ||
      static_cast<int>(freedoms) != system.space.dimension())
    return std::nullopt;
  ChainRecursion found;
  found.kind = *kind;
  const auto letter = common_letter(chain, system.space);
  found.angle = spherical ? "Omega" : letter ? letter->base : "q";
  if (spherical) found.coordinates = listed_rotations(chain, system.space);
  if (!spherical && !letter) found.coordinates = listed_coordinates(chain, system.space);
  found.first = letter && !spherical ? letter->number : 1;
  found.last = found.first + static_cast<int>(chain.size()) - 1;
  found.gravity = tree->gravity;
  const std::vector<Expr> tau = forces_on_joints(system, *tree, {});
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  for (const char* name : {"e", "t", mixed ? "l" : "r", "m", "h", "I", "tau"})
    columns.emplace_back(name, std::vector<std::string>{});
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const ChainJoint& joint = chain[k];
    Indexed in_i(found.first + static_cast<int>(k), system.space, joint, found.angle);
    columns[0].second.push_back(in_i(joint.turn));
    columns[1].second.push_back(in_i(joint.shift));
    columns[2].second.push_back(in_i(joint.arm));
    columns[3].second.push_back(in_i(joint.body != nullptr ? joint.body->mass : Expr(0)));
    columns[4].second.push_back(in_i(joint.body != nullptr ? joint.body->moment : Matrix(3, 1)));
    columns[5].second.push_back(in_i(joint.body != nullptr ? joint.body->inertia : Matrix(3, 3)));
    Matrix torque(3, 1);
    for (std::size_t j = 0; j < joint.legs.size(); ++j)
      torque[static_cast<int>(j)] = tau[static_cast<std::size_t>(joint.legs[j])];
    columns[6].second.push_back(spherical ? in_i(torque) : in_i(torque[0]));
  }
  for (const auto& [name, values] : columns) {
    if ((name == "e" && spherical) || (name == "t" && !mixed)) continue;
    LinkQuantity quantity{name, grouped(name, values, found.first)};
    if (quantity.values.empty()) return std::nullopt;
    found.links.push_back(std::move(quantity));
  }
  return found;
}

std::string as_text(const System& system, const ChainRecursion& chain) {
  const int n = chain.last, before = chain.first - 1;
  const Sweeps sweeps = sweeps_of(chain.kind);
  std::string s = fmt::format("{}: recursion over i = {}..{}\n\n",
                              system.title.empty() ? system.name : system.title, chain.first, n);
  s += fmt::format("outwards, i = {}..{}, from w_{} = 0:\n{}", chain.first, n, before,
                   block(sweeps.outwards, chain.angle));
  s += fmt::format(
      "inwards, i = {0}..{1}, from J_{0} = I_{0}, H_{0} = hat(h_{0}), M_{0} = m_{0}*E, n_{0} = w_{0} × "
      "(I_{0}*w_{0}), f_{0} = w_{0} × "
      "(w_{0} × h_{0}); what has index {2} is not needed:\n{3}",
      n, chain.first, before, block(sweeps.inwards, chain.angle));
  s += fmt::format("outwards, i = {}..{}, from alpha_{} = 0, a_{} = [{}, {}, {}]:\n{}", chain.first, n,
                   before, before, text(-chain.gravity[0]), text(-chain.gravity[1]), text(-chain.gravity[2]),
                   block(sweeps.accelerations, chain.angle));
  s += legend(chain);
  for (const LinkQuantity& quantity : chain.links)
    for (const auto& [left, right] : quantity.values) s += fmt::format("  {:<7} = {}\n", left, right);
  return s;
}

std::string as_latex(const System& system, const ChainRecursion& chain) {
  const int n = chain.last, before = chain.first - 1;
  const Sweeps sweeps = sweeps_of(chain.kind);
  std::string s = fmt::format("% {}: recursion over i = {}..{}\n",
                              system.title.empty() ? system.name : system.title, chain.first, n);
  s += fmt::format("Outwards, $i = {}, \\dots, {}$, from $\\omega_{{{}}} = 0$:\n{}", chain.first, n, before,
                   latex_block(sweeps.outwards, chain.angle));
  s += fmt::format(
      "inwards, $i = {0}, \\dots, {1}$, from $J_{{{0}}} = I_{{{0}}}$, $H_{{{0}}} = \\hat h_{{{0}}}$, "
      "$M_{{{0}}} = m_{{{0}}} E$, $n_{{{0}}} "
      "= \\omega_{{{0}}} \\times I_{{{0}}} \\omega_{{{0}}}$, $f_{{{0}}} = \\omega_{{{0}}} \\times "
      "(\\omega_{{{0}}} \\times h_{{{0}}})$:\n{2}",
      n, chain.first, latex_block(sweeps.inwards, chain.angle));
  s += fmt::format(
      "outwards, $i = {}, \\dots, {}$, from $\\alpha_{{{}}} = 0$ and $a_{{{}}} = -g$, $g$ the acceleration "
      "of free fall:\n{}",
      chain.first, n, before, before, latex_block(sweeps.accelerations, chain.angle));
  s += "with, for the link $i$:\n\\begin{verbatim}\n";
  if (!chain.coordinates.empty()) s += chain.coordinates + "\n";
  for (const LinkQuantity& quantity : chain.links)
    for (const auto& [left, right] : quantity.values) s += fmt::format("{} = {}\n", left, right);
  return s + "\\end{verbatim}\n";
}

}  // namespace rattleback
