#include <rattleback/sweep/refined_sweep.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include <rattleback/sweep/mirrored.hpp>

namespace rattleback {
namespace {

using MemberList = std::vector<std::size_t>;

/// From rank 0 to the others, before each level: which members are next. None: all levels are done.
void announce(Ranks& ranks, const MemberList& members) {
  const auto bytes = std::as_bytes(std::span(members));
  for (int r = 1; r < ranks.size(); ++r) ranks.send(r, bytes);
}
MemberList announced(Ranks& ranks) {
  for (;;) {
    if (const auto message = ranks.poll()) {
      MemberList members(message->bytes.size() / sizeof(std::size_t));
      if (!members.empty()) std::memcpy(members.data(), message->bytes.data(), message->bytes.size());
      return members;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

bool is_resumable(const std::string& output) { return output.ends_with(".h5") || output.ends_with(".hdf5"); }

/// Rows of one level: from its file where it is complete, computed where it is not.
std::vector<double> rows_of_level(Ranks& ranks, const Workshop& shop, TableHeader header,
                                  const std::string& path, bool resume, std::size_t& done) {
  std::vector<double> rows;
  header.members = shop.members;
  header.blocks = block_count(shop.members);
  const std::unique_ptr<Table> table =
      path.empty() ? table_in_memory(header, rows)
                   : std::make_unique<MirroredTable>(
                         open_table(path, header, resume && std::filesystem::exists(path)), header, rows);
  done = compute_blocks(ranks, table.get(), shop);
  table->finish();
  return rows;
}

/// The last columns of every row: what is kept.
std::vector<double> kept_of(const std::vector<double>& rows, std::size_t width, std::size_t kept) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); i += width)
    values.insert(values.end(), rows.begin() + static_cast<std::ptrdiff_t>(i + width - kept),
                  rows.begin() + static_cast<std::ptrdiff_t>(i + width));
  return values;
}

void append(RefinedRows& to, const std::vector<double>& rows, std::size_t width, std::size_t level,
            const MemberList& members) {
  to.points.insert(to.points.end(), members.begin(), members.end());
  for (std::size_t i = 0; i < rows.size(); i += width) {
    to.rows.insert(to.rows.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                   rows.begin() + static_cast<std::ptrdiff_t>(i + width));
    to.rows.push_back(static_cast<double>(level));
  }
}

/// Deletes the files of the levels.
void remove_levels(const std::string& output) {
  std::error_code ignored;
  for (std::size_t level = 0; level <= 40; ++level)
    std::filesystem::remove(level_path(output, level), ignored);
}

}  // namespace

std::string level_path(const std::string& output, std::size_t level) {
  const std::filesystem::path path(output);
  return (path.parent_path() /
          fmt::format("{}.level-{}{}", path.stem().string(), level, path.extension().string()))
      .string();
}

RefinedRows compute_refined(Ranks& ranks, Members& members, ChartRefinement& refinement, Workshop shop,
                            const TableHeader& header, const std::string& output, bool resume) {
  const std::size_t width = members.columns().size(), kept = members.plan().keep.size();
  RefinedRows all{members.columns(), {}, {}, false};
  all.columns.push_back({"", "level"});
  for (MemberList now = refinement.next(); !now.empty(); now = refinement.next()) {
    announce(ranks, now);
    members.select(now);
    shop.members = now.size();
    const std::string path = is_resumable(output) ? level_path(output, refinement.level()) : "";
    std::size_t done = 0;
    const std::vector<double> rows = rows_of_level(ranks, shop, header, path, resume, done);
    if (done < now.size()) {
      announce(ranks, {});
      return all;
    }
    refinement.add(now, kept_of(rows, width, kept));
    append(all, rows, width, refinement.level(), now);
  }
  announce(ranks, {});
  all.complete = true;
  return all;
}

void serve_refined(Ranks& ranks, Members& members, Workshop shop) {
  for (MemberList now = announced(ranks); !now.empty(); now = announced(ranks)) {
    shop.members = now.size();
    members.select(std::move(now));
    compute_blocks(ranks, nullptr, shop);
  }
}

Summary write_refined(const RefinedRows& found, TableHeader header, const std::string& output) {
  header.columns = found.columns;
  header.members = found.points.size();
  header.blocks = block_count(header.members);
  SummingTable table(output.empty() ? no_table(header) : open_table(output, header, false), header);
  const std::size_t width = header.columns.size();
  for (std::size_t b = 0; b < header.blocks; ++b) {
    const Block part = block(b, header.members);
    table.write(part, std::span(found.rows).subspan(part.begin * width, part.size() * width));
  }
  table.finish();
  if (!output.empty()) remove_levels(output);
  return table.summary();
}

std::vector<double> finest_rows(const RefinedRows& found, const ChartRefinement& refinement) {
  const std::size_t width = found.columns.size(), points = refinement.points();
  std::vector<double> all(points * width, std::numeric_limits<double>::quiet_NaN());
  std::size_t axis = 0, kept = 0;
  for (std::size_t c = 0; c < width; ++c) {
    std::vector<double> column;
    if (found.columns[c].group == "axes") column = refinement.axis_values(axis++);
    if (found.columns[c].group == "kept") column = refinement.chart(kept++);
    for (std::size_t i = 0; i < column.size(); ++i) all[i * width + c] = column[i];
  }
  for (std::size_t k = 0; k < found.points.size(); ++k)
    std::copy_n(found.rows.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                all.begin() + static_cast<std::ptrdiff_t>(found.points[k] * width));
  return all;
}

}  // namespace rattleback
