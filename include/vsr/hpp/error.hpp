/* vsr::Error, and how a C call becomes one. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ERROR_HPP
#define VSR_HPP_ERROR_HPP

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "../vsr.h"

namespace vsr {

/** Why a call failed: a code of VSR_ERR_... and a line that says what is wrong. */
class Error : public std::runtime_error {
 public:
  Error(vsr_status code, const std::string& message) : std::runtime_error(message), code_(code) {}
  vsr_status code() const noexcept { return code_; }

 private:
  vsr_status code_;
};

/** Called between batches with the texts done and of all; true ends the call with VSR_ERR_CANCELLED. What it throws
 * ends the call too, and leaves it as thrown. */
using Progress = std::function<bool(size_t done, size_t total)>;

namespace detail {

template <class T, void (*Free)(T*)>
struct Freer {
  void operator()(T* handle) const noexcept { Free(handle); }
};
template <class T, void (*Free)(T*)>
using Handle = std::unique_ptr<T, Freer<T, Free>>;

/** `body(&error)` is a C call. */
template <class Body>
void call(Body&& body) {
  vsr_error error = VSR_ERROR_INIT;
  const vsr_status status = body(&error);
  if (status != VSR_OK) throw Error(status, error.message);
}

/** As call(), for a function that makes a handle: `body(&out, &error)`. */
template <class Owner, class Body>
Owner make(Body&& body) {
  typename Owner::pointer handle = nullptr;
  call([&](vsr_error* error) { return body(&handle, error); });
  return Owner(handle);
}

/** The C form of a name or path, which ends at the first NUL: one that holds a NUL is refused, not cut. */
inline const char* c_string(const std::string& value, const char* name) {
  if (value.find('\0') != std::string::npos) {
    throw Error(VSR_ERR_INVALID_ARGUMENT, std::string(name) + " holds a NUL");
  }
  return value.c_str();
}
inline const char* c_string_or_null(const std::string& value, const char* name) {
  return value.empty() ? nullptr : c_string(value, name);
}

/** Empty where there is no text. */
inline std::string_view view(vsr_str text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}
inline std::optional<std::string_view> view_or_none(vsr_str text) {
  if (text.data == nullptr) return std::nullopt;
  return view(text);
}

inline std::string take_string(vsr_string* string) {
  const Handle<vsr_string, vsr_string_free> owner(string);
  return std::string(view(vsr_string_text(string)));
}

/** Carries a Progress through the C callback, which must not throw. */
class ProgressCall {
 public:
  explicit ProgressCall(const Progress& progress) : progress_(progress) {}
  vsr_progress_callback callback() const { return progress_ ? &ProgressCall::run : nullptr; }
  void* user_data() { return this; }
  /** Runs `body` and passes on what the Progress threw. */
  template <class Body>
  auto operator()(Body&& body) {
    try {
      return body();
    } catch (const Error&) {
      if (thrown_) std::rethrow_exception(thrown_);
      throw;
    }
  }

 private:
  static int32_t run(size_t done, size_t total, void* user_data) {
    auto* self = static_cast<ProgressCall*>(user_data);
    try {
      return self->progress_(done, total) ? 1 : 0;
    } catch (...) {
      self->thrown_ = std::current_exception();
      return 1;
    }
  }
  const Progress& progress_;
  std::exception_ptr thrown_;
};

}  // namespace detail
}  // namespace vsr

#endif
