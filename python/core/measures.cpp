/// Measures of order and chaos of a motion, covariant Lyapunov vectors, phase volume.
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/view/results/measures.hpp>

#include "figures.hpp"

namespace rattleback::python {
namespace {

using Moving = std::shared_ptr<Flow>;

/// What is measured, in words.
struct Measuring {
  double until = 100, transient = 0, width = 0.1;
  std::string of, window = "blackman-harris", density;  ///< empty: not asked for
  std::size_t samples = 8192;
  std::optional<std::size_t> covariant, volume;
};

MeasureQuestion question_of(const Flow& flow, const Measuring& given) {
  MeasureQuestion question;
  question.until = given.until;
  if (!given.of.empty())
    question.series = {given.of, event_equation(flow.system(), given.of, "command line, --of"),
                       given.transient, given.samples,
                       given.window == "none"   ? Window::none
                       : given.window == "hann" ? Window::hann
                                                : Window::blackman_harris};
  question.covariant = given.covariant;
  if (given.volume) {
    VolumeQuestion& volume = question.volume.emplace();
    volume.until = given.until;
    volume.motions = *given.volume;
    volume.width = given.width;
    if (!given.density.empty())
      volume.density =
          placed("command line, --density", [&] { return parse(given.density, flow.system().scope); });
  }
  return question;
}

py::array_t<double> numbers_row(const std::vector<double>& numbers) {
  return as_array(numbers, {static_cast<py::ssize_t>(numbers.size())});
}
py::array_t<double> numbers_table(const Eigen::MatrixXd& m) {
  py::array_t<double> all({m.rows(), m.cols()});
  for (py::ssize_t i = 0; i < m.rows(); ++i)
    for (py::ssize_t j = 0; j < m.cols(); ++j) all.mutable_at(i, j) = m(i, j);
  return all;
}

py::dict series_as_python(const Measures& all) {
  py::list peaks;
  for (const SpectralPeak& p : all.spectrum->peaks) peaks.append(py::make_tuple(p.frequency, p.power));
  py::dict d;
  d["of"] = all.observed;
  d["interval"] = all.interval;
  d["samples"] = all.samples;
  d["spectrum"] = py::make_tuple(numbers_row(all.spectrum->frequency), numbers_row(all.spectrum->power),
                                 peaks, all.spectrum->flatness);
  d["zero_one"] = all.zero_one.k;
  d["zero_one_doubt"] = all.zero_one.doubt();
  d["dimension"] =
      py::make_tuple(all.dimension.dimension, all.dimension.error, numbers_row(all.dimension.radius),
                     numbers_row(all.dimension.sum), all.dimension.first, all.dimension.last);
  d["recurrence"] =
      py::make_tuple(all.recurrence.threshold, all.recurrence.rate, all.recurrence.determinism,
                     all.recurrence.longest * all.interval, all.recurrence.mean_return * all.interval);
  return d;
}

py::tuple volumes_as_python(const std::vector<VolumeAt>& given) {
  std::vector<double> t, mean, least, largest;
  for (const VolumeAt& v : given) {
    t.push_back(v.time);
    mean.push_back(v.mean);
    least.push_back(v.least);
    largest.push_back(v.largest);
  }
  return py::make_tuple(numbers_row(t), numbers_row(mean), numbers_row(least), numbers_row(largest));
}

py::dict measures_as_python(const Measures& all) {
  py::dict d;
  d["series"] = all.spectrum ? py::object(series_as_python(all)) : py::object(py::none());
  d["covariant"] = py::none();
  if (const auto& c = all.covariant)
    d["covariant"] = py::make_tuple(numbers_row(c->exponents), numbers_table(c->least_angle),
                                    numbers_table(c->mean_angle), c->hyperbolicity, c->time, c->failure);
  d["volume"] = py::none();
  if (const auto& v = all.volume)
    d["volume"] =
        py::make_tuple(v->motions, v->failed, volumes_as_python(v->forward), volumes_as_python(v->reversed),
                       v->rate, v->error, v->reversed_rate, v->reversed_error, v->asymmetry, v->violation);
  d["until"] = all.until;
  d["text"] = as_text(all);
  d["json"] = as_json(all);
  d["panels"] = panels_as_python(panels_of(all));
  return d;
}

py::dict measured(const Moving& flow, const std::vector<double>& y, const Measuring& given,
                  const Waiting& how) {
  return measures_as_python(run(
      [=](Task& task) {
        task.report("measures of a motion", 0);
        return measured_motion(*flow, y, question_of(*flow, given));
      },
      how));
}

}  // namespace

void bind_measures(py::module_& m) {
  py::class_<Measuring>(m, "Measuring")
      .def(py::init<>())
      .def_readwrite("until", &Measuring::until)
      .def_readwrite("transient", &Measuring::transient)
      .def_readwrite("width", &Measuring::width)
      .def_readwrite("of", &Measuring::of)
      .def_readwrite("window", &Measuring::window)
      .def_readwrite("density", &Measuring::density)
      .def_readwrite("samples", &Measuring::samples)
      .def_readwrite("covariant", &Measuring::covariant)
      .def_readwrite("volume", &Measuring::volume);
  m.def("measured", [](const Moving& f, const std::vector<double>& y, const Measuring& given,
                       const std::optional<double>& timeout, const py::object& progress) {
    return measured(f, y, given, {timeout, progress});
  });
}

}  // namespace rattleback::python
