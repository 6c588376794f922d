#include <rattleback/sweep/lane_method.hpp>

#include <bit>

#include <fmt/format.h>

#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/simulate/steppers/dop853_tableau.hpp>
#include <rattleback/sweep/lane_formulas.hpp>

namespace rattleback {
namespace {

using Value = ir::Value;

/// Sums of this many variables are made side by side, so that they stay in registers.
constexpr std::size_t side_by_side = 12;

/// Writes an Advance. The stages are a loop, because a step without one does not fit into the cache of decoded instructions.
class StepWriter {
 public:
  StepWriter(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor)
      : code_(rates),
        quaternions_(quaternions),
        n_(rates.outputs.size()),
        inlined_(rates.body.size() <= code_sizes::inlined_rates.count),
        group_(static_cast<std::size_t>(lanes::group(processor))),
        to_(processor, lanes::group(processor)) {
    std::vector<bool> read(rates.registers());
    for (const Instruction& i : rates.body)
      for (const std::uint32_t r : operands(i)) read[r] = true;
    for (const std::uint32_t out : rates.outputs) read[out] = true;
    for (std::size_t i = 0; i < n_; ++i)
      if (read[i]) read_.push_back(i);
    for (std::size_t i = 0; i < n_; ++i) all_.push_back(i);
  }

  std::string module() {
    if (!inlined_) write_rates(to_, code_, group_);
    write_tableau();
    to_.begin(
        "i32 @advance(ptr noalias %all, ptr noalias %constants, i64 %first, double %relative, double "
        "%absolute, "
        "ptr noalias %functions, ptr %stop)");
    k_ = to_.assign(fmt::format("alloca [{} x double], align 64", (lanes::stages + 1) * n_ * group_));
    inputs_ = to_.assign(fmt::format("alloca [{} x double], align 64", (n_ + 1) * group_));
    rtol_ = to_.spread("%relative");
    atol_ = to_.spread("%absolute");
    jump("begin");
    jump("step");
    to_.line("%g = phi i64 [ %first, %begin ], [ %g.next, %tame ]");
    const std::string lane = to_.assign(fmt::format("mul i64 %g, {}", group_));
    to_.line(fmt::format("%rows = getelementptr inbounds double, ptr %all, i64 {}", lane));
    to_.line(fmt::format("%c = getelementptr inbounds double, ptr %constants, i64 {}", lane));
    for (std::size_t i = 0; inlined_ && i < code_.constants.size(); ++i)
      constants_.push_back(to_.load("%c", i, lanes::width));
    step();
    to_.end();
    return to_.text();
  }

 private:
  using Values = std::vector<Value>;

  Value row(std::size_t i) { return to_.load("%rows", i, lanes::width); }
  void set_row(std::size_t i, const Value& x) { to_.store(x, "%rows", i, lanes::width); }
  void label(const std::string& name) {
    to_.line(name + ":");
    block_ = name;
  }
  void jump(const std::string& name) {
    to_.line("br label %" + name);
    label(name);
  }

  /// Weights and the stages they belong to, one list after the other; where each list ends; the nodes.
  void write_tableau() {
    const LaneTableau& tableau = lane_tableau();
    std::string weights, ends, nodes;
    std::size_t count = 0;
    const auto add = [&](const lanes::Weights& list) {
      for (const lanes::Weight *w = list.begin, *end = w + list.count; w != end; ++w, ++count)
        weights += fmt::format("{}{{ double, i64 }} {{ double 0x{:016X}, i64 {} }}", count == 0 ? "" : ", ",
                               std::bit_cast<std::uint64_t>(w->value),
                               static_cast<std::size_t>(w->stage) * n_ * group_);
      end_of_list_.push_back(count);
    };
    for (int s = 1; s <= lanes::stages; ++s) add(tableau.a[s]);
    add(tableau.e5);
    add(tableau.e3);
    for (std::size_t s = 0; s < lanes::stages; ++s) {
      ends += fmt::format("{}i64 {}", s == 0 ? "" : ", ", s == 0 ? 0 : end_of_list_[s - 1]);
      nodes +=
          fmt::format("{}double 0x{:016X}", s == 0 ? "" : ", ", std::bit_cast<std::uint64_t>(tableau.c[s]));
    }
    to_.line(fmt::format("@weights = private constant [{} x {{ double, i64 }}] [{}]", count, weights));
    to_.line(fmt::format("@ends = private constant [{} x i64] [{}]", +lanes::stages, ends));
    to_.line(fmt::format("@nodes = private constant [{} x double] [{}]", +lanes::stages, nodes));
  }

