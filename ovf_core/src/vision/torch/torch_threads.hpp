#pragma once

namespace ovf {

/// Sets the threads of LibTorch and of OpenBLAS below it, which would take all cores otherwise;
/// 0: as many as there are cores. For the whole process.
void set_torch_threads(int threads);

}  // namespace ovf
