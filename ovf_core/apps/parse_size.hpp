#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "ovf/vision/image_file.hpp"

/// SIDE or WIDTHxHEIGHT.
inline ovf::ImageSize parse_size(const std::string& text) {
  const auto number = [&](const std::string& part) {
    std::size_t end = 0;
    int value = 0;
    try {
      value = std::stoi(part, &end);
    } catch (const std::exception&) {
      end = 0;
    }
    if (end == 0 || end != part.size() || value < 1 || value > ovf::kLargestImageSide) {
      throw CLI::ValidationError(
          "--size", fmt::format("{}: expected SIDE or WIDTHxHEIGHT, each from 1 to {}", text,
                                ovf::kLargestImageSide));
    }
    return value;
  };
  const auto place = text.find('x');
  if (place == std::string::npos) return {number(text), number(text)};
  return {number(text.substr(0, place)), number(text.substr(place + 1))};
}
