/* vsr::Mask: personal data out of requests and back into answers. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_MASK_HPP
#define VSR_HPP_MASK_HPP

#include <string>
#include <string_view>
#include <vector>

#include "engine.hpp"
#include "enums.hpp"
#include "guard.hpp"
#include "router.hpp"

namespace vsr {

/** See vsr_mask_options. */
struct MaskOptions {
  std::string key; /**< any bytes; empty: a random one */
  std::string tenant;
  std::string pii_task; /**< of `engine`; empty: not asked */
  const Engine* engine = nullptr;
  float threshold = 0; /**< 0: 0.5 */
  std::vector<std::string> types;
  bool fail_on_unknown = false;
};

/** See vsr_mask. All functions are thread-safe. */
class Mask {
 public:
  explicit Mask(const MaskOptions& options = {})
      : handle_(detail::make<Owner>([&](vsr_mask** out, vsr_error* error) {
          std::vector<const char*> types;
          for (const std::string& type : options.types) types.push_back(detail::c_string(type, "type"));
          vsr_mask_options c = VSR_MASK_OPTIONS_INIT;
          c.fail_on_unknown = options.fail_on_unknown ? 1 : 0;
          if (!options.key.empty()) c.key = detail::to_c(std::string_view(options.key));
          if (!options.tenant.empty()) c.tenant = detail::to_c(std::string_view(options.tenant));
          c.pii_task = detail::c_string_or_null(options.pii_task, "pii_task");
          c.threshold = options.threshold;
          c.types = types.data();
          c.type_count = types.size();
          return vsr_mask_create(options.engine == nullptr ? nullptr : options.engine->get(), &c, out, error);
        })) {}

  /** Of a routed request that left masked; see vsr_decision_mask(). */
  explicit Mask(const Decision& decision)
      : handle_(detail::make<Owner>(
            [&](vsr_mask** out, vsr_error* error) { return vsr_decision_mask(decision.get(), out, error); })) {}

  /** The text with placeholders in the place of personal data. */
  std::string text(std::string_view text) const {
    vsr_string* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_mask_text(handle_.get(), detail::to_c(text), 0, nullptr, &out, error); });
    return detail::take_string(out);
  }

  /** The same in a request as JSON. */
  std::string request(std::string_view json) const {
    vsr_string* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_mask_request(handle_.get(), detail::to_c(json), 0, nullptr, &out, error); });
    return detail::take_string(out);
  }

  /** The text with the values back in it. */
  std::string restore(std::string_view text) const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_mask_restore(handle_.get(), detail::to_c(text), &out, error); });
    return detail::take_string(out);
  }

  /** Restores an answer that is fed to it. */
  Guard stream(StreamFormat format = StreamFormat::kAuto) const {
    vsr_guard* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_mask_stream(handle_.get(), static_cast<int32_t>(format), &out, error); });
    return Guard::owning(out);
  }

  /** The JSON of vsr_mask_describe(). */
  std::string describe() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_mask_describe(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

 private:
  using Owner = detail::Handle<vsr_mask, vsr_mask_free>;
  Owner handle_;
};

}  // namespace vsr

#endif
