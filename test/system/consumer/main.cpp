#include <iostream>
#include <ovf/math/random.hpp>

int main() {
  ovf::RandomStream random(1);
  std::cout << "a program of its own drew " << random.uniform() << "\n";
}
