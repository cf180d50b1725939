#include <memory>

#include "options.h"
#include "text.h"

namespace vsr_python {
namespace {

// (text, [(start, end)] as indices of `text`, tokens before, tokens after, estimated)
py::tuple compress(py::object text, size_t max_tokens, const py::dict& given) {
  const Text held(text, "text");
  const CompressOptions options(given);
  vsr_compressed* made = nullptr;
  call([&](vsr_error* error) { return vsr_compress(held.view(), max_tokens, options.get(), &made, error); });
  const auto owner = owned(made, &vsr_compressed_free);
  const OffsetMap offsets(held);
  py::list kept;
  for (size_t i = 0; i < vsr_compressed_range_count(made); ++i) {
    const vsr_range& range = *vsr_compressed_range(made, i);
    kept.append(py::make_tuple(offsets.start(range.start), offsets.end(range.end)));
  }
  return py::make_tuple(decoded(vsr_compressed_text(made)), kept, vsr_compressed_given_token_count(made),
                        vsr_compressed_kept_token_count(made), vsr_compressed_estimated(made) != 0);
}

}  // namespace

void register_compress(py::module_& m) {
  m.def("compress", &compress, py::arg("text"), py::arg("max_tokens"), py::arg("options"));
}

}  // namespace vsr_python
