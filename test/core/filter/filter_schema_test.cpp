#include "ovf/filter/filter_schema.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "evaluation/temporary_folder.hpp"
#include "ovf/config/parameter_list.hpp"
#include "ovf/config/yaml.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/vision/camera_config.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using Config = OnlineVariationalFilterConfig;

using test::source_folder;

/// Every key with its value; equal texts are equal values, to the last bit.
std::vector<std::string> values_of(Config config) {
  std::vector<std::string> lines;
  for (const Parameter& p : list_parameters([&](ConfigVisitor& v) { visit(v, config); })) {
    lines.push_back(p.key + ": " + p.value);
  }
  return lines;
}

std::string mistakes_in(const std::string& text) {
  try {
    read_filter_config(text, "filter.yaml");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(FilterSchema, HasEveryKeyOnceWithOneLineOfMeaning) {
  Config config;
  std::set<std::string> keys;
  for (const Parameter& p : list_parameters([&](ConfigVisitor& v) { visit(v, config); })) {
    EXPECT_TRUE(keys.insert(p.key).second) << p.key;
    EXPECT_GT(p.doc.size(), 5U) << p.key;
    EXPECT_EQ(p.doc.find('\n'), std::string::npos) << p.key;
    EXPECT_TRUE(p.doc.ends_with('.')) << p.key;
  }
  for (const char* key :
       {"objective", "reparameterised.iterations", "value_regression.kernel_ridge.ridge",
        "score_regression.mlp.hidden_layers", "learning.schedule.rate", "seed"}) {
    EXPECT_TRUE(keys.contains(key)) << key;
  }
}

TEST(FilterSchema, HasDefaultsWithinItsRanges) {
  for (const Config& config : {Config(), Config::fast(), Config::paper()}) {
    EXPECT_NO_THROW(read_filter_config(write_filter_config(config), "defaults.yaml"));
  }
}

TEST(FilterConfigFile, StartsFromTheSettingItNames) {
  EXPECT_EQ(values_of(read_filter_config("{}", "a")), values_of(Config::fast()));
  EXPECT_EQ(values_of(read_filter_config("setting: fast", "a")), values_of(Config::fast()));
  EXPECT_EQ(values_of(read_filter_config("setting: paper", "a")), values_of(Config::paper()));
}

TEST(FilterConfigFile, AppliesOtherKeysOnTopOfTheSettingInAnyOrder) {
  Config expected = Config::paper();
  expected.seed = 3;
  expected.value_regression.regressor.kind = RegressorKind::kMlp;
  expected.value_regression.regressor.mlp.hidden_layers = {8, 16, 8};
  expected.learning.schedule.rate = 0.5;
  const Config config = read_filter_config(
      "ovf:\n"
      "  ros__parameters:\n"
      "    seed: 3\n"
      "    value_regression: {regressor: mlp, mlp.hidden_layers: [8, 16, 8]}\n"
      "    setting: paper\n"
      "    learning.schedule.rate: 0.5\n",
      "a");
  EXPECT_EQ(values_of(config), values_of(expected));
  EXPECT_EQ(config.value_regression.regressor.mlp.hidden_layers, (std::vector<int>{8, 16, 8}));
}

TEST(FilterConfigFile, OfBothPresetsIsReadBackBitForBit) {
  for (const Config& config : {Config::fast(), Config::paper()}) {
    const Config copy = read_filter_config(write_filter_config(config), "copy.yaml");
    EXPECT_EQ(values_of(copy), values_of(config));
    EXPECT_EQ(write_filter_config(copy, "/**"), write_filter_config(config, "/**"));
  }
}

TEST(FilterConfigFile, NamesMistakesWithFileLineAndKey) {
  EXPECT_EQ(mistakes_in("seed: 1\nlearning:\n  rate: 0.1\n"),
            "filter.yaml:3: unknown key learning.rate; did you mean learning.schedule.rate?");
  EXPECT_EQ(mistakes_in("setting: slow"),
            "filter.yaml:1: setting is slow; expected one of fast, accurate, amortised, paper");
  EXPECT_EQ(mistakes_in("\nreparametrised.iterations: 5"),
            "filter.yaml:2: unknown key reparametrised.iterations; did you mean "
            "reparameterised.iterations?");
  EXPECT_EQ(mistakes_in("value_regression.random_features.features: 255"),
            "filter.yaml:1: value_regression.random_features.features is 255; expected an integer "
            "(2 to 20000 in steps of 2)");
}

TEST(FilterConfigFile, NamesKeysThatDoNotGoTogether) {
  EXPECT_EQ(mistakes_in("kernel: affine_full").find("filter.yaml: inference is natural_gradient"),
            0U)
      << mistakes_in("kernel: affine_full");
  EXPECT_NE(mistakes_in("setting: paper\nvalue_regression.regressor: hermite")
                .find("value_regression.standardise"),
            std::string::npos);
  EXPECT_EQ(mistakes_in("setting: accurate\nobjective: aelbo2").find("filter.yaml: tilted is true"),
            0U)
      << mistakes_in("setting: accurate\nobjective: aelbo2");
}

TEST(FilterConfigFile, IsLoadedFromAPathOrSaysWhyNot) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "good.yaml") << "setting: paper\n";
  std::ofstream(folder.path() / "bad.yaml") << "setting: paper\nsead: 1\n";
  EXPECT_EQ(values_of(load_filter_config(folder.path() / "good.yaml")), values_of(Config::paper()));
  EXPECT_THROW(load_filter_config(folder.path() / "missing.yaml"), std::runtime_error);
  EXPECT_THROW(load_filter_config(folder.path()), std::runtime_error);
  try {
    load_filter_config(folder.path() / "bad.yaml");
    ADD_FAILURE() << "bad.yaml was read";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder.path() / "bad.yaml").string() + ":2: unknown key sead; did you mean seed?");
  }
}

