#include <rattleback/view/pages/notebook.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/model/system/notes.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/programs/code_layout.hpp>
#include <rattleback/view/programs/motion_module.hpp>
#include <rattleback/view/results/stated_forces.hpp>

namespace rattleback {
namespace {

using nlohmann::ordered_json;

/// Dormand and Prince's method of order 5 with an error estimate of order 4; Fehlberg's idea, their coefficients.
constexpr const char* integrator = R"py(def integrate(rhs, state, times, rtol=1e-10, atol=1e-12):
    """The states at the given times: Dormand-Prince 5(4) with adaptive steps."""
    A = [[1/5], [3/40, 9/40], [44/45, -56/15, 32/9], [19372/6561, -25360/2187, 64448/6561, -212/729],
         [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656], [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84]]
    C = [1/5, 3/10, 4/5, 8/9, 1, 1]
    E = [71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40]
    t, y, k0 = times[0], list(state), rhs(times[0], state)
    h = min(1e-3, times[-1] - t)
    rows = [y]
    for end in times[1:]:
        while t < end:
            step = min(h, end - t)
            k = [k0]
            for a, c in zip(A, C):
                new = [yi + step * sum(aj * kj[i] for aj, kj in zip(a, k)) for i, yi in enumerate(y)]
                k.append(rhs(t + c * step, new))
            error = max(abs(step * sum(e * kj[i] for e, kj in zip(E, k))) / (atol + rtol * max(abs(y[i]), abs(new[i])))
                        for i in range(len(y)))
            if error <= 1:
                t, y, k0 = (end if step == end - t else t + step), new, k[-1]
            if error > 1 or step == h:
                h = step * min(5, max(0.2, 0.9 * error ** -0.2 if error else 5))
        rows.append(y)
    return rows
)py";

constexpr const char* spectrum = R"py(def amplitudes(values):
    """Amplitudes of the harmonics k/T: mean removed, Hann's window."""
    n = len(values) - 1
    mean = sum(values[:n]) / n
    window = [(v - mean) * (1 - math.cos(2 * math.pi * i / n)) for i, v in enumerate(values[:n])]
    return [2 / n * abs(sum(w * cmath.exp(-2j * math.pi * k * i / n) for i, w in enumerate(window)))
            for k in range(HARMONICS)]
)py";

class Notebook {
 public:
  void markdown(const std::string& text) {
    cells_.push_back({{"cell_type", "markdown"}, {"id", id()}, {"metadata", ordered_json::object()}});
    cells_.back()["source"] = lines(text);
  }
  void code(const std::string& text) {
    cells_.push_back({{"cell_type", "code"},
                      {"id", id()},
                      {"execution_count", nullptr},
                      {"metadata", ordered_json::object()},
                      {"outputs", ordered_json::array()}});
    cells_.back()["source"] = lines(text);
  }
  std::string text() const {
    const ordered_json kernel{{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}};
    const ordered_json all{{"cells", cells_},
                           {"metadata", {{"kernelspec", kernel}, {"language_info", {{"name", "python"}}}}},
                           {"nbformat", 4},
                           {"nbformat_minor", 5}};
    return all.dump(1) + "\n";
  }

 private:
  std::string id() const { return fmt::format("cell-{}", cells_.size() + 1); }
  /// As notebooks store text: a list of lines that keep their ends.
  static ordered_json lines(const std::string& text) {
    ordered_json list = ordered_json::array();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const bool last = end == text.size();
      list.push_back(text.substr(begin, end - begin - (last && text.back() == '\n' ? 1 : 0)));
      begin = end;
    }
    return list;
  }
  ordered_json cells_ = ordered_json::array();
};

