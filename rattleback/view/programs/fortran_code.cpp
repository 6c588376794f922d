// Declared in view/programs/more_languages.hpp. Straight-line code of a motion as a Fortran module, and as the functions of AUTO-07p.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/view/formulas/wrapped_formula.hpp>
#include <rattleback/view/programs/exported_text.hpp>
#include <rattleback/view/programs/more_languages.hpp>

namespace rattleback {
namespace {

const std::set<std::string>& reserved_in_fortran() {
  static const std::set<std::string> names{"state",
                                           "params",
                                           "out",
                                           "configuration",
                                           "velocity",
                                           "parameters",
                                           "sin",
                                           "cos",
                                           "tan",
                                           "asin",
                                           "acos",
                                           "atan",
                                           "exp",
                                           "log",
                                           "sqrt",
                                           "sinh",
                                           "cosh",
                                           "tanh",
                                           "asinh",
                                           "acosh",
                                           "atanh",
                                           "abs",
                                           "ndim",
                                           "u",
                                           "icp",
                                           "par",
                                           "ijac",
                                           "f",
                                           "dfdu",
                                           "dfdp",
                                           "rates",
                                           "measured",
                                           "rates_by_state",
                                           "rates_by_parameters"};
  return names;
}

/// 2 is 2d0 and 1/3 is 1d0/3d0: integers would be divided as integers.
std::string double_text(const Rational& c) {
  const auto whole = [](const std::string& digits) { return digits + "d0"; };
  if (c.is_integer()) return whole(c.text());
  return fmt::format("{}/{}", whole(c.numerator().text()), whole(c.denominator().text()));
}

std::string double_text(double number) {
  std::string s = shortest(number);
  if (const std::size_t e = s.find('e'); e != std::string::npos) {
    s[e] = 'd';
    return s;
  }
  return s + "d0";
}

/// Lines of one statement end with &.
std::string continued(const std::string& value, std::size_t column) {
  constexpr std::size_t longest = legible::line_of_fortran.count;
  std::string lines = wrapped_formula(value, column, 8), out;
  std::size_t width = column;
  for (const char c : lines) {
    if (c == '\n') {
      out += " &";
      width = 0;
    } else if (width == longest) {
      out += "&\n&";
      width = 1;
    }
    out += c;
    ++width;
  }
  return out;
}

class FortranText {
 public:
  explicit FortranText(const MotionModule& module)
      : small_(in_small_letters(module)),
        names_(state_of(module)),
        given_(module),
        layout_(small_, reserved_in_fortran()),
        dialect_{[](const Rational& c) { return double_text(c); },
                 [](const std::string& base, int n) { return fmt::format("{}**{}", base, n); },
                 [this](Function f, std::span<const std::string> xs) {
                   return f.is_abstract() ? fmt::format("params%{}({})", layout_.name(f), fmt::join(xs, ", "))
                                          : call_text(f.kind(), xs[0], "");
                 },
                 "3.141592653589793d0"} {}

  std::string module_text() const {
    std::string s = comment() + fmt::format("module {}\n  implicit none\n\n", small_.name);
    s += interfaces() + parameters() + "\ncontains\n";
    for (const ModuleFunction& f : small_.members) s += "\n" + definition(f);
    return s + fmt::format("\nend module {}\n", small_.name);
  }

  std::string auto_text() const {
    std::string s = comment() + "! Parameters of AUTO:\n";
    for (std::size_t k = 0; k < small_.parameters.size(); ++k)
      s += fmt::format("!   PAR({}) {}\n", par(k), given_.parameters[k].symbol.name());
    s += "! Set by PVLS, for a solution of differential equations at its beginning:\n";
    for (std::size_t k = 0; k < measured().size(); ++k)
      s += fmt::format("!   PAR({}) {}\n", par(small_.parameters.size() + k), measured()[k].name);
    s += fmt::format("! In the file of constants: NDIM = {}, NPAR = {}, JAC = {}\n", names_.size(),
                     std::max<std::size_t>(36, par(small_.parameters.size() + measured().size())),
                     member("jacobian") != nullptr ? 1 : 0);
    s += auto_func() + auto_stpnt() + auto_pvls();
    for (const char* unused : {"bcnd(ndim, par, icp, nbc, u0, u1, fb, ijac, dbc)",
                               "icnd(ndim, par, icp, nint, u, uold, udot, upold, fi, ijac, dint)",
                               "fopt(ndim, u, icp, par, ijac, fs, dfdu, dfdp)"})
      s += fmt::format("subroutine {}\nend subroutine\n", unused);
    return s;
  }

 private:
  const ModuleFunction* member(const std::string& name) const {
    const auto f = std::ranges::find(small_.members, name, &ModuleFunction::name);
    return f == small_.members.end() ? nullptr : &*f;
  }

