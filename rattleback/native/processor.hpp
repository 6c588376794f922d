#pragma once
/// CPU feature detection.

namespace rattleback {

/// Vector registers of 128, 256 or 512 bits. From avx2 on, a·b + c is rounded once.
enum class Processor { baseline, avx2, avx512 };

/// The one this program runs on.
Processor this_processor();

constexpr bool rounds_once(Processor p) { return p != Processor::baseline; }

}  // namespace rattleback
