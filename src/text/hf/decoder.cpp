#include "text/hf/decoder.h"

#include <array>
#include <charconv>

#include "base/error.h"
#include "base/utf8.h"
#include "text/parts/step_limit.h"
#include "text/unicode/byte_alphabet.h"

namespace vsr::text {
namespace {

constexpr size_t kMostContent = 256;  // bytes that replace a pattern

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  std::string result;
  size_t done = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, done)) {
    result.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  if (done == 0) return;
  text = result.append(text, done, std::string::npos);
}

// Undoes the spaces that word tokenizers leave around punctuation.
void clean_up(std::string& text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kRules = {{
      {" .", "."},
      {" ?", "?"},
      {" !", "!"},
      {" ,", ","},
      {" ' ", "'"},
      {" n't", "n't"},
      {" 'm", "'m"},
      {" do not", " don't"},
      {" 's", "'s"},
      {" 've", "'ve"},
      {" 're", "'re"},
  }};
  for (const auto& [from, to] : kRules) replace_all(text, from, to);
}

std::string read_one_character(const base::JsonObject& json, const std::string& key) {
  const std::string text = json.required<std::string>(key);
  if (text.empty() || base::decode_utf8(text).size != text.size()) {
    json.at(key).fail("is \"" + text + "\", expected one character");
  }
  return text;
}

class WordPieceDecoder : public Decoder {
 public:
  WordPieceDecoder(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i != 0 && tokens[i].starts_with(prefix_)) {
        tokens[i].erase(0, prefix_.size());
      } else if (i != 0) {
        tokens[i].insert(0, 1, ' ');
      }
      if (cleanup_) clean_up(tokens[i]);
    }
  }

 private:
  std::string prefix_;
  bool cleanup_;
};

class ByteLevelDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string bytes;
    for (const std::string& token : tokens) {
      std::string decoded;
      bytes += bytes_of_token(token, decoded) ? decoded : token;
    }
    const base::CleanText clean(bytes);
    tokens.assign(1, std::string(clean.view()));
  }
};

class MetaspaceDecoder : public Decoder {
 public:
  MetaspaceDecoder(std::string replacement, bool prepends)
      : replacement_(std::move(replacement)), prepends_(prepends) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i) replace_all(tokens[i], replacement_, i == 0 && prepends_ ? "" : " ");
  }

 private:
  std::string replacement_;
  bool prepends_;
};

class ReplaceDecoder : public Decoder {
 public:
  ReplaceDecoder(std::string pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) replace_all(token, pattern_, content_);
  }

 private:
  std::string pattern_;
  std::string content_;
};

class ByteFallbackDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::vector<std::string> result;
    std::string bytes;
    for (std::string& token : tokens) {
      unsigned value = 0;
      if (is_byte(token, value)) {
        bytes.push_back(static_cast<char>(value));
        continue;
      }
      flush(bytes, result);
      result.push_back(std::move(token));
    }
    flush(bytes, result);
    tokens = std::move(result);
  }

 private:
  static bool is_byte(const std::string& token, unsigned& value) {
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return false;
    // from_str_radix takes a leading plus.
    const char* first = token.data() + (token[3] == '+' ? 4 : 3);
    const auto [end, error] = std::from_chars(first, token.data() + 5, value, 16);
    return error == std::errc() && end == token.data() + 5;
  }

  // Bytes that are no UTF-8 become one replacement character each.
  static void flush(std::string& bytes, std::vector<std::string>& result) {
    if (bytes.empty()) return;
    if (base::CleanText(bytes).replaced_bytes() == 0) {
      result.push_back(bytes);
    } else {
      result.insert(result.end(), bytes.size(), "\xEF\xBF\xBD");
    }
    bytes.clear();
  }
};

class FuseDecoder : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string joined;
    for (const std::string& token : tokens) joined += token;
    tokens.assign(1, std::move(joined));
  }
};

class StripDecoder : public Decoder {
 public:
  StripDecoder(std::string content, size_t start, size_t stop)
      : content_(std::move(content)), start_(start), stop_(stop) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      std::string_view rest = token;
      for (size_t i = 0; i < start_ && rest.starts_with(content_); ++i) rest.remove_prefix(content_.size());
      for (size_t i = 0; i < stop_ && rest.ends_with(content_); ++i) rest.remove_suffix(content_.size());
      token = std::string(rest);
    }
  }

 private:
  std::string content_;
  size_t start_, stop_;
};

class BpeDecoder : public Decoder {
 public:
  explicit BpeDecoder(std::string suffix) : suffix_(std::move(suffix)) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i) replace_all(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
  }

 private:
  std::string suffix_;
};

