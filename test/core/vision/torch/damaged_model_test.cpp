#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ovf/vision/load_image_model.hpp"
#include "vision/torch/vae_cases.hpp"

namespace ovf {
namespace {

using test::model_error;
using testing::HasSubstr;

const StoredImageModel& sound_model() {
  static const StoredImageModel kModel = test::tiny_model();
  return kModel;
}

/// As docs/vision.md has it, and zlib.
std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

class DamagedModel : public testing::Test {
 protected:
  DamagedModel() { write_image_model(folder_, sound_model()); }

  std::string load() const {
    return model_error([&] { load_image_model(folder_); });
  }
  /// With other bytes in a file, whose size and checksum in the manifest are right.
  std::string load_with(const std::string& name, const std::string& bytes) const {
    write(name, bytes);
    return load_manifest([&](nlohmann::json& manifest) {
      manifest["files"][name]["bytes"] = bytes.size();
      manifest["files"][name]["crc32"] = crc_of(bytes);
    });
  }
  std::string load_manifest(const std::function<void(nlohmann::json&)>& change) const {
    nlohmann::json manifest = nlohmann::json::parse(read("manifest.json"));
    change(manifest);
    write("manifest.json", manifest.dump());
    return load();
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }

  test::ScratchFolder scratch_;
  std::filesystem::path folder_ = scratch_ / "model";
};

TEST_F(DamagedModel, NothingIsWrongWithoutDamage) { EXPECT_EQ(load(), ""); }

TEST_F(DamagedModel, MissingEmptyAndCutFilesAreNamed) {
  for (const std::string name :
       {"manifest.json", "pixel_scale.f32", "decoder.f32", "encoder.f32"}) {
    const std::string bytes = read(name);
    std::filesystem::remove(folder_ / name);
    EXPECT_THAT(load(), HasSubstr(name + ": there is no such file"));
    std::filesystem::create_directory(folder_ / name);
    EXPECT_THAT(load(), HasSubstr(name + ": expected a plain file"));
    std::filesystem::remove(folder_ / name);
    write(name, "");
    EXPECT_THAT(load(), HasSubstr(name)) << "empty";
    write(name, bytes.substr(0, bytes.size() / 2));
    EXPECT_THAT(load(), HasSubstr(name)) << "half";
    write(name, bytes);
  }
  EXPECT_EQ(load(), "");
  EXPECT_THAT(model_error([&] { load_image_model(scratch_ / "none"); }), HasSubstr("no folder"));
}

TEST_F(DamagedModel, ChangedBytesAreNoticed) {
  for (const std::string name : {"pixel_scale.f32", "decoder.f32", "encoder.f32"}) {
    const std::string bytes = read(name);
    std::string changed = bytes;
    changed[bytes.size() / 2] = static_cast<char>(changed[bytes.size() / 2] ^ 1);
    write(name, changed);
    EXPECT_THAT(load(), HasSubstr(name + ": damaged"));
    write(name, bytes);
  }
}

TEST_F(DamagedModel, WrongEntriesOfTheManifestAreNamed) {
  using Json = nlohmann::json;
  const std::vector<std::pair<std::string, std::function<void(Json&)>>> cases = {
      {"format is other", [](Json& m) { m["format"] = "other"; }},
      {"format is 5", [](Json& m) { m["format"] = 5; }},
      {"version is 3", [](Json& m) { m["version"] = 3; }},
      {"version is missing", [](Json& m) { m.erase("version"); }},
      {"pixel_order is bgr", [](Json& m) { m["pixel_order"] = "bgr"; }},
      {"latent_dim is 1000000", [](Json& m) { m["latent_dim"] = 1000000; }},
      {"latent_dim is -1", [](Json& m) { m["latent_dim"] = -1; }},
      {"latent_dim is 4.5", [](Json& m) { m["latent_dim"] = 4.5; }},
      {"width is 18446744073709551615", [](Json& m) { m["width"] = UINT64_MAX; }},
      {"height is \"8\"", [](Json& m) { m["height"] = "8"; }},
      {"name is [1]", [](Json& m) { m["name"] = {1}; }},
      {"latent_dim is 1e+300", [](Json& m) { m["latent_dim"] = 1e300; }},
      {"pixel_scale.f32 has 1536 bytes; 768 numbers", [](Json& m) { m["width"] = 16; }},
      {"10 x 8 pixels; expected multiples of 4", [](Json& m) { m["width"] = 10; }},
      {"4096 x 4096 pixels take too much memory",
       [](Json& m) {
         m["width"] = 4096;
         m["height"] = 4096;
       }},
      {"architecture is huge", [](Json& m) { m["architecture"] = "huge"; }},
      {"architecture is missing", [](Json& m) { m.erase("architecture"); }},
      {"tensor 0 is {\"name\":\"weight0\",\"shape\":[32,4]}; expected "
       "{\"name\":\"weight0\",\"shape\":[256,4]}",
       [](Json& m) {
         m["files"]["decoder.f32"]["tensors"][0]["shape"] = {32, 4};
       }},
      {"tensor 0", [](Json& m) { m["latent_dim"] = 7; }},
      {"does not list the 8 tensors",
       [](Json& m) { m["files"]["encoder.f32"]["tensors"].erase(0); }},
      {"does not list the 8 tensors", [](Json& m) { m["files"]["encoder.f32"].erase("tensors"); }},
      {"files has no entry decoder.f32", [](Json& m) { m["files"].erase("decoder.f32"); }},
      {"files are not listed", [](Json& m) { m["files"] = 3; }},
      {"bytes is 9999999999", [](Json& m) { m["files"]["decoder.f32"]["bytes"] = 9999999999; }},
      {"crc32 is null", [](Json& m) { m["files"]["decoder.f32"]["crc32"] = nullptr; }},
      {"training",
       [](Json& m) {
         m["training"] = {1, 2};
       }},
  };
  const std::string sound = read("manifest.json");
  for (const auto& [expected, change] : cases) {
    EXPECT_THAT(load_manifest(change), HasSubstr(expected));
    write("manifest.json", sound);
  }
  for (const std::string& text : {std::string("[]"), std::string("{\"format\":"),
                                  std::string(100000, '['), std::string(100, '\0')}) {
    write("manifest.json", text);
    EXPECT_THAT(load(), HasSubstr("manifest.json: not JSON"));
  }
}

// The folders of version 1 had programs in them.
TEST_F(DamagedModel, ModelsThatAreProgramsAreRefusedWithWhatToDo) {
  std::filesystem::rename(folder_ / "decoder.f32", folder_ / "decoder.pt");
  std::filesystem::rename(folder_ / "encoder.f32", folder_ / "encoder.pt");
  const std::string said = load_manifest([](nlohmann::json& m) { m["version"] = 1; });
  EXPECT_THAT(said, HasSubstr("a model of version 1, whose networks are programs"));
  EXPECT_THAT(said, HasSubstr("train it again with `ovf train-vae`"));
}

// What torch.save and torch.jit.save write, and anything else, is a row of numbers or refused.
TEST_F(DamagedModel, OtherBytesInPlaceOfANetworkAreRefused) {
  const std::string sound = read("decoder.f32");
  const std::vector<std::string> all = {"x",
                                        std::string(1000, 'P'),
                                        "PK\x03\x04",
                                        sound.substr(0, sound.size() / 3),
                                        sound.substr(4),
                                        sound + sound};
  for (const std::string& bytes : all) {
    EXPECT_THAT(load_with("decoder.f32", bytes), HasSubstr("decoder.f32"));
  }
  EXPECT_EQ(load_with("decoder.f32", sound), "");
  EXPECT_THAT(load_with("encoder.f32", sound), HasSubstr("encoder.f32"));
}

TEST_F(DamagedModel, NumbersThatAreNotFiniteAreRefused) {
  for (const char* name : {"decoder.f32", "encoder.f32", "pixel_scale.f32"}) {
    const std::string sound = read(name);
    for (const float value :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      std::string bytes = sound;
      std::memcpy(bytes.data() + bytes.size() / 8 * 4, &value, sizeof(value));
      EXPECT_THAT(load_with(name, bytes), HasSubstr(name)) << value;
    }
    EXPECT_EQ(load_with(name, sound), "");
  }
}

TEST_F(DamagedModel, FiniteWeightsThatMakeInfiniteNumbersAreRefused) {
  for (const auto& [name, network] : {std::pair("decoder.f32", "the decoder makes"),
                                      std::pair("encoder.f32", "the encoder makes")}) {
    const std::string sound = read(name);
    std::string bytes = sound;
    const float huge = 3e38F;
    for (std::size_t k = 0; k < bytes.size(); k += 4) std::memcpy(&bytes[k], &huge, sizeof(huge));
    EXPECT_THAT(load_with(name, bytes), HasSubstr(network));
    EXPECT_EQ(load_with(name, sound), "");
  }
}

TEST_F(DamagedModel, AFolderThatIsNotEmptyIsLeftAlone) {
  EXPECT_THAT(model_error([&] { write_image_model(folder_, sound_model()); }),
              HasSubstr("there is something already"));
  EXPECT_EQ(load(), "");
  EXPECT_THAT(model_error([&] { write_image_model("/proc/none/model", sound_model()); }),
              HasSubstr("cannot be created"));
}

}  // namespace
}  // namespace ovf
