#include <rattleback/native/ir.hpp>

#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace rattleback::ir {

/// How the operators below write.
struct Lines {
  static Writer* writer(const Value& a, const Value& b) { return a.to != nullptr ? a.to : b.to; }
  static Value value(Writer* to, const std::string& text) { return {to, to->assign(text)}; }
  static Value binary(const char* op, const Value& a, const Value& b) {
    Writer* to = writer(a, b);
    return value(to, fmt::format("{} {} {}, {}", op, to->number_type(), to->text_of(a), to->text_of(b)));
  }
  static Value intrinsic(const char* name, const Value& a) {
    const Writer& w = *a.to;
    return value(a.to,
                 fmt::format("call {0} @llvm.{1}.{2}({0} {3})", w.number_type(), name, suffix(w), a.name));
  }
  static std::string suffix(const Writer& w) {
    return w.lanes() == 1 ? "f64" : fmt::format("v{}f64", w.lanes());
  }
  static std::string same(const Writer& w, const std::string& scalar) {
    return w.lanes() == 1 ? scalar.substr(scalar.find(' ') + 1) : fmt::format("splat ({})", scalar);
  }
  static Bits integer(const char* op, const Bits& a, std::uint64_t b) {
    const std::string other = same(*a.to, fmt::format("i64 {}", static_cast<std::int64_t>(b)));
    return {a.to, a.to->assign(fmt::format("{} {} {}, {}", op, a.to->bits_type(), a.name, other))};
  }
  static Bits integer(const char* op, const Bits& a, const Bits& b) {
    return {a.to, a.to->assign(fmt::format("{} {} {}, {}", op, a.to->bits_type(), a.name, b.name))};
  }
  static Mask compare(const char* how, const Value& a, const Value& b) {
    Writer* to = writer(a, b);
    return {to, to->assign(fmt::format("fcmp {} {} {}, {}", how, to->number_type(), to->text_of(a),
                                       to->text_of(b)))};
  }
  static Mask logical(const char* op, const Mask& a, const std::string& b) {
    return {a.to, a.to->assign(fmt::format("{} {} {}, {}", op, a.to->mask_type(), a.name, b))};
  }
  static std::string truth(const Writer& w) { return same(w, "i1 true"); }
  static std::string declarations(const Writer& w) {
    std::string all;
    for (const char* name : {"fabs", "sqrt"})
      all += fmt::format("declare {0} @llvm.{1}.{2}({0})\n", w.number_type(), name, suffix(w));
    return all + fmt::format("declare {0} @llvm.fma.{1}({0}, {0}, {0})\n", w.number_type(), suffix(w));
  }
};

namespace {

bool known(const Value& a) { return a.to == nullptr; }
bool known(const Value& a, const Value& b) { return known(a) && known(b); }

}  // namespace

Value operator+(const Value& a, const Value& b) {
  return known(a, b) ? Value{nullptr, {}, a.number + b.number} : Lines::binary("fadd", a, b);
}
Value operator-(const Value& a, const Value& b) {
  return known(a, b) ? Value{nullptr, {}, a.number - b.number} : Lines::binary("fsub", a, b);
}
Value operator*(const Value& a, const Value& b) {
  return known(a, b) ? Value{nullptr, {}, a.number * b.number} : Lines::binary("fmul", a, b);
}
Value operator/(const Value& a, const Value& b) {
  return known(a, b) ? Value{nullptr, {}, a.number / b.number} : Lines::binary("fdiv", a, b);
}
Value operator-(const Value& a) {
  if (known(a)) return {nullptr, {}, -a.number};
  return Lines::value(a.to, fmt::format("fneg {} {}", a.to->number_type(), a.name));
}
Value absolute(const Value& a) {
  return known(a) ? Value{nullptr, {}, std::abs(a.number)} : Lines::intrinsic("fabs", a);
}
Value square_root(const Value& a) {
  return known(a) ? Value{nullptr, {}, std::sqrt(a.number)} : Lines::intrinsic("sqrt", a);
}
Value constant(const Value&, double x) { return {nullptr, {}, x}; }

