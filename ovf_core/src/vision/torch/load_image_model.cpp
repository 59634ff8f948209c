#include "ovf/vision/load_image_model.hpp"

#include <fmt/format.h>

#include "vision/torch/torch_image_model.hpp"
#include "vision/torch/torch_threads.hpp"
#include "vision/torch/trial_process.hpp"

namespace ovf {

ImageModel load_image_model(const std::filesystem::path& folder,
                            const ImageModelOptions& options) {
  const StoredImageModel model = read_image_model(folder);
  const std::string problem = try_in_process(
      {.seconds = options.trial_seconds, .memory = options.trial_memory}, [&] {
        // The threads of the process that this is a copy of are not here.
        set_torch_threads(1);
        try_networks(model);
      });
  if (!problem.empty()) {
    throw ImageModelError(fmt::format(
        "{}: the networks of this model cannot be used: {}. Train it again with `ovf train-vae`, "
        "or see docs/vision.md for what a network from elsewhere must be.",
        folder.string(), problem));
  }
  try {
    return make_image_model(model, options);
  } catch (const ImageModelError& error) {
    throw ImageModelError(fmt::format("{}: {}", folder.string(), error.what()));
  }
}

}  // namespace ovf
