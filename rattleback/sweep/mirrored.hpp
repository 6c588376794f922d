#pragma once
/// A table on a disk whose rows are kept in memory, too: those that an earlier sweep left there, and those that are written.

#include <cmath>

#include <rattleback/sweep/table.hpp>

namespace rattleback {

class MirroredTable final : public Table {
 public:
  /// `rows` outlives the table. Members that are neither there nor computed stay nan.
  MirroredTable(std::unique_ptr<Table> under, const TableHeader& header, std::vector<double>& rows)
      : under_(std::move(under)), width_(header.columns.size()), rows_(&rows) {
    rows_->assign(header.members * width_, std::nan(""));
    const std::vector<bool> done = under_->blocks_done();
    for (std::size_t b = 0; b < header.blocks; ++b)
      if (done[b]) under_->read(block(b, header.members), part(block(b, header.members)));
  }

  std::vector<bool> blocks_done() const override { return under_->blocks_done(); }
  void write(const Block& block, std::span<const double> rows) override {
    under_->write(block, rows);
    std::copy(rows.begin(), rows.end(), part(block).begin());
  }
  void finish() override { under_->finish(); }

 private:
  std::span<double> part(const Block& block) {
    return {rows_->data() + block.begin * width_, block.size() * width_};
  }

  std::unique_ptr<Table> under_;
  std::size_t width_;
  std::vector<double>* rows_;
};

}  // namespace rattleback
