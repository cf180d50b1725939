// The exception boundary and the argument checks that every function of the C ABI begins with.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "vsr/types.h"

namespace vsr::c_api {

// Fills `error`, which may be null, no further than its struct_size says; never allocates. Control characters and
// ill-formed UTF-8 (paths may hold both) do not reach the caller.
vsr_status report(vsr_error* error, vsr_status code, std::string_view message) noexcept;

// Has exit() wait for calls before it destroys what was made before this point of the first calls of a function, which
// is when they begin and when they end; later ones hardly make more.
inline void watch_exit_at(std::atomic<uint32_t>& calls) noexcept {
  constexpr uint32_t kFirst = 32;
  if (calls.load(std::memory_order_relaxed) >= kFirst) return;
  const uint32_t count = ++calls;
  if ((count & (count - 1)) == 0) base::watch_exit();
}

// Runs the body of an ABI function. The only catch-all in the tree.
template <class Body>
vsr_status guard(vsr_error* error, Body&& body) noexcept {
  static std::atomic<uint32_t> calls{0};  // beginnings and ends, of this function, as each has its own body
  try {
    const base::InCall call;
    watch_exit_at(calls);
    body();
    watch_exit_at(calls);
    return VSR_OK;
  } catch (const base::Error& e) {
    return report(error, static_cast<vsr_status>(e.status()), e.what());
  } catch (const std::bad_alloc&) {
    return report(error, VSR_ERR_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return report(error, VSR_ERR_INTERNAL, e.what());
  } catch (...) {
    return report(error, VSR_ERR_INTERNAL, "unknown exception");
  }
}

// `name` is the parameter as the header spells it.
template <class T>
T& require(T* pointer, const char* name) {
  if (pointer == nullptr) base::fail(base::Status::kInvalidArgument, name, " is NULL");
  return *pointer;
}

// Runs a body that returns what a new handle holds. `*out` is NULL unless the call succeeds.
template <class Handle, class Body>
vsr_status guard_new(Handle** out, const char* out_name, vsr_error* error, Body&& body) noexcept {
  if (out != nullptr) *out = nullptr;
  return guard(error, [&] {
    require(out, out_name);
    *out = std::make_unique<Handle>(Handle{body()}).release();
  });
}

// Where no call is possible any more, as when the process ends, what the handle holds stays.
template <class Handle>
void free_handle(Handle* handle) noexcept {
  if (handle != nullptr) guard(nullptr, [handle] { delete handle; });
}

// A name or path that must be given and not be empty.
std::string required_string(const char* value, const char* name);
// NULL is the empty string.
inline std::string optional_string(const char* value) { return value == nullptr ? std::string() : std::string(value); }

// A field without a meaning so far; `name` is the field as messages call it.
void check_reserved(int64_t value, const std::string& name);

// Flags are 0 or 1, so that other values can gain a meaning.
bool read_bool(int32_t value, const char* name);

// `n_name` is the parameter that counts the elements of `name`.
void check_array(const void* array, size_t n, const char* name, const char* n_name);
// The caller's texts, not copied; messages call each `name` with its index.
std::string_view read_text(const vsr_str& text, const char* name);
std::vector<std::string_view> read_texts(const vsr_str* texts, size_t n, const char* name, const char* n_name);

// What is wrong with a struct_size, if anything; `tail` are the bytes beyond what this library knows.
void check_struct_size(uint32_t given, size_t known, size_t alignment, const char* type_name);
void check_struct_tail(const std::byte* tail, size_t size, const char* type_name);

// An options struct of any version as this library's: fields that the caller's version lacks are zero. Fields are at
// most as wide as the struct's alignment, and sizes are multiples of it, so no field is ever read in part.
template <class Options>
Options read_options(const Options* given, const char* type_name) {
  static_assert(offsetof(Options, struct_size) == 0);
  Options options{};
  if (given != nullptr) {
    uint32_t size = 0;
    std::memcpy(&size, given, sizeof size);
    check_struct_size(size, sizeof(Options), alignof(Options), type_name);
    std::memcpy(static_cast<void*>(&options), given, std::min<size_t>(size, sizeof(Options)));
    if (size > sizeof(Options)) {
      check_struct_tail(reinterpret_cast<const std::byte*>(given) + sizeof(Options), size - sizeof(Options), type_name);
    }
  }
  options.struct_size = sizeof(Options);
  return options;
}

}  // namespace vsr::c_api
