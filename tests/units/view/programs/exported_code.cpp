// Exported programs, compiled by a C compiler and run by Python, say what our own interpretation says.
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
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/motion_module.hpp>

using namespace rattleback;

namespace {

/// A model whose names are keywords of C, of Python, or names that the program needs itself.
constexpr const char* awkward = R"toml(
title = "Names with a \"quote\", a back\\slash and a comment */ in them"
lagrangian = "lambda/2*(double'^2 + in'^2 + k1'^2) - pow*state*exp(-double) - F(in, k1)*cos(2*t)"
[space]
double = "R"
in = "R"
k1 = "S1"
[functions]
F = ["in", "k1"]
[parameters]
lambda = { value = 2, positive = true }
pow = 0.5
state = "1/3"
[constraints]
def = "in' = k1*double'"
)toml";

struct Sample {
  System system;
  MotionModule module;
  double time = 0;
  std::vector<double> state, velocities;
  std::vector<std::vector<double>> expected;  ///< for each member
  std::vector<std::vector<double>> noise;     ///< how far states that differ in the last bit lead away
};

/// F with its derivatives, for every abstract function alike: sin(c·x) with c_i = 0.7 + 0.1 i.
double wave(Function f, std::span<const double> xs) {
  double phase = 0.3, factor = 1;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double c = 0.7 + 0.1 * static_cast<double>(i);
    phase += c * xs[i];
    for (int n = 0; n < f.orders()[i]; ++n) {
      factor *= c;
      phase += std::acos(-1.0) / 2;
    }
  }
  return factor * std::sin(phase);
}

/// A random rotation, row by row, from a random quaternion.
std::vector<double> rotation(const std::function<double()>& draw) {
  double a = draw() + 2, b = draw(), c = draw(), d = draw();
  const double n = std::sqrt(a * a + b * b + c * c + d * d);
  a /= n, b /= n, c /= n, d /= n;
  return {1 - 2 * (c * c + d * d), 2 * (b * c - a * d),     2 * (b * d + a * c),
          2 * (b * c + a * d),     1 - 2 * (b * b + d * d), 2 * (c * d - a * b),
          2 * (b * d - a * c),     2 * (c * d + a * b),     1 - 2 * (b * b + c * c)};
}

/// The members at the state of a sample, by our own evaluation.
std::vector<std::vector<double>> numbers_at(const Sample& s) {
  std::vector<std::vector<double>> all;
  for (const ModuleFunction& f : s.module.members) {
    Numbers at{{s.module.time, s.time}};
    for (const MotionModule::Parameter& p : s.module.parameters) at.emplace(p.symbol, p.value.value_or(0.7));
    for (std::size_t i = 0; i < s.module.configuration.size(); ++i)
      at.emplace(s.module.configuration[i], s.state[i]);
    if (f.of == ModuleFunction::Of::state) {
      for (std::size_t a = 0; a < s.module.speeds.size(); ++a)
        at.emplace(s.module.speeds[a], s.state[s.module.configuration.size() + a]);
    } else {
      for (std::size_t i = 0; i < s.module.velocities.size(); ++i)
        at.emplace(s.module.velocities[i], s.velocities[i]);
    }
    std::vector<Expr> outputs;
    for (const Statement& o : f.outputs) outputs.push_back(o.value);
    all.push_back(evaluate(outputs, at, wave));
  }
  return all;
}

/// Long formulas lose digits at some states, ours and the exported ones alike: the differences that last bits of the state make.
std::vector<std::vector<double>> noise_at(const Sample& s, std::mt19937& random) {
  std::vector<std::vector<double>> noise = s.expected;
  for (auto& member : noise) std::fill(member.begin(), member.end(), 0);
  for (int k = 0; k < 4; ++k) {
    Sample beside = s;
    for (auto* values : {&beside.state, &beside.velocities})
      for (double& x : *values) x = std::nextafter(x, random() % 2 == 0 ? 10 : -10);
    const auto there = numbers_at(beside);
    for (std::size_t f = 0; f < noise.size(); ++f)
      for (std::size_t i = 0; i < noise[f].size(); ++i)
        noise[f][i] = std::max(noise[f][i], std::fabs(there[f][i] - s.expected[f][i]));
  }
  return noise;
}

