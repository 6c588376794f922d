// Programs exported to further languages: Fortran compiled, SymPy and (where Octave is) MATLAB run, Julia and MATLAB read by a script; all give our
// numbers.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/view/programs/more_languages.hpp>
#include <rattleback/view/programs/rate_jacobian.hpp>

using namespace rattleback;
namespace fs = std::filesystem;

namespace {

/// Names that differ only in capitals, keywords of every language, fractions and high powers.
constexpr const char* awkward = R"toml(
title = "Names with a \"quote\" and a back\\slash"
lagrangian = "end/2*(x'^2 + X'^2 + k1'^2) - R*r*exp(-x)/3 - x^7/(1 + X^2) + sin(2*t)*x + pi*x^3/7"
[space]
x = "R"
X = "R"
k1 = "S1"
[parameters]
end = { value = 2, positive = true }
R = 0.5
r = "1/3"
[constraints]
function = "X' = cos(k1)*x'"
)toml";

struct Sample {
  MotionModule module;
  double time = 0.25;
  std::vector<double> state, velocities;
  std::vector<double> expected;  ///< of all members, in order
};

Sample sample_of(const System& system) {
  Sample s{with_jacobian(motion_module(system, formalism("hamel").derive(system))), 0.25, {}, {}, {}};
  std::mt19937 random(7);
  const auto draw = [&] { return std::uniform_real_distribution<>(0.2, 0.9)(random); };
  for (std::size_t i = 0; i < s.module.configuration.size() + s.module.speeds.size(); ++i)
    s.state.push_back(draw());
  for (std::size_t i = 0; i < s.module.velocities.size(); ++i) s.velocities.push_back(draw());
  for (const ModuleFunction& f : s.module.members) {
    Numbers at{{s.module.time, s.time}};
    for (const auto& p : s.module.parameters) at.emplace(p.symbol, p.value.value());
    for (std::size_t i = 0; i < s.module.configuration.size(); ++i)
      at.emplace(s.module.configuration[i], s.state[i]);
    const bool of_state = f.of == ModuleFunction::Of::state;
    const std::vector<Symbol>& rest = of_state ? s.module.speeds : s.module.velocities;
    for (std::size_t i = 0; i < rest.size(); ++i)
      at.emplace(rest[i], of_state ? s.state[s.module.configuration.size() + i] : s.velocities[i]);
    for (const Statement& o : f.outputs) s.expected.push_back(evaluate(o.value, at));
  }
  return s;
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (const char* name : {"chaplygin-sleigh", "falling-disk", "slider-crank"})
    all.push_back(sample_of(load_model(name)));
  all.push_back(sample_of(read_model(awkward, "awkward.toml")));
  return all;
}

std::vector<double> numbers_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  std::istringstream in(text);
  std::vector<double> numbers;
  for (double x = 0; in >> x;) numbers.push_back(x);
  return numbers;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-11 * (1 + std::abs(b[i])))) return false;
  return true;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("rattleback-languages-{}", getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string fortran_array(const std::vector<double>& xs) {
  std::vector<std::string> all;
  for (const double x : xs) all.push_back(fmt::format("{:.17g}d0", x));
  return fmt::format("(/ {} /)", fmt::join(all, ", &\n "));
}

std::string fortran_main(const Sample& s) {
  std::string text = as_fortran(s.module) + fmt::format(
                                                "program main\n  use {}\n  implicit none\n"
                                                "  type(parameters) :: p\n  double precision :: out(99), e\n"
                                                "  double precision :: s({}), v({})\n  integer :: i\n",
                                                s.module.name, s.state.size(), s.velocities.size());
  text += fmt::format("  s = {}\n  v = {}\n", fortran_array(s.state), fortran_array(s.velocities));
  for (const ModuleFunction& f : s.module.members) {
    const std::string arguments =
        f.of == ModuleFunction::Of::state ? "s" : fmt::format("s(1:{}), v", s.module.configuration.size());
    text +=
        f.scalar
            ? fmt::format("  call {}(0.25d0, {}, p, e)\n  print *, e\n", f.name, arguments)
            : fmt::format(
                  "  call {0}(0.25d0, {1}, p, out(1:{2}))\n  do i = 1, {2}\n    print *, out(i)\n  end do\n",
                  f.name, arguments, f.outputs.size());
  }
  return text + "end program main\n";
}

std::string sympy_main(const Sample& s) {
  std::string text = as_sympy(s.module);
  text += fmt::format("\n_at = dict(values)\n_at[{}] = 0.25\n_s = [{}]\n_v = [{}]\n",
                      "sp.Symbol('t', real=True)", fmt::join(s.state, ", "), fmt::join(s.velocities, ", "));
  const std::size_t n = s.module.configuration.size();
  for (const ModuleFunction& f : s.module.members) {
    const std::string name = f.name == "velocities" ? "velocities_of_state" : f.name;
    text +=
        f.of == ModuleFunction::Of::state
            ? "_b = dict(_at, **{}); _b.update(zip(state, _s))\n"
            : fmt::format(
                  "_b = dict(_at); _b.update(zip(state[:{0}], _s[:{0}])); _b.update(zip(velocities, _v))\n",
                  n);
    text += fmt::format(
        "for _e in (list({0}) if isinstance({0}, sp.MatrixBase) else [{0}]): "
        "print(repr(float(_e.subs(_b))))\n",
        name);
  }
  return text;
}

std::string octave_main(const Sample& s) {
  std::string text = fmt::format("m = {}();\ns = [{}];\nv = [{}];\n", s.module.name, fmt::join(s.state, ", "),
                                 fmt::join(s.velocities, ", "));
  for (const ModuleFunction& f : s.module.members) {
    const std::string arguments =
        f.of == ModuleFunction::Of::state ? "s" : fmt::format("s(1:{}), v", s.module.configuration.size());
    text += fmt::format("printf('%.17g\\n', m.{}({}, {}, m.defaults).');\n", f.name, s.time, arguments);
  }
  return text;
}

}  // namespace

