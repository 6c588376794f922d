#include <rattleback/model/system/joint_kind.hpp>

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

using Motion = Freedom::Kind;
using Along = Freedom::Along;

constexpr std::array revolute{Freedom{Motion::turn, Along::axis}};
constexpr std::array prismatic{Freedom{Motion::shift, Along::axis}};
constexpr std::array cylindrical{Freedom{Motion::shift, Along::axis}, Freedom{Motion::turn, Along::axis}};
constexpr std::array universal{Freedom{Motion::turn, Along::axis}, Freedom{Motion::turn, Along::second_axis}};
constexpr std::array spherical{Freedom{Motion::rotation, Along::e3}};
constexpr std::array planar{Freedom{Motion::shift, Along::first_normal},
                            Freedom{Motion::shift, Along::second_normal}, Freedom{Motion::turn, Along::axis}};
constexpr std::array free{Freedom{Motion::shift, Along::e1}, Freedom{Motion::shift, Along::e2},
                          Freedom{Motion::shift, Along::e3}, Freedom{Motion::rotation, Along::e3}};

constexpr std::array<JointKind, 8> kinds{{
    {"revolute", "turns about `axis`", revolute, KeptPosition::all, KeptAxes::axis},
    {"prismatic", "slides along `axis`", prismatic, KeptPosition::across_axis, KeptAxes::all},
    {"cylindrical", "slides along `axis`, then turns about it", cylindrical, KeptPosition::across_axis,
     KeptAxes::axis},
    {"universal", "turns about `axis`, then about `second_axis`", universal, KeptPosition::all,
     KeptAxes::angle_between_axes},
    {"spherical", "turns in every way: a rotation matrix", spherical, KeptPosition::all, KeptAxes::none},
    {"planar", "slides in the plane across `axis`, then turns about it", planar, KeptPosition::along_axis,
     KeptAxes::axis},
    {"free", "moves in every way: a position and a rotation matrix", free, KeptPosition::none,
     KeptAxes::none},
    {"weld", "does not move", {}, KeptPosition::all, KeptAxes::all},
}};

}  // namespace

int JointKind::degrees() const {
  int n = 0;
  for (const Freedom& f : freedoms) n += f.kind == Motion::rotation ? 3 : 1;
  return n;
}

bool JointKind::has(Along direction) const {
  return std::any_of(freedoms.begin(), freedoms.end(),
                     [&](const Freedom& f) { return f.kind != Motion::rotation && f.along == direction; });
}

bool JointKind::has_axis() const { return has(Along::axis); }

std::span<const JointKind> joint_kinds() { return kinds; }

const JointKind* joint_kind(std::string_view name) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const JointKind& k) { return k.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace rattleback
