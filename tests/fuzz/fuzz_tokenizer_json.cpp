// text::load_tokenizer: any tokenizer.json is a tokenizer or an error, and an accepted one keeps its promises on texts.
#include "fuzz_target.h"
#include "text/tokenizer.h"

using namespace vsr;

namespace {

const std::string_view kTexts[] = {"", "Where is my card?",
                                   "caf\xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x99\x82 [SEP]", "\xFF\xE2\x82 x",
                                   std::string_view("a\0b", 3)};

void check(const text::Tokenizer& tokenizer, const text::Encoding& encoding, std::string_view text,
           std::string_view pair) {
  const size_t size = encoding.size();
  fuzz::demand(encoding.type_ids.size() == size && encoding.offsets.size() == size && encoding.sides.size() == size,
               "an encoding's vectors are of one length");
  for (size_t i = 0; i < size; ++i) {
    fuzz::demand(encoding.ids[i] >= 0 && static_cast<size_t>(encoding.ids[i]) < tokenizer.vocab_size(),
                 "ids are of the vocabulary");
    const size_t limit = encoding.sides[i] == 1 ? pair.size() : text.size();
    fuzz::demand(encoding.offsets[i].start <= encoding.offsets[i].end && encoding.offsets[i].end <= limit,
                 "offsets lie in the text");
  }
  static_cast<void>(tokenizer.decode(encoding.ids, true));
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  // Small, so that mutations hit the structure and not the vocabulary.
  return {
      R"({"version":"1.0","added_tokens":[{"id":0,"content":"[UNK]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true},{"id":1,"content":"[CLS]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true},{"id":2,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true}],"normalizer":{"type":"BertNormalizer","clean_text":true,)"
      R"("handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},)"
      R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},)"
      R"({"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],"pair":[)"
      R"({"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"[CLS]":{"id":)"
      R"("[CLS]","ids":[1],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[2],"tokens":["[SEP]"]}}},)"
      R"("decoder":{"type":"WordPiece","prefix":"##","cleanup":true},"model":{"type":"WordPiece","unk_token":"[UNK]",)"
      R"("continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,)"
      R"("where":3,"card":4,"##s":5,"is":6,"?":7}}})",
      R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"Lowercase"},{"type":"StripAccents"}]},)"
      R"("pre_tokenizer":{"type":"Whitespace"},"model":{"type":"WordPiece","unk_token":"u","vocab":{"u":0,"x":1}}})"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    const fuzz::MemoryFile file(fuzz::text_of(data, size));
    const auto tokenizer = text::load_tokenizer(file.path());
    for (const std::string_view text : kTexts) {
      check(*tokenizer, tokenizer->encode(text, nullptr, true), text, "");
      check(*tokenizer, tokenizer->encode(text, &kTexts[1], true), text, kTexts[1]);
    }
  });
  return 0;
}
