/* vsr::AdapterOptions. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ADAPTERS_HPP
#define VSR_HPP_ADAPTERS_HPP

#include <string>

#include "error.hpp"

namespace vsr {

/** See vsr_adapter_options; an empty string is the default. */
struct AdapterOptions {
  std::string name;
  std::string path;
  std::string model;
};

namespace detail {

/** The C form of options, valid while the C++ options are. */
class CAdapterOptions {
 public:
  explicit CAdapterOptions(const AdapterOptions& options) {
    c_.name = c_string_or_null(options.name, "name");
    c_.path = c_string_or_null(options.path, "path");
    c_.model = c_string_or_null(options.model, "model");
  }
  const vsr_adapter_options* get() const { return &c_; }

 private:
  vsr_adapter_options c_ = VSR_ADAPTER_OPTIONS_INIT;
};

}  // namespace detail
}  // namespace vsr

#endif
