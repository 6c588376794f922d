#include <rattleback/native/object_code.hpp>

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace rattleback {
namespace {

using Names = std::map<std::string, std::size_t>;  // where in memory a function begins

/// ELF object file. Untrusted: every offset and size is checked before use.
class Elf {
 public:
  explicit Elf(std::span<const char> file) : file_(file) {}

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
  }
  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= file_.size() && size <= file_.size() - offset;
  }
  std::string name(std::uint64_t offset) const {
    std::string s;
    while (offset < file_.size() && file_[offset] != 0) s += file_[offset++];
    return s;
  }
  const char* data() const { return file_.data(); }

 private:
  std::span<const char> file_;
};

}  // namespace

class ObjectLoader {
 public:
  explicit ObjectLoader(std::span<const char> object) : elf_(object) {}

  std::shared_ptr<const ObjectCode> run() {
#if defined(__x86_64__)
    if (!read_sections()) return nullptr;
    std::shared_ptr<ObjectCode> code(new ObjectCode);
    code->memory_ = ExecutableMemory(total_);
    memory_ = code->memory_.data();
    if (memory_ == nullptr || !fill() || !link() || !code->memory_.seal()) return nullptr;
    code->names_ = std::make_shared<const Names>(functions_);
    return code;
#else
    return nullptr;
#endif
  }

 private:
  bool read_sections() {
    const auto head = elf_.at<Elf64_Ehdr>(0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_type != ET_REL ||
        head->e_machine != EM_X86_64 || head->e_ident[EI_CLASS] != ELFCLASS64)
      return false;
    for (std::uint64_t i = 0; i < head->e_shnum; ++i) {
      const auto section = elf_.at<Elf64_Shdr>(head->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section || (section->sh_type != SHT_NOBITS && !elf_.holds(section->sh_offset, section->sh_size)))
        return false;
      place_.push_back(0);
      if ((section->sh_flags & SHF_ALLOC) != 0) {
        if (section->sh_type == SHT_NOBITS) return false;
        const std::uint64_t align = std::max<std::uint64_t>(section->sh_addralign, 1);
        if (align > 4096) return false;
        total_ = (total_ + align - 1) / align * align;
        place_.back() = total_;
        total_ += section->sh_size;
      }
      sections_.push_back(*section);
    }
    return total_ > 0 && total_ < (std::uint64_t{1} << 30);
  }

  bool fill() {
    for (std::size_t i = 0; i < sections_.size(); ++i)
      if ((sections_[i].sh_flags & SHF_ALLOC) != 0)
        std::memcpy(memory_ + place_[i], elf_.data() + sections_[i].sh_offset, sections_[i].sh_size);
    return true;
  }

  bool allocated(std::uint64_t section) const {
    return section < sections_.size() && (sections_[section].sh_flags & SHF_ALLOC) != 0;
  }

  /// Where a symbol lies, from the beginning of the memory.
  std::optional<std::uint64_t> symbol(const Elf64_Shdr& table, std::uint64_t index) {
    const auto s = elf_.at<Elf64_Sym>(table.sh_offset + index * sizeof(Elf64_Sym));
    if (!s || !allocated(s->st_shndx)) return std::nullopt;
    return place_[s->st_shndx] + s->st_value;
  }

  bool link() {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_REL) return false;
      if (section.sh_type == SHT_SYMTAB && !name_functions(section)) return false;
      if (section.sh_type != SHT_RELA || !allocated(section.sh_info)) continue;
      if (section.sh_link >= sections_.size()) return false;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.sh_size; at += sizeof(Elf64_Rela)) {
        const auto reference = elf_.at<Elf64_Rela>(section.sh_offset + at);
        if (!reference || !resolve(*reference, section)) return false;
      }
    }
    return true;
  }

  bool name_functions(const Elf64_Shdr& table) {
    if (table.sh_link >= sections_.size()) return false;
    for (std::uint64_t i = 0; i * sizeof(Elf64_Sym) < table.sh_size; ++i) {
      const auto s = elf_.at<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
      if (!s) return false;
      if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || !allocated(s->st_shndx)) continue;
      functions_[elf_.name(sections_[table.sh_link].sh_offset + s->st_name)] =
          place_[s->st_shndx] + s->st_value;
    }
    return true;
  }

  bool resolve(const Elf64_Rela& reference, const Elf64_Shdr& section) {
    const auto type = ELF64_R_TYPE(reference.r_info);
    const auto target = symbol(sections_[section.sh_link], ELF64_R_SYM(reference.r_info));
    const std::uint64_t at = place_[section.sh_info] + reference.r_offset;
    const std::size_t width = type == R_X86_64_64 ? 8 : 4;
    if (!target || at > total_ || total_ - at < width) return false;
    const std::uint64_t value = *target + static_cast<std::uint64_t>(reference.r_addend);
    if (type == R_X86_64_PC32 || type == R_X86_64_PLT32) {
      const auto offset = static_cast<std::int32_t>(value - at);
      std::memcpy(memory_ + at, &offset, sizeof offset);
      return true;
    }
    if (type == R_X86_64_64) {
      const std::uint64_t address = reinterpret_cast<std::uint64_t>(memory_) + value;
      std::memcpy(memory_ + at, &address, sizeof address);
      return true;
    }
    return false;
  }

  Elf elf_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::uint64_t> place_;  ///< of each section in memory
  std::uint64_t total_ = 0;
  char* memory_ = nullptr;
  Names functions_;
};

std::shared_ptr<const ObjectCode> ObjectCode::load(std::span<const char> object) {
  return ObjectLoader(object).run();
}

void* ObjectCode::function(const std::string& name) const {
  const Names& names = *static_cast<const Names*>(names_.get());
  const auto found = names.find(name);
  return found == names.end() || found->second >= memory_.size() ? nullptr : memory_.data() + found->second;
}

}  // namespace rattleback
