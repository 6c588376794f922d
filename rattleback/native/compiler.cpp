#include <rattleback/native/compiler.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/native/llvm_compiler.hpp>
#include <rattleback/native/object_cache.hpp>

namespace rattleback {
namespace {

std::atomic<NativeMode> mode{NativeMode::automatic};

std::mutex mutex;
std::unordered_map<std::string, std::shared_ptr<const ObjectCode>> known;  ///< by the text of their modules

std::shared_ptr<const ObjectCode> found(const std::optional<ObjectCache>& cache, const std::string& ir) {
  if (!cache) return nullptr;
  const auto object = cache->find(ir);
  return object ? ObjectCode::load(*object) : nullptr;
}

/// From the disk, or from LLVM. Throws where that is impossible.
std::shared_ptr<const ObjectCode> found_or_made(const std::string& ir) {
  const std::optional<ObjectCache> cache = ObjectCache::of_user();
  if (auto code = found(cache, ir)) return code;
  std::vector<char> object;
  auto* compile = extension<LlvmObject>("llvm", "rattleback_llvm_object");
  try {
    compile(ir, object);
  } catch (const std::runtime_error& problem) {
    throw Bug(std::string("LLVM does not accept our code: ") + problem.what());
  }
  auto code = ObjectCode::load(object);
  if (!code)
    throw Unavailable("missing-extension", "compiled code cannot run here",
                      "the system refuses memory for new code, or the processor is not an x86-64",
                      "leave out --native on; the numbers are the same");
  if (cache) cache->keep(ir, object);
  return code;
}

}  // namespace

void set_native_mode(NativeMode wanted) { mode = wanted; }
NativeMode native_mode() { return mode; }

std::shared_ptr<const ObjectCode> compiled_before(const std::string& ir) {
  if (native_mode() == NativeMode::off) return nullptr;
  const std::lock_guard lock(mutex);
  if (const auto there = known.find(ir); there != known.end()) return there->second;
  auto code = found(ObjectCache::of_user(), ir);
  if (code) known[ir] = code;
  return code;
}

std::shared_ptr<const ObjectCode> compiled(const std::string& ir) {
  static bool impossible = false;
  if (native_mode() == NativeMode::off) return nullptr;
  const std::lock_guard lock(mutex);
  if (const auto there = known.find(ir); there != known.end()) return there->second;
  if (impossible && native_mode() == NativeMode::automatic) return nullptr;
  try {
    return known[ir] = found_or_made(ir);
  } catch (const Unavailable&) {
    known.erase(ir);
    if (native_mode() == NativeMode::on) throw;
    impossible = true;  // not tried again: the interpreter is used from now on
    return nullptr;
  }
}

}  // namespace rattleback
