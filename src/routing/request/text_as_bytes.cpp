#include "routing/request/text_as_bytes.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/utf8.h"
#include "routing/request/name_table.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

constexpr auto kBinaryTypes = std::to_array<std::string_view>(
    {"epub+zip", "gzip", "java-archive", "mp4", "msword", "ogg", "pdf", "wasm", "x-7z-compressed", "x-bzip2", "x-gzip",
     "x-parquet", "x-pdf", "x-rar-compressed", "x-tar", "x-xz", "x-zip-compressed", "zip", "zstd"});
constexpr auto kBinaryFamilies =
    std::to_array<std::string_view>({"image/", "audio/", "video/", "font/", "model/", "application/vnd."});
constexpr auto kTextSuffixes = std::to_array<std::string_view>({"+json", "+xml", "+yaml"});
constexpr auto kSoundFormats =
    std::to_array<std::string_view>({"aac", "flac", "m4a", "mp3", "mp4", "ogg", "opus", "pcm", "pcm16", "wav", "webm"});

enum class Content { kText, kBinary, kUnknown };

bool is_base64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

// By the type alone: "text/plain", "application/pdf".
Content content_of(std::string_view media_type) {
  std::string type = base::ascii_lower(media_type.substr(0, 256));
  type.resize(std::min(type.size(), type.find_first_of(";,")));
  std::erase_if(type, is_blank);
  if (type.empty() || type == "application/octet-stream") return Content::kUnknown;
  const auto begins = [&](std::string_view family) { return type.starts_with(family); };
  const auto ends = [&](std::string_view suffix) { return type.ends_with(suffix); };
  if (std::any_of(kTextSuffixes.begin(), kTextSuffixes.end(), ends)) return Content::kText;  // image/svg+xml, too
  if (std::any_of(kBinaryFamilies.begin(), kBinaryFamilies.end(), begins)) return Content::kBinary;
  constexpr std::string_view kApplication = "application/";
  if (!type.starts_with(kApplication)) return Content::kText;
  const std::string_view name = std::string_view(type).substr(kApplication.size());
  return contains(kBinaryTypes, name) ? Content::kBinary : Content::kText;
}

// UTF-16 of mostly ASCII has a zero in every other byte.
bool is_wide_text(std::string_view bytes) {
  std::array<size_t, 2> zeros{};
  for (size_t i = 0; i < bytes.size(); ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const size_t half = bytes.size() / 2;
  return half >= 4 && std::max(zeros[0], zeros[1]) * 10 >= half * 9 && std::min(zeros[0], zeros[1]) * 10 <= half;
}

// Whether base64 encodes characters: hardly any control ones among them, but for those of white space, and hardly
// anything that is no UTF-8.
bool decodes_to_text(std::string_view base64) {
  constexpr size_t kLooked = 4096;
  std::string head(base64.substr(0, kLooked));
  head.resize(std::min(head.size(), head.find('=')));
  std::replace(head.begin(), head.end(), '-', '+');
  std::replace(head.begin(), head.end(), '_', '/');
  std::erase_if(head, [](char c) { return !is_base64(c); });  // as most decoders do
  head.resize(head.size() / 4 * 4);
  const auto decoded = base::decode_base64(head);
  if (!decoded || decoded->empty()) return false;
  if (decoded->starts_with("%PDF-")) return false;
  if (decoded->starts_with("\xFF\xFE") || decoded->starts_with("\xFE\xFF")) return true;  // UTF-16
  if (is_wide_text(*decoded)) return true;
  constexpr size_t kLongest = 4;
  size_t characters = 0, others = 0;
  for (size_t i = 0; i < decoded->size();) {
    const base::Decoded c = base::decode_utf8(std::string_view(*decoded).substr(i));
    if (!c.valid && i > 0 && decoded->size() - i < kLongest) break;  // cut within a character
    const bool control =
        (c.code_point < ' ' && !(c.code_point >= '\t' && c.code_point <= '\r')) || c.code_point == 0x7F;
    ++(c.valid && !control ? characters : others);
    i += c.size;
  }
  constexpr size_t kForEach = 10;
  return characters >= kForEach * others;
}

// As servers of several languages spell them: media_type, mediaType, Media-Type.
std::string folded_name(std::string_view name) {
  std::string folded = base::ascii_lower(name.substr(0, 64));
  std::erase_if(folded, [](char c) { return c == '_' || c == '-'; });
  return folded;
}

}  // namespace

bool is_address_or_base64(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c > ' ' && c <= '~') || c == '\r' || c == '\n'; });
}

bool is_text_address(std::string_view value) {
  // Readers of addresses leave blanks before and line feeds within out.
  constexpr size_t kLongestType = 512;
  const auto first = std::find_if_not(value.begin(), value.end(), is_blank);
  value.remove_prefix(static_cast<size_t>(first - value.begin()));
  std::string head(value.substr(0, kLongestType));
  std::erase_if(head, [](char c) { return c == '\t' || c == '\r' || c == '\n'; });
  constexpr std::string_view kScheme = "data:";
  if (base::ascii_lower(head.substr(0, kScheme.size())) != kScheme) return false;
  const std::string_view type = std::string_view(head).substr(kScheme.size());
  const size_t comma = value.find(',');
  if (comma == std::string_view::npos) return false;  // an address of nothing
  const Content content = content_of(type);
  if (content != Content::kUnknown) return content == Content::kText;
  const bool untyped = type.empty() || type.front() == ';' || type.front() == ',';
  const bool base64 = base::ascii_lower(value.substr(0, std::min(comma, kLongestType))).ends_with("base64");
  return untyped || !base64 || decodes_to_text(value.substr(comma));
}

bool brings_text_as_bytes(const JsonNode& object) {
  Content declared = Content::kUnknown;
  bool has_bytes = false, looks_like_text = false, is_sound = false;
  for (const JsonNode& child : object.children()) {
    if (!child.is(Kind::kString)) continue;
    const std::string name = folded_name(child.key);
    if (name == "mediatype" || name == "mimetype" || name == "contenttype") {
      const Content content = content_of(child.text);
      if (declared != Content::kText && content != Content::kUnknown) declared = content;
    } else if (name == "format") {
      is_sound = is_sound || contains(kSoundFormats, child.text);
    } else if ((name == "data" || name == "filedata") && child.text.find(':') == std::string_view::npos) {
      has_bytes = true;
      looks_like_text = looks_like_text || decodes_to_text(child.text);
    }
  }
  if (!has_bytes || declared != Content::kUnknown) return has_bytes && declared == Content::kText;
  return looks_like_text && !is_sound;
}

}  // namespace vsr::routing
