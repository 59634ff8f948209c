#pragma once

#include <stdexcept>

/// A run that reached its end, but on a damaged recording.
class DamagedRecording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
