// The copies of a program that SMPI loads, one for each rank: part of libwormcast_platform.so. They look into SMPI's
// library first, whose MPI_Pcontrol drops the name of a region; so theirs is set to the one below.

#include "wormcast/experiments/mpi/call_recorder.hpp"
#include "wormcast/experiments/mpi/program_record.hpp"

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <optional>
#include <smpi/smpi.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace wormcast {

namespace {

#if defined(__x86_64__)
constexpr std::uint64_t jump_slot = R_X86_64_JUMP_SLOT;
constexpr std::uint64_t global_data = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr std::uint64_t jump_slot = R_AARCH64_JUMP_SLOT;
constexpr std::uint64_t global_data = R_AARCH64_GLOB_DAT;
#endif

#if defined(__x86_64__) || defined(__aarch64__)

/// The dynamic section of a loaded file.
class DynamicSection {
public:
  explicit DynamicSection(const link_map& file) : file_(file) {}

  /// Its value of the tag; 0: there is none.
  std::uint64_t value(std::int64_t tag) const
  {
    for (const ElfW(Dyn)* entry = file_.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == tag) {
        return entry->d_un.d_val;
      }
    }
    return 0;
  }

  /// Sets the file's uses of the function `name`, where the file does not define it itself.
  void redirect(std::string_view name, void* function) const
  {
    redirect_in(value(DT_JMPREL), value(DT_PLTRELSZ), name, function);
    redirect_in(value(DT_RELA), value(DT_RELASZ), name, function);
  }

private:
  void redirect_in(std::uint64_t relocations, std::uint64_t bytes, std::string_view name, void* function) const
  {
    const auto* const symbols = reinterpret_cast<const ElfW(Sym)*>(value(DT_SYMTAB));
    const auto* const texts = reinterpret_cast<const char*>(value(DT_STRTAB));
    const auto* const first = reinterpret_cast<const ElfW(Rela)*>(relocations);
    for (std::uint64_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
      const std::uint64_t type = ELF64_R_TYPE(first[i].r_info);
      const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(first[i].r_info)];
      if ((type == jump_slot || type == global_data) && symbol.st_shndx == SHN_UNDEF &&
          texts + symbol.st_name == name) {
        set(reinterpret_cast<void*>(file_.l_addr + first[i].r_offset), function);
      }
    }
  }

  // The place may have been made read-only after loading.
  static void set(void* place, void* function)
  {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(place) & ~(page - 1));
    if (::mprotect(begin, page, PROT_READ | PROT_WRITE) == 0) {
      std::memcpy(place, &function, sizeof function);
    }
  }

  const link_map& file_;
};

void redirect(const link_map& file, std::string_view name, void* function)
{
  DynamicSection(file).redirect(name, function);
}

#else

void redirect(const link_map&, std::string_view, void*) {}

#endif

/// The text at an address that may be anything; none where it is none of 1 to 63 printable characters.
std::optional<std::string> text_at(const char* address)
{
  constexpr std::size_t longest = 63;
  std::string text;
  for (std::size_t i = 0; i <= longest; ++i) {
    char character = 0;
    iovec to{&character, 1};
    iovec from{const_cast<char*>(address + i), 1};
    if (::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) != 1) {
      return std::nullopt;
    }
    if (character == 0) {
      return text.empty() ? std::nullopt : std::optional(text);
    }
    if (static_cast<unsigned char>(character) < ' ' || character == '\x7f') {
      return std::nullopt;
    }
    text += character;
  }
  return std::nullopt;
}

} // namespace

} // namespace wormcast

// Level 100 begins the region that the second argument names, level -100 ends it. Programs that mean something else use
// the levels 0, 1 and 2 without a second argument, which is then any value, even another text of the program.
extern "C" int MPI_Pcontrol(const int level, ...)
{
  if (level == 100 || level == -100) {
    std::va_list arguments;
    va_start(arguments, level);
    const char* const name = va_arg(arguments, const char*);
    va_end(arguments);
    if (const auto text = wormcast::text_at(name)) {
      wormcast::CallRecorder::instance().region(level > 0, *text);
    }
  }
  return MPI_SUCCESS;
}

// With the broadcasts of wormcast's own a program looks into this library before SMPI's.
extern "C" void* dlopen(const char* file, int mode) noexcept
{
  static const auto next = reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_NEXT, "dlopen"));
  const bool has_broadcast = std::getenv(wormcast::program_broadcast_variable) != nullptr;
  void* const handle = next(file, has_broadcast ? mode & ~RTLD_DEEPBIND : mode);
  link_map* loaded = nullptr;
  if (handle != nullptr && (mode & RTLD_DEEPBIND) != 0 && ::dlinfo(handle, RTLD_DI_LINKMAP, &loaded) == 0) {
    wormcast::CallRecorder::instance().program_loaded(reinterpret_cast<const void*>(loaded->l_addr));
    wormcast::redirect(*loaded, "MPI_Pcontrol", reinterpret_cast<void*>(&MPI_Pcontrol));
  }
  return handle;
}
