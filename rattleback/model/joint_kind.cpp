#include <rattleback/model/joint_kind.hpp>

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

using Kind = Freedom::Kind;
using Along = Freedom::Along;

constexpr std::array revolute{Freedom{Kind::turn, Along::axis}};
constexpr std::array prismatic{Freedom{Kind::shift, Along::axis}};
constexpr std::array cylindrical{Freedom{Kind::shift, Along::axis}, Freedom{Kind::turn, Along::axis}};
constexpr std::array universal{Freedom{Kind::turn, Along::axis}, Freedom{Kind::turn, Along::second_axis}};
constexpr std::array spherical{Freedom{Kind::rotation, Along::e3}};
constexpr std::array planar{Freedom{Kind::shift, Along::first_normal},
                            Freedom{Kind::shift, Along::second_normal}, Freedom{Kind::turn, Along::axis}};
constexpr std::array free{Freedom{Kind::shift, Along::e1}, Freedom{Kind::shift, Along::e2},
                          Freedom{Kind::shift, Along::e3}, Freedom{Kind::rotation, Along::e3}};

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
  for (const Freedom& f : freedoms) n += f.kind == Kind::rotation ? 3 : 1;
  return n;
}

bool JointKind::has(Along direction) const {
  return std::any_of(freedoms.begin(), freedoms.end(),
                     [&](const Freedom& f) { return f.kind != Kind::rotation && f.along == direction; });
}

bool JointKind::has_axis() const { return has(Along::axis); }

std::span<const JointKind> joint_kinds() { return kinds; }

const JointKind* joint_kind(std::string_view name) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const JointKind& k) { return k.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace rattleback
