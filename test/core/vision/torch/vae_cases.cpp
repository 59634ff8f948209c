#include "vision/torch/vae_cases.hpp"

#include <unistd.h>

#include "ovf/math/random.hpp"

namespace ovf::test {

std::vector<Image> square_pictures(int count, ImageSize size) {
  RandomStream random(5);
  std::vector<Image> images;
  for (int k = 0; k < count; ++k) {
    Image image(size.width, size.height);
    for (int square = 0; square < 2; ++square) {
      const int side = size.width / 2;
      const int left = random.uniform_index(size.width - side + 1);
      const int top = random.uniform_index(size.height - side + 1);
      const int bright = 100 + random.uniform_index(156);
      for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) {
          image.at(x, y)[square] = static_cast<std::uint8_t>(bright);
        }
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

VaeConfig tiny_config(VaeArchitecture architecture, ImageSize size) {
  return {.architecture = architecture,
          .latent_dim = 4,
          .size = size,
          .epochs = 1,
          .batch = 8,
          .threads = 1};
}

StoredImageModel tiny_model(VaeArchitecture architecture, ImageSize size) {
  return train_vae(square_pictures(10, size), tiny_config(architecture, size)).model;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "ovf_torch_XXXXXX").string();
  path_ = mkdtemp(name.data());
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace ovf::test
