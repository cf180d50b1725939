// Layout, all numbers little-endian, a string being its length (u32) and its bytes:
//
//   "vsrint\r\n"  version u32  dim u32  rule u32  top_k u32  threshold f32  fingerprint string
//   intents u32   then each: label string, has_threshold u32 (0 or 1), threshold f32
//   examples u64  then each: intent u32, text string
//   vectors       examples x dim f32
//
// Examples are in the order in which they were added.
#include "routing/intents/intents_file.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/utf8.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;
using Reader = base::ByteReader;
using Writer = base::ByteWriter;

constexpr std::string_view kMagic = "vsrint\r\n";
constexpr uint32_t kVersion = 1;
constexpr size_t kMaxDim = 1 << 16;

float read_threshold(Reader& in, const char* what) {
  const float value = in.number<float>(what);
  if (!(value >= -1 && value <= 1)) in.fail_here(what, " is ", value, ", expected -1 to 1");
  return value;
}

void read_head(Reader& in, SavedIntents& saved, const std::string& fingerprint, size_t dim) {
  if (in.left() < kMagic.size() || in.raw(kMagic.size(), "magic") != kMagic) {
    in.fail_here("not a file of intents (hint: vsr_intents_save() writes them)");
  }
  const auto version = in.number<uint32_t>("version");
  if (version != kVersion) {
    fail(Status::kUnsupported, in.source(), ": version ", version, ", this vsr reads version ", kVersion);
  }
  const auto file_dim = in.number<uint32_t>("dim");
  if (file_dim < 1 || file_dim > kMaxDim) in.fail_here("dim is ", file_dim, ", expected 1 to ", kMaxDim);
  const auto rule = in.number<uint32_t>("rule");
  if (rule < 1 || rule > static_cast<uint32_t>(NeighbourRule::kBlend))
    in.fail_here("rule is ", rule, ", expected 1 to 3");
  saved.options.rule = static_cast<NeighbourRule>(rule);
  saved.options.top_k = in.number<uint32_t>("top_k");
  if (saved.options.top_k < 1 || saved.options.top_k > kMaxTopK) {
    in.fail_here("top_k is ", saved.options.top_k, ", expected 1 to ", kMaxTopK);
  }
  saved.options.threshold = read_threshold(in, "threshold");
  saved.fingerprint = in.text("fingerprint");
  if (saved.fingerprint != fingerprint || file_dim != dim) {
    fail(Status::kInvalidArgument, in.source(), ": made with model \"", saved.fingerprint, "\" (dim ", file_dim,
         "), this one is \"", fingerprint, "\" (dim ", dim, ")");
  }
}

std::vector<Intent> read_labels(Reader& in) {
  std::vector<Intent> intents(in.count<uint32_t>("number of intents", 12));
  std::unordered_set<std::string_view> labels;
  for (Intent& intent : intents) {
    intent.label = in.text("label");
    if (intent.label.empty()) in.fail_here("a label is empty");
    if (base::CleanText(intent.label).replaced_bytes() > 0) in.fail_here("label \"", intent.label, "\" is not UTF-8");
    if (!labels.insert(intent.label).second) in.fail_here("label \"", intent.label, "\" occurs twice");
    const auto has_threshold = in.number<uint32_t>("has_threshold");
    if (has_threshold > 1)
      in.fail_here("has_threshold of \"", intent.label, "\" is ", has_threshold, ", expected 0 or 1");
    const float threshold = read_threshold(in, "threshold of an intent");
    if (has_threshold == 1) intent.threshold = threshold;
  }
  return intents;
}

struct Examples {
  std::vector<std::string_view> texts;
  std::vector<uint32_t> owners;
};

Examples read_examples(Reader& in, const std::vector<Intent>& intents, size_t dim) {
  Examples examples;
  const size_t count = in.count<uint64_t>("number of examples", 8 + dim * sizeof(float));
  std::set<std::pair<uint32_t, std::string_view>> known;
  std::vector<bool> used(intents.size());
  for (size_t i = 0; i < count; ++i) {
    const auto owner = in.number<uint32_t>("intent of an example");
    if (owner >= intents.size()) in.fail_here("example ", i, " is of intent ", owner, ", there are ", intents.size());
    const auto text = in.text("example");
    if (!known.emplace(owner, text).second)
      in.fail_here("example ", i, " of \"", intents[owner].label, "\" occurs twice");
    used[owner] = true;
    examples.texts.push_back(text);
    examples.owners.push_back(owner);
  }
  for (size_t i = 0; i < intents.size(); ++i) {
    if (!used[i]) in.fail_here("intent \"", intents[i].label, "\" has no examples");
  }
  return examples;
}

std::vector<float> read_vectors(Reader& in, size_t count, size_t dim) {
  if (in.left() != count * dim * sizeof(float)) {
    in.fail_here("vectors take ", count * dim * sizeof(float), " bytes, the file has ", in.left(), " left");
  }
  std::vector<float> vectors;
  vectors.reserve(count * dim);
  for (size_t i = 0; i < count; ++i) {
    const auto vector = in.unit_vector(dim, "vector " + std::to_string(i));
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  return vectors;
}

}  // namespace

std::string write_intents(const SavedIntents& saved) {
  const IntentsState& state = saved.state;
  Writer out;
  out.raw(kMagic.data(), kMagic.size());
  out.number(kVersion);
  out.number(static_cast<uint32_t>(state.index().dim()));
  out.number(static_cast<uint32_t>(saved.options.rule));
  out.number(static_cast<uint32_t>(saved.options.top_k));
  out.number(saved.options.threshold);
  out.text(saved.fingerprint);

  out.number(static_cast<uint32_t>(state.intents().size()));
  std::vector<uint32_t> owners;
  for (const auto& intent : state.intents()) {
    out.text(intent->label);
    out.number(static_cast<uint32_t>(intent->threshold.has_value()));
    out.number(intent->threshold.value_or(0));
    owners.push_back(intent->owner);
  }
  const auto position_of = [&](uint32_t owner) {
    return static_cast<size_t>(std::lower_bound(owners.begin(), owners.end(), owner) - owners.begin());
  };

  out.number(static_cast<uint64_t>(state.index().size()));
  std::vector<size_t> written(owners.size());
  std::vector<float> vectors;
  state.index().for_each([&](uint64_t, uint32_t owner, const float* row) {
    const size_t i = position_of(owner);
    out.number(static_cast<uint32_t>(i));
    out.text(*state.intents()[i]->examples[written[i]++]);
    vectors.insert(vectors.end(), row, row + state.index().dim());
  });
  out.raw(vectors.data(), vectors.size() * sizeof(float));
  return out.take();
}

SavedIntents read_intents(std::string_view bytes, const std::string& path, const std::string& fingerprint, size_t dim) {
  Reader in(bytes, path);
  SavedIntents saved{{}, {}, IntentsState(dim)};
  read_head(in, saved, fingerprint, dim);
  auto intents = read_labels(in);
  const Examples examples = read_examples(in, intents, dim);
  const auto vectors = read_vectors(in, examples.texts.size(), dim);
  saved.state = IntentsState::restored(dim, std::move(intents), examples.texts, examples.owners, vectors);
  return saved;
}

}  // namespace vsr::routing