TEST_CASE("Fortran modules compile without a warning and give our numbers") {
  const Folder folder;
  int number = 0;
  for (const Sample& s : samples()) {
    CAPTURE(s.module.name);
    const std::string source = folder.file(fmt::format("m{}.f90", ++number), fortran_main(s));
    const std::string program = folder.path(fmt::format("m{}", number));
    REQUIRE(
        std::system(fmt::format("gfortran -std=f2008 -Wall -Wno-unused-dummy-argument -Werror -J {} -o {} {}",
                                folder.path(""), program, source)
                        .c_str()) == 0);
    CHECK(same(numbers_of(program), s.expected));
  }
}

/// Our values of some functions of the state, in this order.
std::vector<double> values_of(const Sample& s, const std::vector<std::string>& names) {
  std::vector<double> all;
  for (const std::string& name : names) {
    std::size_t at = 0;
    for (const ModuleFunction& f : s.module.members) {
      for (std::size_t k = 0; k < f.outputs.size() && f.name == name; ++k) all.push_back(s.expected[at + k]);
      at += f.outputs.size();
    }
  }
  return all;
}

/// Prints F, DFDU row by row, what PVLS adds to PAR, and the largest difference of DFDP from central differences.
std::string auto_main(const Sample& s, std::size_t measured) {
  const auto par = [](std::size_t k) { return k < 9 ? k + 1 : k + 6; };
  const std::size_t n = s.state.size(), known = s.module.parameters.size();
  std::string text =
      as_auto(s.module) +
      fmt::format(
          "program main\n  implicit none\n  double precision :: u({0}), par(99), f({0}), up({0}), down({0})\n"
          "  double precision :: a({0},{0}), b({0},99), worst, h, was\n  integer :: icp(1), i, j\n"
          "  call stpnt({0}, u, par, 0d0)\n  u = {1}\n  call func({0}, u, icp, par, 2, f, a, b)\n"
          "  do i = 1, {0}\n    print *, f(i)\n  end do\n"
          "  do i = 1, {0}\n    do j = 1, {0}\n      print *, a(i, j)\n    end do\n  end do\n"
          "  call pvls({0}, u, par)\n",
          n, fortran_array(s.state));
  for (std::size_t k = 0; k < measured; ++k) text += fmt::format("  print *, par({})\n", par(known + k));
  text += "  worst = 0d0\n  h = 1d-6\n";
  for (std::size_t k = 0; k < known; ++k)
    text += fmt::format(
        "  was = par({0})\n  par({0}) = was + h\n  call func({1}, u, icp, par, 0, up, a, b)\n"
        "  par({0}) = was - h\n  call func({1}, u, icp, par, 0, down, a, b)\n  par({0}) = was\n"
        "  worst = max(worst, maxval(abs((up - down)/(2*h) - b(:, {0}))))\n",
        par(k), n);
  return text + "  print *, worst\nend program\n";
}

