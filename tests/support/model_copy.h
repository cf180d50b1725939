// A copy of one of the tiny golden models, to be broken.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "support/data.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

namespace vsr::test {

using Json = nlohmann::ordered_json;

// A checkpoint's tensors, to be changed and written again.
struct StoredTensors {
  Json header;
  std::string data;

  explicit StoredTensors(const std::string& file) {
    uint64_t length = 0;
    std::memcpy(&length, file.data(), 8);
    header = Json::parse(file.substr(8, length));
    data = file.substr(8 + length);
  }

  // The bytes of one tensor inside `data`.
  char* bytes(const std::string& name) { return data.data() + header.at(name).at("data_offsets")[0].get<size_t>(); }

  void remove(const std::string& name) {
    StoredTensors old = *this;
    old.header.erase(name);
    data.clear();
    header = Json::object();
    for (const auto& [key, entry] : old.header.items()) {
      if (key == "__metadata__") continue;
      const size_t begin = entry.at("data_offsets")[0], end = entry.at("data_offsets")[1];
      header[key] = entry;
      header[key]["data_offsets"] = {data.size(), data.size() + end - begin};
      data.append(old.data, begin, end - begin);
    }
  }

  void add(const std::string& name, const std::string& dtype, const std::vector<int64_t>& shape,
           const std::string& content) {
    header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {data.size(), data.size() + content.size()}}};
    data += content;
  }

  std::string file() const { return safetensors_bytes(header.dump(), data); }
};

class ModelCopy {
 public:
  explicit ModelCopy(const std::string& golden, const std::string& kind = "models",
                     std::string weights = "model.safetensors")
      : weights_(std::move(weights)) {
    std::filesystem::copy(source_path("tests/goldens/" + kind + "/" + golden), path(),
                          std::filesystem::copy_options::recursive);
  }

  std::filesystem::path path() const { return folder_.path() / "model"; }
  std::string operator/(std::string_view name) const { return (path() / name).string(); }

  void write(const std::string& name, std::string_view content) const { folder_.write("model/" + name, content); }
  void remove(const std::string& name) const { std::filesystem::remove_all(path() / name); }
  // The file becomes a link to `target`.
  void link(const std::string& name, const std::string& target) const {
    remove(name);
    std::filesystem::create_symlink(target, path() / name);
  }
  void edit(const std::string& name, const std::function<void(Json&)>& change) const {
    Json json = Json::parse(read_file(path() / name));
    change(json);
    write(name, json.dump());
  }
  // Sets one key of a JSON file.
  void set(const std::string& name, const std::string& key, const Json& value) const {
    edit(name, [&](Json& json) { json[key] = value; });
  }
  void edit_tensors(const std::function<void(StoredTensors&)>& change) const {
    StoredTensors tensors(read_file(path() / weights_));
    change(tensors);
    write(weights_, tensors.file());
  }

 private:
  TempFolder folder_;
  std::string weights_;
};

// A copy of one of the tiny golden adapters, to be broken.
struct AdapterCopy : ModelCopy {
  explicit AdapterCopy(const std::string& golden) : ModelCopy(golden, "adapters", "adapter_model.safetensors") {}
};

}  // namespace vsr::test
