// Declared in sweep/table.hpp. Tables in HDF5: one dataset per column, and one that says which blocks are complete.
///
/// Every dataset has its full size on the disk before the first block is written, and lies in one piece: writing a block
/// then changes no metadata, and a program that is killed leaves a file that opens. A block counts when its byte in
/// `blocks` is set, after its rows have been handed to the system.
#include <hdf5.h>

#include <filesystem>
#include <stdexcept>

#include <rattleback/sweep/table.hpp>

namespace rattleback {
namespace {

/// An identifier of HDF5 with the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error(std::string("HDF5 cannot ") + what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: what every function of HDF5 takes

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void require(herr_t result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string("HDF5 cannot ") + what);
}

void write_text(hid_t at, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  require(H5Tset_size(type, text.size() + 1), "make a type");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, "make a space");
  const Handle attribute(H5Acreate2(at, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  require(H5Awrite(attribute, type, text.c_str()), "write an attribute");
}

std::string read_text(hid_t at, const std::string& name) {
  if (H5Aexists(at, name.c_str()) <= 0) return {};
  const Handle attribute(H5Aopen(at, name.c_str(), H5P_DEFAULT), H5Aclose, "open an attribute");
  const Handle type(H5Aget_type(attribute), H5Tclose, "read a type");
  std::string text(H5Tget_size(type), '\0');
  require(H5Aread(attribute, type, text.data()), "read an attribute");
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  return text;
}

std::string path_of(const Column& column) {
  return column.group.empty() ? column.name : column.group + "/" + column.name;
}

class Hdf5Table final : public Table {
 public:
  Hdf5Table(const std::string& path, const TableHeader& header, bool resume)
      : block_count_(header.blocks), file_(opened(path, resume)) {
    if (resume && std::filesystem::exists(path) && H5Lexists(file_, "blocks", H5P_DEFAULT) > 0) {
      if (read_text(file_, "fingerprint") != header.fingerprint)
        throw std::invalid_argument("it holds another sweep: the model, the ensemble or the options differ");
      for (const Column& column : header.columns) columns_.push_back(existing(path_of(column)));
      blocks_.push_back(existing("blocks"));
    } else {
      begin(path, header);
    }
  }

  std::vector<bool> blocks_done() const override {
    std::vector<unsigned char> bytes(block_count_);
    require(H5Dread(blocks_[0], H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
            "read which blocks are done");
    return {bytes.begin(), bytes.end()};
  }

  void write(const Block& block, std::span<const double> rows) override {
    std::vector<double> column(block.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (std::size_t i = 0; i < block.size(); ++i) column[i] = rows[i * columns_.size() + c];
      write_part(columns_[c], H5T_NATIVE_DOUBLE, block.begin, block.size(), column.data());
    }
    require(H5Fflush(file_, H5F_SCOPE_LOCAL), "write to the file");
    const unsigned char done = 1;
    write_part(blocks_[0], H5T_NATIVE_UCHAR, block.index, 1, &done);
    require(H5Fflush(file_, H5F_SCOPE_LOCAL), "write to the file");
  }
  void read(const Block& block, std::span<double> rows) const override {
    std::vector<double> column(block.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      read_part(columns_[c], block.begin, block.size(), column.data());
      for (std::size_t i = 0; i < block.size(); ++i) rows[i * columns_.size() + c] = column[i];
    }
  }
  void finish() override { require(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write to the file"); }

 private:
  static Handle opened(const std::string& path, bool resume) {
    H5dont_atexit();  // at the end it would write again what could not be written, and crash; every handle is closed here
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported by us
    if (resume && std::filesystem::exists(path) && !std::filesystem::is_empty(path))
      return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open the file"};
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create the file"};
  }

  Handle existing(const std::string& name) const {
    return {H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose, "open a column"};
  }

  Handle made(const std::string& name, hid_t type, std::size_t size) const {
    const hsize_t length = size;
    const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, "make a space");
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property");
    require(H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY), "reserve space");
    require(H5Pset_obj_track_times(how, false), "leave out the date");  // equal sweeps, equal files
    const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make a property");
    require(H5Pset_create_intermediate_group(link, 1), "make a group");
    return {H5Dcreate2(file_, name.c_str(), type, space, link, how, H5P_DEFAULT), H5Dclose,
            "reserve space for a column"};
  }

  /// Deletes the file when its header cannot be written completely.
  void begin(const std::string& path, const TableHeader& header) {
    try {
      create(header);
    } catch (const std::runtime_error&) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
      throw;
    }
  }

  void create(const TableHeader& header) {
    for (const auto& [key, value] : header.about) write_text(file_, key, value);
    for (const auto& [name, unit] : header.units) write_text(file_, "unit " + name, unit);
    write_text(file_, "fingerprint", header.fingerprint);
    for (const Column& column : header.columns)
      columns_.push_back(made(path_of(column), H5T_IEEE_F64LE, header.members));
    blocks_.push_back(made("blocks", H5T_STD_U8LE, header.blocks));
    require(H5Fflush(file_, H5F_SCOPE_GLOBAL), "write to the file");
  }

  static void read_part(hid_t dataset, std::size_t first, std::size_t count, double* to) {
    const hsize_t start = first, length = count;
    const Handle there(H5Dget_space(dataset), H5Sclose, "read a space");
    require(H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, nullptr, &length, nullptr), "select rows");
    const Handle here(H5Screate_simple(1, &length, nullptr), H5Sclose, "make a space");
    require(H5Dread(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, to), "read rows");
  }
  static void write_part(hid_t dataset, hid_t type, std::size_t first, std::size_t count, const void* from) {
    const hsize_t start = first, length = count;
    const Handle there(H5Dget_space(dataset), H5Sclose, "read a space");
    require(H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, nullptr, &length, nullptr), "select rows");
    const Handle here(H5Screate_simple(1, &length, nullptr), H5Sclose, "make a space");
    require(H5Dwrite(dataset, type, here, there, H5P_DEFAULT, from), "write to the file (is the disk full?)");
  }

  std::size_t block_count_;
  Handle file_;  // closed last
  std::vector<Handle> columns_, blocks_;
};

}  // namespace
}  // namespace rattleback

extern "C" rattleback::Table* rattleback_open_hdf5_table(const char* path,
                                                         const rattleback::TableHeader& header, bool resume) {
  return new rattleback::Hdf5Table(path, header, resume);
}
