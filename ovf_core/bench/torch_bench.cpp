// Decoders and encoders of pictures of 32 x 32 pixels and 32 latent numbers, on one thread.
#include <benchmark/benchmark.h>

#include "ovf/math/random.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "ovf/vision/train_vae.hpp"

namespace ovf {
namespace {

constexpr int kLatent = 32;

/// After a step of training: what it has learned does not matter for the time.
const StoredImageModel& model_of(VaeArchitecture architecture) {
  const auto train = [](VaeArchitecture which) {
    std::vector<Image> images;
    RandomStream random(1);
    for (int k = 0; k < 8; ++k) {
      Image image(32, 32);
      for (auto& value : image.rgb) value = static_cast<std::uint8_t>(random.bits());
      images.push_back(std::move(image));
    }
    return train_vae(images, {.architecture = which, .epochs = 1, .threads = 1}).model;
  };
  static const StoredImageModel kSmall = train(VaeArchitecture::kSmall);
  static const StoredImageModel kPaper = train(VaeArchitecture::kPaper);
  return architecture == VaeArchitecture::kSmall ? kSmall : kPaper;
}

Eigen::MatrixXd some_latents(int count) {
  Eigen::MatrixXd latents(kLatent, count);
  RandomStream(2).fill_normal(latents);
  return latents;
}

template <VaeArchitecture kArchitecture>
void decode(benchmark::State& state) {
  const ImageModel model = make_image_model(model_of(kArchitecture));
  const Eigen::MatrixXd latents = some_latents(static_cast<int>(state.range(0)));
  Eigen::MatrixXd pixels;
  for (auto _ : state) model.decoder->decode(latents, pixels);
}

template <VaeArchitecture kArchitecture>
void vector_jacobian(benchmark::State& state) {
  const ImageModel model = make_image_model(model_of(kArchitecture));
  const Eigen::MatrixXd latents = some_latents(static_cast<int>(state.range(0)));
  const Eigen::MatrixXd given = Eigen::MatrixXd::Ones(model.decoder->pixel_dim(), latents.cols());
  Eigen::MatrixXd pixels;
  Eigen::MatrixXd gradients;
  for (auto _ : state) model.decoder->vector_jacobian(latents, given, pixels, gradients);
}

template <VaeArchitecture kArchitecture>
void decoder_jacobian(benchmark::State& state) {
  const ImageModel model = make_image_model(model_of(kArchitecture));
  const Eigen::VectorXd latent = some_latents(1);
  Eigen::VectorXd pixels;
  Eigen::MatrixXd J;
  for (auto _ : state) model.decoder->jacobian(latent, pixels, J);
}

template <VaeArchitecture kArchitecture>
void encode(benchmark::State& state) {
  const ImageModel model = make_image_model(model_of(kArchitecture));
  const Eigen::VectorXd pixels = Eigen::VectorXd::Ones(model.decoder->pixel_dim());
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  for (auto _ : state) model.encoder->encode(pixels, mean, deviation);
}

constexpr auto kSmall = VaeArchitecture::kSmall;
constexpr auto kPaper = VaeArchitecture::kPaper;
BENCHMARK_TEMPLATE(decode, kSmall)->Arg(1)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(decode, kPaper)->Arg(1)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(vector_jacobian, kSmall)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(vector_jacobian, kPaper)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(decoder_jacobian, kSmall)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(decoder_jacobian, kPaper)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(encode, kSmall)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(encode, kPaper)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ovf
