#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/members.hpp>

using namespace rattleback;

namespace {

SweepPlan plan_of(const std::string& model, double until) {
  SweepPlan plan;
  plan.system = load_model(model);
  plan.until = until;
  plan.settings.rtol = 1e-11;
  plan.settings.atol = 1e-13;
  return plan;
}

TableHeader header_of(const Members& members, const std::string& fingerprint = "one") {
  const std::size_t n = members.ensemble().size();
  return {n, block_count(n), members.columns(), {{"model", "test"}}, fingerprint};
}

std::vector<double> rows_of(const Members& members, int threads) {
  std::vector<double> rows;
  const auto table = table_in_memory(header_of(members), rows);
  const auto ranks = all_ranks();
  compute_blocks(*ranks, table.get(), {members.ensemble().size(), threads, [&] { return members.worker(); }});
  return rows;
}

/// The rows of compiled steps side by side, and those of single steppers.
struct Rows {
  std::vector<double> together, alone;
};
Rows compiled_and_single(const Members& members) {
  set_native_mode(NativeMode::on);
  Rows rows{rows_of(members, 1), {}};
  set_native_mode(NativeMode::off);
  rows.alone = rows_of(members, 1);
  set_native_mode(NativeMode::automatic);
  return rows;
}

std::size_t column(const Members& members, const std::string& name) {
  for (std::size_t c = 0; c < members.columns().size(); ++c)
    if (members.columns()[c].name == name) return c;
  FAIL("no column ", name);
  return 0;
}

std::vector<double> grid_values(const Axis& axis) {
  std::vector<double> values;
  for (std::size_t i = 0; i < axis.grid_size(); ++i) values.push_back(axis.grid_value(i));
  return values;
}

}  // namespace

TEST_CASE("an axis is a range, a list, or random") {
  CHECK(grid_values(axis("a=0:1:5")) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(grid_values(axis("a=3:4:1")) == std::vector<double>{3});
  CHECK(axis("a=1:100:3:log").grid_value(1) == doctest::Approx(10));
  CHECK(grid_values(axis("a=1/2,sqrt(4),pi")) == std::vector<double>{0.5, 2, std::acos(-1.0)});
  CHECK(axis("theta'=uniform(-1,1)").random());
  for (const char* wrong : {"a", "=1", "a=", "a=0:1", "a=0:1:2.5", "a=0:1:0", "a=-1:1:3:log", "a=uniform(1)",
                            "a=b", "a=1:2:3:lin", "a=normal(0,-1)"})
    CHECK_THROWS_AS(axis(wrong), Error);
}

TEST_CASE("random axes have their mean and deviation, and depend on the seed and the sample alone") {
  const Axis normal = axis("a=normal(3,2)");
  double sum = 0, square = 0;
  constexpr int n = 20000;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = normal.draw(7, 0, i);
    sum += x;
    square += x * x;
  }
  CHECK(sum / n == doctest::Approx(3).epsilon(0.02));
  CHECK(std::sqrt(square / n - sum / n * sum / n) == doctest::Approx(2).epsilon(0.02));
  CHECK(normal.draw(7, 0, 5) == normal.draw(7, 0, 5));
  CHECK(normal.draw(7, 0, 5) != normal.draw(8, 0, 5));
  CHECK(normal.draw(7, 0, 5) != normal.draw(7, 1, 5));
}

TEST_CASE("members run through every combination, the last axis fastest") {
  const Ensemble ensemble({axis("a=0:1:2"), axis("b=1,2,3"), axis("c=uniform(0,1)")}, 2, 1);
  REQUIRE(ensemble.size() == 12);
  std::map<std::pair<double, double>, int> seen;
  std::vector<double> v(3);
  for (std::size_t m = 0; m < 12; ++m) {
    ensemble.values(m, v);
    ++seen[{v[0], v[1]}];
    CHECK(v[2] >= 0);
    CHECK(v[2] <= 1);
  }
  CHECK(seen.size() == 6);
  for (const auto& [values, times] : seen) CHECK(times == 2);
  std::size_t covered = 0;
  for (std::size_t b = 0; b < block_count(100000); ++b) covered += block(b, 100000).size();
  CHECK(covered == 100000);
}

