#include "text/sentencepiece/spm_decoder.h"

#include "base/utf8.h"

namespace vsr::text {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

void append_with_spaces(std::string& text, std::string_view piece) {
  size_t done = 0;
  for (size_t at = piece.find(kSpaceMark); at != std::string_view::npos; at = piece.find(kSpaceMark, done)) {
    text.append(piece, done, at - done).push_back(' ');
    done = at + kSpaceMark.size();
  }
  text.append(piece, done, std::string_view::npos);
}

// Bytes that are no UTF-8 become one replacement character each.
void flush_bytes(std::string& bytes, std::string& text) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const base::Decoded c = base::decode_utf8(rest);
    base::append_utf8(text, c.code_point);
    rest.remove_prefix(c.valid ? c.size : 1);
  }
  bytes.clear();
}

}  // namespace

SpmDecoder::SpmDecoder(const SpmModel& model) : model_(model), bytes_(model.types.size(), -1) {
  for (size_t byte = 0; byte < 256 && model.byte_fallback; ++byte) {
    bytes_[static_cast<size_t>(model.byte_ids[byte])] = static_cast<int16_t>(byte);
  }
  if (model.denormalization) denormalizer_.emplace(*model.denormalization, nullptr);
}

// The mark that a text begins with is dropped: the first one where the dummy prefix put it, every leading one where
// extra spaces are removed.
std::string SpmDecoder::decode(const std::vector<int32_t>& ids) const {
  const SpmNormalization& options = model_.normalization;
  const bool drops = options.add_dummy_prefix || options.remove_extra_whitespaces;
  std::string text, bytes;
  bool at_begin = true, dropped = false;
  for (const int32_t id : ids) {
    if (bytes_[static_cast<size_t>(id)] >= 0) {
      bytes.push_back(static_cast<char>(bytes_[static_cast<size_t>(id)]));
      continue;
    }
    flush_bytes(bytes, text);
    at_begin = at_begin && !dropped && text.empty();
    dropped = false;
    if (model_.type(id) == SpmType::kControl) continue;
    if (model_.type(id) == SpmType::kUnknown) {
      text += model_.unk_surface;
      continue;
    }
    std::string_view piece = model_.pieces.token(id);
    if (at_begin && drops && piece.starts_with(kSpaceMark)) {
      piece.remove_prefix(kSpaceMark.size());
      dropped = !options.remove_extra_whitespaces;
    }
    append_with_spaces(text, piece);
  }
  flush_bytes(bytes, text);
  return denormalizer_ ? denormalizer_->normalize(text).text : text;
}

}  // namespace vsr::text
