# ovf::torch: the networks for pictures, and the program ovf-vision that uses them. A library of its own, as LibTorch
# takes half a second and 150 MB of every program that links it.
set(OVF_TORCH_FOUND OFF)
if(OVF_WITH_TORCH STREQUAL "AUTO" AND OVF_SANITIZE)
  message(STATUS "LibTorch is not used with sanitizers, as it was built without")
elseif(OVF_WITH_TORCH)
  if(OVF_WITH_TORCH STREQUAL "AUTO")
    find_package(Torch QUIET)
  else()
    find_package(Torch REQUIRED)
  endif()
  set(OVF_TORCH_FOUND ${Torch_FOUND})
  if(NOT Torch_FOUND)
    message(STATUS "LibTorch was not found: networks for pictures are left out (Debian and Ubuntu 24.04: libtorch-dev)")
  endif()
endif()
if(NOT OVF_TORCH_FOUND)
  return()
endif()

file(GLOB OVF_TORCH_SOURCES CONFIGURE_DEPENDS src/vision/torch/*.cpp)
add_library(ovf_torch ${OVF_TORCH_SOURCES})
add_library(ovf::torch ALIAS ovf_torch)
set_target_properties(ovf_torch PROPERTIES EXPORT_NAME torch POSITION_INDEPENDENT_CODE ON)
target_include_directories(ovf_torch PRIVATE src)
# PRIVATE: what LibTorch wants of a compiler stays here.
target_link_libraries(ovf_torch
  PUBLIC ovf::core
  PRIVATE fmt::fmt ${TORCH_LIBRARIES} ${CMAKE_DL_LIBS})
ovf_set_warnings(ovf_torch)

add_executable(ovf-vision apps/ovf_vision.cpp)
target_compile_definitions(ovf-vision PRIVATE OVF_VERSION="${PROJECT_VERSION}")
target_link_libraries(ovf-vision PRIVATE ovf::torch fmt::fmt CLI11::CLI11)
ovf_set_warnings(ovf-vision)