  /// Σ w_j k_j of some variables over the weights `first` … `end`, as a loop.
  Values sums(const std::string& first, const std::string& end, std::span<const std::size_t> variables) {
    Values result;
    for (; variables.size() > side_by_side; variables = variables.subspan(side_by_side))
      for (const Value& sum : sums(first, end, variables.first(side_by_side))) result.push_back(sum);
    const std::string loop = fmt::format("sum{}", loops_++), before = block_;
    jump(loop);
    const auto partial = [&](std::size_t i) { return fmt::format("%{}.{}", loop, i); };
    to_.line(fmt::format("%{0}.w = phi i64 [ {1}, %{2} ], [ %{0}.next, %{0} ]", loop, first, before));
    for (std::size_t i = 0; i < variables.size(); ++i)
      to_.line(fmt::format("{0} = phi {1} [ zeroinitializer, %{2} ], [ {0}.next, %{3} ]", partial(i),
                           to_.number_type(), before, loop));
    const std::string entry =
        to_.assign(fmt::format("getelementptr inbounds {{ double, i64 }}, ptr @weights, i64 %{}.w", loop));
    const Value weight = to_.load_same(entry, 0);
    const std::string at = to_.assign(fmt::format("getelementptr inbounds i64, ptr {}, i64 1", entry));
    const std::string offset = to_.assign(fmt::format("load i64, ptr {}, align 8", at));
    const std::string k =
        to_.assign(fmt::format("getelementptr inbounds double, ptr {}, i64 {}", k_, offset));
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Value rate = to_.load(k, variables[i], group_);
      const Value next = multiply_add(weight, rate, {&to_, partial(i)});
      to_.line(fmt::format("{}.next = bitcast {} {} to {}", partial(i), to_.number_type(), next.name,
                           to_.number_type()));
      result.push_back({&to_, partial(i) + ".next"});
    }
    to_.line(fmt::format("%{0}.next = add i64 %{0}.w, 1", loop));
    const std::string more = to_.assign(fmt::format("icmp ult i64 %{}.next, {}", loop, end));
    to_.line(fmt::format("br i1 {0}, label %{1}, label %{1}.out", more, loop));
    label(loop + ".out");
    return result;
  }
  /// Over the list of that number, all variables.
  Values sums(std::size_t list) {
    return sums(std::to_string(end_of_list_[list - 1]), std::to_string(end_of_list_[list]), all_);
  }

  /// f(y, t) into the rows of a stage; returns the lanes with large angles.
  std::string evaluate(const std::string& rows, Values y, const Value& t) {
    y.push_back(t);
    if (inlined_) {
      const Emitted result = emit(to_, code_, y, constants_);
      for (std::size_t i = 0; i < n_; ++i) to_.store(result.outputs[i], rows, i, group_);
      return wild_lanes(to_, result.quadrants);
    }
    for (std::size_t i = 0; i < y.size(); ++i) to_.store(y[i], inputs_, i, group_);
    return to_.assign(fmt::format("call i32 @rates(ptr {}, ptr %c, ptr {}, ptr %functions)", inputs_, rows));
  }

