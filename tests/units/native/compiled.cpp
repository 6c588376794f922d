/// Compiled code against the interpreter: the same bits, on every processor that this one can imitate.
#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/native/angle.hpp>
#include <rattleback/native/assembled.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/dual.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/object_cache.hpp>
#include <rattleback/native/schedule.hpp>
#include <rattleback/native/tangent_code.hpp>
#include <rattleback/sweep/lane_integrator.hpp>

using namespace rattleback;

namespace {

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Errors beyond 1e-33 |x| in units of the last place of the true value.
double ulps(double computed, long double truth, double x) {
  const double size = std::abs(static_cast<double>(truth));
  const double unit = std::nextafter(size, INFINITY) - size;
  return static_cast<double>((std::abs(computed - truth) - 1e-33L * std::abs(x)) / unit);
}

/// Code of random instructions, all operations among them, with results that stay near one.
Code random_code(std::mt19937& random, std::size_t length) {
  Code code;
  code.inputs = 3;
  code.parameters = 2;
  code.literals = {{Rational(1, 3)}, {Rational(0), true}};
  code.constants = {0, 1, 2, 3};
  const auto first = static_cast<std::uint32_t>(code.first_result());
  for (std::uint32_t i = 0; i < length; ++i) {
    const Op op = i == 0 ? Op::sin : static_cast<Op>(random() % (static_cast<unsigned>(Op::sub_mul) + 1));
    const auto a = static_cast<std::uint32_t>(random() % (first + i)),
               b = static_cast<std::uint32_t>(random() % (first + i)),
               c = static_cast<std::uint32_t>(random() % (first + i));
    code.body.push_back({op, a, b, c});
  }
  for (std::uint32_t i = 0; i < length; i += 3) code.outputs.push_back(first + i);
  code.outputs.push_back(1);
  return code;
}

/// Long code whose values stay so small that no angle is too large, with more of them alive than there are registers.
Code long_code(std::mt19937& random, std::size_t length) {
  constexpr Op bounded[] = {Op::sin, Op::cos, Op::tanh, Op::atan},
               others[] = {Op::add, Op::sub, Op::mul, Op::mul_add, Op::sub_mul, Op::neg};
  Code code = random_code(random, length);
  for (std::size_t i = 0; i < length; ++i)
    code.body[i].op =
        i % 2 == 0 ? bounded[random() % std::size(bounded)] : others[random() % std::size(others)];
  return code;
}

/// The code through LLVM for a processor, or through the interpreter where it says that an angle is too large.
std::vector<double> through_llvm(const Code& code, std::span<const double> x,
                                 std::span<const double> parameters, Processor processor) {
  const auto object = compiled(scalar_module(code, processor));
  REQUIRE(object);
  const auto f = reinterpret_cast<ScalarCode>(object->function("evaluate"));
  REQUIRE((f != nullptr));
  const std::vector<double> constants = constants_of<double>(code, parameters);
  std::vector<double> y(code.outputs.size()), registers(code.registers());
  if (f(x.data(), constants.data(), y.data(), registers.data(), library_functions()) != 0) y.clear();
  return y;
}

/// While it lives, compiling is on, and what is compiled is kept in a folder of its own.
struct InOwnFolder {
  InOwnFolder() {
    std::filesystem::create_directories(path);
    if (const char* old = std::getenv("XDG_CACHE_HOME")) before = old;
    setenv("XDG_CACHE_HOME", path.c_str(), 1);
    set_native_mode(NativeMode::on);
  }
  InOwnFolder(const InOwnFolder&) = delete;
  InOwnFolder& operator=(const InOwnFolder&) = delete;
  ~InOwnFolder() {
    before.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before.c_str(), 1);
    std::filesystem::remove_all(path);
    set_native_mode(NativeMode::automatic);
  }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("rattleback-native-" + std::to_string(getpid()));
  std::string before;
};

}  // namespace

