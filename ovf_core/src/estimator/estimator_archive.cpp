// The state of an estimator as bytes, and checkpoint files.
#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "ovf/estimator/checkpoint.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {

void Estimator::archive_state(Archive& archive) {
  archive.flag("initialised", state_.initialised);
  archive.flag("keeps learned", state_.keeps_learned);
  archive.flag("learning", state_.learning);
  const auto stamp = [&](const char* name, Stamp& value) {
    archive.integer(name, value, std::numeric_limits<Stamp>::min(),
                    std::numeric_limits<Stamp>::max());
  };
  stamp("started", state_.started);
  stamp("now", state_.now);
  archive.vector("control", state_.control, Archive::kAnySize);
  archive.require(
      state_.control.size() == 0 || state_.control.size() == robot_.motion->control_dim(),
      "control", "as many numbers as the motion's controls have");
  archive.require_finite("control", state_.control);
  stamp("control stamp", state_.control_stamp);
  archive.flag("has control", state_.has_control);
  archive.vector("control doubt", state_.control_doubt, Archive::kAnySize);
  archive.require(state_.control_doubt.size() <= robot_.motion->state_dim(), "control doubt",
                  "at most as many numbers as the motion's states");
  archive.require_finite("control doubt", state_.control_doubt);
  const auto own = [&](const char* name, Eigen::VectorXd& value) {
    archive.vector(name, value, Archive::kAnySize);
    archive.require(value.size() == 0 || value.size() == robot_.motion->state_dim(), name,
                    "as many numbers as the motion's states");
    archive.require_finite(name, value);
  };
  stamp("unconfirmed control stamp", state_.unconfirmed.stamp);
  archive.vector("unconfirmed control", state_.unconfirmed.u, Archive::kAnySize);
  archive.require(state_.unconfirmed.u.size() == 0 ||
                      state_.unconfirmed.u.size() == robot_.motion->control_dim(),
                  "unconfirmed control", "as many numbers as the motion's controls have");
  archive.require_finite("unconfirmed control", state_.unconfirmed.u);
  own("motion doubt", state_.motion_doubt);
  stamp("motion doubt until", state_.motion_doubt_until);
  course_.archive(archive);
  archive.vector("last control", state_.last_control, Archive::kAnySize);
  archive.require(
      state_.last_control.size() == 0 || state_.last_control.size() == robot_.motion->control_dim(),
      "last control", "as many numbers as the motion's controls have");
  archive.require_finite("last control", state_.last_control);
  state_.volatility.archive(archive);
  archive.vector("reference", state_.reference.coeffs(), 4);
  archive.require_finite("reference", state_.reference.coeffs());
  for (Watch& watch : state_.watches) {
    stamp("last message", watch.last);
    archive.flag("silent", watch.silent);
    archive.integer("gated in a row", watch.gated_in_row, 0, std::numeric_limits<int>::max());
    watch.agreement.archive(archive);
    own("other side", watch.other_side);
    archive.vector("last used", watch.last_used, Archive::kAnySize);
    archive.require_finite("last used", watch.last_used);
  }
  archive.number("elbo before", state_.elbo_before);
  archive.require_finite("elbo before", state_.elbo_before);
  archive.integer("failures", state_.failures, 0, std::numeric_limits<int>::max());
  archive.flag("widen", state_.widen);
  own("spread", state_.spread);
  archive.vector("deviations", state_.deviations, Archive::kAnySize);
  archive.require_finite("deviations", state_.deviations);
  guard_.archive(archive);
  for (ErrorCorrelation& correlation : correlations_) correlation.archive(archive);
  for (PredictionHorizon& horizon : horizons_) horizon.archive(archive);
  held_out_.archive(archive, robot_.layout.dim());
  filter_.archive(archive);
}

std::string Estimator::fingerprint() const {
  std::string text = "states:";
  for (const StateEntry& entry : robot_.layout.entries()) text += " " + entry.name;
  text += "; parameters:";
  const ParameterVector& theta = filter_.model().parameters();
  for (int i = 0; i < theta.size(); ++i) text += " " + theta.info(i).name;
  text += "; sensors:";
  for (std::size_t i = 0; i < config_.sensors.size(); ++i) {
    text += fmt::format(" {} ({} numbers)", config_.sensors[i].name, robot_.sensors[i].dim);
  }
  return text;
}

void Estimator::save(const std::filesystem::path& path) {
  Checkpoint checkpoint{.fingerprint = fingerprint(), .bytes = {}};
  Archive archive = Archive::writer(checkpoint.bytes);
  archive_state(archive);
  write_checkpoint(path, checkpoint);
}

void Estimator::load(const std::filesystem::path& path) {
  const Checkpoint checkpoint = read_checkpoint(path, fingerprint());
  Archive::Bytes backup;
  Archive writer = Archive::writer(backup);
  archive_state(writer);
  try {
    Archive archive = Archive::reader(checkpoint.bytes);
    archive_state(archive);
    archive.finish();
  } catch (...) {
    Archive restore = Archive::memory_reader(backup);
    archive_state(restore);
    throw;
  }
  history_.clear();
  lag_.clear();
  state_belief();
}

void Estimator::go_on_from(Estimator& other) {
  if (fingerprint() != other.fingerprint()) {
    throw std::invalid_argument(
        fmt::format("an estimator of {}; expected {}", other.fingerprint(), fingerprint()));
  }
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  other.archive_state(writer);
  Archive reader = Archive::memory_reader(bytes);
  archive_state(reader);
  counters_ = other.counters_;
  state_belief();
  history_.clear();
  lag_.clear();
}

}  // namespace ovf
