#include <rattleback/model/reading/load.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/model/reading/all_errors.hpp>
#include <rattleback/model/reading/expand_wheels.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/reading/reading_inputs.hpp>
#include <rattleback/model/system/joint_tree.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_nodes = input_limits::model.count;

void read_title(Reading& reading) {
  System& system = reading.system;
  system.name = std::filesystem::path(reading.source().name()).stem().string();
  if (const Toml* title = reading.root().find("title")) system.title = reading.text(*title);
  if (const Toml* description = reading.root().find("description"))
    keep_note(system, "description", reading.text(*description));
  if (const Toml* references = reading.root().find("references"))
    system.references = reading.texts(*references);
}

void require_distinct_constraints(const System& system) {
  std::map<std::string, const Constraint*> named;
  for (const Constraint& c : system.constraints) {
    const auto [present, is_new] = named.emplace(c.name, &c);
    if (is_new) continue;
    throw Error("duplicate-name", fmt::format("two constraints are called `{}`", c.name),
                "the components of a vector equation, and contacts, are numbered", "rename one of them")
        .at(c.place)
        .at(present->second->place);
  }
}

System read_sections(Reading& reading) {
  require_known_keys(reading.source(), reading.root(), "");
  read_title(reading);
  read_parameters(reading);
  read_functions(reading);
  plan_joints(reading);
  read_space(reading);
  read_definitions(reading);
  read_velocities(reading);
  read_bodies(reading);
  read_joint_springs(reading);
  read_springs(reading);
  read_energy(reading);
  read_inputs(reading);
  read_forces(reading);
  read_joint_dampers(reading);
  read_constraints(reading);
  close_loops(reading);
  read_joint_drives(reading);
  read_contacts(reading);
  read_contact_friction(reading);
  require_distinct_constraints(reading.system);
  require_inputs_in_forces(reading);
  read_symmetry(reading);
  read_parametrization(reading);
  constrain_by_parametrization(reading);
  read_simulation(reading);
  read_scene(reading);
  if (const Toml* known = reading.section("known")) reading.system.known = *known;
  warn_about_unused_parameters(reading.system);
  check_dimensions(reading);
  // From here on a quasi-velocity is a quantity of its own.
  for (const QuasiVelocity& u : reading.system.velocities)
    reading.system.scope.define(u.symbol.name(), Expr(u.symbol));
  return std::move(reading.system);
}

struct StatedModel {
  System system;
  Machine machine;
};

/// Inputs are known to [forces] and what is read behind it.
void advise_about_inputs(const Toml& root, UnknownSymbol& error) {
  const Toml* inputs = root.find("inputs");
  if (inputs == nullptr) return;
  for (const Toml& item : inputs->items) {
    if (error.name != item.key) continue;
    error.summary = fmt::format("the input `{}` stands outside of [forces]", item.key);
    error.why = "an input is a force or torque that a controller may choose";
    error.fix = "use it in [forces]; prescribe a motion by `drive`, or by a constraint with t";
  }
}

StatedModel read_parsed_model(const Source& source, Toml root) {
  expand_wheels(source, root);
  Reading reading(source, root);
  const Budget budget({.nodes = most_nodes});
  try {
    System system = read_sections(reading);
    return {std::move(system), std::move(*reading.machine)};
  } catch (UnknownSymbol& error) {
    advise_about_inputs(root, error);
    throw;
  }
}

/// A few lines can ask for more than any machine has; the budget says so in time.
StatedModel read_source_of_model(const Source& source) {
  try {
    return read_parsed_model(source, parse_toml(source));
  } catch (const Error& first) {
    std::vector<Error> all =
        errors_in(source, [](const Source& text, const Toml& root) { read_parsed_model(text, root); });
    if (all.size() < 2) throw;
    throw ModelErrors(first, {all.begin() + 1, all.end()});
  } catch (const Exhausted& limit) {
    Budget::check();  // the time limit of the caller
    throw Error("model-too-large", "the formulas of this model are too large", limit.what(),
                "write it with fewer or shorter expressions")
        .at(source.whole());
  }
}

}  // namespace

