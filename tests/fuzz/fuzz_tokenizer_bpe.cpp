// text::load_tokenizer_json with BPE: over bytes, over characters with byte fallback, with affixes.
#include "tokenizer_checks.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {
      R"({"added_tokens":[{"id":9,"content":"<|x|>","single_word":false,"lstrip":true,"rstrip":true,"normalized":false,)"
      R"("special":true}],"normalizer":{"type":"NFC"},"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split",)"
      R"("pattern":{"Regex":"(?i:'s|'t)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|\\s+(?!\\S)|\\s+"},"behavior":"Isolated",)"
      R"("invert":false},{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":false,"use_regex":false}]},)"
      R"("post_processor":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},)"
      R"("decoder":{"type":"ByteLevel"},"model":{"type":"BPE","dropout":null,"unk_token":"u","fuse_unk":true,)"
      R"("byte_fallback":false,"ignore_merges":false,"vocab":{"u":0,"W":1,"h":2,"e":3,"r":4,"he":5,"re":6,"here":7,)"
      R"("\u0120":8},"merges":["h e",["r","e"],["he","re"]]}})",
      R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"\u2581"},{"type":"Replace",)"
      R"("pattern":{"String":" "},"content":"\u2581"}]},"post_processor":{"type":"TemplateProcessing","single":[)"
      R"({"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A",)"
      R"("type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]}}},)"
      R"("decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"\u2581"},"content":" "},)"
      R"({"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]},"model":{"type":"BPE",)"
      R"("unk_token":"<unk>","fuse_unk":true,"byte_fallback":true,"vocab":{"<unk>":0,"<s>":1,"<0xE4>":2,"<0xBD>":3,)"
      R"("<0xA0>":4,"\u2581":5,"a":6,"r":7,"ar":8,"\u2581ar":9},"merges":[["a","r"],["\u2581","ar"]]}})",
      R"({"pre_tokenizer":{"type":"Metaspace","replacement":"\u2581","prepend_scheme":"first","split":true},)"
      R"("decoder":{"type":"BPEDecoder","suffix":"</w>"},"model":{"type":"BPE","unk_token":"u",)"
      R"("continuing_subword_prefix":"##","end_of_word_suffix":"</w>","fuse_unk":false,"vocab":{"u":0,"c":1,"##a":2,)"
      R"("##d</w>":3,"ca":4,"cad</w>":5,"a</w>":6},"merges":["c ##a","ca ##d</w>"]}})"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::check_tokenizer_json(fuzz::text_of(data, size));
  return 0;
}
