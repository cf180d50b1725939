#include "display_width.h"

#include <utf8proc.h>

#include <algorithm>

namespace vsr::cli {
namespace {

constexpr utf8proc_int32_t kReplacement = 0xFFFD;
constexpr utf8proc_int32_t kEmojiPresentation = 0xFE0F;
constexpr size_t kMostBytes = 64;  // of a cluster; a text may pile up marks without end

bool changes_direction(utf8proc_int32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool is_control(utf8proc_int32_t c) {
  const utf8proc_category_t category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

// The next code point, and how many bytes it took; ill-formed bytes are U+FFFD one by one.
utf8proc_int32_t next_code_point(std::string_view text, size_t& taken) {
  utf8proc_int32_t c = kReplacement;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t n = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &c);
  taken = n > 0 ? static_cast<size_t>(n) : 1;
  return n > 0 ? c : kReplacement;
}

// What a code point adds to its cluster, of which none takes more than two cells.
size_t cells_of(utf8proc_int32_t c) {
  if (c == kReplacement) return 1;
  if (c == kEmojiPresentation) return 2;
  return static_cast<size_t>(std::max(0, utf8proc_charwidth(c)));
}

void append_utf8(utf8proc_int32_t c, std::string& out) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t n = utf8proc_encode_char(c, bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(n));
}

struct Cluster {
  std::string bytes;
  size_t cells = 0;
};

// Takes a text apart into grapheme clusters, each as it is shown.
class Clusters {
 public:
  explicit Clusters(std::string_view text) : rest_(text) { advance(); }

  bool next(Cluster& cluster) {
    if (!pending_) return false;
    cluster = {};
    while (pending_) {
      const utf8proc_int32_t c = code_point_;
      if (cluster.bytes.size() < kMostBytes) append_utf8(c, cluster.bytes);
      cluster.cells = std::min<size_t>(cluster.cells + cells_of(c), 2);
      advance();
      if (pending_ && utf8proc_grapheme_break_stateful(c, code_point_, &state_)) break;
    }
    return true;
  }

 private:
  void advance() {
    for (pending_ = false; !pending_ && !rest_.empty();) {
      size_t taken = 0;
      code_point_ = next_code_point(rest_, taken);
      rest_.remove_prefix(taken);
      pending_ = !changes_direction(code_point_);
    }
    if (pending_ && is_control(code_point_)) code_point_ = ' ';
  }

  std::string_view rest_;
  utf8proc_int32_t code_point_ = 0;
  utf8proc_int32_t state_ = 0;
  bool pending_ = false;
};

}  // namespace

size_t display_width(std::string_view text) {
  size_t cells = 0;
  Clusters clusters(text);
  for (Cluster cluster; clusters.next(cluster);) cells += cluster.cells;
  return cells;
}

std::string for_display(std::string_view text, size_t max_cells) {
  if (max_cells == 0) return "";
  std::string shown;
  size_t shortened = 0;  // bytes of `shown` that leave a cell for the ellipsis
  size_t cells = 0;
  Clusters clusters(text);
  for (Cluster cluster; clusters.next(cluster);) {
    const bool fits = cells + cluster.cells <= max_cells && shown.size() < kMostBytes * max_cells;
    if (!fits) return shown.substr(0, shortened) + "\u2026";
    shown += cluster.bytes;
    cells += cluster.cells;
    if (cells < max_cells) shortened = shown.size();
  }
  return shown;
}

std::string padded(const std::string& text, size_t cells, Align align) {
  const size_t width = display_width(text);
  if (width >= cells) return text;
  const std::string blanks(cells - width, ' ');
  return align == Align::kLeft ? text + blanks : blanks + text;
}

}  // namespace vsr::cli
