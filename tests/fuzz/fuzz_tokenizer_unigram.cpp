// text::load_tokenizer_json with Unigram: with byte fallback, with a precompiled map, without an unknown
// token.
#include "tokenizer_checks.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {
      R"({"added_tokens":[{"id":0,"content":"<s>","single_word":false,"lstrip":false,"rstrip":true,"normalized":true,)"
      R"("special":true}],"normalizer":{"type":"Sequence","normalizers":[{"type":"Nmt"},{"type":"NFKC"},{"type":"Replace",)"
      R"("pattern":{"Regex":" {2,}"},"content":" "}]},"pre_tokenizer":{"type":"Sequence","pretokenizers":[)"
      R"({"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"\u2581","add_prefix_space":true},)"
      R"({"type":"Digits","individual_digits":true},{"type":"Punctuation","behavior":"MergedWithNext"}]},)"
      R"("post_processor":{"type":"RobertaProcessing","sep":["</s>",1],"cls":["<s>",0],"trim_offsets":true,)"
      R"("add_prefix_space":false},"decoder":{"type":"Metaspace","replacement":"\u2581","add_prefix_space":true},)"
      R"("model":{"type":"Unigram","unk_id":2,"byte_fallback":false,"vocab":[["<s>",0.0],["</s>",0.0],["<unk>",0.0],)"
      R"(["\u2581",-1.5],["a",-2.25],["ar",-3.0],["\u2581card",-4.5],["?",-6]]}})",
      // A map whose trie has a root and a leaf for "a", which becomes "b".
      R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"EAAAAAAEAAAAAAAAAAAAAAAAAABiAA=="},)"
      R"("pre_tokenizer":{"type":"FixedLength","length":3},"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,)"
      R"("vocab":[["u",0],["<0xE4>",-1],["<0xBD>",-1],["<0xA0>",-1],["b",-2],["bb",-2.5],["b?",-1e300]]}})",
      R"({"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Contiguous","invert":true},)"
      R"("decoder":{"type":"CTC","pad_token":"p","word_delimiter_token":"|","cleanup":true},)"
      R"("model":{"type":"Unigram","unk_id":null,"vocab":[["W",-1],["h",-1.5],["Where is my card?",-9.0]]}})"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::check_tokenizer_json(fuzz::text_of(data, size));
  return 0;
}
