// Declared in view/vectors/chain_recursion.hpp. The articulated-body algorithm, written out for an index i.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/vectors/chain_recursion.hpp>
#include <rattleback/view/vectors/recursion_lines.hpp>

namespace rattleback {
namespace {

constexpr RecursionLine velocities[] = {
    {"w_i", "transpose(R_i)*w_(i-1) + @_i'*e_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\dot{@}_i e_i"},
    {"c_i", "@_i'*w_i × e_i", "c_i", "\\dot{@}_i \\omega_i \\times e_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i)", "b_i", "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i)"},
};
constexpr RecursionLine inertias[] = {
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
constexpr RecursionLine accelerations[] = {
    {"z_i", "transpose(R_i)*alpha_(i-1) + c_i", "z_i", "R_i^T \\alpha_{i-1} + c_i"},
    {"a_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "a_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"@_i''", "s_i - dot(U_i, z_i) - dot(V_i, a_i)", "\\ddot{@}_i", "s_i - U_i \\cdot z_i - V_i \\cdot a_i"},
    {"alpha_i", "z_i + @_i''*e_i", "\\alpha_i", "z_i + \\ddot{@}_i e_i"},
};

// Turns about e_i and shifts along t_i; one of the two is 0.
constexpr RecursionLine mixed_velocities[] = {
    {"r_i", "l_i + @_i*t_i", "r_i", "l_i + @_i t_i"},
    {"w_i", "transpose(R_i)*w_(i-1) + @_i'*e_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\dot{@}_i e_i"},
    {"c_i", "@_i'*w_i × e_i", "c_i", "\\dot{@}_i \\omega_i \\times e_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i) + 2*@_i'*w_(i-1) × t_i", "b_i",
     "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i) + 2 \\dot{@}_i \\omega_{i-1} \\times t_i"},
};
constexpr RecursionLine mixed_freedom[] = {
    {"d_i", "dot(e_i, J_i*e_i) + dot(t_i, M_i*t_i)", "d_i", "e_i \\cdot J_i e_i + t_i \\cdot M_i t_i"},
    {"U_i", "(J_i*e_i + H_i*t_i)/d_i", "U_i", "(J_i e_i + H_i t_i)/d_i"},
    {"V_i", "(transpose(H_i)*e_i + M_i*t_i)/d_i", "V_i", "(H_i^T e_i + M_i t_i)/d_i"},
    {"s_i", "(tau_i - dot(e_i, n_i) - dot(t_i, f_i))/d_i", "s_i",
     "(\\tau_i - e_i \\cdot n_i - t_i \\cdot f_i)/d_i"},
};
constexpr RecursionLine mixed_accelerations[] = {
    {"z_i", "transpose(R_i)*alpha_(i-1) + c_i", "z_i", "R_i^T \\alpha_{i-1} + c_i"},
    {"y_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "y_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"@_i''", "s_i - dot(U_i, z_i) - dot(V_i, y_i)", "\\ddot{@}_i", "s_i - U_i \\cdot z_i - V_i \\cdot y_i"},
    {"alpha_i", "z_i + @_i''*e_i", "\\alpha_i", "z_i + \\ddot{@}_i e_i"},
    {"a_i", "y_i + @_i''*t_i", "a_i", "y_i + \\ddot{@}_i t_i"},
};

// Three freedoms take all of J and H.
constexpr RecursionLine spherical_velocities[] = {
    {"w_i", "transpose(R_i)*w_(i-1) + @_i", "\\omega_i", "R_i^T \\omega_{i-1} + \\@_i"},
    {"c_i", "w_i × @_i", "c_i", "\\omega_i \\times \\@_i"},
    {"b_i", "w_(i-1) × (w_(i-1) × r_i)", "b_i", "\\omega_{i-1} \\times (\\omega_{i-1} \\times r_i)"},
};
constexpr RecursionLine spherical_inertias[] = {
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
constexpr RecursionLine spherical_accelerations[] = {
    {"a_i", "transpose(R_i)*(a_(i-1) + alpha_(i-1) × r_i + b_i)", "a_i",
     "R_i^T (a_{i-1} + \\alpha_{i-1} \\times r_i + b_i)"},
    {"alpha_i", "s_i - U_i*a_i", "\\alpha_i", "s_i - U_i a_i"},
    {"@_i'", "alpha_i - transpose(R_i)*alpha_(i-1) - c_i", "\\dot{\\@}_i",
     "\\alpha_i - R_i^T \\alpha_{i-1} - c_i"},
    {"R_i'", "R_i*hat(@_i)", "\\dot R_i", "R_i \\hat{\\@}_i"},
};

/// The lines of the three sweeps.
struct Sweeps {
  std::vector<RecursionLine> outwards, inwards, accelerations;
};
Sweeps sweeps_of(ChainRecursion::Kind kind) {
  const auto all = [](std::span<const RecursionLine> lines) {
    return std::vector<RecursionLine>(lines.begin(), lines.end());
  };
  if (kind == ChainRecursion::Kind::spherical)
    return {all(spherical_velocities), all(spherical_inertias), all(spherical_accelerations)};
  if (kind == ChainRecursion::Kind::revolute) return {all(velocities), all(inertias), all(accelerations)};
  Sweeps sweeps{all(mixed_velocities), all(inertias), all(mixed_accelerations)};
  std::ranges::copy(mixed_freedom, sweeps.inwards.begin());
  return sweeps;
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

std::string as_text(const System& system, const ChainRecursion& chain) {
  const int n = chain.last, before = chain.first - 1;
  const Sweeps sweeps = sweeps_of(chain.kind);
  std::string s = fmt::format("{}: recursion over i = {}..{}\n\n",
                              system.title.empty() ? system.name : system.title, chain.first, n);
  s += fmt::format("outwards, i = {}..{}, from w_{} = 0:\n{}", chain.first, n, before,
                   as_text(sweeps.outwards, chain.angle));
  s += fmt::format(
      "inwards, i = {0}..{1}, from J_{0} = I_{0}, H_{0} = hat(h_{0}), M_{0} = m_{0}*E, n_{0} = w_{0} × "
      "(I_{0}*w_{0}), f_{0} = w_{0} × "
      "(w_{0} × h_{0}); what has index {2} is not needed:\n{3}",
      n, chain.first, before, as_text(sweeps.inwards, chain.angle));
  s += fmt::format("outwards, i = {}..{}, from alpha_{} = 0, a_{} = [{}, {}, {}]:\n{}", chain.first, n,
                   before, before, text(-chain.gravity[0]), text(-chain.gravity[1]), text(-chain.gravity[2]),
                   as_text(sweeps.accelerations, chain.angle));
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
                   as_latex(sweeps.outwards, chain.angle));
  s += fmt::format(
      "inwards, $i = {0}, \\dots, {1}$, from $J_{{{0}}} = I_{{{0}}}$, $H_{{{0}}} = \\hat h_{{{0}}}$, "
      "$M_{{{0}}} = m_{{{0}}} E$, $n_{{{0}}} "
      "= \\omega_{{{0}}} \\times I_{{{0}}} \\omega_{{{0}}}$, $f_{{{0}}} = \\omega_{{{0}}} \\times "
      "(\\omega_{{{0}}} \\times h_{{{0}}})$:\n{2}",
      n, chain.first, as_latex(sweeps.inwards, chain.angle));
  s += fmt::format(
      "outwards, $i = {}, \\dots, {}$, from $\\alpha_{{{}}} = 0$ and $a_{{{}}} = -g$, $g$ the acceleration "
      "of free fall:\n{}",
      chain.first, n, before, before, as_latex(sweeps.accelerations, chain.angle));
  s += "with, for the link $i$:\n\\begin{verbatim}\n";
  if (!chain.coordinates.empty()) s += chain.coordinates + "\n";
  for (const LinkQuantity& quantity : chain.links)
    for (const auto& [left, right] : quantity.values) s += fmt::format("{} = {}\n", left, right);
  return s + "\\end{verbatim}\n";
}

}  // namespace rattleback
