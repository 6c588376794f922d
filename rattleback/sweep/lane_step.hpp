#pragma once
/// One step of Dormand and Prince's method of order 8 on many trajectories at once, each with its own time and step.
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
  std::uint32_t a, b, to, also;  ///< rows; `also` is the cosine's
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

/// All pointers are to rows of `width` doubles, aligned to 64 bytes.
struct Batch {
  // The program: rows of inputs (state, then time), of constants, of results.
  const Instruction* body;
  const std::uint32_t* outputs;
  const std::uint32_t* quaternions;  ///< where a unit quaternion starts in the state
  std::uint32_t body_size, dimension, quaternion_count;
  // The method.
  const double* c;
  Weights a[stages + 1], e5, e3;
  double rtol, atol;
  // The trajectories.
  double *registers, *y, *y_new, *k;  ///< k: stages + 1 times dimension rows
  double *t, *end, *h, *rejected, *steps;
  double *done, *failed;  ///< set to 1 by a step
};

using Step = void (*)(Batch&);
void step_baseline(Batch& batch);
void step_avx2(Batch& batch);
void step_avx512(Batch& batch);

}  // namespace rattleback::lanes
