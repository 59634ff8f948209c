#include "ovf/vision/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "math/crc32.hpp"
#include "ovf/vision/image_file.hpp"

// Animated PNG: the chunks of ordinary PNG files, each picture after its own control chunk (fcTL),
// all but the first with their data in numbered chunks of another name (fdAT).
namespace ovf {
namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr std::size_t kSignature = 8;
constexpr std::size_t kNumber = 4;
constexpr std::size_t kAround = 3 * kNumber;  // length, name and checksum

std::uint32_t number_at(View bytes) {
  return (std::uint32_t{bytes[0]} << 24U) | (std::uint32_t{bytes[1]} << 16U) |
         (std::uint32_t{bytes[2]} << 8U) | std::uint32_t{bytes[3]};
}

void add_number(Bytes& out, std::uint32_t value) {
  for (unsigned shift = 32; shift > 0;) {
    shift -= 8;
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void add_short(Bytes& out, std::uint32_t value) {
  out.push_back(static_cast<std::uint8_t>(value >> 8U));
  out.push_back(static_cast<std::uint8_t>(value));
}

void add_chunk(Bytes& out, std::string_view name, View data) {
  add_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), data.begin(), data.end());
  add_number(out, crc32(std::as_bytes(View(out).subspan(begin))));
}

/// visit(name, data) for each chunk of a PNG file that we wrote.
template <typename Visit>
void for_each_chunk(View file, const Visit& visit) {
  for (std::size_t at = kSignature; at < file.size();) {
    const std::size_t length = number_at(file.subspan(at));
    const View named = file.subspan(at + kNumber, kNumber + length);
    visit(std::string_view(reinterpret_cast<const char*>(named.data()), kNumber),
          named.subspan(kNumber));
    at += kAround + length;
  }
}

Bytes control_chunk(std::uint32_t sequence, ImageSize size, std::uint32_t milliseconds) {
  Bytes data;
  add_number(data, sequence);
  add_number(data, static_cast<std::uint32_t>(size.width));
  add_number(data, static_cast<std::uint32_t>(size.height));
  add_number(data, 0);  // from the left
  add_number(data, 0);  // from the top
  add_short(data, milliseconds);
  add_short(data, 1000);
  data.push_back(0);  // it stays until the next
  data.push_back(0);  // which replaces it
  return data;
}

}  // namespace

std::vector<std::uint8_t> encode_animation(const std::vector<Image>& images,
                                           double seconds_per_image) {
  if (images.empty()) throw ImageError("an animation without pictures");
  const auto milliseconds =
      static_cast<std::uint32_t>(std::clamp(std::lround(1000.0 * seconds_per_image), 1L, 60'000L));
  Bytes out;
  std::uint32_t sequence = 0;
  for (std::size_t k = 0; k < images.size(); ++k) {
    if (images[k].size() != images[0].size()) {
      throw ImageError(fmt::format("picture {} of an animation is {} x {}; expected {} x {}", k,
                                   images[k].width, images[k].height, images[0].width,
                                   images[0].height));
    }
    const Bytes file = encode_png(images[k]);
    const auto add_control = [&] {
      add_chunk(out, "fcTL", control_chunk(sequence++, images[k].size(), milliseconds));
    };
    if (k == 0) {
      out.assign(file.begin(), file.begin() + kSignature);
    } else {
      add_control();
    }
    for_each_chunk(file, [&](std::string_view name, View data) {
      if (k == 0 && name == "IHDR") {
        add_chunk(out, name, data);
        Bytes all;
        add_number(all, static_cast<std::uint32_t>(images.size()));
        add_number(all, 0);  // for ever
        add_chunk(out, "acTL", all);
        add_control();
      } else if (name == "IDAT" && k == 0) {
        add_chunk(out, name, data);
      } else if (name == "IDAT") {
        Bytes numbered;
        add_number(numbered, sequence++);
        numbered.insert(numbered.end(), data.begin(), data.end());
        add_chunk(out, "fdAT", numbered);
      }
    });
  }
  add_chunk(out, "IEND", {});
  return out;
}

}  // namespace ovf
