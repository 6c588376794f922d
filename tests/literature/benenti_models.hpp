#pragma once
// The worked examples of S. Benenti, SIGMA 3 (2007), 036, section 9, with arbitrary forces A1, A2, ….

#include <string>

namespace rattleback::inline tests {

inline const std::string skate_text = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2"
space = { x = "R", y = "R", theta = "S1" }
parameters = { m = { value = 1, positive = true }, I = { value = 1, positive = true }, A1 = 1, A2 = 1, A3 = 1 }
forces = { x = "A1", y = "A2", theta = "A3" }
constraints = { blade = "x'*sin(theta) - y'*cos(theta) = 0" }
[velocities]
z1 = "x'*cos(theta) + y'*sin(theta)"
z2 = "theta'"
)toml";

inline const std::string disc_text = R"toml(
lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*(A*theta'^2 + B*psi'^2)"
space = { x = "R", y = "R", theta = "S1", psi = "S1" }
parameters = { m = { value = 1, positive = true }, R = { value = 1, positive = true }, A = { value = 1, positive = true }, B = { value = 1, positive = true }, A1 = 1, A2 = 1, A3 = 1, A4 = 1 }
forces = { x = "A1", y = "A2", theta = "A3", psi = "A4" }
constraints = { roll_x = "x' = R*cos(psi)*theta'", roll_y = "y' = R*sin(psi)*theta'" }
velocities = { z1 = "theta'", z2 = "psi'" }
)toml";

inline const std::string two_discs_text = R"toml(
lagrangian = "m*(x'^2 + y'^2) + 1/2*A*(th1'^2 + th2'^2) + (1/2*m*a^2 + B)*psi'^2 + m*a*psi'*(x'*cos(psi) + y'*sin(psi))"
space = { x = "R", y = "R", th1 = "S1", th2 = "S1", psi = "S1" }
parameters = { m = { value = 1, positive = true }, R = { value = 1, positive = true }, A = { value = 1, positive = true }, B = { value = 1, positive = true }, a = { value = 1, positive = true }, A1 = 1, A2 = 1, A3 = 1, A4 = 1, A5 = 1 }
forces = { x = "A1", y = "A2", th1 = "A3", th2 = "A4", psi = "A5" }
constraints = { roll_x = "x' = R*cos(psi)*th1'", roll_y = "y' = R*sin(psi)*th1'", axle = "a*psi' = R*(th2' - th1')" }
velocities = { z1 = "th1'", z2 = "th2'" }
)toml";

inline const std::string two_points_text = R"toml(
lagrangian = "1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)"
space = { x1 = "R", y1 = "R", x2 = "R", y2 = "R" }
parameters = { m1 = { value = 1, positive = true }, m2 = { value = 1, positive = true }, A1 = 1, A2 = 1, A3 = 1, A4 = 1 }
forces = { x1 = "A1", y1 = "A2", x2 = "A3", y2 = "A4" }
constraints = { parallel = "x1'*y2' - x2'*y1' = 0" }
[parametrization]
speeds = ["rho", "sigma", "theta"]
x1 = "rho*cos(theta)"
y1 = "rho*sin(theta)"
x2 = "sigma*cos(theta)"
y2 = "sigma*sin(theta)"
)toml";

}  // namespace rattleback::inline tests
