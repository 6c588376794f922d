#include <rattleback/sweep/workers.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include <rattleback/algebra/arithmetic/flint.hpp>
#include <rattleback/sweep/time_is_up.hpp>

namespace rattleback {
namespace {

/// Blocks to compute and blocks computed, between the threads that compute and the one that talks.
class Bench {
 public:
  void put(std::size_t index) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(index);
    work_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    work_.notify_all();
  }
  /// The next block, or nothing when there will be no more.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (failure_ || waiting_.empty()) return std::nullopt;
    const std::size_t index = waiting_.front();
    waiting_.pop_front();
    return index;
  }
  void deliver(const Block& block, std::vector<double> rows) {
    const std::lock_guard lock(mutex_);
    finished_.emplace_back(block, std::move(rows));
    result_.notify_one();
  }
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    closed_ = true;
    work_.notify_all();
    result_.notify_one();
  }
  /// A computed block, without rows where it was given up, after waiting for one at most this long. Throws what a worker threw.
  std::optional<std::pair<Block, std::vector<double>>> collect(std::chrono::microseconds longest) {
    std::unique_lock lock(mutex_);
    result_.wait_for(lock, longest, [&] { return failure_ || !finished_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
    if (finished_.empty()) return std::nullopt;
    auto first = std::move(finished_.front());
    finished_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable work_, result_;
  std::deque<std::size_t> waiting_;
  std::deque<std::pair<Block, std::vector<double>>> finished_;
  std::exception_ptr failure_;
  bool closed_ = false;
};

/// The rows of a block; none where it was given up.
std::vector<double> rows_or_none(const BlockWorker& compute, const Block& part) {
  try {
    return compute(part);
  } catch (const TimeOfSweepIsOver&) {
    return {};
  }
}

/// Threads at a bench, no more than there are blocks; they end with it, whatever happens.
class Crew {
 public:
  Crew(Bench& bench, const Workshop& shop) : bench_(bench) {
    const std::size_t useful = std::min<std::size_t>(shop.threads, block_count(shop.members));
    for (std::size_t i = 0; i < useful; ++i) {
      threads_.emplace_back([&bench, &shop] {
        return_flint_memory_at_thread_end();
        try {
          const BlockWorker compute = shop.make_worker();
          while (const auto index = bench.take()) {
            const Block part = block(*index, shop.members);
            bench.deliver(part, rows_or_none(compute, part));
          }
        } catch (...) {
          bench.fail(std::current_exception());
        }
      });
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    bench_.close();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  Bench& bench_;
  std::vector<std::thread> threads_;
};

/// From a rank to rank 0: a request for a block, the rows of a block, or goodbye. Back: the index of a block, or none.
enum class Kind : std::int64_t { request, result, goodbye };
constexpr std::int64_t no_block = -1;

struct Letter {
  Kind kind;
  std::int64_t block = no_block;
};

std::vector<std::byte> written(const Letter& letter, std::span<const double> rows = {}) {
  std::vector<std::byte> bytes(sizeof letter + rows.size_bytes());
  std::memcpy(bytes.data(), &letter, sizeof letter);
  if (!rows.empty()) std::memcpy(bytes.data() + sizeof letter, rows.data(), rows.size_bytes());
  return bytes;
}
Letter letter_of(const Message& message) {
  Letter letter{};
  std::memcpy(&letter, message.bytes.data(), sizeof letter);
  return letter;
}
std::vector<double> rows_of(const Message& message) {
  std::vector<double> rows((message.bytes.size() - sizeof(Letter)) / sizeof(double));
  std::memcpy(rows.data(), message.bytes.data() + sizeof(Letter), rows.size() * sizeof(double));
  return rows;
}

constexpr std::chrono::microseconds polling_interval{200};

/// Rank 0: keeps the list of blocks, serves itself and the others, and writes.
class Master {
 public:
  Master(Ranks& ranks, Table& table, const Workshop& shop)
      : ranks_(ranks), table_(table), shop_(shop), crew_(bench_, shop) {
    const std::vector<bool> done = table.blocks_done();
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (done[i]) {
        members_done_ += block(i, shop.members).size();
      } else {
        waiting_.push_back(i);
      }
    }
  }

  std::size_t run() {
    if (shop_.progress) shop_.progress(members_done_);
    for (int i = 0; i < shop_.threads; ++i) feed();
    while (at_work_ > 0 || here_ > 0 || guests_gone_ + 1 < ranks_.size()) {
      if (const auto ready = bench_.collect(polling_interval)) {
        --here_;
        feed();
        write(ready->first, ready->second);
      }
      while (const auto message = ranks_.poll()) answer(*message);
    }
    return members_done_;
  }

 private:
  std::optional<std::size_t> next() {
    if (waiting_.empty() || (shop_.stop != nullptr && *shop_.stop)) return std::nullopt;
    const std::size_t index = waiting_.front();
    waiting_.pop_front();
    return index;
  }
  /// One more block for a thread of this rank.
  void feed() {
    if (const auto index = next()) {
      ++here_;
      bench_.put(*index);
    }
  }
  void answer(const Message& message) {
    const Letter letter = letter_of(message);
    switch (letter.kind) {
      case Kind::request: {
        const auto index = next();
        at_work_ += index ? 1 : 0;
        ranks_.send(message.from,
                    written({Kind::request, index ? static_cast<std::int64_t>(*index) : no_block}));
        return;
      }
      case Kind::result:
        --at_work_;
        write(block(static_cast<std::size_t>(letter.block), shop_.members), rows_of(message));
        return;
      case Kind::goodbye: ++guests_gone_; return;
    }
  }
  void write(const Block& part, std::span<const double> rows) {
    if (rows.empty()) return;  // given up
    table_.write(part, rows);
    members_done_ += part.size();
    if (shop_.progress) shop_.progress(members_done_);
  }

  Ranks& ranks_;
  Table& table_;
  const Workshop& shop_;
  Bench bench_;
  Crew crew_;
  std::deque<std::size_t> waiting_;
  int here_ = 0, at_work_ = 0, guests_gone_ = 0;
  std::size_t members_done_ = 0;
};

/// Another rank: asks for as many blocks as it has threads, and one more, so that none waits for a message.
void serve(Ranks& ranks, const Workshop& shop) {
  Bench bench;
  Crew crew(bench, shop);
  int asked = 0, computing = 0;
  bool more = true;
  while (more || asked > 0 || computing > 0) {
    for (; more && asked + computing <= shop.threads; ++asked) ranks.send(0, written({Kind::request}));
    while (const auto message = ranks.poll()) {
      const Letter letter = letter_of(*message);
      --asked;
      if (letter.block == no_block) {
        more = false;
      } else {
        ++computing;
        bench.put(static_cast<std::size_t>(letter.block));
      }
    }
    if (const auto ready = bench.collect(polling_interval)) {
      --computing;
      ranks.send(0, written({Kind::result, static_cast<std::int64_t>(ready->first.index)}, ready->second));
    }
  }
  ranks.send(0, written({Kind::goodbye}));
}

}  // namespace

std::size_t compute_blocks(Ranks& ranks, Table* table, const Workshop& shop) {
  if (table != nullptr) return Master(ranks, *table, shop).run();
  serve(ranks, shop);
  return 0;
}

}  // namespace rattleback