Value multiply_add(const Value& a, const Value& b, const Value& c) {
  Writer* to = !known(a) ? a.to : Lines::writer(b, c);
  if (to == nullptr || !to->once()) return a * b + c;
  return Lines::value(to, fmt::format("call {0} @llvm.fma.{1}({0} {2}, {0} {3}, {0} {4})", to->number_type(),
                                      Lines::suffix(*to), to->text_of(a), to->text_of(b), to->text_of(c)));
}

Bits bits(const Value& a) {
  return {a.to,
          a.to->assign(fmt::format("bitcast {} {} to {}", a.to->number_type(), a.name, a.to->bits_type()))};
}
Bits constant_bits(const Value& like, std::uint64_t x) {
  return {like.to, Lines::same(*like.to, fmt::format("i64 {}", static_cast<std::int64_t>(x)))};
}
Value number(const Bits& b) {
  return Lines::value(b.to,
                      fmt::format("bitcast {} {} to {}", b.to->bits_type(), b.name, b.to->number_type()));
}
Bits operator&(const Bits& a, std::uint64_t b) { return Lines::integer("and", a, b); }
Bits operator+(const Bits& a, std::uint64_t b) { return Lines::integer("add", a, b); }
Bits operator-(const Bits& a, const Bits& b) { return Lines::integer("sub", a, b); }
Bits operator<<(const Bits& a, int n) { return Lines::integer("shl", a, static_cast<std::uint64_t>(n)); }
Bits operator>>(const Bits& a, int n) { return Lines::integer("lshr", a, static_cast<std::uint64_t>(n)); }
Bits operator^(const Bits& a, const Bits& b) { return Lines::integer("xor", a, b); }
Bits operator|(const Bits& a, const Bits& b) { return Lines::integer("or", a, b); }
Mask is_odd(const Bits& a) {
  const Bits last = a & 1;
  return {a.to, a.to->assign(fmt::format("icmp ne {} {}, {}", a.to->bits_type(), last.name,
                                         a.to->lanes() == 1 ? "0" : "zeroinitializer"))};
}

Mask operator<=(const Value& a, const Value& b) { return Lines::compare("ole", a, b); }
Mask operator>(const Value& a, const Value& b) { return Lines::compare("ogt", a, b); }
Mask operator==(const Value& a, const Value& b) { return Lines::compare("oeq", a, b); }
Mask operator&(const Mask& a, const Mask& b) { return Lines::logical("and", a, b.name); }
Mask operator|(const Mask& a, const Mask& b) {
  if (a.to == nullptr) return b;
  return b.to == nullptr ? a : Lines::logical("or", a, b.name);
}
Mask operator!(const Mask& a) { return Lines::logical("xor", a, Lines::truth(*a.to)); }
Value select(const Mask& m, const Value& a, const Value& b) {
  return Lines::value(m.to, fmt::format("select {0} {1}, {2} {3}, {2} {4}", m.to->mask_type(), m.name,
                                        m.to->number_type(), m.to->text_of(a), m.to->text_of(b)));
}

std::string Writer::typed(const char* scalar) const {
  return lanes_ == 1 ? scalar : fmt::format("<{} x {}>", lanes_, scalar);
}

/// AVX2 reads a whole register from memory within an instruction, but spreads a number by one of its own, which is how LLVM writes
/// a splat.
std::string Writer::text_of(const Value& x) {
  if (x.to != nullptr) return x.name;
  const auto bits = std::bit_cast<std::uint64_t>(x.number);
  if (lanes_ > 1 && processor_ == Processor::avx2) return number_in_memory(bits);
  return Lines::same(*this, fmt::format("double 0x{:016X}", bits));
}
std::string Writer::number_in_memory(std::uint64_t bits) {
  const std::size_t k = numbers_.size();
  numbers_.push_back(bits);
  return assign(fmt::format("load {}, ptr @number{}, align 32, !invariant.load !0", number_type_, k));
}

