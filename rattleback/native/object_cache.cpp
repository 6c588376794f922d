#include <rattleback/native/object_cache.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace rattleback {
namespace {

namespace fs = std::filesystem;

/// FNV with a rotation, in two variants: the name of the file and what is checked within it.
std::uint64_t digest(std::string_view text, std::uint64_t seed) {
  std::uint64_t h = seed;
  for (const char c : text) h = std::rotl((h ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15U, 23);
  return h ^ (h >> 31);
}
constexpr std::uint64_t by_name = 0xCBF29CE484222325U, within = 0x243F6A8885A308D3U;

struct Head {
  char magic[8];
  std::uint64_t text_size, text_digest, object_size, object_digest;
};
constexpr char magic[8] = {'r', 'b', 'n', 'a', 't', 'i', 'v', '1'};

Head head_of(const std::string& ir, std::string_view object) {
  Head head{{}, ir.size(), digest(ir, within), object.size(), digest(object, within)};
  std::memcpy(head.magic, magic, sizeof magic);
  return head;
}

/// Files that another user owns or could write are not run.
bool is_ours(const fs::path& file) {
  struct stat about {};
  return stat(file.c_str(), &about) == 0 && about.st_uid == geteuid() &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::optional<ObjectCache> ObjectCache::of_user() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return ObjectCache(fs::path(cache) / "rattleback");
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return ObjectCache(fs::path(home) / ".cache" / "rattleback");
  return std::nullopt;
}

fs::path ObjectCache::file(const std::string& ir) const {
  return folder_ / fmt::format("{:016x}.o", digest(ir, by_name));
}

std::optional<std::vector<char>> ObjectCache::find(const std::string& ir) const {
  const fs::path path = file(ir);
  if (!is_ours(path)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.size() < sizeof(Head)) return std::nullopt;
  const std::string_view object = std::string_view(bytes).substr(sizeof(Head));
  const Head expected = head_of(ir, object);
  if (std::memcmp(bytes.data(), &expected, sizeof(Head)) != 0) return std::nullopt;
  return std::vector<char>(object.begin(), object.end());
}

void ObjectCache::forget_old_ones(std::size_t most) const {
  std::error_code problem;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder_, problem), end; !problem && at != end; at.increment(problem)) {
    const fs::file_time_type age = at->last_write_time(problem);
    if (!problem) files.emplace_back(age, at->path());
    problem.clear();  // another process may have removed it
  }
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end());
  for (std::size_t k = 0; k < files.size() - most / 2; ++k) fs::remove(files[k].second, problem);
}

void ObjectCache::keep(const std::string& ir, const std::vector<char>& object, std::size_t most) const {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) return;
  const fs::path path = file(ir),
                 unfinished = folder_ / fmt::format("{}.{}", path.filename().string(), getpid());
  {
    std::ofstream out(unfinished, std::ios::binary);
    const Head head = head_of(ir, {object.data(), object.size()});
    out.write(reinterpret_cast<const char*>(&head), sizeof head);
    out.write(object.data(), static_cast<std::streamsize>(object.size()));
    out.close();
    if (!out) {
      fs::remove(unfinished, problem);
      return;
    }
  }
  fs::permissions(unfinished, fs::perms::owner_read | fs::perms::owner_write, problem);
  fs::rename(unfinished, path, problem);  // atomic, also when several processes do the same
  forget_old_ones(most);
}

}  // namespace rattleback
