#include <rattleback/sweep/table.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/simulate/runs/column_units.hpp>

namespace rattleback {
namespace {

class MemoryTable final : public Table {
 public:
  MemoryTable(const TableHeader& header, std::vector<double>& rows)
      : columns_(header.columns.size()), done_(header.blocks), rows_(&rows) {
    rows_->assign(header.members * columns_, 0);
  }
  std::vector<bool> blocks_done() const override { return done_; }
  void write(const Block& block, std::span<const double> rows) override {
    std::copy(rows.begin(), rows.end(), rows_->begin() + static_cast<std::ptrdiff_t>(block.begin * columns_));
    done_[block.index] = true;
  }
  void finish() override {}

 private:
  std::size_t columns_;
  std::vector<bool> done_;
  std::vector<double>* rows_;
};

/// Rows in the order of the members; blocks that come early wait.
class CsvTable final : public Table {
 public:
  CsvTable(const std::string& path, const TableHeader& header)
      : path_(path), columns_(header.columns.size()), done_(header.blocks), out_(path) {
    for (const auto& [key, value] : header.about) out_ << "# " << key << ": " << value << '\n';
    const std::vector<std::string> names = column_names(header.columns);
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::string& name = header.columns[c].name;
      out_ << (c > 0 ? "," : "") << names[c] << with_unit(header.units, name).substr(name.size());
    }
    out_ << '\n';
    out_.flush();
    require_written();
  }
  std::vector<bool> blocks_done() const override { return done_; }
  void write(const Block& block, std::span<const double> rows) override {
    done_[block.index] = true;
    waiting_.emplace(block.index, std::vector<double>(rows.begin(), rows.end()));
    for (; !waiting_.empty() && waiting_.begin()->first == next_; ++next_) {
      append(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    out_.flush();
    require_written();
  }
  void finish() override {
    out_.close();
    require_written();
  }

 private:
  void append(const std::vector<double>& rows) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("{}{}", std::isnan(rows[i]) ? std::abs(rows[i]) : rows[i],
                          (i + 1) % columns_ == 0 ? '\n' : ',');
    out_ << text;
  }
  /// What could not be written to its end is taken back: half a line would be read as other numbers.
  void require_written() {
    if (out_) {
      if (out_.is_open()) written_ = out_.tellp();
      return;
    }
    const int reason = errno;
    out_.close();
    std::error_code ignored;
    if (written_ > 0)
      std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(written_), ignored);
    else if (std::filesystem::is_regular_file(path_, ignored))
      std::filesystem::remove(path_, ignored);
    throw std::runtime_error(std::strerror(reason));
  }

  std::string path_;
  std::size_t columns_, next_ = 0;
  std::vector<bool> done_;
  std::map<std::size_t, std::vector<double>> waiting_;
  std::ofstream out_;
  std::streamoff written_ = 0;  ///< bytes that are on the disk
};

Error unwritable(const std::string& path, const std::string& why) {
  return {"unwritable-output", fmt::format("cannot write `{}`", path), why,
          "give a path where you may write, with room for the result"};
}

using OpenHdf5 = Table*(const char* path, const TableHeader& header, bool resume);

std::unique_ptr<Table> open_hdf5(const std::string& path, const TableHeader& header, bool resume) {
  // Found first: an extension that is missing is another error than a file that cannot be written.
  auto* open = extension<OpenHdf5>("hdf5", "rattleback_open_hdf5_table");
  try {
    return std::unique_ptr<Table>(open(path.c_str(), header, resume));
  } catch (const std::invalid_argument& other) {
    throw Error("cannot-resume", fmt::format("`{}` cannot be continued by this sweep", path), other.what(),
                "repeat the command that began it with --resume, or choose another output");
  } catch (const std::runtime_error& problem) {
    throw unwritable(path, problem.what());
  }
}

class NoTable final : public Table {
 public:
  explicit NoTable(const TableHeader& header) : blocks_(header.blocks) {}
  std::vector<bool> blocks_done() const override { return std::vector<bool>(blocks_); }
  void write(const Block&, std::span<const double>) override {}
  void finish() override {}

 private:
  std::size_t blocks_;
};

}  // namespace

std::vector<std::string> column_names(std::span<const Column> columns) {
  std::vector<std::string> names;
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const Column& column : columns) {
    std::string name = column.name;
    if (is_taken(name)) name = (column.group.empty() ? "run" : column.group) + "_" + name;
    for (int k = 2; is_taken(name); ++k) name = fmt::format("{}_{}", column.name, k);
    names.push_back(std::move(name));
  }
  return names;
}

void for_blocks_done(const Table& table, const TableHeader& header,
                     const std::function<void(const Block&, std::span<const double>)>& visit) {
  const std::vector<bool> done = table.blocks_done();
  std::vector<double> rows;
  for (std::size_t b = 0; b < header.blocks; ++b) {
    if (!done[b]) continue;
    const Block there = block(b, header.members);
    rows.assign(there.size() * header.columns.size(), std::nan(""));
    table.read(there, rows);
    visit(there, rows);
  }
}

std::unique_ptr<Table> open_table(const std::string& path, const TableHeader& header, bool resume) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return open_hdf5(path, header, resume);
  if (ending != ".csv")
    throw unwritable(path, fmt::format("`{}` is not an ending of a table", ending.empty() ? path : ending));
  if (resume)
    throw Error("cannot-resume", fmt::format("`{}` cannot be continued", path),
                "a text table is written in one go", "write to a .h5 file to be able to resume");
  try {
    return std::make_unique<CsvTable>(path, header);
  } catch (const std::runtime_error& problem) {
    throw unwritable(path, problem.what());
  }
}

std::unique_ptr<Table> table_in_memory(const TableHeader& header, std::vector<double>& rows) {
  return std::make_unique<MemoryTable>(header, rows);
}

std::unique_ptr<Table> no_table(const TableHeader& header) { return std::make_unique<NoTable>(header); }

}  // namespace rattleback
