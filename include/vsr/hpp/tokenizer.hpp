/* vsr::Tokenizer and vsr::Encoding. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_TOKENIZER_HPP
#define VSR_HPP_TOKENIZER_HPP

#include <optional>
#include <string>
#include <string_view>

#include "error.hpp"
#include "texts.hpp"

namespace vsr {

/** See vsr_encoding. Immutable. */
class Encoding {
 public:
  explicit Encoding(vsr_encoding* handle) : handle_(handle) {}

  size_t size() const { return vsr_encoding_token_count(get()); }
  Span<int32_t> ids() const { return {vsr_encoding_ids(get()), size()}; }
  Span<int32_t> type_ids() const { return {vsr_encoding_type_ids(get()), size()}; }
  /** 0 the text, 1 the pair, -1 what the template added. */
  Span<int32_t> sides() const { return {vsr_encoding_sides(get()), size()}; }
  /** Start and end byte of each token: 2 * size() values. */
  Span<size_t> offsets() const { return {vsr_encoding_offsets(get()), 2 * size()}; }
  /** Empty out of range. */
  std::string_view token(size_t i) const { return detail::view(vsr_encoding_token(get(), i)); }
  /** Bytes that were not UTF-8 and were read as U+FFFD. */
  size_t replaced() const { return vsr_encoding_replaced_size(get()); }

  /** Windows in which the tokenizer's model reads the input; 1 for a tokenizer without a model. */
  size_t windows() const { return vsr_encoding_window_count(get()); }

  const vsr_encoding* get() const { return handle_.get(); }

 private:
  detail::Handle<vsr_encoding, vsr_encoding_free> handle_;
};

/** See vsr_tokenizer. Immutable. */
class Tokenizer {
 public:
  /** See vsr_tokenizer_load(). */
  explicit Tokenizer(const std::string& path)
      : handle_(detail::make<Owner>([&](vsr_tokenizer** out, vsr_error* error) {
          return vsr_tokenizer_load(detail::c_string(path, "path"), out, error);
        })) {}
  explicit Tokenizer(vsr_tokenizer* handle) : handle_(handle) {}

  size_t vocab_size() const { return vsr_tokenizer_id_count(get()); }

  Encoding encode(std::string_view text, std::optional<std::string_view> pair = std::nullopt,
                  bool add_special_tokens = true) const {
    const vsr_str second = detail::to_c(pair.value_or(std::string_view()));
    vsr_encoding* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_tokenizer_encode(get(), detail::to_c(text), pair ? &second : nullptr, add_special_tokens ? 1 : 0, &out,
                                  error);
    });
    return Encoding(out);
  }

  std::string decode(Span<int32_t> ids, bool skip_special_tokens = false) const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_tokenizer_decode(get(), ids.data(), ids.size(), skip_special_tokens ? 1 : 0, &out, error);
    });
    return detail::take_string(out);
  }

  const vsr_tokenizer* get() const { return handle_.get(); }

 private:
  using Owner = detail::Handle<vsr_tokenizer, vsr_tokenizer_free>;
  Owner handle_;
};

}  // namespace vsr

#endif
