#pragma once
/// SIMD kernel: one step of Dormand and Prince's method of order 8 on many trajectories at once, each with its own time and step.
///
/// lane_step.cpp is compiled once for each instruction set. Only plain data crosses this interface, and lane_step.cpp uses nothing
/// that is shared with other files, so that no instruction of a newer processor gets into the rest of the program.

#include <cstdint>

namespace rattleback::lanes {

inline constexpr int width = 32;  ///< trajectories in one batch; a row holds one number of each

/// Operations as in native/operations.def, with one more: sine and cosine of the same angle.
enum class Op : std::uint8_t {
#define OPERATION(name, arity) name,
#include <rattleback/native/operations.def>
#undef OPERATION
  sincos,
};

struct Instruction {
  Op op;
  std::uint32_t a, b, c, to, also;  ///< rows; `also` is the cosine's
};

/// Straight-line code on rows: inputs, constants, results. All rows are `width` doubles, aligned to 64 bytes.
struct Program {
  const Instruction* body;
  const std::uint32_t* outputs;
  std::uint32_t body_size, output_count;
  double* rows;
};

struct Weight {
  int stage;
  double value;
};
struct Weights {
  const Weight* begin;
  int count;
};

inline constexpr int stages = 12;

/// Rows of a batch, one after the other: these, the state, the rates at the stages.
namespace at {
enum Row : std::uint32_t { time, end, step, rejected, steps, done, failed, active, state };
}

struct Batch {
  Program rates;                     ///< inputs are the state, then time
  const std::uint32_t* quaternions;  ///< where a unit quaternion starts in the state
  std::uint32_t dimension, quaternion_count;
  const double* c;
  Weights a[stages + 1], e5, e3;
  double rtol, atol;
  double* rows;
  double* y_new;

  std::uint32_t stage(int s) const { return at::state + dimension * (1 + static_cast<std::uint32_t>(s)); }
  std::uint32_t row_count() const { return stage(stages + 1); }
};

/// What is compiled for an instruction set.
struct Functions {
  /// The outputs of the program, row by row, from the inputs in its rows.
  void (*evaluate)(const Program& program, double* outputs);
  /// The rates at the start, and Hairer's guess of the first step.
  void (*begin)(Batch& batch);
  /// One step of every lane.
  void (*advance)(Batch& batch);
};
extern const Functions for_baseline, for_avx2, for_avx512;

}  // namespace rattleback::lanes