TEST_CASE("sine and cosine are right to less than two units in the last place and 1e-33 of the angle") {
  std::mt19937_64 random(7);
  double worst = 0;
  const auto check = [&](double x) {
    worst = std::max({worst, ulps(sine(x), sinl(x), x), ulps(cosine(x), cosl(x), x)});
  };
  for (const double largest : {0.8, 3.2, 100.0, 1e4, 1e6, 0.99e8, 1e9, 1e15}) {
    std::uniform_real_distribution<double> angle(-largest, largest);
    for (int k = 0; k < 20'000; ++k) check(angle(random));
  }
  // Near multiples of π/2, where everything but the last bits cancels, and near those beyond which quadrants are lost.
  for (double j = 1; j < 6e7; j = std::floor(j * 1.37) + 1)
    for (const double x : {j * (M_PI / 2), std::nextafter(j * (M_PI / 2), 0.0)}) check(x);
  for (const double j : {0x1p20, 0x1p26, 0x1p51, 0x1p52, 0x1p53})
    for (const double sign : {-1.0, 1.0})
      for (int k = -1000; k < 1000; ++k) check(sign * (j + k) * (M_PI / 2));
  std::uniform_real_distribution<double> exponent(0, 1000);
  for (int k = 0; k < 20'000; ++k) check(std::exp2(exponent(random)) * (k % 2 == 0 ? 1 : -1));
  CHECK(worst < 2);
  CHECK(worst > 0.4);  // the mutant: a test that compares a function with itself would see 0
  CHECK(sine(-0.0) == 0);
  CHECK(std::isnan(sine(INFINITY)));
  CHECK(std::isnan(cosine(NAN)));
}

TEST_CASE("a schedule has every instruction once, after its operands") {
  std::mt19937 random(3);
  for (const std::size_t length : {30, 600}) {
    const Code code = random_code(random, length);
    const Schedule parts = schedule(code);
    const std::size_t first = code.first_result();
    std::vector<bool> known(code.registers());
    std::fill_n(known.begin(), first, true);
    const auto run = [&](const std::vector<std::uint32_t>& part) {
      for (const std::uint32_t i : part) {
        for (const std::uint32_t r : operands(code.body[i])) CHECK(known[r]);
        CHECK_FALSE(known[first + i]);
        known[first + i] = true;
      }
    };
    run(parts.before);
    for (const std::uint32_t angle : parts.angles) CHECK(known[angle]);
    for (std::size_t i = 0; i < length; ++i) {
      const Instruction& in = code.body[i];
      const bool is_made = (in.op == Op::sin || in.op == Op::cos) &&
                           std::count(parts.angles.begin(), parts.angles.end(), in.a) == 1;
      if (is_made) known[first + i] = true;
    }
    run(parts.after);
    CHECK(std::count(known.begin(), known.end(), false) == 0);
    CHECK(!parts.angles.empty());
  }
}

TEST_CASE("compiled code gives the bits of the interpreter, with every operation") {
  if (!has_extension("llvm")) {
    MESSAGE("LLVM is absent: nothing is compiled here");
    return;
  }
  const InOwnFolder folder;
  std::mt19937 random(20);
  std::uniform_real_distribution<double> value(-2, 2);
  std::size_t compared = 0;
  // 500 instructions are more than one function holds.
  for (const std::size_t length : {5, 40, 60, 60, 60, 500}) {
    const Code code = random_code(random, length);
    const std::vector<double> parameters{value(random), value(random)};
    std::vector<double> wanted(code.outputs.size());
    set_native_mode(NativeMode::off);
    Evaluator<double> interpreter(code, parameters);
    set_native_mode(NativeMode::on);
    Evaluator<double> evaluator(code, parameters);
    const std::vector<double> x{value(random), value(random), value(random)};
    interpreter(x.data(), wanted.data());
    const std::vector<double> got = through_llvm(fused(code), x, parameters, this_processor());
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (std::isnan(wanted[k])) {
        CHECK(std::isnan(got[k]));
      } else {
        CHECK(bits_of(got[k]) == bits_of(wanted[k]));
        ++compared;
      }
    }
    std::vector<double> y(wanted.size());
    evaluator(x.data(), y.data());  // whatever the angles
    for (std::size_t k = 0; k < y.size(); ++k)
      CHECK((std::isnan(wanted[k]) ? std::isnan(y[k]) : bits_of(y[k]) == bits_of(wanted[k])));
  }
  CHECK(compared > 25);
}

TEST_CASE(
    "assembled code gives the bits of the interpreter, with every operation and when registers run out") {
  if (!rounds_once(this_processor())) {
    MESSAGE("this processor does not round a*b + c once: nothing is assembled here");
    return;
  }
  std::mt19937 random(21);
  std::uniform_real_distribution<double> value(-2, 2);
  std::size_t compared = 0, in_long_code = 0;
  for (const std::size_t length : {1, 5, 40, 60, 60, 60, 60, 500, 3000}) {
    const Code code = length < 100 ? random_code(random, length) : long_code(random, length),
               together = fused(code);
    const std::vector<double> parameters{value(random), value(random)};
    set_native_mode(NativeMode::off);
    Evaluator<double> interpreter(code, parameters);
    set_native_mode(NativeMode::automatic);
    const auto machine = assembled(together);
    REQUIRE(machine);
    const std::vector<double> constants = constants_of<double>(code, parameters);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> x{value(random), value(random), value(random)};
      std::vector<double> wanted(code.outputs.size()), y(code.outputs.size());
      interpreter(x.data(), wanted.data());
      if (machine->function(x.data(), constants.data(), y.data(), nullptr, library_functions()) != 0)
        continue;
      for (std::size_t i = 0; i < y.size(); ++i) {
        CHECK((std::isnan(wanted[i]) ? std::isnan(y[i]) : bits_of(y[i]) == bits_of(wanted[i])));
        compared += !std::isnan(wanted[i]);
      }
      in_long_code += length > 100;
    }
  }
  CHECK(compared > 5'000);
  CHECK(in_long_code > 20);
}

TEST_CASE(
    "long assembled code makes its first sines side by side, with the same bits, and sees large angles") {
  if (!rounds_once(this_processor())) return;
  constexpr std::uint32_t inputs = 11, length = 300;
  std::mt19937 random(5);
  Code code;
  code.inputs = inputs;
  for (std::uint32_t i = 0; i < inputs; ++i) code.body.push_back({Op::add, i, (i + 1) % inputs});
  for (std::uint32_t i = 0; i < inputs; ++i)
    for (const Op op : {Op::cos, Op::sin}) code.body.push_back({op, inputs + i});
  for (auto i = static_cast<std::uint32_t>(code.registers()); i < inputs + length; ++i)
    code.body.push_back({i % 40 == 0  ? Op::sin
                         : i % 2 == 0 ? Op::mul
                                      : Op::sub,
                         static_cast<std::uint32_t>(random() % i), static_cast<std::uint32_t>(random() % i)});
  for (auto i = static_cast<std::uint32_t>(code.registers()) - 30; i < code.registers(); ++i)
    code.outputs.push_back(i);
  CHECK(schedule(code).angles.size() >= inputs);
  const auto machine = assembled(fused(code));
  REQUIRE(machine);
  set_native_mode(NativeMode::off);
  Evaluator<double> interpreter(code, {});
  set_native_mode(NativeMode::automatic);
  std::vector<double> x(inputs), y(code.outputs.size()), wanted(code.outputs.size());
  for (std::uint32_t i = 0; i < inputs; ++i) x[i] = 0.01 * (i + 1);
  const auto answer = [&] {
    return machine->function(x.data(), nullptr, y.data(), nullptr, library_functions());
  };
  REQUIRE(answer() == 0);
  interpreter(x.data(), wanted.data());
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(bits_of(y[i]) == bits_of(wanted[i]));
  for (double& large : x) {
    const double before = std::exchange(large, -2e8);
    CHECK(answer() == 1);
    large = before;
  }
  CHECK(answer() == 0);
}

TEST_CASE("assembled code says when an angle is too large, and takes whatever is no number") {
  if (!rounds_once(this_processor())) return;
  const std::vector<Symbol> inputs{Symbol::make("x"), Symbol::make("y")};
  const std::vector<Expr> es{parse("sin(x) + cos(y)"), parse("y")};
  const Code code = fused(straight_line(inputs, {}, es));
  const auto machine = assembled(code);
  REQUIRE(machine);
  const auto answer = [&](double x, double y) {
    const double in[] = {x, y};
    double out[2];
    return machine->function(in, nullptr, out, nullptr, library_functions());
  };
  CHECK(answer(0.99e8, -0.99e8) == 0);
  CHECK(answer(1.06e8, 1) == 1);
  CHECK(answer(1, -1.06e8) == 1);
  CHECK(answer(INFINITY, 1) == 1);
  CHECK(answer(NAN, 1) == 1);
}

TEST_CASE("a product that one sum alone uses is rounded with it, and a difference of products is not") {
  const std::vector<Symbol> inputs{Symbol::make("w"), Symbol::make("x"), Symbol::make("y"),
                                   Symbol::make("z")};
  const auto operations = [&](const char* text) {
    const Expr e = parse(text);
    const Code code = straight_line(inputs, {}, std::span(&e, 1)), once = fused(code);
    CHECK(fused(once).body == once.body);
    std::vector<Op> ops;
    for (const Instruction& in : once.body) ops.push_back(in.op);
    return ops;
  };
  CHECK(operations("x*y + z") == std::vector{Op::mul_add});
  CHECK(operations("x*y - z") == std::vector{Op::mul_sub});
  CHECK(operations("z - x*y") == std::vector{Op::sub_mul});
  CHECK(operations("w*x + y*z") == std::vector{Op::mul, Op::mul_add});
  CHECK(operations("w*x - y*z") == std::vector{Op::mul, Op::mul, Op::sub});
  CHECK(operations("(x*y + z)/(x*y)").front() == Op::mul);  // two use it

  // Where the products are equal, nothing is left of their difference.
  const Expr e = parse("w*x - y*z");
  const Code code = straight_line(inputs, {}, std::span(&e, 1));
  const double state[] = {0.1, 0.7, 0.7, 0.1};
  double zero = 1;
  Evaluator<double>(code, {})(state, &zero);
  CHECK(zero == 0);
}

TEST_CASE("older processors get code that they understand, with the same results to rounding") {
  if (!has_extension("llvm")) return;
  const InOwnFolder folder;
  const std::vector<Symbol> inputs{Symbol::make("x"), Symbol::make("y")};
  const std::vector<Expr> es{parse("sin(x)*y + cos(x + y)/(2 + tan(y)^2)"), parse("sqrt(1 + x^2)*exp(-y)")};
  const Code code = straight_line(inputs, {}, es);
  const std::vector<double> x{0.7, -0.4};
  for (const Processor p : {Processor::baseline, Processor::avx2, Processor::avx512}) {
    if (p > this_processor()) continue;
    const std::vector<double> y = through_llvm(code, x, {}, p);
    CHECK(y[0] == doctest::Approx(std::sin(0.7) * -0.4 + std::cos(0.3) / (2 + std::pow(std::tan(-0.4), 2)))
                      .epsilon(1e-15));
    CHECK(y[1] == doctest::Approx(std::sqrt(1.49) * std::exp(0.4)).epsilon(1e-15));
  }
}

TEST_CASE("an angle too large for compiled code is the interpreter's") {
  if (!has_extension("llvm")) return;
  const InOwnFolder folder;
  const std::vector<Symbol> inputs{Symbol::make("x")};
  const std::vector<Expr> es{parse("sin(x)")};
  const Code code = straight_line(inputs, {}, es);
  Evaluator<double> f(code, {});
  for (const double x : {1e3, 3e8, 1e22}) {
    double y = 0;
    f(&x, &y);
    CHECK(y == doctest::Approx(std::sin(x)).epsilon(1e-15));
  }
}

TEST_CASE("objects are kept on the disk; damaged and foreign ones are not there") {
  const InOwnFolder folder;
  const ObjectCache cache(folder.path / "objects");
  const std::string ir = "a module";
  const std::vector<char> object{'c', 'o', 'd', 'e'};
  CHECK_FALSE(cache.find(ir));
  cache.keep(ir, object);
  CHECK(cache.find(ir) == object);
  CHECK_FALSE(cache.find("another module"));
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path / "objects")) file = entry.path();
  SUBCASE("a bit flips") {
    std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(-1, std::ios::end);
    f.put('x');
    f.close();
    CHECK_FALSE(cache.find(ir));
    cache.keep(ir, object);
    CHECK(cache.find(ir) == object);
  }
  SUBCASE("the end is missing") {
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 2);
    CHECK_FALSE(cache.find(ir));
  }
  SUBCASE("others may write it") {
    std::filesystem::permissions(file, std::filesystem::perms::others_write,
                                 std::filesystem::perm_options::add);
    CHECK_FALSE(cache.find(ir));
  }
  SUBCASE("old ones go") {
    for (int k = 0; k < 9; ++k) cache.keep("module " + std::to_string(k), object, 6);
    CHECK(cache.find("module 8") == object);
    CHECK_FALSE(cache.find(ir));
    const std::filesystem::directory_iterator all(folder.path / "objects");
    CHECK(std::distance(begin(all), end(all)) <= 6);
  }
  SUBCASE("many write at once") {
    std::vector<std::thread> writers;
    for (int k = 0; k < 4; ++k)
      writers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          cache.keep(ir, object);
          const auto found = cache.find(ir);
          if (found && *found != object) std::abort();
        }
      });
    for (std::thread& writer : writers) writer.join();
    CHECK(cache.find(ir) == object);
  }
}