/// A random state at which everything is finite, and our own numbers there.
Sample sample_of(System system, const std::string& form, unsigned seed) {
  Sample s{system, motion_module(system, formalism(form).derive(system)), 0, {}, {}, {}, {}};
  std::mt19937 random(seed);
  const std::function<double()> draw = [&] { return std::uniform_real_distribution<>(0.1, 0.9)(random); };
  for (int attempt = 0; attempt < 50; ++attempt) {
    s.time = draw();
    s.state.clear(), s.velocities.clear();
    std::vector<double> entries;
    for (const Symbol q : s.module.configuration) {
      if (q.role() == Role::rotation && q.attributes().entry == 0) entries = rotation(draw);
      s.state.push_back(q.role() == Role::rotation ? entries[static_cast<std::size_t>(q.attributes().entry)]
                                                   : draw());
    }
    for (std::size_t a = 0; a < s.module.speeds.size(); ++a) s.state.push_back(draw());
    for (std::size_t i = 0; i < s.module.velocities.size(); ++i) s.velocities.push_back(draw());
    s.expected = numbers_at(s);
    bool finite = true;
    for (const auto& member : s.expected)
      for (const double x : member) finite = finite && std::isfinite(x);
    if (!finite) continue;
    s.noise = noise_at(s, random);
    return s;
  }
  FAIL("no finite state for ", system.name);
  return s;
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  unsigned seed = 1;
  for (const std::string& name : zoo()) {
    const System system = load_model(name);
    try {
      all.push_back(sample_of(system, "hamel", ++seed));
    } catch (const Error& nonlinear) {
      all.push_back(sample_of(system, "gibbs-appell", ++seed));
    }
  }
  all.push_back(sample_of(read_model(awkward, "awkward.toml"), "hamel", ++seed));
  for (const char* form : {"multipliers", "gibbs-appell", "voronets", "bracket", "vakonomic"}) {
    Sample sleigh = sample_of(load_model("chaplygin-sleigh"), form, ++seed);
    sleigh.module.name += "_" + std::to_string(seed);
    all.push_back(std::move(sleigh));
  }
  return all;
}

const std::vector<Sample>& every_sample() {
  static const std::vector<Sample> all = samples();
  return all;
}

std::string array(const std::vector<double>& xs) {
  std::string s;
  for (const double x : xs) s += fmt::format("{:.17g}, ", x);
  return s + "0";
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

std::filesystem::path folder() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("rattleback-{}", getpid());
  std::filesystem::create_directories(path);
  return path;
}

/// A, A_d1, …: how the programs name abstract functions.
std::string supplied_name(Function f) {
  const bool plain = std::all_of(f.orders().begin(), f.orders().end(), [](int n) { return n == 0; });
  return plain ? f.name() : fmt::format("{}_d{}", f.name(), fmt::join(f.orders(), "_"));
}

std::string c_supply(const Sample& s) {
  std::string text;
  for (const Function f : s.module.functions) {
    std::string arguments, values;
    for (int i = 0; i < f.arity(); ++i) {
      arguments += fmt::format("double x{}, ", i);
      values += fmt::format("x{}, ", i);
    }
    text += fmt::format(
        "static double {0}_{1}({2}void *user) {{ const double x[] = {{{3}0}}; const int n[] = {{{4}, 0}}; "
        "(void)user; return wave({5}, x, n); }}\n",
        s.module.name, supplied_name(f), arguments, values, fmt::join(f.orders(), ", "), f.arity());
  }
  return text;
}

