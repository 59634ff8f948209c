#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "ovf/config/parameter_list.hpp"
#include "ovf_ros/parameter_values.hpp"
#include "ros_test.hpp"

namespace ovf_ros::test {
namespace {

/// For each field a value that it cannot have.
class BadValues : public ovf::ConfigVisitor {
 public:
  std::vector<std::pair<std::string, rclcpp::ParameterValue>> values;

 private:
  template <typename Value>
  void add(const ovf::Field& field, const Value& value) {
    values.emplace_back(field.key, rclcpp::ParameterValue(value));
  }
  void on_field(const ovf::Field& field, bool& /*value*/) override { add(field, "perhaps"); }
  void on_field(const ovf::Field& field, int& /*value*/, const ovf::IntRange& range) override {
    add(field, std::int64_t{range.lowest} - 1);
    add(field, std::int64_t{range.highest} + 1);
    add(field, 0.5);
  }
  void on_field(const ovf::Field& field, double& /*value*/,
                const ovf::NumberRange& range) override {
    add(field, std::numeric_limits<double>::quiet_NaN());
    add(field, std::numeric_limits<double>::infinity());
    if (range.lowest > -1e300) add(field, range.above_lowest ? range.lowest : range.lowest - 1.0);
    if (range.highest < 1e300) add(field, 2.0 * range.highest + 1.0);
    add(field, "1.0");
  }
  void on_field(const ovf::Field& field, std::uint64_t& /*value*/) override { add(field, -1); }
  void on_field(const ovf::Field& field, std::string& /*value*/) override { add(field, 1); }
  void on_field(const ovf::Field& field, std::vector<int>& /*value*/,
                const ovf::IntListRange& range) override {
    add(field, std::vector<std::int64_t>{std::int64_t{range.element.lowest} - 1});
    add(field, std::vector<std::int64_t>(static_cast<std::size_t>(range.longest) + 1,
                                         range.element.lowest));
    add(field, 1);
  }
  void on_field(const ovf::Field& field, std::vector<double>& /*value*/,
                const ovf::NumberListRange& range) override {
    add(field, std::vector<double>{std::numeric_limits<double>::quiet_NaN()});
    add(field, std::vector<double>(static_cast<std::size_t>(range.longest) + 1, 1.0));
    add(field, "1.0");
  }
  void on_field(const ovf::Field& field, std::vector<std::string>& /*value*/,
                const ovf::NameListRange& /*range*/) override {
    add(field, std::vector<std::string>{"a", "a"});
    add(field, std::vector<std::string>{"1a"});
    add(field, "a");
  }
  void on_choice(const ovf::Field& field, std::string& /*value*/,
                 const std::vector<std::string>& /*allowed*/) override {
    add(field, "no_such_choice");
    add(field, true);
  }
};

/// The parameters of a node without anything else of one.
std::shared_ptr<rclcpp::Node> plain_node(const Parameters& parameters,
                                         const std::vector<std::string>& arguments = {}) {
  rclcpp::NodeOptions options;
  options.parameter_overrides(parameters)
      .arguments(arguments)
      .start_parameter_services(false)
      .start_parameter_event_publisher(false)
      .enable_rosout(false);
  return std::make_shared<rclcpp::Node>("ovf", options);
}

NodeParameters declare(const std::shared_ptr<rclcpp::Node>& node) {
  ParameterChecks checks;
  return declare_node_parameters(*node->get_node_parameters_interface(), checks);
}

std::string mistakes_of(const Parameters& parameters) {
  try {
    declare(plain_node(parameters));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

class RosParametersTest : public RosTest {};

TEST_F(RosParametersTest, DeclareEveryFieldOfTheSchemaWithItsMeaning) {
  const auto node = plain_node(planar_parameters());
  NodeParameters declared = declare(node);
  auto fields = ovf::list_parameters([&](ovf::ConfigVisitor& visitor) {
    visit(visitor, declared.estimator);
    visit(visitor, declared.node);
  });
  EXPECT_GT(fields.size(), 150U);
  for (const ovf::Parameter& field : fields) {
    ASSERT_TRUE(node->has_parameter(field.key)) << field.key;
    const auto descriptor = node->describe_parameter(field.key);
    EXPECT_EQ(descriptor.description, field.doc);
    EXPECT_FALSE(descriptor.additional_constraints.empty());
  }
}

TEST_F(RosParametersTest, HaveRanges) {
  const auto node = plain_node(planar_parameters());
  declare(node);
  const auto gate = node->describe_parameter("gps.gate");
  ASSERT_EQ(gate.floating_point_range.size(), 1U);
  EXPECT_EQ(gate.floating_point_range[0].from_value, 0.0);
  EXPECT_EQ(gate.floating_point_range[0].to_value, 1.0);
  const auto paths = node->describe_parameter("output.rollout_paths");
  ASSERT_EQ(paths.integer_range.size(), 1U);
  EXPECT_EQ(paths.integer_range[0].to_value, 100);
  EXPECT_EQ(node->describe_parameter("gps.kind").additional_constraints.rfind("one of pose", 0),
            0U);
}

TEST_F(RosParametersTest, HaveTheDefaultsOfTheCore) {
  ovf::EstimatorConfig expected;
  expected.sensors.emplace_back().name = "gps";
  expected.sensors[0].noise = {1.0};            // it has no default
  expected.sensors[0].latency.deviation = 0.1;  // where parameters say nothing of it
  const auto node = plain_node(
      {{"sensors", std::vector<std::string>{"gps"}}, {"gps.noise", std::vector<double>{1.0}}});
  EXPECT_EQ(write_estimator_config(declare(node).estimator), write_estimator_config(expected));
}

TEST_F(RosParametersTest, FromTheShippedFilesAreWhatTheCommandReads) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(OVF_REPOSITORY) + "/config")) {
    const std::string path = entry.path().string();
    ovf::EstimatorConfig expected;
    try {
      expected = ovf::load_estimator_config(entry.path());
    } catch (const std::exception&) {
      continue;  // of the filter alone, or of the simulator
    }
    ++files;
    const auto node = plain_node({}, {"--ros-args", "--params-file", path});
    EXPECT_EQ(write_estimator_config(declare(node).estimator), write_estimator_config(expected))
        << path;
  }
  EXPECT_GE(files, 7);
}

TEST_F(RosParametersTest, TakeFilesForAllNodesAndWholeNumbersForNumbers) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("ovf_parameters_" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << "/**:\n  ros__parameters:\n    sensors: [gps]\n    use_sim_time: false\n"
                         "    gps: {noise: [1, 2], timeout: 3, targets: [3]}\n"
                         "    qos_overrides: {/x: {publisher: {depth: 1}}}\n";
  const auto node = plain_node({}, {"--ros-args", "--params-file", path.string()});
  const ovf::EstimatorConfig config = declare(node).estimator;
  std::filesystem::remove(path);
  EXPECT_EQ(config.sensors[0].noise, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(config.sensors[0].timeout, 3.0);
}

TEST_F(RosParametersTest, NameEveryMistakeInOneMessage) {
  const std::string text = mistakes_of(with(
      planar_parameters(), {{"gps.gate", 1.5}, {"gps.gatee", 0.9}, {"motion.kind", "flying"}}));
  EXPECT_NE(text.find("gps.gate is 1.5;"), std::string::npos) << text;
  EXPECT_NE(text.find("above 0.0 to 1.0"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown key gps.gatee"), std::string::npos) << text;
  EXPECT_NE(text.find("motion.kind is flying; expected one of planar"), std::string::npos) << text;
}

TEST_F(RosParametersTest, RefuseEveryValueOutOfItsRange) {
  NodeParameters parameters = declare(plain_node(planar_parameters()));
  BadValues bad;
  visit(bad, parameters.estimator);
  visit(bad, parameters.node);
  EXPECT_GT(bad.values.size(), 400U);
  // All at once in one node, each of its fields once.
  std::map<std::string, std::size_t> next;
  std::size_t left = bad.values.size();
  for (std::size_t round = 0; left > 0; ++round) {
    std::map<std::string, std::size_t> seen;
    Parameters overrides = planar_parameters();
    std::vector<std::string> keys;
    for (const auto& [key, value] : bad.values) {
      if (seen[key]++ != round || key == "sensors") continue;
      overrides = with(overrides, {rclcpp::Parameter(key, value)});
      keys.push_back(key);
    }
    if (keys.empty()) break;
    const std::string text = mistakes_of(overrides);
    for (const std::string& key : keys) {
      EXPECT_NE(text.find(key + " is "), std::string::npos) << key << " in round " << round;
    }
    left -= keys.size();
  }
}

TEST_F(RosParametersTest, RefuseSensorsOfTheNameOfAGroup) {
  for (const char* name : {"motion", "filter", "sensors", "landmarks", "gnss_origin", "output"}) {
    const std::string text = mistakes_of({{"sensors", std::vector<std::string>{name}}});
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
}

TEST_F(RosParametersTest, OfTheNodeAreInTheDocumentation) {
  std::ifstream file(std::string(OVF_REPOSITORY) + "/docs/ros.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  NodeConfig config;
  const auto all =
      ovf::list_parameters([&](ovf::ConfigVisitor& visitor) { visit(visitor, config); });
  ASSERT_GE(all.size(), 8U);
  for (const ovf::Parameter& parameter : all) {
    EXPECT_NE(text.find("| `" + parameter.key + "` |"), std::string::npos) << parameter.key;
  }
}

class LiveParameters : public RosTest {
 protected:
  std::shared_ptr<EstimatorNode> node_ = active_node(planar_parameters());
};

TEST_F(LiveParameters, ChangeLearningOutputsAndTf) {
  EXPECT_TRUE(node_->set_parameter({"learning", false}).successful);
  EXPECT_FALSE(node_->current_estimator()->learning());
  EXPECT_TRUE(node_->set_parameter({"learning", true}).successful);
  EXPECT_TRUE(node_->current_estimator()->learning());
  EXPECT_TRUE(node_->set_parameter({"publish_tf", false}).successful);
  EXPECT_TRUE(node_->set_parameter({"output.rollout_paths", 3}).successful);
  EXPECT_TRUE(node_->set_parameter({"output.parameters_period", 0.5}).successful);
  const auto both = node_->set_parameters_atomically(
      {{"output.rollout_horizon", 20.0}, {"output.rollout_step", 10.0}});
  EXPECT_TRUE(both.successful) << both.reason;
}

TEST_F(LiveParameters, ChangeGatesAndPlans) {
  EXPECT_TRUE(node_->set_parameter({"gps.gate", 0.9}).successful);
  EXPECT_EQ(node_->current_estimator()->config().sensors[0].gate, 0.9);
  EXPECT_FALSE(node_->set_parameter({"gps.gate", 1.1}).successful);
  EXPECT_EQ(node_->current_estimator()->config().sensors[0].gate, 0.9);
  EXPECT_TRUE(node_->set_parameter({"output.rollout_plan", "held"}).successful);
  EXPECT_FALSE(node_->set_parameter({"output.rollout_plan", "perhaps"}).successful);
}

TEST_F(LiveParameters, ChangeTheRateOfTheStatus) {
  const auto status = listen<ovf_msgs::msg::FilterStatus>("status");
  EXPECT_TRUE(node_->set_parameter({"output.status_period", 0.02}).successful);
  status->clear();
  // At the first period this would be a minute.
  EXPECT_TRUE(spin_until([&] { return status->size() > 60; }, std::chrono::seconds(50)));
}

TEST_F(LiveParameters, AreCheckedBeforeAnyIsApplied) {
  const auto result =
      node_->set_parameters_atomically({{"learning", false}, {"output.rollout_period", -1.0}});
  EXPECT_FALSE(result.successful);
  EXPECT_TRUE(node_->current_estimator()->learning());
  EXPECT_FALSE(node_->set_parameter({"output.rollout_step", 5.0}).successful);
  EXPECT_FALSE(node_->set_parameter({"output.status_period", 0.0}).successful);
}

TEST_F(LiveParameters, ThatAreStructureSayWhatToDo) {
  for (const rclcpp::Parameter& change : Parameters{{"gps.noise", std::vector<double>{1.0}},
                                                    {"motion.kind", "planar"},
                                                    {"sensors", std::vector<std::string>{"gps"}},
                                                    {"checkpoint", "x"},
                                                    {"output.world_frame", "odom"}}) {
    const auto result = node_->set_parameter(change);
    EXPECT_FALSE(result.successful) << change.get_name();
    EXPECT_NE(result.reason.find("clean it up"), std::string::npos) << result.reason;
  }
}

}  // namespace
}  // namespace ovf_ros::test
