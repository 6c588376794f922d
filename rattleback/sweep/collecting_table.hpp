#pragma once
/// Table decorator that also keeps some columns of a sweep in memory, for plots.

#include <cmath>

#include <rattleback/sweep/table.hpp>

namespace rattleback {

class CollectingTable final : public Table {
 public:
  /// Keeps the columns with these numbers, also of members that an earlier sweep left in the table; the others stay nan until they
  /// are written.
  CollectingTable(std::unique_ptr<Table> under, const TableHeader& header, std::vector<std::size_t> which)
      : under_(std::move(under)),
        width_(header.columns.size()),
        which_(std::move(which)),
        kept_(which_.size(), std::vector<double>(header.members, std::nan(""))) {
    for_blocks_done(*under_, header,
                    [&](const Block& block, std::span<const double> rows) { keep(block, rows); });
  }

  std::vector<bool> blocks_done() const override { return under_->blocks_done(); }
  void write(const Block& block, std::span<const double> rows) override {
    under_->write(block, rows);
    keep(block, rows);
  }
  void read(const Block& block, std::span<double> rows) const override { under_->read(block, rows); }
  void finish() override { under_->finish(); }
  const std::vector<std::vector<double>>& columns() const { return kept_; }

 private:
  void keep(const Block& block, std::span<const double> rows) {
    for (std::size_t c = 0; c < which_.size(); ++c)
      for (std::size_t i = 0; i < block.size(); ++i) kept_[c][block.begin + i] = rows[i * width_ + which_[c]];
  }

  std::unique_ptr<Table> under_;
  std::size_t width_;
  std::vector<std::size_t> which_;
  std::vector<std::vector<double>> kept_;
};

}  // namespace rattleback
