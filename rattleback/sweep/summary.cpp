#include <rattleback/sweep/summary.hpp>

#include <cmath>

namespace rattleback {

SummingTable::SummingTable(std::unique_ptr<Table> under, const std::vector<Column>& columns)
    : under_(std::move(under)), columns_(columns) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == "fate" && columns[c].group.empty()) fate_ = c;
    const bool counts = columns[c].group == "final" || columns[c].group == "kept";
    spread_.push_back(counts ? static_cast<std::ptrdiff_t>(summary_.spreads.size()) : -1);
    if (counts) summary_.spreads.push_back({columns[c].name});
  }
}

void SummingTable::write(const Block& block, std::span<const double> rows) {
  under_->write(block, rows);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::span<const double> row = rows.subspan(i * columns_.size(), columns_.size());
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
