#pragma once
/// A Jupyter notebook that repeats the run of a report: the motion as Python, an integrator, the figures.

#include <span>
#include <string>

#include <rattleback/view/film/film.hpp>

namespace rattleback {

/// What the notebook repeats. The film says which figures there are; the rest is computed in Python from the first row.
struct NotebookRun {
  const System& stated;  ///< the model as its file states it, with the names of its inputs
  const Flow& flow;
  const Trajectory& run;
  const std::vector<Invariant>& invariants;
  const Scene& scene;
  const Film& film;
};

/// nbformat 4.5; needs Python with matplotlib. `story` opens it.
std::string as_notebook(const NotebookRun& run, const std::string& story);

}  // namespace rattleback
