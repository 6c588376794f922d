#pragma once
/// Small vector with inline storage: the terms and factors of one node, without the heap.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace rattleback {

/// A list whose first N elements lie where the list does; longer ones go to the heap.
template <class T, std::size_t N = 24>
class Few {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Few() = default;
  template <class Iterator>
  Few(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;

  void push_back(const T& x) {
    if (size_ == capacity_) grow();
    std::construct_at(data_ + size_, x);
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void grow() {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(2 * capacity_ * sizeof(T));
    T* moved = reinterpret_cast<T*>(larger.get());
    std::uninitialized_copy(data_, data_ + size_, moved);
    heap_ = std::move(larger);
    data_ = moved;
    capacity_ *= 2;
  }

  alignas(T) std::byte here_[N * sizeof(T)];
  std::unique_ptr<std::byte[]> heap_;
  T* data_ = reinterpret_cast<T*>(here_);
  std::size_t size_ = 0, capacity_ = N;
};

}  // namespace rattleback