class CtcDecoder : public Decoder {
 public:
  CtcDecoder(std::string pad, std::string delimiter, bool cleanup)
      : pad_(std::move(pad)), delimiter_(std::move(delimiter)), cleanup_(cleanup) {}
  void decode(std::vector<std::string>& tokens) const override {
    std::vector<std::string> result;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && tokens[i] == tokens[i - 1]) continue;
      std::string token = tokens[i];
      replace_all(token, pad_, "");
      if (cleanup_) {
        clean_up(token);
        replace_all(token, delimiter_, " ");
      }
      if (!token.empty()) result.push_back(std::move(token));
    }
    tokens = std::move(result);
  }

 private:
  std::string pad_, delimiter_;
  bool cleanup_;
};

class SequenceOfDecoders : public Decoder {
 public:
  static constexpr size_t kMostGrowth = 64;
  static constexpr size_t kFreeGrowth = 4096;

  explicit SequenceOfDecoders(std::vector<DecoderPtr> steps) : steps_(std::move(steps)) {}
  void decode(std::vector<std::string>& tokens) const override {
    const size_t most = kFreeGrowth + kMostGrowth * bytes_of(tokens);
    for (const DecoderPtr& step : steps_) {
      step->decode(tokens);
      if (bytes_of(tokens) <= most) continue;
      base::fail(base::Status::kLimit, "ids: the tokenizer's decoder makes more than ", kMostGrowth,
                 " times as much text of them");
    }
  }

 private:
  static size_t bytes_of(const std::vector<std::string>& tokens) {
    size_t bytes = 0;
    for (const std::string& token : tokens) bytes += token.size();
    return bytes;
  }

  std::vector<DecoderPtr> steps_;
};

DecoderPtr load_replace(const base::JsonObject& json) {
  const base::JsonObject pattern = json.required<base::JsonObject>("pattern");
  if (!pattern.contains("String")) {
    pattern.fail_unsupported("is no String: vsr does not implement regular expressions in decoders");
  }
  const std::string content = json.required<std::string>("content");
  if (content.size() > kMostContent) {
    json.at("content").fail("has " + std::to_string(content.size()) + " bytes, too many");
  }
  return std::make_unique<ReplaceDecoder>(pattern.required<std::string>("String"), content);
}

DecoderPtr load_strip(const base::JsonObject& json) {
  const int64_t start = json.required<int64_t>("start"), stop = json.required<int64_t>("stop");
  if (start < 0) json.at("start").fail("is negative");
  if (stop < 0) json.at("stop").fail("is negative");
  return std::make_unique<StripDecoder>(read_one_character(json, "content"), static_cast<size_t>(start),
                                        static_cast<size_t>(stop));
}

// Sequences inside of sequences become one row of steps.
void load_steps(const base::JsonObject& json, std::vector<DecoderPtr>& steps) {
  for (const base::JsonValue& item : json.at("decoders").items()) {
    const base::JsonObject step = item.as<base::JsonObject>();
    if (step.required<std::string>("type") == "Sequence") {
      load_steps(step, steps);
    } else {
      steps.push_back(load_decoder(step));
    }
    if (steps.size() > kMostSteps) json.fail("has more than " + std::to_string(kMostSteps) + " steps");
  }
}

DecoderPtr load_sequence(const base::JsonObject& json) {
  std::vector<DecoderPtr> steps;
  load_steps(json, steps);
  return std::make_unique<SequenceOfDecoders>(std::move(steps));
}

DecoderPtr load_metaspace(const base::JsonObject& json) {
  const bool never = !json.optional<bool>("add_prefix_space", true) ||
                     json.optional<std::string>("prepend_scheme", "always") == "never";
  return std::make_unique<MetaspaceDecoder>(read_one_character(json, "replacement"), !never);
}

}  // namespace

DecoderPtr make_word_piece_decoder(const std::string& prefix, bool cleanup) {
  return std::make_unique<WordPieceDecoder>(prefix, cleanup);
}

DecoderPtr load_decoder(const base::JsonObject& json) {
  const std::string type = json.required<std::string>("type");
  if (type == "WordPiece") {
    return make_word_piece_decoder(json.required<std::string>("prefix"), json.required<bool>("cleanup"));
  }
  if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
  if (type == "Metaspace") return load_metaspace(json);
  if (type == "Replace") return load_replace(json);
  if (type == "ByteFallback") return std::make_unique<ByteFallbackDecoder>();
  if (type == "Fuse") return std::make_unique<FuseDecoder>();
  if (type == "Strip") return load_strip(json);
  if (type == "BPEDecoder") return std::make_unique<BpeDecoder>(json.required<std::string>("suffix"));
  if (type == "Sequence") return load_sequence(json);
  if (type == "CTC") {
    return std::make_unique<CtcDecoder>(json.required<std::string>("pad_token"),
                                        json.required<std::string>("word_delimiter_token"),
                                        json.required<bool>("cleanup"));
  }
  json.at("type").fail_unsupported("is \"" + type + "\", a decoder that vsr does not implement");
}

}  // namespace vsr::text
