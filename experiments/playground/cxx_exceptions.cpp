// C++ exceptions in WebAssembly: what compiled code calls to throw and to catch (Itanium C++ ABI, "Exception
// Handling"). Debian's libc++abi for WebAssembly is built without it. One thread; exceptions of C++ alone; no
// std::exception_ptr.
//
// A `throw` ends in WebAssembly's own instruction, which carries a pointer. Where a frame of C++ is to catch it, the
// compiler has put the number of the `try` and the address of the function's table into __wasm_lpad_context, and calls
// _Unwind_CallPersonality, which selects the handler.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

namespace __cxxabiv1 {

// Types of classes as their type information stores them (Itanium C++ ABI, 2.9.5).
class __class_type_info : public std::type_info {
public:
  ~__class_type_info() override;
};

class __si_class_type_info : public __class_type_info {
public:
  ~__si_class_type_info() override;
  const __class_type_info* base;
};

class __vmi_class_type_info : public __class_type_info {
public:
  ~__vmi_class_type_info() override;
  struct Base {
    const __class_type_info* type;
    long offset_flags; // bit 0: virtual, bit 1: public, from bit 8 on the offset
  };
  unsigned flags;
  unsigned base_count;
  Base bases[1]; // base_count of them
};

} // namespace __cxxabiv1

namespace {

using __cxxabiv1::__si_class_type_info;
using __cxxabiv1::__vmi_class_type_info;

// Stands before each thrown object. A throw carries the object's address.
struct alignas(std::max_align_t) Header {
  const std::type_info* type;
  void* (*destroy)(void*); // a destructor, which in WebAssembly returns its object
  void* caught;            // the object as the handler's type
  int handlers;            // that are in it; negative: it is thrown again
  Header* caught_before;
};

Header* last_caught = nullptr;

Header& header_of(void* object)
{
  return static_cast<Header*>(object)[-1];
}

// What the compiler and this file exchange.
struct LandingPad {
  std::uint32_t number;      // of the `try` in its function
  const std::uint8_t* table; // of the function
  std::uint32_t selected;    // handler
};

/// A number in LEB128, and how many of its bits were written.
struct WrittenBits {
  std::uint32_t value = 0;
  unsigned count = 0;
  bool is_last_set = false; ///< the sign of a signed number
};

WrittenBits read_bits(const std::uint8_t*& at)
{
  WrittenBits bits;
  std::uint8_t byte = 0;
  do {
    byte = *at++;
    bits.value |= static_cast<std::uint32_t>(byte & 0x7f) << bits.count;
    bits.count += 7;
  } while ((byte & 0x80) != 0);
  bits.is_last_set = (byte & 0x40) != 0;
  return bits;
}

std::uint32_t read_unsigned(const std::uint8_t*& at)
{
  return read_bits(at).value;
}

std::int32_t read_signed(const std::uint8_t*& at)
{
  const WrittenBits bits = read_bits(at);
  const bool is_negative = bits.count < 32 && bits.is_last_set;
  return static_cast<std::int32_t>(bits.value | (is_negative ? ~std::uint32_t{0} << bits.count : 0));
}

// Makes `object`, of type `from`, point to its base `to`; false: it has no such public base.
bool convert(const std::type_info* from, const std::type_info* to, void*& object)
{
  if (*from == *to) {
    return true;
  }
  if (const auto* single = dynamic_cast<const __si_class_type_info*>(from)) {
    return convert(single->base, to, object);
  }
  if (const auto* several = dynamic_cast<const __vmi_class_type_info*>(from)) {
    for (unsigned i = 0; i < several->base_count; ++i) {
      const __vmi_class_type_info::Base& base = several->bases[i];
      if ((base.offset_flags & 2) == 0) {
        continue;
      }
      std::ptrdiff_t offset = base.offset_flags >> 8;
      if ((base.offset_flags & 1) != 0) { // the object's virtual table has the offset of a virtual base
        const char* table = *static_cast<const char* const*>(object);
        std::memcpy(&offset, table + offset, sizeof offset);
      }
      void* part = static_cast<char*>(object) + offset;
      if (convert(base.type, to, part)) {
        object = part;
        return true;
      }
    }
  }
  return false;
}

// The handler in the function's table for the exception; 0: only clean-ups.
std::uint32_t select_handler(const LandingPad& pad, void* object)
{
  constexpr std::uint8_t omitted = 0xff;
  const std::uint8_t* at = pad.table;
  if (*at++ != omitted) {
    std::abort(); // landing pads have addresses on other processors
  }
  const std::uint8_t* types = nullptr; // behind their list
  if (*at++ != omitted) {
    const std::uint32_t length = read_unsigned(at);
    types = at + length;
  }
  ++at; // the encoding of numbers, which here is the one of read_unsigned
  const std::uint32_t sites_length = read_unsigned(at);
  const std::uint8_t* const actions = at + sites_length;
  std::uint32_t action = 0;
  for (std::uint32_t site = 0; site <= pad.number; ++site) {
    read_unsigned(at);
    action = read_unsigned(at);
  }
  if (action == 0) {
    return 0;
  }
  Header& header = header_of(object);
  for (const std::uint8_t* entry = actions + action - 1;;) {
    const std::int32_t number = read_signed(entry);
    const std::uint8_t* const here = entry;
    const std::int32_t next = read_signed(entry);
    if (number > 0) {
      const std::type_info* type = nullptr;
      std::memcpy(&type, types - number * static_cast<std::ptrdiff_t>(sizeof type), sizeof type);
      void* caught = object;
      if (type == nullptr || convert(header.type, type, caught)) {
        header.caught = caught;
        return static_cast<std::uint32_t>(number);
      }
    }
    if (next == 0) {
      return 0;
    }
    entry = here + next;
  }
}

} // namespace

extern "C" {

LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* object)
{
  __wasm_lpad_context.selected = select_handler(__wasm_lpad_context, object);
  return 0;
}

void* __cxa_allocate_exception(std::size_t size) noexcept
{
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) {
    std::terminate();
  }
  *header = {};
  return header + 1;
}

void __cxa_free_exception(void* object) noexcept
{
  std::free(&header_of(object));
}

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*))
{
  Header& header = header_of(object);
  header.type = type;
  header.destroy = destroy;
  __builtin_wasm_throw(0, object);
}

void* __cxa_get_exception_ptr(void* object) noexcept
{
  return header_of(object).caught;
}

void* __cxa_begin_catch(void* object) noexcept
{
  Header& header = header_of(object);
  header.handlers = (header.handlers < 0 ? -header.handlers : header.handlers) + 1;
  if (last_caught != &header) {
    header.caught_before = last_caught;
    last_caught = &header;
  }
  return header.caught;
}

void __cxa_end_catch()
{
  Header& header = *last_caught;
  if (header.handlers < 0) { // thrown again: it lives on
    if (++header.handlers == 0) {
      last_caught = header.caught_before;
    }
    return;
  }
  if (--header.handlers == 0) {
    last_caught = header.caught_before;
    if (header.destroy != nullptr) {
      header.destroy(&header + 1);
    }
    __cxa_free_exception(&header + 1);
  }
}

[[noreturn]] void __cxa_rethrow()
{
  if (last_caught == nullptr) {
    std::terminate();
  }
  last_caught->handlers = -last_caught->handlers;
  __builtin_wasm_throw(0, last_caught + 1);
}

} // extern "C"
