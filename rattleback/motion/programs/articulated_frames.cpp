#include <rattleback/motion/programs/articulated_frames.hpp>

#include <algorithm>
#include <unordered_map>

#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

bool is_fixed(Expr e) {
  return std::ranges::all_of(
      symbols_of(e), [](Symbol s) { return s.role() == Role::parameter || s.role() == Role::constant; });
}

bool moves(const Displacement& d) {
  if (d.kind != Displacement::Kind::rotation) return !is_fixed(d.amount);
  return std::ranges::any_of(d.rate.entries(), [](Expr e) { return !e.is_zero(); });
}

/// A constant displacement of origin and axes.
struct Offset {
  Matrix position = Matrix(3, 1), rotation = Matrix::identity(3);

  void move(const Displacement& d) {
    if (d.kind == Displacement::Kind::shift) {
      position = position + rotation * (d.amount * d.direction);
    } else {
      rotation =
          rotation * (d.kind == Displacement::Kind::turn ? rotation_about(d.direction, d.amount) : d.matrix);
    }
  }
};

/// I + m (r² − r rᵀ).
Matrix moved_inertia(const Matrix& inertia, Expr mass, const Matrix& r) {
  return inertia + mass * (dot(r, r) * Matrix::identity(3) - r * transpose(r));
}

bool is_positive(Expr e) { return known_sign(e) == KnownSign::positive; }

/// By the leading minors of the inertia.
bool is_solid(const Link& link) {
  const Matrix& I = link.inertia;
  const Expr two = I(0, 0) * I(1, 1) - I(0, 1) * I(0, 1);
  const Expr three = dot(I.column(0), cross(I.column(1), I.column(2)));
  return is_positive(link.mass) && is_positive(I(0, 0)) && is_positive(two) && is_positive(three);
}

class FramesOfTree {
 public:
  FramesOfTree(const JointTree& tree, const Space& space) : tree_(tree), space_(space) {
    for (int i = 0; i < space.dimension(); ++i)
      if (const auto q = space.coordinate(i)) legs_.emplace(*q, i);
    for (int i = 0; i < space.dimension(); ++i)
      rates_.emplace(space.velocities()[static_cast<std::size_t>(i)], i);
  }

  std::optional<JointFrames> build() {
    ends_.resize(tree_.links.size());
    for (const int k : tree_.outwards())
      if (!add_link(k)) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// Where a link ends: its last frame, and what follows without moving.
  struct End {
    int frame = -1;
    std::vector<Displacement> fixed;
  };

  bool add_link(int k) {
    const Link& link = tree_.links[static_cast<std::size_t>(k)];
    End end = link.parent < 0 ? End{} : ends_[static_cast<std::size_t>(link.parent)];
    std::vector<Displacement> path = end.fixed;
    path.insert(path.end(), link.path.begin(), link.path.end());
    const auto last = std::find_if(path.rbegin(), path.rend(), moves).base();
    for (auto d = path.begin(); d != last; ++d)
      if (!add_frame(end.frame, *d, k)) return false;
    end.fixed.assign(last, path.end());
    if (end.frame >= 0) add_body(link, end);
    if (last != path.begin() && !found_.frames[static_cast<std::size_t>(end.frame)].is_solid)
      found_.is_definite = false;
    ends_[static_cast<std::size_t>(k)] = std::move(end);
    return true;
  }

  void add_body(const Link& link, const End& end) {
    JointFrame& frame = found_.frames[static_cast<std::size_t>(end.frame)];
    Offset offset;
    for (const Displacement& d : end.fixed) offset.move(d);
    const Matrix r = offset.position + offset.rotation * link.center;
    const Matrix about_center = offset.rotation == Matrix::identity(3)
                                    ? link.inertia
                                    : offset.rotation * link.inertia * transpose(offset.rotation);
    frame.mass += link.mass;
    frame.moment = frame.moment + link.mass * r;
    frame.inertia = frame.inertia + moved_inertia(about_center, link.mass, r);
    frame.is_solid = frame.is_solid || is_solid(link);
  }

  JointFrame& new_frame(int& at, int link) {
    JointFrame frame;
    frame.parent = at;
    frame.link = link;
    frame.directions = Matrix(3, 0);
    frame.moment = Matrix(3, 1);
    frame.inertia = Matrix(3, 3);
    found_.frames.push_back(std::move(frame));
    at = static_cast<int>(found_.frames.size()) - 1;
    return found_.frames.back();
  }

  /// Shifts that follow each other share a frame.
  bool add_frame(int& at, const Displacement& d, int link) {
    if (d.kind == Displacement::Kind::shift) {
      const Matrix step = d.amount * d.direction;
      if (std::ranges::all_of(step.entries(), [](Expr e) { return e.is_zero(); })) return true;
      const bool continues = at >= 0 && at + 1 == static_cast<int>(found_.frames.size()) &&
                             found_.frames.back().link == link && !found_.frames.back().turns();
      JointFrame& frame = continues ? found_.frames.back() : new_frame(at, link);
      frame.arm = frame.arm.rows() == 0 ? step : frame.arm + step;
      return !moves(d) || add_freedom(frame, d);
    }
    const Matrix R = d.kind == Displacement::Kind::turn ? rotation_about(d.direction, d.amount) : d.matrix;
    if (R == Matrix::identity(3)) return true;
    JointFrame& frame = new_frame(at, link);
    frame.rotation = R;
    return !moves(d) || (d.kind == Displacement::Kind::turn ? add_freedom(frame, d) : add_rotation(frame, d));
  }

  /// One coordinate, to which the amount is proportional.
  bool add_freedom(JointFrame& frame, const Displacement& d) {
    for (const Symbol s : symbols_of(d.amount)) {
      const auto leg = legs_.find(s);
      if (leg == legs_.end()) continue;
      const Expr slope = derivative(d.amount, s);
      if (!slope.is(Kind::constant) || slope.is_zero()) return false;
      append(frame, slope * d.direction, leg->second);
      return frame.turns() ? frame.freedoms() == 1 : frame.freedoms() <= 3;
    }
    return false;
  }

  /// Three components of an angular velocity: w = E Ω.
  bool add_rotation(JointFrame& frame, const Displacement& d) {
    std::vector<int> legs;
    for (const Symbol s : symbols_of(d.rate.entries()))
      if (const auto leg = rates_.find(s); leg != rates_.end()) legs.push_back(leg->second);
    std::ranges::sort(legs);
    if (legs.size() != 3) return false;
    for (const int leg : legs)
      append(frame, derivative(d.rate, space_.velocities()[static_cast<std::size_t>(leg)]), leg);
    return true;
  }

  static void append(JointFrame& frame, const Matrix& direction, int leg) {
    Matrix all(3, frame.freedoms() + 1);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < frame.freedoms(); ++k) all(i, k) = frame.directions(i, k);
      all(i, frame.freedoms()) = direction[i];
    }
    frame.directions = std::move(all);
    frame.legs.push_back(leg);
  }

  const JointTree& tree_;
  const Space& space_;
  std::unordered_map<Symbol, int> legs_, rates_;
  std::vector<End> ends_;
  JointFrames found_;
};

}  // namespace

std::optional<JointFrames> joint_frames(const JointTree& tree, const Space& space) {
  return FramesOfTree(tree, space).build();
}

}  // namespace rattleback
