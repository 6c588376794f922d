#pragma once
/// SIMD interpreter of straight-line code on many ensemble members at once.

#include <memory>
#include <span>
#include <vector>

#include <rattleback/native/code.hpp>
#include <rattleback/sweep/lane_step.hpp>

namespace rattleback {

/// Numbers of many members in columns: one variable after the other.
struct Columns {
  std::size_t members = 0;
  std::vector<double> numbers;

  Columns() = default;
  Columns(std::size_t columns, std::size_t count) : members(count), numbers(columns * count) {}
  double* operator[](std::size_t column) { return numbers.data() + column * members; }
  const double* operator[](std::size_t column) const { return numbers.data() + column * members; }
  std::size_t size() const { return members == 0 ? 0 : numbers.size() / members; }
};

/// Rows of lanes::width doubles.
class LaneRows {
 public:
  explicit LaneRows(std::size_t count);
  double* operator[](std::size_t row) { return rows_.get() + row * lanes::width; }

 private:
  struct AlignedDelete {
    void operator()(double* rows) const;
  };
  std::unique_ptr<double[], AlignedDelete> rows_;
};

/// The functions for this processor.
const lanes::Functions& lane_functions();

/// Each thread needs its own.
class LaneCode {
 public:
  explicit LaneCode(const Code& code);

  /// The outputs of every member from its inputs and constants; constants of one member are those of all.
  Columns operator()(const Columns& inputs, const Columns& constants);

  const lanes::Program& program() const { return program_; }
  double* constant(std::size_t i) { return rows_[inputs_ + i]; }

 private:
  struct Fused {};
  LaneCode(const Code& code, Fused);

  std::size_t inputs_, constants_;
  std::vector<lanes::Instruction> body_;
  std::vector<std::uint32_t> outputs_;
  LaneRows rows_, results_;
  lanes::Program program_;
};

}  // namespace rattleback
