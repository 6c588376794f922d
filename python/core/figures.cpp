/// Figures: what `--plot` of the command line draws, as panels of numbers and as pictures.
#include <rattleback/view/pictures/glyphs.hpp>
#include <rattleback/view/pictures/plot_request.hpp>
#include <rattleback/view/pictures/sweep_plot.hpp>

#include "figures.hpp"

namespace rattleback::python {
namespace {

using Numbers1 = std::vector<double>;
using Range = std::optional<std::pair<double, double>>;

/// An array, or a row of numbers.
Numbers1 numbers_of(const py::handle& given) {
  const auto row = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!row) throw py::error_already_set();
  return {row.data(), row.data() + row.size()};
}

PlotCurve curve_of(const py::tuple& c) {
  return {.name = c[0].cast<std::string>(),
          .x = numbers_of(c[1]),
          .y = numbers_of(c[2]),
          .points = c[3].cast<bool>(),
          .smooth = c[4].cast<bool>(),
          .dashed = c[5].cast<bool>(),
          .colour = c[6].cast<std::optional<std::size_t>>()};
}

/// What panels_as_python() gave, the way back.
Panel panel_of(const py::tuple& p) {
  Panel panel{.title = p[0].cast<std::string>(),
              .x_label = p[1].cast<std::string>(),
              .y_label = p[2].cast<std::string>()};
  for (const py::handle& c : p[3]) panel.curves.push_back(curve_of(c.cast<py::tuple>()));
  panel.equal_aspect = p[4].cast<bool>();
  panel.logarithmic_x = p[5].cast<bool>();
  panel.logarithmic = p[6].cast<bool>();
  panel.x_range = p[7].cast<Range>();
  panel.y_range = p[8].cast<Range>();
  return panel;
}

SweptQuantity quantity_of(const py::tuple& q) {
  return {q[0].cast<std::string>(), numbers_of(q[1]), q[2].cast<bool>()};
}

/// Width and height in millimetres, 0 for none; light or dark.
FigureStyle style_of(const py::tuple& given) {
  return {given[0].cast<double>(), given[1].cast<double>(), given[2].cast<bool>()};
}

py::bytes file_of(const Picture& picture, const std::string& ending) {
  std::string file;
  {
    const py::gil_scoped_release released;
    file = picture.written_as("figure" + ending);
  }
  return file;
}

py::bytes panels_picture(const std::string& title, const py::list& panels, const py::tuple& style,
                         const std::string& ending) {
  std::vector<Panel> all;
  for (const py::handle& p : panels) all.push_back(panel_of(p.cast<py::tuple>()));
  return file_of(drawn(title, all, style_of(style)), ending);
}

py::bytes swept_picture(const std::string& title, const py::list& axes, const py::list& quantities,
                        const py::tuple& style, const std::string& ending) {
  std::vector<SweptQuantity> over, shown;
  for (const py::handle& q : axes) over.push_back(quantity_of(q.cast<py::tuple>()));
  for (const py::handle& q : quantities) shown.push_back(quantity_of(q.cast<py::tuple>()));
  return file_of(sweep_picture(title, over, shown, style_of(style)), ending);
}

/// Colours of a figure as #rrggbb, for others that draw the same.
py::dict colours(bool dark) {
  constexpr std::size_t palette = 7, steps = 256;
  const FigureLayout layout(1, "", {.dark = dark});
  py::list curves, shades;
  for (std::size_t k = 0; k < palette; ++k) curves.append(layout.palette(k).hex());
  for (std::size_t k = 0; k < steps; ++k) shades.append(shade(static_cast<double>(k) / (steps - 1)).hex());
  py::dict d;
  d["curves"] = curves;
  d["shades"] = shades;
  d["ink"] = layout.ink.hex();
  d["grey"] = layout.grey.hex();
  d["pale"] = layout.pale.hex();
  d["paper"] = layout.paper.hex();
  return d;
}

}  // namespace

py::list panels_as_python(const std::vector<Panel>& panels) {
  py::list all;
  for (const Panel& p : panels) {
    py::list curves;
    for (const PlotCurve& c : p.curves) {
      const auto count = static_cast<py::ssize_t>(c.x.size());
      curves.append(py::make_tuple(c.name, as_array(c.x, {count}), as_array(c.y, {count}), c.points, c.smooth,
                                   c.dashed, c.colour));
    }
    all.append(py::make_tuple(p.title, p.x_label, p.y_label, curves, p.equal_aspect, p.logarithmic_x,
                              p.logarithmic, p.x_range, p.y_range));
  }
  return all;
}

void bind_figures(py::module_& m) {
  m.def("panels_picture", panels_picture);
  m.def("swept_picture", swept_picture);
  m.def("figure_colours", colours);
  m.def("label", label_of);
}

}  // namespace rattleback::python
