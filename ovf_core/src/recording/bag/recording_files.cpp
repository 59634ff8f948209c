#include "recording/bag/recording_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>

#include "ovf/config/printable.hpp"
#include "ovf/recording/recording.hpp"
#include "recording/bag/natural_order.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestMetadata = 16ULL << 20;
constexpr std::size_t kMostComplaints = 10;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::string& advice) {
  throw RecordingError(fmt::format("{}: {}. {}", path.string(), what, advice));
}

[[noreturn]] void fail_compressed(const fs::path& folder, const fs::path& file) {
  fail(file, "is compressed as a whole",
       fmt::format("Decompress such files first: zstd -d '{}'/*.zstd", folder.string()));
}

std::string read_text(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error || size > kLargestMetadata) {
    throw RecordingError(fmt::format("{}: has more than {} bytes, or cannot be reached",
                                     path.string(), kLargestMetadata));
  }
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (file.bad() || !file.is_open()) {
    throw RecordingError(fmt::format("{}: cannot be read", path.string()));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// Metadata may come from anywhere: it names files of its own folder only.
bool stays_inside(const fs::path& relative) {
  return !relative.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& part) { return part == ".."; });
}

// Empty: not there. Up to version 3, and in some of version 4, the folder's name comes before that
// of the file.
fs::path find_listed(const fs::path& folder, const fs::path& relative) {
  for (const fs::path& candidate : {folder / relative, folder / relative.filename()}) {
    if (candidate.extension() == ".zstd") {
      fs::path decompressed = fs::path(candidate).replace_extension();
      if (is_file(decompressed)) return decompressed;
      if (is_file(candidate)) fail_compressed(folder, candidate);
    }
    if (is_file(candidate)) return candidate;
  }
  return {};
}

void resolve_listed(const fs::path& folder, RecordingFiles& files) {
  std::vector<std::string> complaints;
  std::set<fs::path> seen;
  for (const std::string& name : files.metadata.files) {
    const fs::path relative = name;
    if (!stays_inside(relative)) {
      complaints.push_back(
          fmt::format("{}: metadata.yaml lists {}, which is not inside the folder; left out",
                      folder.string(), printable(name)));
      continue;
    }
    const fs::path found = find_listed(folder, relative);
    if (found.empty()) {
      complaints.push_back(fmt::format("{}: metadata.yaml lists {}, which is missing; left out",
                                       folder.string(), printable(name)));
    } else if (seen.insert(found).second) {
      files.paths.push_back(found);
    }
  }
  const std::size_t shown = std::min(complaints.size(), kMostComplaints);
  files.warnings.insert(files.warnings.end(), complaints.begin(),
                        complaints.begin() + static_cast<std::ptrdiff_t>(shown));
  if (complaints.size() > shown) {
    files.warnings.push_back(fmt::format("{}: {} more listed files are left out", folder.string(),
                                         complaints.size() - shown));
  }
}

std::vector<fs::path> files_with(const fs::path& folder, const char* extension) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.extension() == extension && path.filename().string().front() != '.' && is_file(path)) {
      paths.push_back(path);
    }
  }
  if (error) {
    fail(folder, fmt::format("cannot be listed ({})", error.message()), "Check its permissions.");
  }
  std::sort(paths.begin(), paths.end(), [](const fs::path& a, const fs::path& b) {
    return comes_before(a.filename().string(), b.filename().string());
  });
  return paths;
}

// Metadata that lists less than there is may have been cut off.
void warn_of_unlisted(const fs::path& folder, RecordingFiles& files) {
  const std::set<fs::path> listed(files.paths.begin(), files.paths.end());
  auto others = files_with(folder, files.paths.front().extension().c_str());
  others.erase(std::remove_if(others.begin(), others.end(),
                              [&](const fs::path& path) { return listed.contains(path); }),
               others.end());
  if (others.empty()) return;
  files.warnings.push_back(
      fmt::format("{}: metadata.yaml does not list {} (files: {}); left out", folder.string(),
                  printable(others.front().filename().string()), others.size()));
}

void list_folder(const fs::path& folder, RecordingFiles& files) {
  files.paths = files_with(folder, ".mcap");
  const auto databases = files_with(folder, ".db3");
  if (files.paths.empty()) {
    files.paths = databases;
  } else if (!databases.empty()) {
    files.warnings.push_back(
        fmt::format("{}: has .mcap and .db3 files and no list of them; the .mcap files are read",
                    folder.string()));
  }
  if (!files.paths.empty()) return;
  const auto compressed = files_with(folder, ".zstd");
  if (!compressed.empty()) fail_compressed(folder, compressed.front());
  fail(folder, "has no .mcap or .db3 files", "Give a rosbag2 folder, or a file of one.");
}

}  // namespace

RecordingFiles find_recording_files(const fs::path& path) {
  std::error_code error;
  RecordingFiles files;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error)) fail(path, "is not there", "Check the path.");
    files.paths.push_back(path);
    return files;
  }
  const fs::path metadata = path / "metadata.yaml";
  if (is_file(metadata)) {
    try {
      files.metadata = parse_bag_metadata(read_text(metadata), metadata.string());
    } catch (const RecordingError& damage) {
      files.warnings.push_back(
          fmt::format("{}; the files of the folder are read instead", damage.what()));
    }
    resolve_listed(path, files);
  }
  if (files.paths.empty()) {
    list_folder(path, files);
  } else {
    warn_of_unlisted(path, files);
  }
  return files;
}

}  // namespace ovf