  /// F, and where IJAC asks for them its derivatives by the state and by the parameters.
  std::string auto_func() const {
    const ModuleFunction& rates = *member("rhs");
    std::string s =
        "subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)\n  implicit none\n"
        "  integer, intent(in) :: ndim, icp(*), ijac\n"
        "  double precision, intent(in) :: u(ndim), par(*)\n"
        "  double precision, intent(out) :: f(ndim)\n"
        "  double precision, intent(inout) :: dfdu(ndim, ndim), dfdp(ndim, *)\n"
        "  call rates()\n";
    const ModuleFunction* jacobian = member("jacobian");
    if (jacobian != nullptr)
      s += "  if (ijac >= 1) call rates_by_state()\n  if (ijac >= 2) call rates_by_parameters()\n";
    std::vector<std::string> f, dfdu, dfdp;
    ModuleFunction by_parameters{"", "", ModuleFunction::Of::state, {}};
    for (std::size_t i = 1; i <= names_.size(); ++i) {
      f.push_back(fmt::format("f({})", i));
      for (std::size_t j = 1; j <= names_.size(); ++j) dfdu.push_back(fmt::format("dfdu({}, {})", i, j));
      for (std::size_t k = 0; k < small_.parameters.size() && jacobian != nullptr; ++k) {
        const std::vector<Symbol> one{small_.parameters[k].symbol};
        by_parameters.outputs.push_back({"", gradient(rates.outputs[i - 1].value, one)[0]});
        dfdp.push_back(fmt::format("dfdp({}, {})", i, par(k)));
      }
    }
    s += "contains\n" + auto_part("rates", rates, f);
    if (jacobian != nullptr)
      s += auto_part("rates_by_state", *jacobian, dfdu) +
           auto_part("rates_by_parameters", by_parameters, dfdp);
    return s + "end subroutine func\n\n";
  }

  std::string auto_stpnt() const {
    std::string s =
        "subroutine stpnt(ndim, u, par, t)\n  implicit none\n  integer, intent(in) :: ndim\n"
        "  double precision, intent(inout) :: u(ndim), par(*)\n  double precision, intent(in) :: t\n";
    for (std::size_t k = 0; k < small_.parameters.size(); ++k) {
      const auto& p = small_.parameters[k];
      s += fmt::format("  par({}) = {}{}\n", par(k), double_text(p.value.value_or(0)),
                       p.value ? "" : "  ! the model has no value");
    }
    return s + "  u = 0d0  ! put a steady state here\nend subroutine stpnt\n\n";
  }

  /// Energy, multipliers and reactions: functions of the state that AUTO prints beside the parameters.
  std::vector<Statement> measured() const {
    std::vector<Statement> all;
    for (const char* name : {"energy", "multipliers", "reactions"})
      if (const ModuleFunction* f = member(name))
        for (const Statement& o : f->outputs)
          if (!contains(o.value, small_.time)) all.push_back({f->scalar ? name : o.name, o.value});
    return all;
  }

  std::string auto_pvls() const {
    std::string s =
        "subroutine pvls(ndim, u, par)\n  implicit none\n  integer, intent(in) :: ndim\n"
        "  double precision, intent(in) :: u(ndim)\n  double precision, intent(inout) :: par(*)\n";
    const ModuleFunction all{"", "", ModuleFunction::Of::state, measured()};
    if (all.outputs.empty()) return s + "end subroutine pvls\n\n";
    std::vector<std::string> left;
    for (std::size_t k = 0; k < all.outputs.size(); ++k)
      left.push_back(fmt::format("par({})", par(small_.parameters.size() + k)));
    return s + "  call measured()\ncontains\n" + auto_part("measured", all, left) + "end subroutine pvls\n\n";
  }

  /// A procedure inside one that has u and par: left_k = output_k of f.
  std::string auto_part(const std::string& name, const ModuleFunction& f,
                        const std::vector<std::string>& left) const {
    const StraightLine code = code_of(f, layout_, dialect_);
    std::string s = fmt::format("subroutine {}()\n", name) + locals(code);
    for (const Symbol input : code.inputs) {
      const CodeLayout::Source from = layout_.source(input, f.of);
      if (from.kind == CodeLayout::Source::Kind::time)
        throw Error("form-does-not-apply", "the motion depends on time",
                    "AUTO continues solutions of autonomous equations",
                    "add an oscillator whose coordinates are the cosine and sine of time");
      s += from.kind == CodeLayout::Source::Kind::parameter
               ? fmt::format("  {} = par({})\n", layout_.name(input), par(parameter(input)))
               : fmt::format("  {} = u({})\n", layout_.name(input), from.index + 1);
    }
    return s + assignments(code, left) + fmt::format("end subroutine {}\n", name);
  }

