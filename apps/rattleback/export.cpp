/// rattleback export MODEL: the equations for a paper or for another program.

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/view/film/representative_run.hpp>
#include <rattleback/view/pages/notebook.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/programs/more_languages.hpp>
#include <rattleback/view/programs/motion_module.hpp>
#include <rattleback/view/programs/rate_jacobian.hpp>
#include <rattleback/view/results/equations.hpp>
#include <rattleback/view/results/latex_section.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

EquationsOfMotion equations_of(const System& system, const std::string& form) {
  return (form.empty() ? usual_formalism(system) : formalism(form)).derive(system);
}

std::string notebook(const Arguments& args, const System& system) {
  const RepresentativeRun it(system);
  if (it.run.rows.size() < 2)
    throw Error("motion-ends", "there is no run that a notebook could repeat", it.run.failure.value_or(""),
                "give another initial state in [simulation]");
  const Film film = it.film();
  return as_notebook({model_argument(args), it.flow, it.run, it.options.invariants, it.scene(), film},
                     story_of(model_text(*args.positional())));
}

constexpr std::pair<const char*, std::string (*)(const MotionModule&)> further_languages[] = {
    {"julia", as_julia}, {"matlab", as_matlab},     {"fortran", as_fortran},
    {"sympy", as_sympy}, {"modelica", as_modelica}, {"auto", as_auto}};

std::string exported(const System& system, const std::string& form, const std::string& language) {
  const EquationsOfMotion equations = equations_of(system, form);
  const auto module = [&] {
    return with_jacobian(motion_module(system, equations, open_functions_in(language)));
  };
  if (language == "c") return as_c(module());
  if (language == "python") return as_python(module());
  if (language == "js") return as_javascript(module());
  for (const auto& [name, text] : further_languages)
    if (language == name) return text(module());
  if (language == "json") return as_json(system, {equations});
  return as_latex_section(system, equations);
}

int export_model(const Arguments& args) {
  const Budget budget(time_limits(args));
  const System model = args.get("--to") == "ipynb" ? model_in_motion(args) : model_argument(args);
  const auto rest = overconstrained(model);
  const System& system = rest && args.get("--to") != "ipynb" ? rest->system : model;
  const std::string text = args.get("--to") == "ipynb"
                               ? notebook(args, system)
                               : exported(system, args.get("--form"), args.get("--to"));
  const std::string path = args.get("--output");
  if (path.empty()) {
    fmt::print("{}", text);
    return Exit::done;
  }
  require_writable(path);
  write_file(path, text);
  return Exit::done;
}

}  // namespace

Verb export_verb() {
  return {
      "export",
      "the motion as a program or a section of a paper",
      "MODEL",
      "  c       one file of plain C99 that needs <math.h> only\n"
      "  python  one module that needs Python's math only\n"
      "  js      one module (ES6) that needs JavaScript's Math only\n"
      "  julia   a module without packages; rhs! is what DifferentialEquations.jl calls\n"
      "  matlab  one file for MATLAB and Octave: a function that returns a structure of functions\n"
      "  fortran a module of Fortran 2008 in double precision\n"
      "          All have rhs, jacobian, velocities, energy, multipliers and reactions of a state,\n"
      "          speeds and constraints of any velocities, the parameters with the model's values, and\n"
      "          say what the state is. Abstract functions and inputs are parameters, too.\n"
      "  sympy   the same as exact expressions of SymPy\n"
      "  modelica  a model with the rates; energy, jacobian, velocities, multipliers and reactions are "
      "variables;\n"
      "          functions and inputs as the model has them\n"
      "  auto    FUNC with derivatives by state and parameters, STPNT, and PVLS with energy, multipliers "
      "and\n"
      "          reactions, of AUTO-07p, for continuation\n"
      "  latex   a section with the Lagrangian, the constraints and the equations; needs amsmath\n"
      "  json    as `derive --format json`\n"
      "  ipynb   a Jupyter notebook that repeats the run and the figures of `rattleback report` in Python;\n"
      "          needs matplotlib",
      {{"--to",
        "L",
        "the language: latex, c, python, js, julia, matlab, fortran, sympy, modelica, auto, json or ipynb",
        "latex",
        {"latex", "c", "python", "js", "julia", "matlab", "fortran", "sympy", "modelica", "auto", "json",
         "ipynb"}},
       {"--form", "F", "one classical form, as for `derive`"},
       {"--output", "FILE", "write there and not to the terminal"},
       timeout_option("seconds of computing, then it ends with an error"),
       set_option()},
      {"rattleback export chaplygin-sleigh --to c --output sleigh.c",
       "rattleback export rattleback --to python --set g=9.81",
       "rattleback export falling-disk --to js --output disk.mjs",
       "rattleback export falling-disk --to julia --output FallingDisk.jl",
       "rattleback export falling-disk --form voronets --to latex",
       "rattleback export rattleback --to ipynb --output rattleback.ipynb"},
      export_model};
}

}  // namespace rattleback::app
