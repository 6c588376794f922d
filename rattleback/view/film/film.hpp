#pragma once
/// Animation data of a run for web pages: scene and curves, sampled at equal times.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/scene.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// A quantity along the run.
struct Series {
  std::string name;
  std::vector<double> values;
};

/// A shape with numbers: where it is in every frame, or once when it rests.
struct Moving {
  std::string name, color;
  Shape::Kind kind = Shape::Kind::sphere;
  std::vector<double> sizes, axis;
  std::vector<double> pose;  ///< rigid shapes: x, y, z and the unit quaternion w, x, y, z, frame by frame
  std::vector<double>
      points;       ///< line, trace: corners × 3, frame by frame; net: its lines once, in the shape's axes
  int corners = 0;  ///< of a line; of each line of a net
  std::vector<double> mesh;  ///< surface: vertices from pole to pole, 2·bands around
  int bands = 0;
};

/// One curve of a figure; `x` and `y` name series of the film, or are numbers of their own.
struct Curve {
  std::string name;
  std::string x, y;
  std::vector<double> own_x, own_y;
  bool faint = false;       ///< for comparison
  std::vector<int> breaks;  ///< where the pen is lifted: an angle has gone round
};

struct Figure {
  enum class Kind : std::uint8_t { time, plane, spectrum };
  std::string title, note;
  Kind kind = Kind::time;
  std::string x = "t", y;  ///< labels
  bool equal = false;      ///< one unit is equally long in both directions
  double least = 0;        ///< the vertical axis shows at least ±least
  std::string
      role;  ///< path, portrait, drift or spectrum: a live page computes these anew; empty: from series
  std::vector<Curve> curves;
};

/// A change of contacts in a run with flight.
struct FilmMark {
  double time = 0;
  std::string kind;  ///< impact, lift-off, change
  std::string text;  ///< for people
};
/// A stretch of time between changes of contacts.
struct FilmPhase {
  double from = 0, to = 0;
  std::string kind;  ///< rolling, sliding, flight
  std::string text;
};

struct Film {
  std::vector<double> times;
  std::vector<Series> series;
  std::vector<Moving> shapes;
  bool above = false, ground = false;
  std::vector<Figure> figures;
  std::vector<FilmPhase> phases;  ///< of a run with flight
  std::vector<FilmMark> marks;    ///< between them
  bool can_fly = false;           ///< a contact opens, or would have to pull
  /// "rail" and "m", …: of series, parameters and time; of the axes of a path under `path`, of a spectrum under `frequency`. Empty where
  /// the model gives no units.
  std::vector<std::pair<std::string, std::string>> units;
  std::string summary;  ///< one sentence: until when, by which method, how well the energy is kept
};

/// Grey motions around that of a phase portrait; for a film that must come soon only where they are short, for a draft none.
enum class Neighbours : std::uint8_t { all, short_ones, none };

/// The film of the run through y: every sample is a frame. The code of the scene is made once for a flow and its copies.
Film film_of(const Flow& flow, std::span<const double> y, const Trajectory& run,
             Neighbours neighbours = Neighbours::all);

/// "sphere", "disk", …: as pages and model files name the kinds of shapes.
const char* name_of(Shape::Kind kind);

/// What the page's script reads.
std::string as_json(const Film& film);

}  // namespace rattleback