TEST(ShippedConfigFiles, StateTheValuesOfTheirPreset) {
  const fs::path folder = source_folder() / "config";
  const auto load = [&](const char* file) { return values_of(load_filter_config(folder / file)); };
  EXPECT_EQ(load("linear_gaussian_fast.yaml"), values_of(Config::fast()));
  EXPECT_EQ(load("linear_gaussian_paper.yaml"), values_of(Config::paper()));
}

TEST(ShippedConfigFiles, AreAllReadable) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(source_folder() / "config")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    if (name.starts_with("simulation")) {
      EXPECT_NO_THROW(load_simulator_config(entry.path())) << entry.path();
    } else if (name == "simulated_landmarks") {
      const EstimatorConfig robot = load_estimator_config(
          {source_folder() / "config" / "planar_all_sensors.yaml", entry.path()});
      const std::vector<Landmark> landmarks = PlanarSimulator({}).landmarks();
      ASSERT_EQ(robot.landmark_ids.size(), landmarks.size());
      for (std::size_t i = 0; i < landmarks.size(); ++i) {
        EXPECT_EQ(robot.landmark_ids[i], landmarks[i].id);
        // Processors differ in the last bit.
        EXPECT_NEAR(robot.landmark_x[i], landmarks[i].position.x(), 1e-9);
        EXPECT_NEAR(robot.landmark_y[i], landmarks[i].position.y(), 1e-9);
      }
    } else if (name.starts_with("linear_gaussian") || name.starts_with("chaotic_rnn")) {
      EXPECT_NO_THROW(load_filter_config(entry.path())) << entry.path();
    } else if (name.starts_with("camera")) {
      EXPECT_NO_THROW(load_camera_config(entry.path())) << entry.path();
      EXPECT_TRUE(is_camera_config(read_config_file(entry.path())));
    } else {
      EXPECT_FALSE(is_camera_config(read_config_file(entry.path())));
      EXPECT_NO_THROW(load_estimator_config(entry.path())) << entry.path();
    }
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST(ParameterReference, InTheDocumentationIsUpToDate) {
  const fs::path documented = source_folder() / "docs" / "parameters.md";
  const std::string current =
      filter_parameter_reference() + estimator_parameter_reference() + camera_parameter_reference();
  if (test::read_text(documented) == current) return;
  const fs::path written = fs::temp_directory_path() / "ovf-parameters.md";
  std::ofstream(written, std::ios::binary) << current;
  ADD_FAILURE() << documented << " is out of date; the current text is in " << written;
}

}  // namespace
}  // namespace ovf
