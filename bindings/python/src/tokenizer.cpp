#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine.h"
#include "text.h"
#include "tokenizer.h"

namespace vsr_python {
namespace {

// An encoding with offsets as the caller's objects count.
class Encoding {
 public:
  Encoding(vsr_encoding* encoding, const Text& text, const Text* pair)
      : handle_(owned(encoding, &vsr_encoding_free)), text_(text), pair_(pair == nullptr ? text : *pair) {}

  size_t size() const { return vsr_encoding_token_count(handle_.get()); }
  size_t windows() const { return vsr_encoding_window_count(handle_.get()); }
  size_t replaced() const { return vsr_encoding_replaced_size(handle_.get()); }
  py::list ids() const { return numbers(vsr_encoding_ids(handle_.get())); }
  py::list type_ids() const { return numbers(vsr_encoding_type_ids(handle_.get())); }
  py::list sides() const { return numbers(vsr_encoding_sides(handle_.get())); }

  py::list offsets() const {
    const OffsetMap text_map(text_), pair_map(pair_);
    const size_t* bytes = vsr_encoding_offsets(handle_.get());
    const int32_t* sides = vsr_encoding_sides(handle_.get());
    py::list list(size());
    for (size_t i = 0; i < size(); ++i) {
      const OffsetMap& map = sides[i] == 1 ? pair_map : text_map;
      list[i] = py::make_tuple(map.start(bytes[2 * i]), map.end(bytes[2 * i + 1]));
    }
    return list;
  }

  // A vocabulary may hold entries that are not UTF-8.
  py::list tokens() const {
    py::list list(size());
    for (size_t i = 0; i < size(); ++i) {
      list[i] = decoded(vsr_encoding_token(handle_.get(), i));
    }
    return list;
  }

 private:
  py::list numbers(const int32_t* values) const {
    py::list list(size());
    for (size_t i = 0; i < size(); ++i) list[i] = py::int_(values[i]);
    return list;
  }

  std::shared_ptr<vsr_encoding> handle_;
  Text text_, pair_;
};

// A text and, unless None, its pair.
struct Sides {
  Sides(py::handle text, py::handle pair) : first(text, "text") {
    if (pair.is_none()) return;
    second.emplace(pair, "pair");
    pair_view = second->view();
  }
  const vsr_str* pair() const { return second ? &pair_view : nullptr; }
  const Text* pair_text() const { return second ? &*second : nullptr; }

  Text first;
  std::optional<Text> second;
  vsr_str pair_view{};
};

Tokenizer load_tokenizer(py::object path) {
  const Path held(path, "path");
  vsr_tokenizer* tokenizer = nullptr;
  call([&](vsr_error* error) { return vsr_tokenizer_load(held.get(), &tokenizer, error); });
  return Tokenizer(tokenizer);
}

Tokenizer engine_tokenizer(const Engine& engine, py::object model) {
  const auto handle = engine.hold();
  const CString name(model, "model");
  vsr_tokenizer* tokenizer = nullptr;
  call([&](vsr_error* error) { return vsr_engine_tokenizer(handle.get(), name.get(), &tokenizer, error); });
  return Tokenizer(tokenizer);
}

Encoding encode(const Tokenizer& tokenizer, py::object text, py::object pair, bool add_special_tokens) {
  const auto handle = tokenizer.hold();
  const Sides sides(text, pair);
  vsr_encoding* encoding = nullptr;
  call([&](vsr_error* error) {
    return vsr_tokenizer_encode(handle.get(), sides.first.view(), sides.pair(), add_special_tokens ? 1 : 0, &encoding,
                                error);
  });
  return Encoding(encoding, sides.first, sides.pair_text());
}

Encoding tokenize(const Engine& engine, py::object text, py::object pair, py::object model) {
  return encode(engine_tokenizer(engine, model), text, pair, true);
}

int32_t token_id(py::handle value, size_t i) {
  int overflow = 0;
  const long long id = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow != 0 || id < std::numeric_limits<int32_t>::min() || id > std::numeric_limits<int32_t>::max()) {
    throw StatusError(VSR_ERR_INVALID_ARGUMENT,
                      "ids[" + std::to_string(i) + "] is " + py::str(value).cast<std::string>() + ", not a token id");
  }
  return static_cast<int32_t>(id);
}

py::str decode(const Tokenizer& tokenizer, py::object ids, bool skip_special_tokens) {
  const auto handle = tokenizer.hold();
  std::vector<int32_t> numbers;
  for (const py::handle id : py::iter(ids)) {
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(id.ptr()));  // numpy's integers too
    if (!number) throw py::error_already_set();
    numbers.push_back(token_id(number, numbers.size()));
  }
  vsr_string* text = nullptr;
  call([&](vsr_error* error) {
    return vsr_tokenizer_decode(handle.get(), numbers.data(), numbers.size(), skip_special_tokens ? 1 : 0, &text,
                                error);
  });
  return take_string(text);
}

}  // namespace

void register_tokenizer(py::module_& m) {
  py::class_<Encoding>(m, "Encoding")
      .def("__len__", &Encoding::size)
      .def_property_readonly("ids", &Encoding::ids)
      .def_property_readonly("type_ids", &Encoding::type_ids)
      .def_property_readonly("sides", &Encoding::sides)
      .def_property_readonly("tokens", &Encoding::tokens)
      .def_property_readonly("offsets", &Encoding::offsets)
      .def_property_readonly("windows", &Encoding::windows)
      .def_property_readonly("replaced", &Encoding::replaced);
  py::class_<Tokenizer>(m, "Tokenizer")
      .def("encode", &encode, py::arg("text"), py::arg("pair"), py::arg("add_special_tokens"))
      .def("decode", &decode, py::arg("ids"), py::arg("skip_special_tokens"))
      .def_property_readonly("vocab_size", [](const Tokenizer& t) { return vsr_tokenizer_id_count(t.hold().get()); });
  m.def("load_tokenizer", &load_tokenizer, py::arg("path"));
  m.def("engine_tokenizer", &engine_tokenizer, py::arg("engine"), py::arg("model"));
  m.def("tokenize", &tokenize, py::arg("engine"), py::arg("text"), py::arg("pair"), py::arg("model"));
}

}  // namespace vsr_python