TEST_CASE("lanes reach what a single stepper reaches, on coordinates, on rotations and at other parameters") {
  struct Case {
    const char *model, *axis;
  };
  for (const Case& c : {Case{"chaplygin-sleigh", "omega=0.1:2:40"}, Case{"chaplygin-sphere", "m=1:2:40"},
                        Case{"falling-disk", "turn=0.2:0.9:40"}}) {
    const Members lanes(plan_of(c.model, 5), Ensemble({axis(c.axis)}, 1, 1));
    SweepPlan one = plan_of(c.model, 5);
    one.keep.push_back(reduction("nothing=final(1)", one.system));  // which lanes do not compute
    const Members single(one, Ensemble({axis(c.axis)}, 1, 1));
    const std::vector<double> fast = rows_of(lanes, 1), slow = rows_of(single, 1);
    const std::size_t n = lanes.flow().dimension(), first = column(lanes, "fate") + 3;
    double worst = 0;
    for (std::size_t m = 0; m < 40; ++m) {
      CHECK(fast[m * lanes.columns().size() + column(lanes, "fate")] == 0);
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::abs(fast[m * lanes.columns().size() + first + i] -
                                         slow[m * single.columns().size() + first + i]));
      }
    }
    CAPTURE(c.model);
    CHECK(worst < 1e-9);
    CHECK(worst > 0);  // otherwise the same code ran twice
  }
}

TEST_CASE("motions with equal constant steps give the bits of a single stepper, side by side or not") {
  if (!has_extension("llvm")) return;
  struct Case {
    const char *model, *axis;
  };
  for (const Case& c : {Case{"chaplygin-sleigh", "omega=0.1:2:37"}, Case{"chaplygin-sphere", "m=1:2:19"},
                        Case{"rattleback", "Omega3=-3:3:9"}}) {
    SweepPlan plan = plan_of(c.model, 1.003);  // the last step is shorter
    plan.method = "rk4";
    plan.settings.step = 0.01;
    const Members members(plan, Ensemble({axis(c.axis)}, 1, 1));
    const auto [together, alone] = compiled_and_single(members);
    CHECK(together == alone);
    CHECK(together[column(members, "steps")] == 101);
    CHECK(together[column(members, "time")] == 1.003);
  }
}

TEST_CASE("an angle that was too large for a while has the bits of a single stepper, too") {
  if (!has_extension("llvm")) return;
  SweepPlan plan;  // a skate whose heading is 10^17 in the first step and nearly 0 in the others
  plan.system = read_model(
      "lagrangian = \"(x'^2 + y'^2 + s'^2)/2\"\nspace = { x = \"R\", y = \"R\", s = \"R\" }\n"
      "define = { th = \"10^17*exp(-s)\" }\nconstraints = { blade = \"x'*sin(th) = y'*cos(th)\" }\n"
      "velocities = { u = \"x'*cos(th) + y'*sin(th)\", w = \"s'\" }\n"
      "[simulation]\ninitial = { x = 0, y = 0, s = 0, u = 1, w = 50 }\n",
      "skate.toml");
  plan.until = 4;
  plan.method = "rk4";
  plan.settings.step = 1;
  const Members members(plan, Ensemble({axis("u=1:2:5")}, 1, 1));
  const auto [together, alone] = compiled_and_single(members);
  CHECK(together == alone);
}

TEST_CASE("a motion that ends on the way does so beside others as alone") {
  if (!has_extension("llvm")) return;
  System system = read_model(
      "lagrangian = \"x'^2/2 + k*x^4\"\n[space]\nx = \"R\"\n[parameters]\nk = 1\n"
      "[simulation]\ninitial = { x = 1, \"x'\" = 1 }\n",
      "away.toml");
  SweepPlan plan;
  plan.system = std::move(system);
  plan.until = 3;
  plan.method = "rk4";
  plan.settings.step = 0.01;
  const Members members(plan, Ensemble({axis("k=-1:1:11")}, 1, 1));
  const auto [together, alone] = compiled_and_single(members);
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  CHECK(std::equal(together.begin(), together.end(), alone.begin(), alone.end(), same));
  const std::size_t width = members.columns().size(), fate = column(members, "fate");
  CHECK(together[fate] == 0);
  CHECK(together[10 * width + fate] == 1);
}

