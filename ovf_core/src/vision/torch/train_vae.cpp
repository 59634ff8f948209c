#include "ovf/vision/train_vae.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ovf/math/random.hpp"
#include "vision/torch/torch_network.hpp"
#include "vision/torch/torch_threads.hpp"
#include "vision/torch/vae_checkpoint.hpp"
#include "vision/vae_networks.hpp"

namespace ovf {
namespace {

using torch::Tensor;

constexpr std::uint64_t kSplitStream = 320;
constexpr std::uint64_t kStartStream = 321;
constexpr std::uint64_t kTrainingStream = 322;
constexpr std::uint64_t kValidationStream = 323;
constexpr int kValidationBatch = 128;
// Of Adam.
constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kLeastDeviation = 1e-8;

void draw_weights(const Network& network, RandomStream& random, float*& out) {
  for (const NetworkTensor& tensor : network.tensors) {
    for (std::int64_t k = 0; k < count_of(tensor); ++k) {
      *out++ = static_cast<float>(tensor.bound * (2.0 * random.uniform() - 1.0));
    }
  }
}

void shuffle(std::vector<std::int64_t>& order, RandomStream& random) {
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1],
              order[static_cast<std::size_t>(random.uniform_index(static_cast<int>(k)))]);
  }
}

struct Split {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> validation;
};

Split split_of(std::size_t count, const VaeConfig& config) {
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(config.seed, kSplitStream);
  shuffle(order, random);
  const auto share =
      static_cast<std::int64_t>(std::llround(config.validation_share * static_cast<double>(count)));
  const auto held = std::clamp<std::int64_t>(share, 1, static_cast<std::int64_t>(count) - 1);
  return {{order.begin() + held, order.end()}, {order.begin(), order.begin() + held}};
}

PixelScale scale_of(const std::vector<Image>& images, const std::vector<std::int64_t>& used,
                    ImageSize size) {
  PixelStatistics statistics(size);
  for (const std::int64_t k : used) statistics.add(images[static_cast<std::size_t>(k)]);
  return statistics.scale();
}

/// The pictures as bytes, and their standardisation.
class Pictures {
 public:
  Pictures(const std::vector<Image>& images, const PixelScale& scale, torch::Device device)
      : bytes_(torch::empty({static_cast<std::int64_t>(images.size()), scale.size().height,
                             scale.size().width, Image::kChannels},
                            torch::kUInt8)),
        mean_(tensor_of(scale.mean(), scale.size()).to(device)),
        gain_(tensor_of(scale.deviation(), scale.size()).reciprocal().to(device)) {
    auto* out = bytes_.data_ptr<std::uint8_t>();
    for (const Image& image : images) out = std::copy(image.rgb.begin(), image.rgb.end(), out);
    bytes_ = bytes_.to(device);
  }

  /// Of those of `order` from `first` on: (count, 3, height, width).
  Tensor batch(const std::vector<std::int64_t>& order, std::size_t first, std::size_t count) const {
    const Tensor which = torch::from_blob(const_cast<std::int64_t*>(order.data() + first),
                                          {static_cast<std::int64_t>(count)}, torch::kInt64);
    const Tensor values =
        bytes_.index_select(0, which.to(bytes_.device())).permute({0, 3, 1, 2}).to(torch::kFloat32);
    return values.contiguous().mul_(1.0 / 255.0).sub_(mean_).mul_(gain_);
  }

 private:
  static Tensor tensor_of(const Eigen::VectorXf& values, ImageSize size) {
    return torch::from_blob(const_cast<float*>(values.data()),
                            {Image::kChannels, size.height, size.width}, torch::kFloat32)
        .clone();
  }

  Tensor bytes_;
  Tensor mean_;
  Tensor gain_;
};

class Trainer {
 public:
  Trainer(const std::vector<Image>& images, const VaeConfig& config)
      : config_(config),
        device_(torch_device()),
        split_(split_of(images.size(), config)),
        scale_(scale_of(images, split_.train, config.size)),
        pictures_(images, scale_, device_),
        networks_(vae_networks(config.architecture, config.latent_dim, config.size)),
        decoder_size_(networks_.decoder.parameter_count()),
        encoder_size_(networks_.encoder.parameter_count()),
        identity_(training_identity(config, images)) {
    const std::int64_t count = decoder_size_ + encoder_size_;
    state_.parameters.resize(count);
    RandomStream start(config.seed, kStartStream);
    float* out = state_.parameters.data();
    draw_weights(networks_.decoder, start, out);
    draw_weights(networks_.encoder, start, out);
    state_.best_parameters = state_.parameters;
    state_.first_moments.setZero(count);
    state_.second_moments.setZero(count);
    state_.random = RandomStream(config.seed, kTrainingStream);
  }

