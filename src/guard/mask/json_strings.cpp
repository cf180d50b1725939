#include "guard/mask/json_strings.h"

#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "chat/answers/answer_format.h"

namespace vsr::guard {
namespace {

// Of a document that parse_json() took: what follows may rely on its grammar.
class Walk {
 public:
  explicit Walk(std::string_view json) : json_(json) {}

  std::vector<JsonPiece> run() {
    while (at_ < json_.size()) step();
    return std::move(pieces_);
  }

 private:
  struct Level {
    bool is_object = false;
    bool at_key = false;  // of an object: a key comes next
    std::string key = {};
  };

  void step() {
    const char c = json_[at_];
    switch (c) {
      case '{':
        levels_.push_back({true, true, levels_.empty() ? "" : levels_.back().key});
        break;
      case '[':
        levels_.push_back({false, false, levels_.empty() ? "" : levels_.back().key});
        break;
      case '}':
      case ']':
        levels_.pop_back();
        break;
      case ',':
        if (!levels_.empty() && levels_.back().is_object) levels_.back().at_key = true;
        break;
      case '"':
        return string();
      default:
        if (c == '-' || (c >= '0' && c <= '9')) return number();
    }
    ++at_;
  }

  void string() {
    const size_t begin = at_++;
    while (json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    ++at_;
    JsonPiece piece{JsonPiece::Kind::kString, begin, at_};
    const std::string_view raw = json_.substr(begin, at_ - begin);
    const bool plain = raw.find('\\') == std::string_view::npos;
    piece.text = plain ? std::string(raw.substr(1, raw.size() - 2)) : decoded(raw);
    if (!levels_.empty() && levels_.back().is_object && levels_.back().at_key) {
      levels_.back().at_key = false;
      levels_.back().key = piece.text;
      piece.kind = JsonPiece::Kind::kKey;
    }
    add(std::move(piece));
  }

  static std::string decoded(std::string_view raw) {
    return base::parse_json("[" + std::string(raw) + "]", "request").node()[0].get<std::string>();
  }

  void number() {
    const size_t begin = at_;
    while (at_ < json_.size() && std::string_view("+-.eE0123456789").find(json_[at_]) != std::string_view::npos) ++at_;
    add({JsonPiece::Kind::kNumber, begin, at_, std::string(json_.substr(begin, at_ - begin))});
  }

  void add(JsonPiece piece) {
    if (!levels_.empty()) piece.key = levels_.back().key;
    if (levels_.size() > 1) piece.parent = levels_[levels_.size() - 2].key;
    pieces_.push_back(std::move(piece));
  }

  std::string_view json_;
  size_t at_ = 0;
  std::vector<Level> levels_;
  std::vector<JsonPiece> pieces_;
};

}  // namespace

std::vector<JsonPiece> json_pieces(std::string_view json) {
  base::parse_json(json, "request");
  return Walk(json).run();
}

std::string with_pieces(std::string_view json, const std::vector<JsonPiece>& pieces,
                        const std::vector<std::optional<std::string>>& texts) {
  std::string out;
  size_t at = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!texts[i]) continue;
    out.append(json.substr(at, pieces[i].begin - at)).append("\"").append(json_escaped(*texts[i])).append("\"");
    at = pieces[i].end;
  }
  return out.append(json.substr(at));
}

std::string json_escaped(std::string_view text) {
  const std::string quoted = chat::dump_json(chat::Json(std::string(text)));
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace vsr::guard