TEST_CASE("numbers do not depend on how many threads compute them") {
  const Members members(plan_of("chaplygin-sleigh", 5),
                        Ensemble({axis("a=0.1:1:7"), axis("omega=uniform(0,2)")}, 50, 3));
  CHECK(rows_of(members, 1) == rows_of(members, 3));
}

TEST_CASE("a parameter that others depend on takes them along") {
  // The sleigh's closed form: omega falls like sech(k t) with k = a sqrt(2 h m)/(J + m a^2).
  SweepPlan plan = plan_of("chaplygin-sleigh", 3);
  plan.system = with_initial_values(plan.system, {{"u", "1"}, {"omega", "0.5"}});
  const Members members(plan, Ensemble({axis("a=0.2:0.8:4")}, 1, 1));
  const std::vector<double> rows = rows_of(members, 1);
  const double m = 1, J = 0.4;
  for (std::size_t i = 0; i < 4; ++i) {
    const double* row = &rows[i * members.columns().size()];
    const double a = row[0], Q = J + m * a * a, u0 = 1, w0 = 0.5;
    const double h = (m * u0 * u0 + Q * w0 * w0) / 2, k = a * std::sqrt(2 * h * m) / Q,
                 t0 = std::atanh(u0 * std::sqrt(m / (2 * h))) / k;
    CHECK(row[column(members, "u")] ==
          doctest::Approx(std::sqrt(2 * h / m) * std::tanh(k * (3 + t0))).epsilon(1e-9));
    CHECK(std::abs(row[column(members, "energy_change")]) < 1e-9);
  }
}

TEST_CASE("one component of a velocity is varied, and a first member without a start is an error") {
  const Members members(plan_of("chaplygin-sphere", 1), Ensemble({axis("Omega3=-1,1")}, 1, 1));
  const std::vector<double> rows = rows_of(members, 1);
  CHECK(rows[column(members, "fate")] == 0);
  CHECK_THROWS_AS(Members(plan_of("chaplygin-sphere", 1), Ensemble({axis("Omega4=-1,1")}, 1, 1)), Error);
}

TEST_CASE("a varied speed stands beside speeds of the command line, in place of the model's") {
  // The model gives theta', psi', phi'; u1 is the program's speed.
  SweepPlan plan = plan_of("snakeboard", 0.5);
  CHECK_THROWS_AS(Members(plan, Ensemble({axis("u1=0.5:1:2")}, 1, 1)), Error);  // psi' and phi' are open
  plan.system = with_initial_values(plan.system, {{"psi'", "1"}, {"phi'", "0.25"}});
  const Members members(plan, Ensemble({axis("u1=0.5:1:2")}, 1, 1));
  const std::vector<double> rows = rows_of(members, 1);
  for (std::size_t m = 0; m < 2; ++m) {
    const double* row = &rows[m * members.columns().size()];
    CHECK(row[column(members, "fate")] == 0);
    CHECK(row[column(members, "phi'")] == doctest::Approx(0.25).epsilon(1e-12));  // it stays
  }
}

TEST_CASE("where no member has a start, the table says so of each") {
  const Members members(plan_of("rolling-ellipsoid", 1),
                        Ensemble({axis("b3=0.1,0.3")}, 1, 1));  // z = 0.6 is above the plane
  const std::vector<double> rows = rows_of(members, 1);
  const std::size_t columns = members.columns().size(), fate = column(members, "fate");
  for (std::size_t m = 0; m < 2; ++m) {
    CHECK(rows[m * columns + fate] == 2);
    for (std::size_t c = fate + 1; c < columns; ++c) CHECK(std::isnan(rows[m * columns + c]));
  }
}

