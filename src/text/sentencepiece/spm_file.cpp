// Reads sentencepiece's ModelProto. What the library refuses to load is refused here too; a piece given twice, even
// with different types, and one that is not UTF-8 are refused as well.
#include "text/sentencepiece/spm_file.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/protobuf.h"
#include "text/unicode/byte_alphabet.h"

namespace vsr::text {
namespace {

constexpr size_t kMaxPieceBytes = 8000;
constexpr size_t kMaxSurfaceBytes = 256;  // of what each unknown piece is decoded to

struct Settings {
  int32_t model_type = 1;
  bool treat_whitespace_as_suffix = false;
  bool byte_fallback = false;
  std::optional<std::string> unk_surface;
};

struct Pieces {
  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<SpmType> types;
};

void read_piece(base::ProtobufReader reader, Pieces& pieces) {
  const auto fail = [&](const std::string& what) {
    reader.fail("number " + std::to_string(pieces.tokens.size()) + " " + what);
  };
  std::string_view token;
  float score = 0;
  int32_t type = 1;
  while (reader.next()) {
    if (reader.field() == 1) token = reader.as_text();
    if (reader.field() == 2) score = reader.as_float();
    if (reader.field() == 3) type = reader.as_int32();
  }
  if (token.empty()) fail("is empty");
  if (token.size() >= kMaxPieceBytes) fail("has " + std::to_string(token.size()) + " bytes, at most 7999 are allowed");
  if (token.find('\0') != std::string_view::npos) fail("holds a NUL");
  if (!std::isfinite(score)) fail("has no finite score");
  if (type < 1 || type > 6) fail("has type " + std::to_string(type));
  if (pieces.tokens.size() > static_cast<size_t>(kMaxTokenId)) fail("is one too many");
  pieces.tokens.emplace_back(token);
  pieces.scores.push_back(score);
  pieces.types.push_back(static_cast<SpmType>(type));
}

void read_settings(base::ProtobufReader reader, Settings& settings) {
  while (reader.next()) {
    if (reader.field() == 3) settings.model_type = reader.as_int32();
    if (reader.field() == 24) settings.treat_whitespace_as_suffix = reader.as_bool();
    if (reader.field() == 35) settings.byte_fallback = reader.as_bool();
    if (reader.field() != 44) continue;
    settings.unk_surface = reader.as_text();
    if (settings.unk_surface->size() > kMaxSurfaceBytes) reader.fail("unk_surface is too long");
  }
}

void read_normalization(base::ProtobufReader reader, SpmNormalization& normalization) {
  while (reader.next()) {
    if (reader.field() == 2 && !reader.as_bytes().empty()) {
      std::string problem;
      normalization.rules = CharsMap::read(reader.as_bytes(), problem);
      if (!normalization.rules) reader.fail("precompiled_charsmap is no map: " + problem);
    }
    if (reader.field() == 3) normalization.add_dummy_prefix = reader.as_bool();
    if (reader.field() == 4) normalization.remove_extra_whitespaces = reader.as_bool();
    if (reader.field() == 5) normalization.escape_whitespaces = reader.as_bool();
  }
}

void check_no_repeats(const SpmModel& model, const std::string& path) {
  for (size_t id = 0; id < model.pieces.size(); ++id) {
    const int32_t found = model.pieces.find(model.pieces.tokens()[id]);
    if (found != static_cast<int32_t>(id)) {
      base::fail(base::Status::kParse, path, ": pieces ", id, " and ", found, " are both \"", model.pieces.tokens()[id],
                 "\"");
    }
  }
}

void find_unknown(SpmModel& model, const std::string& path) {
  for (size_t id = 0; id < model.types.size(); ++id) {
    if (model.types[id] != SpmType::kUnknown) continue;
    if (model.unk_id >= 0) {
      base::fail(base::Status::kParse, path, ": pieces ", model.unk_id, " and ", id, " are both of the type unknown");
    }
    model.unk_id = static_cast<int32_t>(id);
  }
  if (model.unk_id < 0) base::fail(base::Status::kParse, path, ": no piece is of the type unknown");
}

void find_bytes(SpmModel& model, const std::string& path) {
  model.byte_ids.fill(-1);
  size_t found = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const int32_t id = model.pieces.find(fallback_token(byte));
    if (id < 0 || model.type(id) != SpmType::kByte) continue;
    model.byte_ids[byte] = id;
    ++found;
  }
  const size_t typed = static_cast<size_t>(std::count(model.types.begin(), model.types.end(), SpmType::kByte));
  if (typed != found || found != (model.byte_fallback ? 256u : 0u)) {
    base::fail(base::Status::kParse, path, ": has ", typed, " pieces of the type byte, ", found,
               " of them <0x00> to <0xFF>, with byte_fallback ", model.byte_fallback ? "on" : "off");
  }
}

}  // namespace

bool SpmModel::has(SpmType wanted) const { return std::find(types.begin(), types.end(), wanted) != types.end(); }

std::vector<std::pair<std::string_view, int32_t>> SpmModel::user_defined() const {
  std::vector<std::pair<std::string_view, int32_t>> symbols;
  for (size_t id = 0; id < types.size(); ++id) {
    if (types[id] == SpmType::kUserDefined) symbols.emplace_back(pieces.tokens()[id], static_cast<int32_t>(id));
  }
  return symbols;
}

SpmModel read_spm_file(const std::string& path) {
  const base::FileContents file(path);
  base::ProtobufReader reader(file.text(), path, "sentencepiece model");
  SpmModel model;
  Pieces pieces;
  Settings settings;
  while (reader.next()) {
    if (reader.field() == 1) read_piece(reader.as_message("piece"), pieces);
    if (reader.field() == 2) read_settings(reader.as_message("trainer_spec"), settings);
    if (reader.field() == 3) read_normalization(reader.as_message("normalizer_spec"), model.normalization);
    if (reader.field() == 5) {
      if (!model.denormalization) model.denormalization.emplace();
      read_normalization(reader.as_message("denormalizer_spec"), *model.denormalization);
    }
  }
  if (settings.model_type < 1 || settings.model_type > 4) {
    base::fail(base::Status::kParse, path, ": trainer_spec: model_type is ", settings.model_type);
  }
  if (pieces.tokens.empty()) base::fail(base::Status::kParse, path, ": a sentencepiece model without pieces");
  model.algorithm = static_cast<SpmAlgorithm>(settings.model_type);
  model.pieces = Vocabulary(std::move(pieces.tokens));
  model.scores = std::move(pieces.scores);
  model.types = std::move(pieces.types);
  model.byte_fallback = settings.byte_fallback;
  if (settings.unk_surface) model.unk_surface = *settings.unk_surface;
  model.normalization.treat_whitespace_as_suffix = settings.treat_whitespace_as_suffix;
  // Only rules make the library denormalize.
  if (model.denormalization && !model.denormalization->rules) model.denormalization.reset();
  check_no_repeats(model, path);
  find_unknown(model, path);
  find_bytes(model, path);
  return model;
}

}  // namespace vsr::text
