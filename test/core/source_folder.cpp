#include "source_folder.hpp"

namespace ovf::test {

std::filesystem::path source_folder() { return OVF_SOURCE_FOLDER; }

}  // namespace ovf::test