std::string numbers(std::span<const double> values) {
  std::vector<std::string> words;
  for (const double v : values) words.push_back(fmt::format("{:.17g}", v));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

/// A name in quotes, as Python and JSON both write it.
std::string quoted(const std::string& name) { return ordered_json(name).dump(); }

const Shape* trace_of(const Scene& scene) {
  for (const Shape& s : scene.shapes) {
    if (s.kind == Shape::Kind::trace) return &s;
  }
  return nullptr;
}

/// The module of the flow's own equations, with the path of the first trace and what is kept.
MotionModule module_of(const NotebookRun& it) {
  const EquationsOfMotion& e = it.flow.equations();
  MotionModule module = motion_module(it.flow.system(), e);
  if (const Shape* trace = trace_of(it.scene)) {
    ModuleFunction path{"path", "the point of space that leaves the trace", ModuleFunction::Of::state, {}};
    for (int i = 0; i < 3; ++i)
      path.outputs.push_back({std::string(1, "xyz"[i]), substitute(trace->points.front()[i], e.velocities)});
    module.members.push_back(std::move(path));
  }
  ModuleFunction kept{"kept", "what the motion keeps", ModuleFunction::Of::state, {}};
  for (const Invariant& i : it.invariants)
    kept.outputs.push_back({i.name, substitute(i.value, e.velocities)});
  if (!kept.outputs.empty()) module.members.push_back(std::move(kept));
  return module;
}

std::string labels(const std::string& x, const std::string& y, const std::string& title) {
  std::string s = fmt::format("plt.xlabel({})\n", quoted(x));
  if (!y.empty()) s += fmt::format("plt.ylabel({})\n", quoted(y));
  return s + fmt::format("plt.title({})\nplt.show()\n", quoted(title));
}

/// "rail [m]".
std::string labelled(const Film& film, const std::string& name) {
  const auto found = std::ranges::find(film.units, name, &std::pair<std::string, std::string>::first);
  return found == film.units.end() ? name : fmt::format("{} [{}]", name, found->second);
}

std::string time_figure(const Film& film, const Figure& f, std::size_t kept_so_far) {
  std::string s = "plt.figure()\n";
  std::size_t k = kept_so_far;
  for (const Curve& c : f.curves) {
    const std::string values =
        c.own_y.empty() ? fmt::format("column({})", quoted(c.y)) : fmt::format("drift({})", k++);
    s += fmt::format("plt.plot(t, {}, label={})\n", values, quoted(labelled(film, c.name)));
  }
  return s + "plt.legend()\n" + labels(labelled(film, "t"), "", f.title);
}

std::string plane_figure(const Film& film, const Figure& f) {
  const bool path = !f.curves.front().own_x.empty();
  std::string s = "plt.figure()\n";
  if (path) {
    s += "points = [path(ti, row) for ti, row in zip(t, rows)]\n"
         "plt.plot([p[0] for p in points], [p[1] for p in points])\nplt.axis(\"equal\")\n";
  } else {
    s += fmt::format("plt.plot(column({}), column({}))\n", quoted(f.x), quoted(f.y));
  }
  const std::string unit = path ? labelled(film, "path").substr(4) : "";  // behind the word
  return s + (path ? labels(f.x + unit, f.y + unit, f.title)
                   : labels(labelled(film, f.x), labelled(film, f.y), f.title));
}

std::string spectrum_figure(const Film& film, const Figure& f) {
  std::string s =
      fmt::format("HARMONICS = {}\n\n\n{}\n\nplt.figure()\n", f.curves.front().own_x.size(), spectrum);
  for (const Curve& c : f.curves) {
    s += fmt::format(
        "plt.plot([k / (t[-1] - t[0]) for k in range(HARMONICS)], amplitudes(column({})), label={})\n",
        quoted(c.name), quoted(labelled(film, c.name)));
  }
  return s + "plt.legend()\n" + labels(labelled(film, f.x), "", f.title);
}

std::string figure_code(const Film& film, const Figure& f) {
  switch (f.kind) {
    case Figure::Kind::time: return time_figure(film, f, 0);
    case Figure::Kind::plane: return plane_figure(film, f);
    case Figure::Kind::spectrum: return spectrum_figure(film, f);
  }
  return "";
}

}  // namespace

std::string as_notebook(const NotebookRun& it, const std::string& story) {
  const System& system = it.flow.system();
  Notebook notebook;
  const std::string described = noted(system, "description");
  std::string opening = fmt::format("# {}\n\n{}\n", heading(system), described.empty() ? story : described);
  for (const std::string& r : system.references) opening += fmt::format("- {}\n", r);
  notebook.markdown(opening);
  const std::string forces =
      forces_in_latex(it.stated, [](const std::vector<std::pair<std::string, Expr>>& rows) {
        std::string lines;
        for (const auto& [left, value] : rows)
          lines += fits(value, legible::in_a_report)
                       ? latex_row(left, latex(value))
                       : latex_row(left, "\\text{as the model file states it, too long to read}");
        return align_environment(lines);
      });
  if (!forces.empty()) notebook.markdown("## Potential and forces\n\n" + forces);
  notebook.markdown(
      "## The motion\n\nRight-hand side, energy and reactions, as `rattleback export --to python` writes "
      "them.");
  notebook.code(as_python(module_of(it)));
  notebook.markdown("## The run");
  notebook.code(fmt::format(
      "import cmath\n\nimport matplotlib.pyplot as plt\n\n\n{}\n\n"
      "initial = {}\nuntil, samples = {}, {}\nt = [until * k / (samples - 1) for k in range(samples)]\n"
      "rows = integrate(rhs, initial, t)\n\n\ndef column(name):\n    return [row[STATE.index(name)] for row "
      "in rows]\n",
      integrator, numbers(std::span(it.run.rows.front()).first(it.run.states)), shortest(it.run.end),
      it.run.rows.size()));
  notebook.markdown("## The figures");
  if (!it.invariants.empty())
    notebook.code(
        "def drift(k):\n    \"\"\"I(t) - I(0), in units of |I(0)| unless that is less than 1.\"\"\"\n"
        "    values = [kept(ti, row)[k] for ti, row in zip(t, rows)]\n"
        "    return [(v - values[0]) / max(1, abs(values[0])) for v in values]\n");
  for (const Figure& f : it.film.figures) notebook.code(figure_code(it.film, f));
  return notebook.text();
}

}  // namespace rattleback
