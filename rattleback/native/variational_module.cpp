#include <rattleback/native/variational_module.hpp>

#include <map>

#include <rattleback/native/emit.hpp>
#include <rattleback/native/emitter.hpp>

namespace rattleback {
namespace {

/// Two writers, one for numbers and one for vectors of directions. Their texts are joined in the end: the k-th line `;` in the
/// text of the vectors stands for what the other has written between its lines `;` number k and k + 1.
class SideBySide {
 public:
  SideBySide(const VariationalCode& code, std::size_t lanes, Processor processor)
      : numbers_(code.coefficients),
        linear_(code.linear),
        n_(code.linear.outputs.size()),
        lanes_(lanes),
        scalar_(processor, 1),
        vector_(processor, static_cast<int>(lanes)),
        scalars_(scalar_),
        vectors_(vector_) {}

  std::string module() {
    scalar_.line(";");
    vector_.begin(
        "i32 @variations(ptr noalias %x, ptr noalias %c, ptr noalias %d, ptr noalias %f, ptr noalias %y, ptr "
        "noalias %functions, ptr noalias %g)");
    std::multimap<std::uint32_t, std::size_t> outputs;
    for (std::size_t i = 0; i < n_; ++i) outputs.emplace(linear_.outputs[i], i);
    const auto store = [&](std::uint32_t r) {
      const auto [begin, end] = outputs.equal_range(r);
      for (auto o = begin; o != end; ++o) vector_.store(vector(r), "%y", o->second, lanes_);
    };
    for (std::uint32_t r = 0; r < linear_.inputs; ++r) store(r);
    for (std::size_t i = 0; i < linear_.body.size(); ++i) {
      const auto [a, b, c] = operands(linear_.body[i]);
      const auto r = static_cast<std::uint32_t>(linear_.first_result() + i);
      const ir::Value x = vector(a), y = vector(b), z = vector(c);
      directions_[r] = vectors_.apply(linear_.body[i].op, x, y, z);
      store(r);
    }
    for (std::size_t i = 0; i < n_; ++i) scalar_.store(scalar(numbers_.outputs[i]), "%f", i, 1);
    if (numbers_.outputs.size() > linear_.inputs) divergence();
    scalar_.line("ret i32 " + wild_lanes(scalar_, scalars_.quadrants()));
    include_scalars();
    vector_.end();
    return joined();
  }

 private:
  void include_scalars() {
    scalar_.line(";");
    vector_.line(";");
  }

  /// Only what nothing else needs is left to compute, and only on request.
  void divergence() {
    const std::string wild = wild_lanes(scalar_, scalars_.quadrants());
    const std::string none = scalar_.assign("icmp eq ptr %g, null");
    scalar_.line("br i1 " + none + ", label %without, label %with");
    scalar_.line("without:\nret i32 " + wild);
    scalar_.line("with:");
    scalar_.store(scalar(numbers_.outputs.back()), "%g", 0, 1);
  }

  /// A number, after all that it depends on.
  ir::Value scalar(std::uint32_t r) {
    if (const auto found = values_.find(r); found != values_.end()) return found->second;
    ir::Value made;
    if (r < numbers_.inputs) {
      made = scalar_.load("%x", r, 1);
    } else if (r < numbers_.first_result()) {
      made = scalar_.load("%c", r - numbers_.inputs, 1);
    } else {
      const Instruction& in = numbers_.body[r - numbers_.first_result()];
      const auto [a, b, c] = operands(in);
      const ir::Value x = scalar(a), y = scalar(b), z = scalar(c);
      made = scalars_.apply(in.op, x, y, z);
    }
    return values_[r] = made;
  }

  ir::Value vector(std::uint32_t r) {
    if (const auto found = directions_.find(r); found != directions_.end()) return found->second;
    if (r < n_) return directions_[r] = vector_.load("%d", r, lanes_);
    const std::string number =
        scalar(numbers_.outputs[r]).name;  // outputs are f, as many as directions, then c
    include_scalars();
    return directions_[r] = vector_.spread(renamed(number));
  }

  static std::string renamed(std::string text) {
    for (std::size_t at = 0; (at = text.find("%v", at)) != std::string::npos;) text.replace(at, 2, "%s");
    return text;
  }

  std::string joined() const {
    const std::string numbers = renamed(scalar_.functions()), vectors = vector_.text();
    const std::string mark = "\n;\n";
    std::size_t from = numbers.find(mark) + 2;
    std::string text = numbers.substr(0, from - 1);  // what has to be declared
    std::size_t done = 0;
    for (std::size_t at; (at = vectors.find(mark, done)) != std::string::npos; done = at + 2) {
      text.append(vectors, done, at - done);
      const std::size_t to = numbers.find(mark, from);
      text.append(numbers, from, to - from);
      from = to + 2;
    }
    return text.append(vectors, done, vectors.size() - done);
  }

  const Code &numbers_, &linear_;
  std::size_t n_, lanes_;
  ir::Writer scalar_, vector_;
  Emitter<ir::Writer> scalars_, vectors_;
  std::map<std::uint32_t, ir::Value> values_, directions_;
};

}  // namespace

std::string variational_module(const VariationalCode& code, std::size_t lanes, Processor processor) {
  return SideBySide(code, lanes, processor).module();
}

}  // namespace rattleback