/// Everything in one file, with a main that prints every output on a line of its own.
std::string c_program() {
  std::string models, calls;
  for (const Sample& s : every_sample()) {
    const std::string& name = s.module.name;
    models += as_c(s.module) + c_supply(s);
    calls +=
        fmt::format("  {{ {0}_params p = {0}_default_params(); const double s[] = {{{1}}}, v[] = {{{2}}}; ",
                    name, array(s.state), array(s.velocities));
    for (const Function f : s.module.functions)
      calls += fmt::format("p.{1} = {0}_{1}; ", name, supplied_name(f));
    for (const ModuleFunction& f : s.module.members) {
      const std::string arguments = f.of == ModuleFunction::Of::state ? "s" : "s, v";
      if (f.scalar) {
        calls +=
            fmt::format("printf(\"%.17g\\n\", {}_{}({:.17g}, {}, &p)); ", name, f.name, s.time, arguments);
      } else {
        calls += fmt::format("{0}_{1}({2:.17g}, {3}, &p, out); print({4}); ", name, f.name, s.time, arguments,
                             f.outputs.size());
      }
    }
    calls += "(void)v; }\n";
  }
  return "#include <math.h>\n#include <stdio.h>\n"
         "static double wave(int arity, const double *x, const int *n) {\n"
         "  double phase = 0.3, factor = 1;\n  int i, k;\n"
         "  for (i = 0; i < arity; ++i) {\n    const double c = 0.7 + 0.1*i;\n    phase += c*x[i];\n"
         "    for (k = 0; k < n[i]; ++k) { factor *= c; phase += acos(-1.0)/2; }\n  }\n"
         "  return factor*sin(phase);\n}\n" +
         models +
         "static double out[200];\nstatic void print(int n) { int i; for (i = 0; i < n; ++i) "
         "printf(\"%.17g\\n\", out[i]); }\n"
         "int main(void) {\n" +
         calls + "  return 0;\n}\n";
}

/// A script that imports one module after the other.
std::string python_program(const std::filesystem::path& where) {
  std::string calls = "import math, sys\nsys.path.insert(0, '" + where.string() +
                      "')\nsys.dont_write_bytecode = True\n"
                      "def wave(orders):\n"
                      "    def f(*x):\n"
                      "        phase, factor = 0.3, 1.0\n"
                      "        for i, n in enumerate(orders):\n"
                      "            c = 0.7 + 0.1*i\n"
                      "            phase += c*x[i] + n*math.acos(-1)/2\n"
                      "            factor *= c**n\n"
                      "        return factor*math.sin(phase)\n"
                      "    return f\n";
  for (const Sample& s : every_sample()) {
    const std::string& name = s.module.name;
    std::ofstream(where / (name + ".py")) << as_python(s.module);
    calls += fmt::format("import {0} as m\np = m.Parameters()\ns = [{1}]\nv = [{2}]\n", name, array(s.state),
                         array(s.velocities));
    for (const Function f : s.module.functions)
      calls += fmt::format("p.{} = wave([{}])\n", supplied_name(f), fmt::join(f.orders(), ", "));
    for (const ModuleFunction& f : s.module.members) {
      calls +=
          fmt::format("r = m.{}({:.17g}, {}, p)\nprint(*(r if isinstance(r, list) else [r]), sep='\\n')\n",
                      f.name, s.time, f.of == ModuleFunction::Of::state ? "s" : "s, v");
    }
  }
  return calls;
}

/// A script that imports one module after the other.
std::string javascript_program(const std::filesystem::path& where) {
  std::string calls =
      "const wave = (orders) => (...x) => {\n"
      "  let phase = 0.3, factor = 1;\n"
      "  orders.forEach((n, i) => {\n"
      "    const c = 0.7 + 0.1*i;\n"
      "    phase += c*x[i] + n*Math.acos(-1)/2;\n"
      "    factor *= c**n;\n"
      "  });\n"
      "  return factor*Math.sin(phase);\n};\n"
      "const print = (r) => console.log([].concat(r).map((x) => x.toPrecision(17)).join('\\n'));\n";
  int number = 0;
  for (const Sample& s : every_sample()) {
    const std::string file = fmt::format("{}.mjs", s.module.name), m = fmt::format("m{}", ++number);
    std::ofstream(where / file) << as_javascript(s.module);
    calls += fmt::format(
        "import * as {0} from './{1}';\n{{\nconst p = {{...{0}.defaults}}, s = [{2}], v = [{3}];\n", m, file,
        array(s.state), array(s.velocities));
    for (const Function f : s.module.functions)
      calls += fmt::format("p.{} = wave([{}]);\n", supplied_name(f), fmt::join(f.orders(), ", "));
    for (const ModuleFunction& f : s.module.members)
      calls += fmt::format("print({}.{}({:.17g}, {}, p));\n", m, f.name, s.time,
                           f.of == ModuleFunction::Of::state ? "s" : "s, v");
    calls += "}\n";
  }
  return calls;
}

