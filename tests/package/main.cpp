// What a guest may do with the installed library: read a model, derive it, look at a rate.
#include <iostream>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>

int main() {
  using namespace rattleback;
  const System skate = read_model(R"toml(lagrangian = "1/2*(x'^2 + y'^2 + theta'^2)"
[space]
x = "R"
y = "R"
theta = "S1"
[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"
[velocities]
u = "x'*cos(theta) + y'*sin(theta)"
w = "theta'"
)toml",
                                  "skate.toml");
  std::cout << text(formalism("hamel").derive(skate).rate("x")) << "\n";
}