TEST_CASE("what is no object file does not become code") {
  CHECK(ObjectCode::load(std::string("not an object")) == nullptr);
  CHECK(ObjectCode::load(std::vector<char>(4096, 0)) == nullptr);
  if (!has_extension("llvm")) return;
  const InOwnFolder folder;
  const std::vector<Symbol> inputs{Symbol::make("x")};
  const std::vector<Expr> es{parse("sin(x)^2/(3 + x)")};
  const std::string ir = scalar_module(straight_line(inputs, {}, es), this_processor());
  REQUIRE(compiled(ir));
  const auto object = ObjectCache::of_user()->find(ir);
  REQUIRE(object);
  CHECK(ObjectCode::load(*object) != nullptr);
  // Cut or garbled anywhere, it loads or does not, and never harms.
  std::mt19937 random(3);
  for (std::size_t size = 0; size < object->size(); size += 37)
    ObjectCode::load(std::span(object->data(), size));
  for (int k = 0; k < 300; ++k) {
    std::vector<char> garbled = *object;
    for (int j = 0; j < 8; ++j) garbled[random() % garbled.size()] = static_cast<char>(random());
    ObjectCode::load(garbled);
  }
}

TEST_CASE("compiled batches give the bits of interpreted ones, also where an angle is large") {
  if (!has_extension("llvm")) return;
  const InOwnFolder folder;
  const std::vector<Symbol> state{Symbol::make("q"), Symbol::make("v"), Symbol::make("w"), Symbol::make("t")};
  for (const char* force :
       {"-sin(q)*(1 + w^2) + cos(t)/5", "-sin(q)*(1 + w^2) + exp(-q^2)*tan(w/3) + atan(v)"}) {
    const std::vector<Expr> rates{parse("v"), parse(force), parse("cos(q)*v/(2 + sin(q))")};
    const Code code = straight_line(state, {}, rates);
    const auto flown = [&](NativeMode mode) {
      set_native_mode(mode);
      LaneMethod method(code, {}, 1'000'000);
      LaneIntegrator integrator(method, {.rtol = 1e-9, .atol = 1e-11});
      Flights flights{
          .time = 0, .end = 7, .state = Columns(3, 101), .constants = Columns(code.constants.size(), 1)};
      const std::vector<double> constants = constants_of<double>(code, {});
      std::copy(constants.begin(), constants.end(), flights.constants.numbers.begin());
      for (std::size_t m = 0; m < 101; ++m) {
        flights.state[0][m] = m == 50 ? 3e8 : 0.03 * static_cast<double>(m);
        flights.state[1][m] = 1 - 0.01 * static_cast<double>(m);
        flights.state[2][m] = 0.2;
      }
      integrator.run(flights);
      return flights;
    };
    const Flights a = flown(NativeMode::off), b = flown(NativeMode::on);
    CHECK(a.steps == b.steps);
    CHECK(a.arrived == b.arrived);
    CHECK(a.state.numbers == b.state.numbers);
    CHECK(a.steps[3] > 5);
  }
}

