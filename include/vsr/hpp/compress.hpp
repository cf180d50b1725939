/* vsr::compress: the parts of a long text that say most about it. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_COMPRESS_HPP
#define VSR_HPP_COMPRESS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "cancel.hpp"
#include "tokenizer.hpp"

namespace vsr {

/** See vsr_compress_options. */
struct CompressOptions {
  std::string language;                 /**< such as "de"; empty: found out */
  const Tokenizer* tokenizer = nullptr; /**< counts tokens; null: estimates */
  int64_t deadline_ms = 0;              /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr;       /**< borrowed for the call */
};

/** A part of the text, in bytes, end exclusive. */
struct Range {
  size_t start;
  size_t end;
};

/** See vsr_compressed. Immutable. */
class Compressed {
 public:
  explicit Compressed(vsr_compressed* handle) : handle_(handle) {}

  std::string_view text() const { return detail::view(vsr_compressed_text(handle_.get())); }
  /** Parts of the text that were kept, in bytes. */
  std::vector<Range> kept() const {
    std::vector<Range> parts;
    for (size_t i = 0; i < vsr_compressed_range_count(handle_.get()); ++i) {
      const vsr_range* range = vsr_compressed_range(handle_.get(), i);
      parts.push_back({range->start, range->end});
    }
    return parts;
  }
  size_t tokens_before() const { return vsr_compressed_given_token_count(handle_.get()); }
  size_t tokens_after() const { return vsr_compressed_kept_token_count(handle_.get()); }
  bool estimated() const { return vsr_compressed_estimated(handle_.get()) != 0; }

 private:
  detail::Handle<vsr_compressed, vsr_compressed_free> handle_;
};

/** See vsr_compress(). */
inline Compressed compress(std::string_view text, size_t max_tokens, const CompressOptions& options = {}) {
  vsr_compress_options c = VSR_COMPRESS_OPTIONS_INIT;
  c.language = detail::c_string_or_null(options.language, "language");
  c.tokenizer = options.tokenizer == nullptr ? nullptr : options.tokenizer->get();
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  vsr_compressed* out = nullptr;
  detail::call([&](vsr_error* error) { return vsr_compress(detail::to_c(text), max_tokens, &c, &out, error); });
  return Compressed(out);
}

}  // namespace vsr

#endif
