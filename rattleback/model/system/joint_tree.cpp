#include <rattleback/model/system/joint_tree.hpp>

#include <algorithm>

namespace rattleback {
namespace {

constexpr const char* key = "#tree";
constexpr int columns = 13;

/// What a row of the matrix is, in its first column.
enum Row : std::uint8_t { body_row, shift_row, turn_row, rotation_row, gravity_row, energy_row };

std::vector<Expr> row_of(Row kind, std::initializer_list<std::span<const Expr>> parts) {
  std::vector<Expr> row{Expr(static_cast<int>(kind))};
  for (const std::span<const Expr> part : parts) row.insert(row.end(), part.begin(), part.end());
  row.resize(columns);
  return row;
}

std::vector<Expr> row_of(const Displacement& d) {
  if (d.kind == Displacement::Kind::rotation)
    return row_of(rotation_row, {d.matrix.entries(), d.rate.entries()});
  return row_of(d.kind == Displacement::Kind::shift ? shift_row : turn_row,
                {d.direction.entries(), {&d.amount, 1}});
}

std::vector<Expr> row_of(const Link& link) {
  const Matrix& I = link.inertia;
  const std::vector<Expr> first{Expr(link.parent), link.mass},
      six{I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  return row_of(body_row, {first, link.center.entries(), six});
}

int integer(Expr e) { return static_cast<int>(e.value().to_double()); }

Matrix column_of(std::span<const Expr> row, std::size_t first) {
  return Matrix::column(row.subspan(first, 3));
}

Link link_of(std::span<const Expr> row) {
  Link link;
  link.parent = integer(row[1]);
  link.mass = row[2];
  link.center = column_of(row, 3);
  link.inertia = {{row[6], row[7], row[8]}, {row[7], row[9], row[10]}, {row[8], row[10], row[11]}};
  return link;
}

Displacement displacement_of(Row kind, std::span<const Expr> row) {
  if (kind == shift_row) return shift(column_of(row, 1), row[4]);
  if (kind == turn_row) return turn(column_of(row, 1), row[4]);
  Matrix R(3, 3);
  for (int k = 0; k < 9; ++k) R[k] = row[1 + static_cast<std::size_t>(k)];
  return rotation({R, column_of(row, 10), -1});
}

JointTree tree_of(const Matrix& entries) {
  JointTree tree;
  const std::vector<Expr> all(entries.entries().begin(), entries.entries().end());
  for (std::size_t at = 0; at < all.size(); at += columns) {
    const std::span<const Expr> row(&all[at], columns);
    const Row kind = static_cast<Row>(integer(row[0]));
    if (kind == gravity_row) {
      tree.gravity = column_of(row, 1);
    } else if (kind == energy_row) {
      tree.kinetic = row[1];
      tree.potential = row[2];
    } else if (kind == body_row) {
      tree.links.push_back(link_of(row));
    } else {
      tree.links.back().path.push_back(displacement_of(kind, row));
    }
  }
  return tree;
}

/// Do the motions of the tree stand in the functions and velocities of this space?
bool belongs_to(const JointTree& tree, const Space& space) {
  const auto known = [&](Symbol s) {
    if (s.role() == Role::parameter || s.role() == Role::constant) return true;
    const auto f = space.functions();
    const auto v = space.velocities();
    return std::find(f.begin(), f.end(), s) != f.end() || std::find(v.begin(), v.end(), s) != v.end();
  };
  for (const Link& link : tree.links) {
    for (const Displacement& d : link.path) {
      std::vector<Expr> es{d.amount};
      es.insert(es.end(), d.matrix.entries().begin(), d.matrix.entries().end());
      es.insert(es.end(), d.rate.entries().begin(), d.rate.entries().end());
      if (!std::ranges::all_of(symbols_of(es), known)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<int> JointTree::outwards() const {
  std::vector<int> order;
  std::vector<bool> placed(links.size());
  while (order.size() < links.size()) {
    const std::size_t before = order.size();
    for (std::size_t k = 0; k < links.size(); ++k) {
      const int parent = links[k].parent;
      if (placed[k] || (parent >= 0 && !placed[static_cast<std::size_t>(parent)])) continue;
      placed[k] = true;
      order.push_back(static_cast<int>(k));
    }
    if (order.size() == before) throw Bug("a tree of joints with a circle");
  }
  return order;
}

void keep_joint_tree(System& system, const JointTree& tree) {
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& row) { all.insert(all.end(), row.begin(), row.end()); };
  const std::vector<Expr> energies{tree.kinetic, tree.potential};
  add(row_of(gravity_row, {tree.gravity.entries()}));
  add(row_of(energy_row, {energies}));
  for (const Link& link : tree.links) {
    add(row_of(link));
    for (const Displacement& d : link.path) add(row_of(d));
  }
  Matrix entries(static_cast<int>(all.size()) / columns, columns);
  std::copy(all.begin(), all.end(), entries.entries().begin());
  replace_joint_tree(system, std::move(entries));
}

const Matrix* kept_joint_tree(const System& system) {
  const Value* value = system.scope.find(key);
  return value == nullptr ? nullptr : std::get_if<Matrix>(value);
}

void replace_joint_tree(System& system, Matrix entries) { system.scope.define(key, std::move(entries)); }

std::optional<JointTree> joint_tree_of(const System& system) {
  const Matrix* entries = kept_joint_tree(system);
  if (entries == nullptr || !system.kinetic || !system.potential) return std::nullopt;
  JointTree tree = tree_of(*entries);
  if (*system.kinetic != tree.kinetic || system.lagrangian != *system.kinetic - *system.potential ||
      !belongs_to(tree, system.space))
    return std::nullopt;
  return tree;
}

}  // namespace rattleback
