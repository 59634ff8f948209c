#include "ovf/vision/reconstruction.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "ovf/vision/contact_sheet.hpp"

namespace ovf {
namespace {

constexpr std::size_t kAtOnce = 64;
constexpr std::size_t kColumns = 12;
constexpr int kSheetWidth = 1200;

/// visit(pixels, reconstructed pixels) for each picture.
void for_each(const ImageModel& model, const std::vector<Image>& images,
              const std::function<void(const Eigen::VectorXd&, const Eigen::VectorXd&)>& visit) {
  Eigen::MatrixXd pixels;
  Eigen::MatrixXd latents;
  Eigen::MatrixXd decoded;
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  for (std::size_t first = 0; first < images.size(); first += kAtOnce) {
    const auto count = static_cast<Eigen::Index>(std::min(kAtOnce, images.size() - first));
    pixels.resize(model.scale.dim(), count);
    latents.resize(model.decoder->latent_dim(), count);
    for (Eigen::Index k = 0; k < count; ++k) {
      model.scale.standardise(images[first + static_cast<std::size_t>(k)], pixels.col(k));
      model.encoder->encode(pixels.col(k), mean, deviation);
      latents.col(k) = mean;
    }
    model.decoder->decode(latents, decoded);
    for (Eigen::Index k = 0; k < count; ++k) visit(pixels.col(k), decoded.col(k));
  }
}

}  // namespace

std::vector<Image> reconstruct(const ImageModel& model, const std::vector<Image>& images) {
  std::vector<Image> out;
  out.reserve(images.size());
  for_each(model, images, [&](const Eigen::VectorXd&, const Eigen::VectorXd& decoded) {
    out.push_back(model.scale.to_image(decoded));
  });
  return out;
}

double explained_variance(const ImageModel& model, const std::vector<Image>& images) {
  if (images.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const int dim = model.scale.dim();
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(dim);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(dim);  // around the mean (Welford)
  double errors = 0.0;
  double count = 0.0;
  for_each(model, images, [&](const Eigen::VectorXd& pixels, const Eigen::VectorXd& decoded) {
    errors += (pixels - decoded).squaredNorm();
    const Eigen::VectorXd difference = pixels - mean;
    mean += difference / ++count;
    squares.array() += difference.array() * (pixels - mean).array();
  });
  return 1.0 - errors / squares.sum();
}

Image reconstruction_sheet(const ImageModel& model, const std::vector<Image>& images,
                           std::size_t count) {
  count = std::min(count, images.size());
  std::vector<Image> shown;
  for (std::size_t k = 0; k < count; ++k) shown.push_back(images[k * images.size() / count]);
  const std::vector<Image> made = reconstruct(model, shown);
  const std::size_t columns = std::min(kColumns, std::max<std::size_t>(1, count));
  std::vector<Image> rows;
  const auto add_row = [&](const std::vector<Image>& from, std::size_t first) {
    const ImageSize size = model.scale.size();
    for (std::size_t k = first; k < first + columns; ++k) {
      // A last row that is not full still has its reconstructions below it.
      rows.push_back(k < count ? from[k] : Image(size.width, size.height));
    }
  };
  for (std::size_t first = 0; first < count; first += columns) {
    add_row(shown, first);
    add_row(made, first);
  }
  const int scale = std::max(
      1, kSheetWidth / (static_cast<int>(columns) * std::max(1, model.scale.size().width)));
  return contact_sheet(rows, static_cast<int>(columns), scale);
}

}  // namespace ovf
