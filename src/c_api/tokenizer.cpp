// vsr/tokenizer.h: texts to ids with byte offsets, and back.
#include "vsr/tokenizer.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/views.h"
#include "text/load_tokenizer.h"
#include "text/windows.h"

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::engine_of;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_text;
using vsr::c_api::require;

vsr_encoding encode(const vsr_tokenizer& handle, std::string_view text, const std::string_view* pair,
                    bool add_special_tokens) {
  const vsr::text::Tokenizer& tokenizer = *handle.tokenizer;
  vsr_encoding out;
  {
    const vsr::text::WindowedInput input(tokenizer, text, pair, handle.window_limit, 0);
    out.encoding = input.encode_whole(tokenizer, add_special_tokens);
    out.replaced_bytes = input.replaced_bytes();
    out.windows = input.window_count();
  }
  out.tokenizer = handle.tokenizer;
  out.offsets.reserve(2 * out.encoding.size());
  for (const vsr::text::Span& span : out.encoding.offsets) {
    out.offsets.push_back(span.begin);
    out.offsets.push_back(span.end);
  }
  std::vector<vsr::text::Span>().swap(out.encoding.offsets);  // kept as callers read them
  return out;
}

template <class Value>
const Value* data_of(const vsr_encoding* encoding, const std::vector<Value>& (*field)(const vsr_encoding&)) {
  if (encoding == nullptr) return nullptr;
  const std::vector<Value>& values = field(*encoding);
  return values.empty() ? nullptr : values.data();
}

}  // namespace

vsr_status vsr_tokenizer_load(const char* path, vsr_tokenizer** out_tokenizer, vsr_error* error) {
  return guard_new(out_tokenizer, "out_tokenizer", error,
                   [&] { return vsr_tokenizer{vsr::text::load_tokenizer(vsr::c_api::required_string(path, "path"))}; });
}

vsr_status vsr_engine_tokenizer(const vsr_engine* engine, const char* model, vsr_tokenizer** out_tokenizer,
                                vsr_error* error) {
  return guard_new(out_tokenizer, "out_tokenizer", error, [&] {
    const auto held = engine_of(engine);
    const std::string name = optional_string(model);
    return vsr_tokenizer{held->tokenizer(name), held->max_tokens(name)};
  });
}

void vsr_tokenizer_free(vsr_tokenizer* tokenizer) { vsr::c_api::free_handle(tokenizer); }

size_t vsr_tokenizer_id_count(const vsr_tokenizer* tokenizer) {
  return tokenizer == nullptr ? 0 : tokenizer->tokenizer->vocab_size();
}

vsr_status vsr_tokenizer_encode(const vsr_tokenizer* tokenizer, vsr_str text, const vsr_str* pair,
                                int32_t add_special_tokens, vsr_encoding** out_encoding, vsr_error* error) {
  return guard_new(out_encoding, "out_encoding", error, [&] {
    const vsr_tokenizer& handle = require(tokenizer, "tokenizer");
    const std::string_view first = read_text(text, "text");
    std::string_view second;
    if (pair != nullptr) second = read_text(*pair, "pair");
    const bool specials = vsr::c_api::read_bool(add_special_tokens, "add_special_tokens");
    return encode(handle, first, pair == nullptr ? nullptr : &second, specials);
  });
}

size_t vsr_encoding_token_count(const vsr_encoding* encoding) {
  return encoding == nullptr ? 0 : encoding->encoding.size();
}

const int32_t* vsr_encoding_ids(const vsr_encoding* encoding) {
  return data_of<int32_t>(
      encoding, [](const vsr_encoding& e) -> auto& { return e.encoding.ids; });
}

const int32_t* vsr_encoding_type_ids(const vsr_encoding* encoding) {
  return data_of<int32_t>(
      encoding, [](const vsr_encoding& e) -> auto& { return e.encoding.type_ids; });
}

const size_t* vsr_encoding_offsets(const vsr_encoding* encoding) {
  return data_of<size_t>(
      encoding, [](const vsr_encoding& e) -> auto& { return e.offsets; });
}

const int32_t* vsr_encoding_sides(const vsr_encoding* encoding) {
  return data_of<int32_t>(
      encoding, [](const vsr_encoding& e) -> auto& { return e.encoding.sides; });
}

vsr_str vsr_encoding_token(const vsr_encoding* encoding, size_t index) {
  if (encoding == nullptr || index >= encoding->encoding.size()) return {};
  vsr_str token{};
  guard(nullptr, [&] { token = vsr::c_api::view(encoding->tokenizer->token(encoding->encoding.ids[index])); });
  return token;
}

size_t vsr_encoding_replaced_size(const vsr_encoding* encoding) {
  return encoding == nullptr ? 0 : encoding->replaced_bytes;
}

size_t vsr_encoding_window_count(const vsr_encoding* encoding) { return encoding == nullptr ? 0 : encoding->windows; }

void vsr_encoding_free(vsr_encoding* encoding) { vsr::c_api::free_handle(encoding); }

vsr_status vsr_tokenizer_decode(const vsr_tokenizer* tokenizer, const int32_t* ids, size_t id_count,
                                int32_t skip_special_tokens, vsr_string** out_text, vsr_error* error) {
  return guard_new(out_text, "out_text", error, [&] {
    const vsr::text::Tokenizer& held = *require(tokenizer, "tokenizer").tokenizer;
    vsr::c_api::check_array(ids, id_count, "ids", "id_count");
    const bool skip = vsr::c_api::read_bool(skip_special_tokens, "skip_special_tokens");
    const size_t vocab_size = held.vocab_size();
    for (size_t i = 0; i < id_count; ++i) {
      if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= vocab_size) {
        fail(Status::kInvalidArgument, "ids[", i, "] is ", ids[i], ", the vocabulary has ", vocab_size, " ids");
      }
    }
    return held.decode(std::vector<int32_t>(ids, ids + id_count), skip);
  });
}
