// text::load_tokenizer_json with WordPiece.
#include "tokenizer_checks.h"

using namespace vsr;

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
  fuzz::check_tokenizer_json(fuzz::text_of(data, size));
  return 0;
}