System read_model(std::string text, const std::string& file) {
  return read_source_of_model(Source(std::move(text), file)).system;
}

System load_model(const std::string& name) {
  return read_source_of_model(read_source(find_model(name))).system;
}

Machine read_machine(std::string text, const std::string& file) {
  return read_source_of_model(Source(std::move(text), file)).machine;
}

Machine load_machine(const std::string& name) {
  return read_source_of_model(read_source(find_model(name))).machine;
}

SymbolMap parameter_values(const System& system) {
  SymbolMap values;
  for (const Parameter& p : system.parameters) {
    if (p.value) values.emplace(p.symbol, substitute(*p.value, values));
  }
  return values;
}

Expr with_formulas(const System& system, Expr e) {
  // A formula may call functions that were declared before.
  for (auto f = system.functions.rbegin(); f != system.functions.rend(); ++f)
    if (f->value) e = substitute(e, f->function, f->arguments, *f->value);
  return e;
}

std::vector<std::pair<std::string, std::string>> written_formulas(const System& system) {
  std::vector<std::pair<std::string, std::string>> written;
  for (const AbstractFunction& f : system.functions) {
    std::vector<std::string> arguments;
    for (const Symbol s : f.arguments) arguments.push_back(s.name());
    const std::string call = fmt::format("{}({})", f.function.name(), fmt::join(arguments, ", "));
    if (f.value) written.emplace_back(call, f.function == sign_function() ? "x/abs(x)" : text(*f.value));
  }
  return written;
}

Expr on_frame(const System& system, Expr e) {
  SymbolMap meaning;
  for (const QuasiVelocity& u : system.velocities) meaning.emplace(u.symbol, u.expression);
  return substitute(e, meaning);
}

namespace {

/// What becomes of expressions, several at a time.
using Rewriting = std::function<std::vector<Expr>(const std::vector<Expr>&)>;

void rewrite(Expr& e, const Rewriting& rewritten) { e = rewritten({e}).front(); }
void rewrite(Matrix& m, const Rewriting& rewritten) {
  const std::vector<Expr> entries = rewritten({m.entries().begin(), m.entries().end()});
  std::copy(entries.begin(), entries.end(), m.entries().begin());
}

/// The structure constants of [algebra]; where none of them changes the space stays the same object.
void rewrite(Space& space, const Rewriting& rewritten) {
  std::vector<Factor> factors = space.factors();
  for (Factor& factor : factors) {
    if (factor.kind != Factor::Kind::algebra) continue;
    const int n = factor.c.dimension();
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        for (int d = 0; d < n; ++d) {
          if (!factor.c(a, b, d).is(Kind::constant)) rewrite(factor.c(a, b, d), rewritten);
        }
      }
    }
  }
  const bool same = std::equal(factors.begin(), factors.end(), space.factors().begin(),
                               [](const Factor& x, const Factor& y) { return x.c == y.c; });
  if (!same) space = Space(std::move(factors));
}

/// Wherever expressions stand: verdicts are then about this system.
void rewrite_everywhere(System& system, const Rewriting& rewritten) {
  const auto in = [&](auto&... expressions) { (rewrite(expressions, rewritten), ...); };
  in(system.space);
  in(system.lagrangian);
  if (system.kinetic) in(*system.kinetic);
  if (system.potential) in(*system.potential);
  system.forces = rewritten(system.forces);
  for (Constraint& c : system.constraints) {
    in(c.expression);
    if (c.position) in(*c.position);
  }
  for (QuasiVelocity& u : system.velocities) in(u.expression);
  if (system.parametrization) system.parametrization->psi = rewritten(system.parametrization->psi);
  for (Symmetry& group : system.symmetries) {
    for (Generator& g : group.generators)
      g.field = VectorField(system.space, rewritten(g.field.coefficients()));
  }
  for (RigidBody& b : system.bodies) {
    in(b.mass, b.inertia, b.r_G_S, b.v_G_S);
    std::vector<Joint> joints = b.attitude.joints();
    for (Joint& joint : joints) in(joint.rotation, joint.rate);
    b.attitude = Attitude(std::move(joints));
  }
  for (Contact& c : system.contacts) {
    in(c.point, c.normal, c.along, c.across, c.slip_along, c.slip_across, c.gap, c.spin);
    if (c.roller) in(*c.roller);
  }
  if (const Matrix* tree = kept_joint_tree(system)) {
    Matrix entries = *tree;
    in(entries);
    replace_joint_tree(system, std::move(entries));
  }
  for (Definition& d : system.definitions) {
    std::visit([&](auto& value) { in(value); }, d.value);
    system.scope.define(d.name, d.value);
  }
}

