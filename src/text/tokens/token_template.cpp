#include "text/tokens/token_template.h"

namespace vsr::text {

Encoding TokenTemplate::apply(SequenceView text, const SequenceView* pair_text, bool add_special_tokens) const {
  Encoding encoding;
  const size_t size = text.size() + (pair_text != nullptr ? pair_text->size() : 0) + special_token_count(pair_text);
  encoding.ids.reserve(size);
  encoding.type_ids.reserve(size);
  encoding.offsets.reserve(size);
  encoding.sides.reserve(size);
  const auto append = [&](const SequenceView& view, int32_t type_id, int32_t side) {
    if (view.sequence == nullptr) return;
    const auto begin = static_cast<ptrdiff_t>(view.begin), end = static_cast<ptrdiff_t>(view.end);
    const std::vector<int32_t>& ids = view.sequence->ids;
    const std::vector<Span>& offsets = view.sequence->offsets;
    encoding.ids.insert(encoding.ids.end(), ids.begin() + begin, ids.begin() + end);
    encoding.offsets.insert(encoding.offsets.end(), offsets.begin() + begin, offsets.begin() + end);
    encoding.type_ids.insert(encoding.type_ids.end(), view.size(), type_id);
    encoding.sides.insert(encoding.sides.end(), view.size(), side);
  };
  for (const TemplatePiece& piece : pair_text != nullptr ? pair : single) {
    if (piece.kind == TemplatePiece::kText) {
      append(text, piece.type_id, 0);
    } else if (piece.kind == TemplatePiece::kPair) {
      append(*pair_text, piece.type_id, 1);
    } else if (add_special_tokens) {
      encoding.ids.push_back(piece.id);
      encoding.offsets.push_back({0, 0});
      encoding.type_ids.push_back(piece.type_id);
      encoding.sides.push_back(-1);
    }
  }
  return encoding;
}

size_t TokenTemplate::special_token_count(bool with_pair) const {
  size_t count = 0;
  for (const TemplatePiece& piece : with_pair ? pair : single) count += piece.kind == TemplatePiece::kSpecial;
  return count;
}

}  // namespace vsr::text
