#include "ovf/evaluation/method.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

TEST(Method, WithoutLearningKeepsTheStateAndFixesTheParameters) {
  EstimatorConfig config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
  take_landmarks(simulate({}, 1.0), config);
  const Estimator as_configured(config_of_method("ovf", config));
  const Estimator fixed(config_of_method("no-learn", config));
  const Estimator plain(config_of_method("ekf", config));
  EXPECT_EQ(fixed.config().filter.learning.rule, LearningRule::kNone);
  EXPECT_NE(as_configured.config().filter.learning.rule, LearningRule::kNone);
  EXPECT_EQ(fixed.layout().entries().size(), as_configured.layout().entries().size());
  EXPECT_LT(plain.layout().entries().size(), fixed.layout().entries().size());
}

TEST(Method, OfAnotherNameIsRefusedWithThoseThatThereAre) {
  for (const std::string& name : method_names()) EXPECT_NO_THROW(config_of_method(name, {}));
  try {
    config_of_method("magic", {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("no-learn"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ovf