/// The values in place of the parameters.
void substitute_everywhere(System& system, const SymbolMap& values) {
  rewrite_everywhere(system, [&](const std::vector<Expr>& es) { return substitute(es, values); });
  for (const auto& [symbol, value] : values) system.scope.define(symbol.name(), value);
}

/// Is there a root of a number that the zero tests cannot take (modular.hpp)?
bool has_impossible_root(const System& system) {
  std::vector<Expr> all{system.lagrangian};
  all.insert(all.end(), system.forces.begin(), system.forces.end());
  for (const Constraint& c : system.constraints) all.push_back(c.expression);
  for (const QuasiVelocity& u : system.velocities) all.push_back(u.expression);
  return ModularProgram(all).is_impossible();
}

/// The values in place of the parameters, but for those that would leave such a root: they keep their letters.
System with_possible_values(const System& system, const std::vector<Symbol>& order, const SymbolMap& values) {
  System all = system;
  substitute_everywhere(all, values);
  if (!has_impossible_root(all) || has_impossible_root(system)) return all;
  System some = system;
  for (const Symbol p : order) {
    System next = some;
    substitute_everywhere(next, {{p, values.at(p)}});
    if (!has_impossible_root(next)) some = std::move(next);
  }
  return some;
}

}  // namespace

System substituted(System system, const SymbolMap& values) {
  substitute_everywhere(system, values);
  for (Parameter& p : system.parameters) {
    if (const auto given = values.find(p.symbol); given != values.end()) p.value = given->second;
  }
  return system;
}

System with_formulas(System system) {
  const System given = system;
  rewrite_everywhere(system, [&](std::vector<Expr> es) {
    for (Expr& e : es) e = with_formulas(given, e);
    return es;
  });
  std::erase_if(system.functions, [](const AbstractFunction& f) { return f.value.has_value(); });
  return system;
}

System with_values(System system, const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<std::string> names;
  Scope constants;
  SymbolMap chosen;
  std::vector<Symbol> order;
  for (const Parameter& p : system.parameters) names.push_back(p.symbol.name());
  for (const auto& [name, text] : values) {
    Place place;
    place.file = fmt::format("command line, --set \"{}={}\"", name, text);
    const auto parameter =
        std::find_if(system.parameters.begin(), system.parameters.end(),
                     [&, &wanted = name](const Parameter& p) { return p.symbol.name() == wanted; });
    if (parameter == system.parameters.end()) {
      const auto close = nearest(name, names);
      throw Error("unknown-parameter", fmt::format("`{}` is not a parameter of this model", name), "",
                  close.empty() ? fmt::format("its parameters are {}", fmt::join(names, ", "))
                                : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")))
          .at(place);
    }
    parameter->value = placed(place.file, [&, &given = text] { return parse(given, constants); });
    require_declared_sign(*parameter, *parameter->value, place);
    if (chosen.insert_or_assign(parameter->symbol, *parameter->value).second)
      order.push_back(parameter->symbol);
  }
  const SymbolMap all = parameter_values(system);  // those that are given by others change with them
  for (const Parameter& p : system.parameters) {
    Place place;
    place.file = "command line, --set";
    if (const auto value = all.find(p.symbol); value != all.end())
      require_declared_sign(p, value->second, place);
  }
  return with_possible_values(system, order, chosen);
}

}  // namespace rattleback