  /// AUTO keeps PAR(10) to PAR(14) for itself.
  static std::size_t par(std::size_t k) { return k < 9 ? k + 1 : k + 6; }
  std::size_t parameter(Symbol s) const {
    std::size_t k = 0;
    while (small_.parameters[k].symbol != s) ++k;
    return k;
  }

  /// In the names of the model: Fortran does not tell capitals apart, so some differ below.
  std::string comment() const {
    std::string s;
    for (const std::string& line : CodeLayout(given_, {}).documentation())
      s += line.empty() ? "!\n" : "! " + line + "\n";
    return s + "! Indices begin at 1: the first entry above is state(1).\n";
  }

  std::string interfaces() const {
    std::set<std::size_t> arities;
    for (const Function f : small_.functions) arities.insert(f.orders().size());
    std::string s;
    for (const std::size_t n : arities) {
      std::vector<std::string> xs;
      for (std::size_t k = 1; k <= n; ++k) xs.push_back(fmt::format("x{}", k));
      s += fmt::format(
          "  abstract interface\n    double precision function function_{0}({1})\n"
          "      double precision, intent(in) :: {1}\n    end function function_{0}\n  end interface\n\n",
          n, fmt::join(xs, ", "));
    }
    return s;
  }

  std::string parameters() const {
    std::string s = "  type :: parameters  ! the model's own values; zero where it has none\n";
    for (const MotionModule::Parameter& p : small_.parameters)
      s +=
          fmt::format("    double precision :: {} = {}{}\n", layout_.name(p.symbol),
                      double_text(p.value.value_or(0)), p.about.empty() ? "" : "  ! " + on_one_line(p.about));
    for (const Function f : small_.functions)
      s += fmt::format("    procedure(function_{}), pointer, nopass :: {} => null()  ! {}: you supply it\n",
                       f.orders().size(), layout_.name(f), rattleback::text(f));
    return s + "  end type parameters\n";
  }

  std::string locals(const StraightLine& code) const {
    std::string s;
    for (const Symbol input : code.inputs)
      if (input != small_.time) s += fmt::format("  double precision :: {}\n", layout_.name(input));
    for (const auto& [name, value] : code.temporaries) s += fmt::format("  double precision :: {}\n", name);
    return s;
  }

  static std::string assignments(const StraightLine& code, const std::vector<std::string>& left) {
    std::string s;
    for (const auto& [name, value] : code.temporaries)
      s += fmt::format("  {} = {}\n", name, continued(value, name.size() + 5));
    for (std::size_t k = 0; k < code.outputs.size(); ++k)
      s += fmt::format("  {} = {}\n", left[k], continued(code.outputs[k], left[k].size() + 5));
    return s;
  }

  std::string definition(const ModuleFunction& f) const {
    const StraightLine code = code_of(f, layout_, dialect_);
    const bool of_state = f.of == ModuleFunction::Of::state;
    const std::string t = layout_.name(small_.time);
    std::string s = fmt::format("! {}\nsubroutine {}({}, {}, params, out)\n", f.about, f.name, t,
                                of_state ? "state" : "configuration, velocity");
    s += fmt::format("  double precision, intent(in) :: {}\n", t);
    s += of_state ? fmt::format("  double precision, intent(in) :: state({})\n", names_.size())
                  : fmt::format("  double precision, intent(in) :: configuration({}), velocity({})\n",
                                small_.configuration.size(), small_.velocities.size());
    s += fmt::format("  type(parameters), intent(in) :: params\n  double precision, intent(out) :: out{}\n",
                     f.scalar ? "" : fmt::format("({})", f.outputs.size()));
    s += locals(code);
    for (const Symbol input : code.inputs) s += read(input, f.of);
    std::vector<std::string> left;
    for (std::size_t k = 1; k <= f.outputs.size(); ++k)
      left.push_back(f.scalar ? "out" : fmt::format("out({})", k));
    return s + assignments(code, left) + fmt::format("end subroutine {}\n", f.name);
  }

  std::string read(Symbol input, ModuleFunction::Of of) const {
    return input_text(layout_, input, of,
                      {.parameter = "  {0} = params%{0}\n", .element = "  {0} = {1}({2})\n", .first = 1});
  }

  MotionModule small_;
  std::vector<Symbol> names_;
  const MotionModule& given_;
  CodeLayout layout_;
  Dialect dialect_;
};

}  // namespace

std::string as_fortran(const MotionModule& module) { return FortranText(module).module_text(); }

std::string as_auto(const MotionModule& module) {
  require_formulas(module, "AUTO");
  return FortranText(module).auto_text();
}

}  // namespace rattleback
