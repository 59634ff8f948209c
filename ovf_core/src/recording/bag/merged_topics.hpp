#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf {

/// The topics of several files: one for each name and type, with the definition of the first file
/// that has one.
class MergedTopics {
 public:
  /// `listed`: those of the metadata, whose profiles stand in where a file has none.
  explicit MergedTopics(const std::vector<Topic>& listed);

  const std::vector<Topic>& topics() const { return topics_; }
  /// Index here for each of the file's topics.
  std::vector<int> translate(const std::vector<Topic>& topics);

 private:
  std::vector<Topic> topics_;
  /// By name and type.
  std::map<std::pair<std::string, std::string>, int> index_;
  std::unordered_map<std::string, std::string> listed_qos_;
};

}  // namespace ovf