  VaeTraining run(const VaeCallbacks& callbacks, const VaeCheckpoint& checkpoint) {
    if (checkpoint.resume && std::filesystem::exists(checkpoint.file)) {
      read_checkpoint(checkpoint.file, identity_, state_);
    }
    use_state();
    while (static_cast<int>(state_.epochs.size()) < config_.epochs && !is_over()) {
      VaeEpoch epoch;
      epoch.number = static_cast<int>(state_.epochs.size()) + 1;
      epoch.train_loss = train(callbacks);
      validate(epoch);
      require_finite(epoch);
      epoch.is_best = best() == nullptr || epoch.validation_loss < best()->validation_loss;
      keep_state(epoch);
      if (!checkpoint.file.empty()) write_checkpoint(checkpoint.file, identity_, state_);
      if (callbacks.epoch) callbacks.epoch(epoch);
    }
    return result();
  }

 private:
  /// Tensors and networks on top of the state's numbers.
  void use_state() {
    const auto tensor = [&](Eigen::VectorXf& values) {
      return torch::from_blob(values.data(), {values.size()}, torch::kFloat32).to(device_).clone();
    };
    parameters_ = tensor(state_.parameters);
    first_ = tensor(state_.first_moments);
    second_ = tensor(state_.second_moments);
    gradients_ = torch::zeros_like(parameters_);
    decoder_ = TorchNetwork(networks_.decoder, parameters_.narrow(0, 0, decoder_size_),
                            gradients_.narrow(0, 0, decoder_size_));
    encoder_ = TorchNetwork(networks_.encoder, parameters_.narrow(0, decoder_size_, encoder_size_),
                            gradients_.narrow(0, decoder_size_, encoder_size_));
  }

  static void copy(const Tensor& from, Eigen::VectorXf& to) {
    const Tensor here = from.detach().to(torch::kCPU).contiguous();
    to = Eigen::Map<const Eigen::VectorXf>(here.data_ptr<float>(), here.numel());
  }

  void keep_state(const VaeEpoch& epoch) {
    copy(parameters_, state_.parameters);
    copy(first_, state_.first_moments);
    copy(second_, state_.second_moments);
    if (epoch.is_best) state_.best_parameters = state_.parameters;
    state_.epochs.push_back(epoch);
  }

  const VaeEpoch* best() const {
    const VaeEpoch* found = nullptr;
    for (const VaeEpoch& epoch : state_.epochs) {
      if (epoch.is_best) found = &epoch;
    }
    return found;
  }

  bool is_over() const {
    return best() != nullptr &&
           static_cast<int>(state_.epochs.size()) - best()->number >= config_.patience;
  }

  static void require_finite(const VaeEpoch& epoch) {
    if (std::isfinite(epoch.train_loss) && std::isfinite(epoch.validation_loss)) return;
    throw ImageModelError(
        fmt::format("the loss is not finite any more in epoch {}; try a lower rate, or resume from "
                    "the checkpoint with another seed",
                    epoch.number));
  }

  /// -log p(pixels | latent) - log p(latent) + log q(latent) up to constants, summed over the
  /// pictures, at a sample of q; and the pixels of the mean if asked for.
  Tensor loss(const Tensor& pixels, RandomStream& random, Tensor* mean) {
    const Tensor code = encoder_.forward(pixels);
    const Tensor center = code.slice(1, 0, config_.latent_dim);
    const Tensor log_deviation = code.slice(1, config_.latent_dim);
    noise_.resize(config_.latent_dim, pixels.size(0));
    random.fill_normal(noise_);
    const Tensor noise =
        torch::from_blob(noise_.data(), {pixels.size(0), config_.latent_dim}, torch::kFloat64)
            .to(device_, torch::kFloat32);
    const Tensor decoded = decoder_.forward(center + log_deviation.exp() * noise);
    const Tensor error = decoded - pixels;
    const Tensor divergence =
        0.5 * ((2.0 * log_deviation).exp() + center.square() - 1.0 - 2.0 * log_deviation).sum();
    if (mean != nullptr) *mean = decoder_.forward(center);
    const Tensor misfit = config_.used_loss() == VaeLoss::kAbsolute
                              ? error.abs().sum()
                              : error.square().sum() * (0.5 / config_.variance);
    return misfit + config_.kl_weight * divergence;
  }

  double rate() const {
    const double share =
        std::min(1.0, static_cast<double>(state_.epochs.size()) / std::max(1, config_.epochs - 1));
    const double fall = 0.5 * (1.0 + std::cos(std::numbers::pi * share));
    return config_.rate * (config_.final_rate + (1.0 - config_.final_rate) * fall);
  }

