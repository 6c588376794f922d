#include <rattleback/sweep/ensemble.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

Ensemble::Ensemble(std::vector<Axis> axes, std::size_t samples, std::uint64_t seed)
    : axes_(std::move(axes)), samples_(samples), size_(samples), seed_(seed) {
  std::set<std::string> names;
  for (const Axis& a : axes_) {
    if (!names.insert(a.name).second)
      throw Error("wrong-axis", fmt::format("`{}` is varied twice", a.name), "",
                  "give each quantity one --vary");
    if (__builtin_mul_overflow(size_, a.grid_size(), &size_) || size_ > (std::size_t{1} << 48))
      throw Error("wrong-axis", "the ensemble has too many members to count", "", "take fewer values");
  }
}

void Ensemble::select(std::vector<std::size_t> members) { selected_ = std::move(members); }

void Ensemble::values(std::size_t member, std::span<double> out) const {
  if (selected_) member = (*selected_)[member];
  std::size_t rest = member / samples_;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const Axis& axis = axes_[a];
    if (axis.random()) {
      out[a] = axis.draw(seed_, a, member);
    } else {
      out[a] = axis.grid_value(rest % axis.grid_size());
      rest /= axis.grid_size();
    }
  }
}

std::size_t block_size(std::size_t members) {
  constexpr std::size_t lanes = 32;  // a batch with empty lanes takes as long as a full one
  const std::size_t least = std::clamp<std::size_t>(members / 16, 1, lanes);
  return std::clamp<std::size_t>(members / 64, least, 1024);
}

Block block(std::size_t index, std::size_t members) {
  const std::size_t begin = index * block_size(members);
  return {index, begin, std::min(begin + block_size(members), members)};
}

}  // namespace rattleback
