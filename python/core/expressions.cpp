/// Expressions as handles, and as lists of nodes from which SymPy's are built.
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/latex.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

const char* word(Role role) {
  switch (role) {
    case Role::constant: return "constant";
    case Role::parameter: return "parameter";
    case Role::time: return "time";
    case Role::coordinate: return "coordinate";
    case Role::rotation: return "rotation";
    case Role::direction: return "direction";
    case Role::plain: return "plain";
    case Role::velocity: return "velocity";
    case Role::acceleration: return "acceleration";
    case Role::momentum: return "momentum";
    case Role::multiplier: return "multiplier";
  }
  return "plain";
}

/// Each node as a tuple whose first entry says what it is; arguments are numbers of earlier nodes.
py::tuple node(Expr e, std::span<const std::uint32_t> args) {
  py::list at;
  for (const std::uint32_t a : args) at.append(a);
  switch (e.kind()) {
    case Kind::constant:
      return py::make_tuple("number", e.value().numerator().text(), e.value().denominator().text());
    case Kind::symbol: {
      const Symbol s = e.symbol();
      return py::make_tuple("symbol", s.name(), word(s.role()), s.is_positive());
    }
    case Kind::sum: return py::make_tuple("sum", at);
    case Kind::product: return py::make_tuple("product", at);
    case Kind::power: return py::make_tuple("power", at, e.exponent());
    case Kind::call: {
      const Function f = e.function();
      py::list orders;
      for (const int order : f.orders()) orders.append(order);
      return py::make_tuple("call", at, f.primitive().name(), f.is_abstract(), orders);
    }
  }
  return py::make_tuple("number", "0", "1");
}

/// (nodes, numbers of the nodes that are the expressions).
py::tuple nodes(const std::vector<Expr>& expressions) {
  const Tape tape(expressions);
  py::list all;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) all.append(node(tape.node(slot), tape.args(slot)));
  py::list outputs;
  for (const std::uint32_t slot : tape.outputs()) outputs.append(slot);
  return py::make_tuple(all, outputs);
}

}  // namespace

void bind_expressions(py::module_& m) {
  py::class_<Expr>(m, "Expression")
      .def("__str__", [](Expr e) { return text(e); })
      .def(
          "__eq__", [](Expr a, Expr b) { return a == b; }, py::is_operator())
      .def("__hash__", [](Expr e) { return e.hash(); })
      .def("latex", [](Expr e) { return latex(e); });
  m.def("nodes", nodes);
  m.def("number", [](const std::string& text) { return evaluate(parse(text, Scope{}), Numbers{}); });
  m.def("latex_name", [](const std::string& name) { return latex_name(name); });
}

}  // namespace rattleback::python
