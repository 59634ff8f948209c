#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ovf/vision/load_image_model.hpp"
#include "vision/torch/vae_cases.hpp"

namespace ovf {
namespace {

using test::model_error;
using test::script_file;
using testing::HasSubstr;

const StoredImageModel& sound_model() {
  static const StoredImageModel kModel = test::tiny_model();
  return kModel;
}

class DamagedModel : public testing::Test {
 protected:
  DamagedModel() { write_image_model(folder_, sound_model()); }

  std::string load() const {
    return model_error([&] { load_image_model(folder_, {.trial_seconds = 2}); });
  }
  /// With other networks, whose sizes and checksums are right.
  std::string load_with(const std::function<void(StoredImageModel&)>& change) const {
    StoredImageModel model = sound_model();
    change(model);
    std::filesystem::remove_all(folder_);
    write_image_model(folder_, model);
    return load();
  }
  std::string load_decoder(const std::string& code) const {
    return load_with([&](StoredImageModel& model) { model.decoder = script_file(code); });
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
  for (const std::string name : {"manifest.json", "pixel_scale.f32", "decoder.pt", "encoder.pt"}) {
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
  for (const std::string name : {"pixel_scale.f32", "decoder.pt", "encoder.pt"}) {
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
      {"version is 2", [](Json& m) { m["version"] = 2; }},
      {"version is missing", [](Json& m) { m.erase("version"); }},
      {"pixel_order is bgr", [](Json& m) { m["pixel_order"] = "bgr"; }},
      {"latent_dim is 1000000", [](Json& m) { m["latent_dim"] = 1000000; }},
      {"latent_dim is -1", [](Json& m) { m["latent_dim"] = -1; }},
      {"latent_dim is 4.5", [](Json& m) { m["latent_dim"] = 4.5; }},
      {"width is 18446744073709551615", [](Json& m) { m["width"] = UINT64_MAX; }},
      {"height is \"8\"", [](Json& m) { m["height"] = "8"; }},
      {"name is [1]", [](Json& m) { m["name"] = {1}; }},
      {"pixel_scale.f32: 1536 bytes", [](Json& m) { m["width"] = 16; }},
      {"files has no entry decoder.pt", [](Json& m) { m["files"].erase("decoder.pt"); }},
      {"files are not listed", [](Json& m) { m["files"] = 3; }},
      {"bytes is 9999999999", [](Json& m) { m["files"]["decoder.pt"]["bytes"] = 9999999999; }},
      {"crc32 is null", [](Json& m) { m["files"]["decoder.pt"]["crc32"] = nullptr; }},
      {"training", [](Json& m) { m["training"] = {1, 2}; }},
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

TEST_F(DamagedModel, NetworksOfOtherShapesAreRefused) {
  EXPECT_THAT(load_decoder("def forward(self, x):\n    return x\n"),
              HasSubstr("decoder.pt: forward makes Float (1, 4) of an input (1, 4); expected Float "
                        "(1, 3, 8, 8)"));
  EXPECT_THAT(load_manifest([](nlohmann::json& m) { m["latent_dim"] = 7; }), HasSubstr("decoder.pt"));
  EXPECT_THAT(load_decoder("def forward(self, x, y):\n    return x\n"),
              HasSubstr("takes 2 inputs"));
  EXPECT_THAT(load_decoder("def forward(self, x):\n    return [x]\n"),
              HasSubstr("expected a tensor"));
  EXPECT_THAT(load_decoder("def other(self, x):\n    return x\n"),
              HasSubstr("has no function forward"));
  EXPECT_THAT(load_with([](StoredImageModel& model) { model.encoder = model.decoder; }),
              HasSubstr("encoder.pt"));
}

TEST_F(DamagedModel, NumbersThatAreNotFiniteAreRefused) {
  const std::string pixels = "    return (x.sum() * 0 + torch.zeros([x.size(0), 3, 8, 8]))";
  EXPECT_THAT(load_decoder("def forward(self, x):\n" + pixels + " / 0\n"),
              HasSubstr("not finite"));
  EXPECT_THAT(load_with([&](StoredImageModel& model) {
                model.decoder = script_file("def forward(self, x):\n" + pixels + " * self.weight\n",
                                            1, std::numeric_limits<float>::infinity());
              }),
              HasSubstr("the parameters weight are not all finite"));
}

TEST_F(DamagedModel, WhatNeverEndsIsRefused) {
  EXPECT_THAT(load_decoder("def forward(self, x):\n"
                           "    while bool(x.sum() < 1e9):\n"
                           "        x = x * 1\n"
                           "    return x\n"),
              HasSubstr("forward has a loop"));
  // Runs while it is loaded.
  EXPECT_THAT(load_decoder("def forward(self, x):\n"
                           "    return x\n"
                           "def __getstate__(self):\n"
                           "    return 1\n"
                           "def __setstate__(self, state: int):\n"
                           "    k = 0\n"
                           "    while k < 1:\n"
                           "        k = k * 1\n"),
              HasSubstr("was not done after 2 seconds"));
}

TEST_F(DamagedModel, WhatTakesAllMemoryIsRefused) {
  EXPECT_THAT(load_decoder("def forward(self, x):\n"
                           "    return torch.ones([100000, 100000, 100])\n"),
              HasSubstr("decoder.pt"));
}

TEST_F(DamagedModel, AnyBytesInPlaceOfANetworkAreRefused) {
  const std::string sound = sound_model().decoder;
  const std::vector<std::string> all = {"x", std::string(1000, 'P'), "PK\x03\x04",
                                        sound.substr(0, sound.size() / 3), sound.substr(100)};
  for (const std::string& bytes : all) {
    EXPECT_THAT(load_with([&](StoredImageModel& model) { model.decoder = bytes; }),
                HasSubstr("decoder.pt"));
  }
  // Anywhere in the file: refused, or of no consequence.
  for (std::size_t k = 0; k < 12; ++k) {
    std::string bytes = sound;
    bytes[k * (bytes.size() / 12)] = static_cast<char>(0xff);
    load_with([&](StoredImageModel& model) { model.decoder = bytes; });
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
