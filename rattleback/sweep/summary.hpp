#pragma once
/// Streaming statistics of a sweep.

#include <limits>
#include <string>
#include <vector>

#include <rattleback/sweep/members.hpp>

namespace rattleback {

struct Spread {
  std::string name;
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  std::size_t count = 0;  ///< of finite values
  double mean() const { return sum / static_cast<double>(count); }
};

struct Summary {
  std::size_t arrived = 0, stopped = 0, no_start = 0;
  std::size_t earlier = 0;      ///< members among these that an interrupted sweep had computed
  std::vector<Spread> spreads;  ///< of final values and what was kept, over the members that arrived
  double energy_change = 0;     ///< the largest, relative
};

/// Decorator of a Table: passes rows on to another table and updates the summary, which begins with the rows that are there already.
class SummingTable final : public Table {
 public:
  SummingTable(std::unique_ptr<Table> under, const TableHeader& header);
  std::vector<bool> blocks_done() const override { return under_->blocks_done(); }
  void write(const Block& block, std::span<const double> rows) override;
  void read(const Block& block, std::span<double> rows) const override { under_->read(block, rows); }
  void finish() override { under_->finish(); }
  const Summary& summary() const { return summary_; }

 private:
  void count(std::span<const double> rows);

  std::unique_ptr<Table> under_;
  std::vector<Column> columns_;
  std::size_t fate_ = 0;                ///< its column
  std::vector<std::ptrdiff_t> spread_;  ///< which spread a column belongs to; −1 for none
  Summary summary_;
};

}  // namespace rattleback