  /// Stages 1 … 11: k_s = f(y + h Σ a_j k_j, t + c h). Returns the lanes with large angles.
  std::string stage_loop(const Value& t, const Value& h) {
    const std::string before = block_;
    jump("stage");
    to_.line(fmt::format("%s = phi i64 [ 1, %{} ], [ %s.next, %staged ]", before));
    to_.line(fmt::format("%wild = phi i32 [ 0, %{} ], [ %wild.next, %staged ]", before));
    const auto entry = [&](const char* table, const char* type, const std::string& index) {
      const std::string at =
          to_.assign(fmt::format("getelementptr inbounds {}, ptr {}, i64 {}", type, table, index));
      return to_.assign(fmt::format("load {}, ptr {}, align 8", type, at));
    };
    const std::string previous = to_.assign("sub i64 %s, 1");
    const Values slopes = sums(entry("@ends", "i64", previous), entry("@ends", "i64", "%s"), read_);
    Values y(n_, Value{});  // a variable that the rates do not read need not be moved
    for (std::size_t k = 0; k < read_.size(); ++k)
      y[read_[k]] = multiply_add(h, slopes[k], row(lanes::at::state + read_[k]));
    const std::string rows = to_.assign(fmt::format("mul i64 %s, {}", n_ * group_));
    const std::string to = to_.assign(fmt::format("getelementptr inbounds double, ptr {}, i64 {}", k_, rows));
    const std::string wild = evaluate(to, y, multiply_add(to_.spread(entry("@nodes", "double", "%s")), h, t));
    jump("staged");
    to_.line(fmt::format("%wild.next = or i32 %wild, {}", wild));
    to_.line("%s.next = add i64 %s, 1");
    const std::string more = to_.assign(fmt::format("icmp ult i64 %s.next, {}", +lanes::stages));
    to_.line(fmt::format("br i1 {}, label %stage, label %last", more));
    label("last");
    return "%wild.next";
  }

  void step() {
    const Value t = row(lanes::at::time), end = row(lanes::at::end), wanted = row(lanes::at::step);
    for (std::size_t i = 0; i < n_; ++i) to_.store(row(lanes::at::state + n_ + i), k_, i, group_);
    const Value left = end - t;
    const ir::Mask last = lanes::is_last(left, wanted);
    const Value h = select(last, left, wanted);
    const std::string wild_before = stage_loop(t, h);

    const Values eight = sums(lanes::stages - 1);
    Values y;
    for (std::size_t i = 0; i < n_; ++i) y.push_back(multiply_add(h, eight[i], row(lanes::at::state + i)));
    for (const std::uint32_t q : quaternions_) {
      const Value scale = lanes::inverse_length(y[q], y[q + 1], y[q + 2], y[q + 3]);
      for (std::uint32_t i = q; i < q + 4; ++i) y[i] = y[i] * scale;
    }
    const std::string rows = to_.assign(
        fmt::format("getelementptr inbounds double, ptr {}, i64 {}", k_, lanes::stages * n_ * group_));
    const std::string wild_last = evaluate(rows, y, multiply_add(constant(h, 1), h, t));
    const std::string wild = to_.assign(fmt::format("or i32 {}, {}", wild_before, wild_last));

    const Values five = sums(lanes::stages), three = sums(lanes::stages + 1);
    lanes::ErrorSums<Value> errors{};
    for (std::size_t i = 0; i < n_; ++i)
      errors.add(five[i], eight[i], three[i], row(lanes::at::state + i), y[i], rtol_, atol_);
    const auto next = lanes::outcome(errors.squared_error(h, static_cast<double>(n_)), h, last, t, end,
                                     row(lanes::at::rejected), row(lanes::at::steps));
    finish(next, y, wild);
  }

  void finish(const lanes::Outcome<Value, ir::Mask>& next, const Values& y, const std::string& wild) {
    const ir::Mask active = row(lanes::at::active) > constant(next.t, 0);
    const std::string lost = to_.assign(fmt::format("and i32 {}, {}", wild, to_.lanes_of(active)));
    const std::string is_wild = to_.assign(fmt::format("icmp ne i32 {}, 0", lost));
    to_.line(fmt::format("br i1 {}, label %wild.out, label %tame", is_wild));
    label("tame");
    set_row(lanes::at::time, next.t);
    set_row(lanes::at::step, next.h);
    set_row(lanes::at::rejected, next.rejected);
    set_row(lanes::at::steps, next.steps);
    for (std::size_t i = 0; i < n_; ++i) {
      set_row(lanes::at::state + i, select(next.accepted, y[i], row(lanes::at::state + i)));
      set_row(lanes::at::state + n_ + i,
              select(next.accepted, to_.load(k_, lanes::stages * n_ + i, group_), to_.load(k_, i, group_)));
    }
    const std::string landed = to_.lanes_of((next.done | next.failed) & active);
    const std::string stop = to_.assign("load atomic i8, ptr %stop monotonic, align 1");
    const std::string both =
        to_.assign(fmt::format("or i32 {}, {}", landed, to_.assign(fmt::format("zext i8 {} to i32", stop))));
    const std::string some = to_.assign(fmt::format("icmp ne i32 {}, 0", both));
    const std::string following = to_.assign("add i64 %g, 1");
    to_.line(fmt::format("%g.next = and i64 {}, {}", following, lanes::width / group_ - 1));
    to_.line(fmt::format("br i1 {}, label %out, label %step", some));
    label("out");
    const std::string g = to_.assign("trunc i64 %g to i32");
    const Value yes{nullptr, {}, 1}, no{nullptr, {}, 0};
    set_row(lanes::at::done, select(next.done, yes, no));
    set_row(lanes::at::failed, select(next.failed, yes, no));
    const std::string high = to_.assign(fmt::format("shl i32 {}, 16", g));
    to_.line("ret i32 " + to_.assign(fmt::format("or i32 {}, {}", high, landed)));
    label("wild.out");
    to_.line("ret i32 -1");
  }

