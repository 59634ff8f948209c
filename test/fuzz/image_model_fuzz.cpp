// The folder of an image model with any manifest: a model or an ImageModelError.
#include <array>
#include <cstddef>
#include <cstdint>

#include "ovf/vision/stored_image_model.hpp"
#include "scratch_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<std::uint8_t, 4096> kZeros{};
  const auto folder = ovf::scratch_folder() / "model";
  std::filesystem::create_directories(folder);
  ovf::write_bytes(folder / "manifest.json", data, size);
  for (const char* name : {"pixel_scale.f32", "decoder.f32", "encoder.f32"}) {
    ovf::write_bytes(folder / name, kZeros.data(), kZeros.size());
  }
  try {
    static_cast<void>(ovf::read_image_model(folder));
  } catch (const ovf::ImageModelError&) {
  }
  return 0;
}