void Writer::begin(const std::string& head, bool is_local) {
  body_ += fmt::format("define {}{} #0 {{\n", is_local ? "internal " : "", head);
}
void Writer::end() { body_ += "}\n"; }
void Writer::line(const std::string& text) { body_ += text + "\n"; }
std::string Writer::assign(const std::string& text) {
  std::string name = fmt::format("%v{}", next_++);
  body_ += fmt::format("{} = {}\n", name, text);
  return name;
}

Value Writer::load(const std::string& pointer, std::size_t row, std::size_t stride) {
  const std::string at =
      assign(fmt::format("getelementptr inbounds double, ptr {}, i64 {}", pointer, row * stride));
  return {this, assign(fmt::format("load {}, ptr {}, align 8", number_type(), at))};
}
Value Writer::load_same(const std::string& pointer, std::size_t index) {
  const std::string at = assign(fmt::format("getelementptr inbounds double, ptr {}, i64 {}", pointer, index));
  return spread(assign(fmt::format("load double, ptr {}, align 8", at)));
}
Value Writer::spread(const std::string& scalar) {
  if (lanes_ == 1) return {this, scalar};
  const std::string one =
      assign(fmt::format("insertelement {} poison, double {}, i64 0", number_type(), scalar));
  return {this, assign(fmt::format("shufflevector {0} {1}, {0} poison, <{2} x i32> zeroinitializer",
                                   number_type(), one, lanes_))};
}
void Writer::store(const Value& x, const std::string& pointer, std::size_t row, std::size_t stride) {
  const std::string at =
      assign(fmt::format("getelementptr inbounds double, ptr {}, i64 {}", pointer, row * stride));
  line(fmt::format("store {} {}, ptr {}, align 8", number_type(), text_of(x), at));
}

Value Writer::call(std::size_t function, const Value& x) {
  const std::string at = assign(fmt::format("getelementptr inbounds ptr, ptr %functions, i64 {}", function));
  const std::string f = assign(fmt::format("load ptr, ptr {}, align 8", at));
  if (lanes_ == 1) return {this, assign(fmt::format("call double {}(double {})", f, text_of(x)))};
  std::string all = "poison";
  for (int lane = 0; lane < lanes_; ++lane) {
    const std::string one =
        assign(fmt::format("extractelement {} {}, i64 {}", number_type(), text_of(x), lane));
    const std::string y = assign(fmt::format("call double {}(double {})", f, one));
    all = assign(fmt::format("insertelement {} {}, double {}, i64 {}", number_type(), all, y, lane));
  }
  return {this, all};
}

std::string Writer::lanes_of(const Mask& m) {
  if (m.to == nullptr) return "0";
  const std::string packed =
      lanes_ == 1 ? m.name : assign(fmt::format("bitcast {} {} to i{}", mask_type(), m.name, lanes_));
  return assign(fmt::format("zext i{} {} to i32", lanes_, packed));
}

std::string Writer::functions() const {
  std::string all = Lines::declarations(*this);
  for (std::size_t k = 0; k < numbers_.size(); ++k)
    all += fmt::format("@number{} = private constant {} splat (double 0x{:016X}), align 32\n", k,
                       number_type_, numbers_[k]);
  return all + body_ + (numbers_.empty() ? "" : "!0 = !{}\n");
}

std::string Writer::text() const {
  static constexpr const char* names[] = {"x86-64", "x86-64-v3", "x86-64-v4"};
  static constexpr int widths[] = {128, 256, 512};
  const auto p = static_cast<std::size_t>(processor_);
  return fmt::format(
      "{}attributes #0 = {{ nounwind {} \"target-cpu\"=\"{}\" \"prefer-vector-width\"=\"{}\" "
      "\"min-legal-vector-width\"=\"{}\" }}\n",
      functions(), lanes_ == 1 ? "" : "alignstack=64", names[p], widths[p], lanes_ == 1 ? 0 : widths[p]);
}

}  // namespace rattleback::ir
