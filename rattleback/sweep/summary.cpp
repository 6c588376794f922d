#include <rattleback/sweep/summary.hpp>

#include <cmath>

namespace rattleback {

SummingTable::SummingTable(std::unique_ptr<Table> under, const TableHeader& header)
    : under_(std::move(under)), columns_(header.columns) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].name == "fate" && columns_[c].group.empty()) fate_ = c;
    const bool counts = columns_[c].group == "final" || columns_[c].group == "kept";
    spread_.push_back(counts ? static_cast<std::ptrdiff_t>(summary_.spreads.size()) : -1);
    if (counts) summary_.spreads.push_back({columns_[c].name});
  }
  for_blocks_done(*under_, header, [&](const Block& block, std::span<const double> rows) {
    count(rows);
    summary_.earlier += block.size();
  });
}

void SummingTable::write(const Block& block, std::span<const double> rows) {
  under_->write(block, rows);
  count(rows);
}

void SummingTable::count(std::span<const double> rows) {
  for (; !rows.empty(); rows = rows.subspan(columns_.size())) {
    const std::span<const double> row = rows.first(columns_.size());
    const auto fate = static_cast<Fate>(row[fate_]);
    ++(fate == Fate::arrived   ? summary_.arrived
       : fate == Fate::stopped ? summary_.stopped
                               : summary_.no_start);
    if (fate != Fate::arrived) continue;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (columns_[c].name == "energy_change" && columns_[c].group.empty())
        summary_.energy_change = std::max(summary_.energy_change, std::abs(row[c]));
      if (spread_[c] < 0 || !std::isfinite(row[c])) continue;
      Spread& spread = summary_.spreads[static_cast<std::size_t>(spread_[c])];
      spread.least = std::min(spread.least, row[c]);
      spread.most = std::max(spread.most, row[c]);
      spread.sum += row[c];
      ++spread.count;
    }
  }
}

}  // namespace rattleback