TEST_CASE("what is kept of a motion") {
  // A particle in a harmonic well is known at every time: crossings, first crossing, extremes.
  SweepPlan plan = plan_of("nonholonomic-particle", 10);
  for (const char* text : {"last=final(y)", "top=max(y)", "bottom=min(y)", "turns=crossings(y')",
                           "when=first(y')", "never=first(y - 1000)"})
    plan.keep.push_back(reduction(text, plan.system));
  CHECK_THROWS_AS(reduction("x", plan.system), Error);
  CHECK_THROWS_AS(reduction("n=median(x)", plan.system), Error);
  CHECK_THROWS_AS(reduction("n=max(nobody)", plan.system), Error);
  const Members members(plan, Ensemble({axis("y=0.5,1")}, 1, 1));
  const std::vector<double> rows = rows_of(members, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const double* row = &rows[i * members.columns().size()];
    CHECK(row[column(members, "fate")] == 0);
    CHECK(row[column(members, "last")] == row[members.columns().size() - 6]);
    CHECK(row[column(members, "bottom")] <= row[column(members, "last")]);
    CHECK(row[column(members, "top")] >= row[column(members, "last")]);
    CHECK(std::isnan(row[column(members, "never")]));
  }
}

TEST_CASE("a file that was left incomplete is continued, and only by the same sweep") {
  if (!has_extension("hdf5")) return;
  const std::string path = (std::filesystem::temp_directory_path() / "rattleback-sweep-test.h5").string();
  const Members members(plan_of("chaplygin-sleigh", 2), Ensemble({axis("omega=0.1:2:256")}, 1, 1));
  const std::vector<double> all = rows_of(members, 1);
  const std::size_t columns = members.columns().size();
  {
    const auto table = open_table(path, header_of(members), false);
    const Block third = block(2, 256);
    table->write(third, std::span(all).subspan(third.begin * columns, third.size() * columns));
  }
  CHECK_THROWS_AS(open_table(path, header_of(members, "other"), true), Error);
  const auto table = open_table(path, header_of(members), true);
  std::vector<bool> expected(block_count(256));
  expected[2] = true;
  CHECK(table->blocks_done() == expected);
  std::size_t computed = 0;
  const auto ranks = all_ranks();
  const std::size_t done =
      compute_blocks(*ranks, table.get(), {256, 1, [&] {
                                             return [&computed, worker = members.worker()](const Block& b) {
                                               ++computed;
                                               return worker(b);
                                             };
                                           }});
  CHECK(done == 256);
  CHECK(computed + 1 == block_count(256));
  CHECK(table->blocks_done() == std::vector<bool>(block_count(256), true));
  std::filesystem::remove(path);
}

TEST_CASE("what a worker throws stops the sweep and arrives here") {
  const Ensemble ensemble({axis("a=0:1:500")}, 1, 1);
  std::vector<double> rows;
  const auto table = table_in_memory({500, block_count(500), {{"", "a"}}, {}, ""}, rows);
  const auto ranks = all_ranks();
  const Workshop shop{500, 2, [] {
                        return [](const Block& b) -> std::vector<double> {
                          if (b.index == 5) throw Error("usage", "the fifth");
                          return std::vector<double>(b.size());
                        };
                      }};
  CHECK_THROWS_AS(compute_blocks(*ranks, table.get(), shop), Error);
}

TEST_CASE("there are no more threads than blocks") {
  std::vector<double> rows;
  const auto table = table_in_memory({3, block_count(3), {{"", "a"}}, {}, ""}, rows);
  const auto ranks = all_ranks();
  std::atomic<std::size_t> threads = 0;
  const Workshop shop{3, 500, [&] {
                        ++threads;
                        return [](const Block& b) { return std::vector<double>(b.size(), 7); };
                      }};
  CHECK(compute_blocks(*ranks, table.get(), shop) == 3);
  CHECK(rows == std::vector<double>{7, 7, 7});
  CHECK(threads <= block_count(3));
}
