#pragma once
/// In-memory linking of an object file.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <rattleback/native/executable_memory.hpp>

namespace rattleback {

/// An ELF object for x86-64 whose functions call each other and nothing else: sections are laid out one after the other
/// and references between them filled in. Reading it takes microseconds and needs no compiler.
class ObjectCode {
 public:
  /// Nothing where the file is not of this kind, is damaged, or the system allows no new code.
  static std::shared_ptr<const ObjectCode> load(std::span<const char> object);

  /// A function of it, or null.
  void* function(const std::string& name) const;

 private:
  friend class ObjectLoader;
  ObjectCode() = default;

  ExecutableMemory memory_;
  std::shared_ptr<const void> names_;
};

}  // namespace rattleback
