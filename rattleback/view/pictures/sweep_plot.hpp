#pragma once
/// Plots of a sweep: curves over one axis, maps over two.

#include <string>
#include <vector>

#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

struct SweptQuantity {
  std::string name;
  std::vector<double> values;  ///< one for each member; nan where there is none
  bool labels = false;  ///< values that lie together are one class with a colour of its own, if they are few
};

/// Quantities over the first axis; over the first two, when there are two: cells of a grid, or dots where values are drawn
/// at random. One panel for each quantity, with its scale.
Picture sweep_picture(const std::string& title, const std::vector<SweptQuantity>& axes,
                      const std::vector<SweptQuantity>& quantities, const FigureStyle& style = {});

}  // namespace rattleback