/// Numbers that differ from ours by more than `tolerance` of the largest of their function or of 1 and what last bits explain, by name.
std::vector<std::string> differences(const std::string& printed, const std::vector<Sample>& expected,
                                     double tolerance = 1e-12) {
  std::vector<std::string> found;
  std::istringstream numbers(printed);
  for (const Sample& s : expected) {
    for (std::size_t f = 0; f < s.module.members.size(); ++f) {
      double scale = 1;
      for (const double x : s.expected[f]) scale = std::max(scale, std::fabs(x));
      for (std::size_t i = 0; i < s.expected[f].size(); ++i) {
        double x = NAN;
        numbers >> x;
        const ModuleFunction& member = s.module.members[f];
        if (!(std::fabs(x - s.expected[f][i]) <= tolerance * scale + 20 * s.noise[f][i]))
          found.push_back(s.module.name + " " + member.name + " " + member.outputs[i].name);
      }
    }
  }
  if (std::string rest; numbers >> rest) found.push_back("more numbers than expected");
  return found;
}

std::string names(const std::vector<std::string>& found) { return fmt::format("{}", fmt::join(found, ", ")); }

}  // namespace

TEST_CASE("the C programs of the zoo compile without a warning and give our numbers") {
  const std::filesystem::path where = folder();
  const std::string source = (where / "zoo.c").string(), program = (where / "zoo").string();
  std::ofstream(source) << c_program();
  REQUIRE(std::system(fmt::format("cc -std=c99 -Wall -Wextra -Werror -pedantic -o {} {} -lm", program, source)
                          .c_str()) == 0);
  const std::string printed = output_of(program);
  std::filesystem::remove_all(where);
  CHECK(names(differences(printed, every_sample())) == "");

  std::vector<Sample> mutants = every_sample();  // one number a little off must be noticed
  mutants[7].expected[0].back() += 1e-9;
  CHECK(differences(printed, mutants).size() == 1);
}

TEST_CASE("the Python modules of the zoo give our numbers") {
  const std::filesystem::path where = folder();
  const std::string script = (where / "run_zoo.py").string();
  std::ofstream(script) << python_program(where);
  const std::string printed = output_of(RATTLEBACK_PYTHON " " + script);
  std::filesystem::remove_all(where);
  CHECK(names(differences(printed, every_sample())) == "");
}

TEST_CASE("the JavaScript modules of the zoo give our numbers") {
  if (std::system("node --version > /dev/null 2>&1") != 0) {
    MESSAGE("node is absent: JavaScript is not run");
    return;
  }
  const std::filesystem::path where = folder();
  const std::string script = (where / "run_zoo.mjs").string();
  std::ofstream(script) << javascript_program(where);
  const std::string printed = output_of("node " + script);
  std::filesystem::remove_all(where);
  CHECK(names(differences(printed, every_sample(), 1e-13)) == "");
}

TEST_CASE("long formulas are broken before operators, outside of brackets where possible") {
  const std::string a(30, 'a'), b(30, 'b');
  CHECK(wrapped_formula(a + " + " + b, 0, 2, 40) == a + " + " + b);  // a little too long
  CHECK(wrapped_formula(a + " + " + b + " - " + b, 0, 2, 40) == a + "\n  + " + b + "\n  - " + b);
  CHECK(wrapped_formula("x + " + a + "*(b + c) + " + b + b, 0, 2, 46) ==
        "x + " + a + "*(b + c)\n  + " + b + b);
  CHECK(wrapped_formula(a + b + a + b, 0, 2, 40) == a + b + a + b);  // nowhere to break
}