  const Code& code_;
  std::span<const std::uint32_t> quaternions_;
  std::size_t n_, loops_ = 0;
  bool inlined_;
  std::size_t group_;
  ir::Writer to_;
  std::vector<std::size_t> read_, all_;  ///< variables that the rates read; all variables
  std::vector<std::size_t> end_of_list_;
  std::string k_, inputs_, block_;
  Values constants_;
  Value rtol_, atol_;
};

}  // namespace

void write_rates(ir::Writer& to, const Code& code, std::size_t group, bool is_local) {
  to.begin("i32 @rates(ptr noalias %x, ptr noalias %c, ptr noalias %y, ptr noalias %functions) noinline",
           is_local);
  std::vector<ir::Value> inputs, constants;
  for (std::size_t i = 0; i < code.inputs; ++i) inputs.push_back(to.load("%x", i, group));
  for (std::size_t i = 0; i < code.constants.size(); ++i) constants.push_back(to.load("%c", i, lanes::width));
  const Emitted result = emit(to, code, inputs, constants);
  for (std::size_t i = 0; i < code.outputs.size(); ++i) to.store(result.outputs[i], "%y", i, group);
  to.line("ret i32 " + wild_lanes(to, result.quadrants));
  to.end();
}

std::string lane_module(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor) {
  return StepWriter(rates, quaternions, processor).module();
}

LaneTableau::LaneTableau() : c(dop853::c.begin(), dop853::c.end()) {
  const auto copied = [&](std::span<const dop853::Weight> from) {
    std::vector<lanes::Weight>& to = kept_.emplace_back();
    for (const dop853::Weight& w : from) to.push_back({w.stage, w.value});
    return lanes::Weights{to.data(), static_cast<int>(to.size())};
  };
  for (int s = 1; s <= lanes::stages; ++s) a[s] = copied(dop853::a[static_cast<std::size_t>(s)]);
  e5 = copied(dop853::e5);
  e3 = copied(dop853::e3);
}

const LaneTableau& lane_tableau() {
  static const LaneTableau tableau;
  return tableau;
}

LaneMethod::LaneMethod(const Code& rates, std::vector<std::uint32_t> quaternions, std::size_t members)
    : rates_(fused(rates)),
      quaternions_(std::move(quaternions)),
      steps_before_compiling_(members > 10'000 ? 0 : 2'000) {}

lanes::Advance LaneMethod::compiled_step(std::size_t interpreted) {
  const NativeMode mode = native_mode();
  if (mode == NativeMode::off) return nullptr;
  if (const lanes::Advance known = advance_.load(std::memory_order_acquire)) return known;
  const std::size_t all = interpreted_ += interpreted;
  if (tried_ || rates_.body.size() > code_sizes::compiled_rates.count) return nullptr;
  if (mode == NativeMode::automatic && all < steps_before_compiling_) return nullptr;
  const std::unique_lock lock(compiling_, std::try_to_lock);
  if (!lock || tried_) return advance_;
  object_ = compiled(lane_module(rates_, quaternions_, this_processor()));
  if (object_)
    advance_.store(reinterpret_cast<lanes::Advance>(object_->function("advance")), std::memory_order_release);
  tried_ = true;
  return advance_;
}

}  // namespace rattleback
