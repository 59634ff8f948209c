#pragma once

#include <filesystem>

namespace ovf::test {

/// Of the repository.
std::filesystem::path source_folder();
inline std::filesystem::path config_folder() { return source_folder() / "config"; }

}  // namespace ovf::test