  void adam_step() {
    const torch::NoGradGuard no_gradients;
    ++state_.steps;
    const auto steps = static_cast<double>(state_.steps);
    const double first_part = 1.0 - std::pow(kFirstDecay, steps);
    const double second_part = std::sqrt(1.0 - std::pow(kSecondDecay, steps));
    first_.mul_(kFirstDecay).add_(gradients_, 1.0 - kFirstDecay);
    second_.mul_(kSecondDecay).addcmul_(gradients_, gradients_, 1.0 - kSecondDecay);
    parameters_.addcdiv_(first_, (second_.sqrt() / second_part).add_(kLeastDeviation),
                         -rate() / first_part);
  }

  double train(const VaeCallbacks& callbacks) {
    // A new order each time, from the same one: a resumed training does not know the last.
    std::vector<std::int64_t> order = split_.train;
    shuffle(order, state_.random);
    double sum = 0.0;
    const auto batch = static_cast<std::size_t>(config_.batch);
    for (std::size_t first = 0; first < order.size(); first += batch) {
      const std::size_t count = std::min(batch, order.size() - first);
      gradients_.zero_();
      const Tensor value = loss(pictures_.batch(order, first, count), state_.random, nullptr) /
                           static_cast<double>(count);
      value.backward();
      adam_step();
      sum += static_cast<double>(count) * value.item<double>();
      if (callbacks.batch) callbacks.batch(count);
    }
    return sum / static_cast<double>(order.size());
  }

  void validate(VaeEpoch& epoch) {
    const torch::NoGradGuard no_gradients;
    // The same noise each time, so that epochs can be compared.
    RandomStream random(config_.seed, kValidationStream);
    double sum = 0.0;
    double errors = 0.0;
    Tensor first_moment;
    Tensor second_moment;
    for (std::size_t first = 0; first < split_.validation.size(); first += kValidationBatch) {
      const std::size_t count =
          std::min<std::size_t>(kValidationBatch, split_.validation.size() - first);
      const Tensor pixels = pictures_.batch(split_.validation, first, count);
      Tensor mean;
      sum += loss(pixels, random, &mean).item<double>();
      errors += (pixels - mean).square().sum(torch::kFloat64).item<double>();
      const Tensor wide = pixels.to(torch::kFloat64);
      first_moment = first == 0 ? wide.sum(0) : first_moment + wide.sum(0);
      second_moment = first == 0 ? wide.square().sum(0) : second_moment + wide.square().sum(0);
    }
    const auto count = static_cast<double>(split_.validation.size());
    const double variance = (second_moment - first_moment.square() / count).sum().item<double>();
    epoch.validation_loss = sum / count;
    epoch.explained_variance = 1.0 - errors / variance;
  }

  VaeTraining result() {
    const VaeEpoch best_epoch = *best();
    const float* begin = state_.best_parameters.data();
    const float* middle = begin + decoder_size_;
    StoredImageModel model{.name = name_of(config_.architecture),
                           .architecture = config_.architecture,
                           .latent_dim = config_.latent_dim,
                           .scale = scale_,
                           .decoder = {begin, middle},
                           .encoder = {middle, middle + encoder_size_}};
    model.training = {
        {"settings", identity_},
        {"epochs", std::to_string(state_.epochs.size())},
        {"best epoch", std::to_string(best_epoch.number)},
        {"training loss", fmt::format("{:.6g}", best_epoch.train_loss)},
        {"validation loss", fmt::format("{:.6g}", best_epoch.validation_loss)},
        {"explained variance", fmt::format("{:.4f}", best_epoch.explained_variance)},
        {"training pictures", std::to_string(split_.train.size())},
        {"validation pictures", std::to_string(split_.validation.size())},
    };
    return {.model = std::move(model), .epochs = state_.epochs, .best = best_epoch};
  }

  VaeConfig config_;
  torch::Device device_;
  Split split_;
  PixelScale scale_;
  Pictures pictures_;
  VaeNetworks networks_;
  std::int64_t decoder_size_;
  std::int64_t encoder_size_;
  std::string identity_;
  VaeState state_;

  Tensor parameters_;
  Tensor gradients_;
  Tensor first_;
  Tensor second_;
  TorchNetwork decoder_;
  TorchNetwork encoder_;
  Eigen::MatrixXd noise_;
};

}  // namespace

VaeTraining train_vae(const std::vector<Image>& images, const VaeConfig& config,
                      const VaeCallbacks& callbacks, const VaeCheckpoint& checkpoint) {
  check(config);
  if (images.size() < 2) {
    throw std::invalid_argument(
        fmt::format("vae: {} pictures; one to train with and one to validate with are the least",
                    images.size()));
  }
  set_torch_threads(config.threads);
  try {
    return Trainer(images, config).run(callbacks, checkpoint);
  } catch (const c10::Error& error) {
    throw ImageModelError(fmt::format("training failed in LibTorch: {}", reason_of(error)));
  }
}

}  // namespace ovf
