#include "ovf/posterior/forward_network.hpp"

namespace ovf {

void ForwardNetwork::gradient_of_examples(std::span<const Eigen::VectorXd> examples,
                                          const ToCotangent& to_cotangent,
                                          Eigen::Ref<Eigen::VectorXd> out) {
  out.setZero();
  Eigen::VectorXd part(out.size());
  for (std::size_t k = 0; k < examples.size(); ++k) {
    Eigen::VectorXd cotangent = outputs(examples[k]);
    to_cotangent(k, cotangent);
    gradient(cotangent, part);
    out += part;
  }
}

}  // namespace ovf
