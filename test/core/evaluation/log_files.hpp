#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "evaluation/temporary_folder.hpp"

namespace ovf::test {

using Files = std::map<std::string, std::string>;

inline void write_files(const std::filesystem::path& folder, const Files& files) {
  for (const auto& [name, text] : files) std::ofstream(folder / name, std::ios::binary) << text;
}

/// What `read` says of a folder with these files; "accepted" if nothing.
template <typename Read>
std::string complaint_about(const Files& files, Read read) {
  const TemporaryFolder folder;
  write_files(folder.path(), files);
  try {
    read(folder.path());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

inline void expect_words(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos) << message << "\n  lacks: " << words;
}

/// Recorded data is not part of the project: OVF_DATA_DIR says where it is, if anywhere.
inline std::optional<std::filesystem::path> recorded_data(const std::string& folder) {
  const char* root = std::getenv("OVF_DATA_DIR");
  if (root == nullptr) return std::nullopt;
  return std::filesystem::path(root) / folder;
}

}  // namespace ovf::test
