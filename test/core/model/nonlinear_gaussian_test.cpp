#include "ovf/model/nonlinear_gaussian.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "math/random_inputs.hpp"
#include "model/bimodal_toy.hpp"
#include "ovf/model/linear_mean.hpp"

namespace ovf {
namespace {

using test::all_close;

NonlinearGaussianSpec linear_spec() {
  NonlinearGaussianSpec spec;
  spec.prior = standard_gaussian(2, CovarianceForm::kFull);
  spec.f = std::make_unique<LinearMean>(LinearMean::identity(2));
  spec.g = std::make_unique<LinearMean>(LinearMean::identity(2));
  spec.U = Eigen::MatrixXd::Identity(2, 2);
  spec.V = Eigen::Vector2d(0.25, 4.0);
  return spec;
}

TEST(NonlinearGaussian, TakesVariancesOfTheObservation) {
  NonlinearGaussianSpec spec = linear_spec();
  spec.learn_U = LearnedScale::kShared;
  spec.learn_V = LearnedScale::kEach;
  const StateSpaceModel model = make_nonlinear_gaussian(std::move(spec));
  EXPECT_EQ(model.parameters().index_of("noise"), 0);
  EXPECT_TRUE(all_close(model.parameters().values(), Eigen::Vector3d(1.0, 0.5, 2.0), 1e-15));
}

TEST(NonlinearGaussian, NamesWhatIsWrong) {
  NonlinearGaussianSpec spec = linear_spec();
  spec.V[0] = -1.0;
  std::string text = test::message_of([&] { make_nonlinear_gaussian(std::move(spec)); });
  EXPECT_TRUE(test::contains(text, "V has a variance that is not positive")) << text;
  spec = linear_spec();
  spec.f = nullptr;
  text = test::message_of([&] { make_nonlinear_gaussian(std::move(spec)); });
  EXPECT_TRUE(test::contains(text, "transition: no mean")) << text;
}

TEST(BimodalToy, SeesNothingOfTheSign) {
  const StateSpaceModel model = test::make_bimodal_toy();
  Eigen::VectorXd both;
  model.observation().log_density(Eigen::VectorXd::Constant(1, 2.0),
                                  Eigen::RowVector3d(3.0, -3.0, 0.0), both);
  EXPECT_EQ(both[0], both[1]);
  EXPECT_GT(both[0], both[2]);
}

}  // namespace
}  // namespace ovf