TEST_CASE("derivatives as code are those of duals, and are not made where a slope may be infinite") {
  const std::vector<Symbol> inputs{Symbol::make("x"), Symbol::make("y"), Symbol::make("t")},
      parameters{Symbol::make("a")};
  const std::vector<Expr> es{
      parse("a*sin(x)*cos(y)/(2 + cos(x)) - y^3/x"), parse("exp(-x*y)*log(2 + y) + tan(x/3)"),
      parse("sinh(x) + cosh(y)*tanh(x*y) - atan(a*x)"), parse("x"), parse("a^2 + sin(t)")};
  const Code code = straight_line(inputs, parameters, es);
  const auto tangents = tangent_code(code, 2);
  REQUIRE(tangents);
  const std::vector<double> at{1.3}, x{0.7, -0.4, 2.1};
  std::vector<double> both(tangents->outputs.size());
  Evaluator<double>(*tangents, at)(x.data(), both.data());
  const std::vector<Tangent<double>> dual_parameters(at.begin(), at.end());
  Evaluator<Tangent<double>> duals(code, dual_parameters);
  const std::size_t n = es.size();
  for (std::size_t j = 0; j < 2; ++j) {
    std::vector<Tangent<double>> in(x.begin(), x.end()), out(n);
    in[j].slope = 1;
    duals(in.data(), out.data());
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(both[i] == doctest::Approx(out[i].value).epsilon(1e-14));
      CHECK(both[n + j * n + i] == doctest::Approx(out[i].slope).epsilon(1e-13));
    }
  }
  CHECK(both[n + 3] == 1);
  CHECK(both[n + 4] == 0);
  const std::vector<Expr> roots{parse("sqrt(x) + abs(y)")};
  CHECK_FALSE(tangent_code(straight_line(inputs, {}, roots), 2));
  CHECK_FALSE(tangent_code(code, 2, 10));
}
