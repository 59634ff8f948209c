#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ovf {

/// The bytes of a plain file of at most `largest` of them. Throws ImageModelError.
std::string read_model_file(const std::filesystem::path& path, std::uintmax_t largest);

/// A new file, on the disk when this returns. Throws ImageModelError.
void write_model_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace ovf
