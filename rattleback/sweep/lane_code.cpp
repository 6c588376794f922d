#include <rattleback/sweep/lane_code.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <numeric>

#include <rattleback/native/fused.hpp>
#include <rattleback/native/processor.hpp>

namespace rattleback {
namespace {

constexpr std::align_val_t alignment{64};

/// The code's body, with sine and cosine of one angle made together; every result still in its own row.
std::vector<lanes::Instruction> with_pairs(const Code& code) {
  std::vector<lanes::Instruction> body;
  std::map<std::uint32_t, std::size_t> sine_or_cosine;  // of an operand: which instruction
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Instruction& in = code.body[i];
    const auto to = static_cast<std::uint32_t>(code.first_result() + i);
    if (in.op == Op::sin || in.op == Op::cos) {
      const auto [partner, is_first] = sine_or_cosine.emplace(in.a, body.size());
      if (!is_first) {
        lanes::Instruction& both = body[partner->second];
        const std::uint32_t sine = both.op == lanes::Op::sin ? both.to : to;
        const std::uint32_t cosine = both.op == lanes::Op::sin ? to : both.to;
        both = {lanes::Op::sincos, in.a, in.a, in.a, sine, cosine};
        continue;
      }
    }
    const auto [a, b, c] = operands(in);
    body.push_back({static_cast<lanes::Op>(in.op), a, b, c, to, to});
  }
  return body;
}

/// Rows are taken again after the last use of what they hold: a batch has to fit into the nearest cache. Returns how many
/// there are.
std::uint32_t on_few_rows(const Code& code, std::vector<lanes::Instruction>& body,
                          std::vector<std::uint32_t>& outputs) {
  constexpr std::size_t always = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last_use(code.registers(), 0);
  for (std::size_t i = 0; i < body.size(); ++i)
    last_use[body[i].a] = last_use[body[i].b] = last_use[body[i].c] = i;
  for (std::size_t r = 0; r < code.first_result(); ++r) last_use[r] = always;
  for (const std::uint32_t out : code.outputs) last_use[out] = always;

  std::vector<std::uint32_t> row_of(code.registers());
  std::iota(row_of.begin(), row_of.end(), 0U);
  std::vector<std::uint32_t> free;
  auto next = static_cast<std::uint32_t>(code.first_result());
  const auto take = [&](std::uint32_t result) {
    std::uint32_t row = next;
    if (free.empty()) {
      ++next;
    } else {
      row = free.back();
      free.pop_back();
    }
    return row_of[result] = row;
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    lanes::Instruction& in = body[i];
    const std::uint32_t a = in.a, b = in.b, c = in.c, to = in.to, also = in.also;
    in.a = row_of[a];
    in.b = row_of[b];
    in.c = row_of[c];
    if (last_use[a] == i) free.push_back(row_of[a]);
    if (b != a && last_use[b] == i) free.push_back(row_of[b]);
    if (c != a && c != b && last_use[c] == i) free.push_back(row_of[c]);
    in.to = take(to);
    in.also = also == to ? in.to : take(also);
  }
  for (std::uint32_t& out : outputs) out = row_of[out];
  return next;
}

}  // namespace

const lanes::Functions& lane_functions() {
#if defined(__x86_64__)
  switch (this_processor()) {
    case Processor::avx512: return lanes::for_avx512;
    case Processor::avx2: return lanes::for_avx2;
    case Processor::baseline: break;
  }
#endif
  return lanes::for_baseline;
}

void LaneRows::AlignedDelete::operator()(double* rows) const { ::operator delete[](rows, alignment); }

LaneRows::LaneRows(std::size_t count)
    : rows_(static_cast<double*>(::operator new[](count* lanes::width * sizeof(double), alignment))) {
  std::fill_n(rows_.get(), count * lanes::width, 0.0);
}

LaneCode::LaneCode(const Code& code) : LaneCode(fused(code), Fused{}) {}

LaneCode::LaneCode(const Code& code, Fused)
    : inputs_(code.inputs),
      constants_(code.constants.size()),
      body_(with_pairs(code)),
      outputs_(code.outputs),
      rows_(on_few_rows(code, body_, outputs_)),
      results_(outputs_.size()),
      program_{body_.data(), outputs_.data(), static_cast<std::uint32_t>(body_.size()),
               static_cast<std::uint32_t>(outputs_.size()), rows_[0]} {}

Columns LaneCode::operator()(const Columns& inputs, const Columns& constants) {
  const std::size_t members = inputs.members;
  Columns outputs(outputs_.size(), members);
  const bool same = constants.members == 1;
  for (std::size_t c = 0; same && c < constants_; ++c)
    std::fill_n(rows_[inputs_ + c], lanes::width, constants[c][0]);
  for (std::size_t first = 0; first < members; first += lanes::width) {
    const std::size_t count = std::min<std::size_t>(lanes::width, members - first);
    for (std::size_t i = 0; i < inputs_; ++i) std::copy_n(inputs[i] + first, count, rows_[i]);
    for (std::size_t c = 0; !same && c < constants_; ++c)
      std::copy_n(constants[c] + first, count, rows_[inputs_ + c]);
    lane_functions().evaluate(program_, results_[0]);
    for (std::size_t i = 0; i < outputs_.size(); ++i) std::copy_n(results_[i], count, outputs[i] + first);
  }
  return outputs;
}

}  // namespace rattleback