TEST_CASE("the functions for AUTO compile and give our rates, derivatives, energy and reactions") {
  const Folder folder;
  int number = 0;
  for (const char* name : {"chaplygin-sleigh", "falling-disk", "slider-crank", "tricycle"}) {
    CAPTURE(name);
    const Sample s = sample_of(load_model(name));
    const std::vector<double> measured = values_of(s, {"energy", "multipliers", "reactions"});
    CHECK(measured.size() > 1);
    const std::string source = folder.file(fmt::format("a{}.f90", ++number), auto_main(s, measured.size()));
    const std::string program = folder.path(fmt::format("a{}", number));
    REQUIRE(std::system(fmt::format("gfortran -w -fcheck=all -o {} {}", program, source).c_str()) == 0);
    std::vector<double> numbers = numbers_of(program), expected = values_of(s, {"rhs", "jacobian"});
    expected.insert(expected.end(), measured.begin(), measured.end());
    REQUIRE(numbers.size() == expected.size() + 1);
    CHECK(numbers.back() < 1e-6);
    numbers.pop_back();
    CHECK(same(numbers, expected));
  }
  CHECK_THROWS_AS(as_auto(sample_of(read_model(awkward, "awkward.toml")).module), Error);
}

TEST_CASE("SymPy's expressions have our values") {
  const Folder folder;
  int number = 0;
  for (const Sample& s : samples()) {
    CAPTURE(s.module.name);
    const std::string script = folder.file(fmt::format("m{}.py", ++number), sympy_main(s));
    CHECK(as_sympy(s.module).find("3.14159") == std::string::npos);
    CHECK(same(numbers_of(RATTLEBACK_PYTHON " " + script), s.expected));
  }
}

TEST_CASE("Julia and MATLAB programs, read line by line, give our numbers") {
  const Folder folder;
  int number = 0;
  for (const Sample& s : samples()) {
    CAPTURE(s.module.name);
    ++number;
    for (const auto& [name, text] : {std::pair(fmt::format("m{}.jl", number), as_julia(s.module)),
                                     std::pair(fmt::format("m{}.m", number), as_matlab(s.module))}) {
      CAPTURE(name);
      const std::string command =
          fmt::format(RATTLEBACK_PYTHON " tests/oracles/read_program.py {} {} {} / {}",
                      folder.file(name, text), s.time, fmt::join(s.state, " "), fmt::join(s.velocities, " "));
      CHECK(same(numbers_of(command), s.expected));
    }
  }
}

TEST_CASE("Octave, where it is installed, runs MATLAB programs with our numbers") {
  if (std::system("command -v octave-cli > /dev/null") != 0) {
    MESSAGE("Octave is not installed (Debian: apt-get install octave); nothing was run");
    return;
  }
  const Folder folder;
  for (const Sample& s : samples()) {
    CAPTURE(s.module.name);
    folder.file(s.module.name + ".m", as_matlab(s.module));  // a function is found by the name of its file
    folder.file("run.m", octave_main(s));
    CHECK(same(numbers_of(fmt::format("cd {} && octave-cli --norc --quiet run.m", folder.path(""))),
               s.expected));
  }
}

TEST_CASE(
    "a Modelica model has an equation for every variable, with our rates, Jacobian, energy and reactions") {
  const Folder folder;
  int number = 0;
  for (const Sample& s : samples()) {
    CAPTURE(s.module.name);
    const std::string text = as_modelica(s.module);
    std::vector<std::string> of_state;
    for (const ModuleFunction& f : s.module.members)
      if (f.of == ModuleFunction::Of::state) of_state.push_back(f.name);
    for (const char* name : {"rhs", "jacobian", "energy", "multipliers"})
      CHECK(std::ranges::find(of_state, name) != of_state.end());
    const std::string command =
        fmt::format(RATTLEBACK_PYTHON " tests/oracles/read_modelica.py {} {} {}",
                    folder.file(fmt::format("m{}.mo", ++number), text), s.time, fmt::join(s.state, " "));
    CHECK(same(numbers_of(command), values_of(s, of_state)));
    CHECK(text.ends_with(fmt::format("end {};\n", s.module.name)));
  }
  CHECK_THROWS_AS(as_modelica(motion_module(load_model("skate-in-a-field"),
                                            formalism("hamel").derive(load_model("skate-in-a-field")))),
                  Error);
}
