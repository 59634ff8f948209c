// Pictures of the maze, and their files.
#include <benchmark/benchmark.h>

#include "ovf/vision/image_file.hpp"
#include "ovf/vision/maze_run.hpp"

namespace ovf {
namespace {

MazeRun run_of(const benchmark::State& state) {
  const auto side = static_cast<int>(state.range(0));
  return MazeRun({.camera = {.size = {side, side}}});
}

// A step of the visitor and its picture of range(0) pixels square.
void maze_frame(benchmark::State& state) {
  MazeRun run = run_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(run.next());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(maze_frame)->Arg(32)->Arg(64)->Unit(benchmark::kMicrosecond);

void png_file(benchmark::State& state) {
  const Image image = run_of(state).next().image;
  for (auto _ : state) benchmark::DoNotOptimize(encode_png(image));
}
BENCHMARK(png_file)->Arg(32)->Arg(64)->Unit(benchmark::kMicrosecond);

void jpeg_read(benchmark::State& state) {
  const auto bytes = encode_jpeg(run_of(state).next().image);
  for (auto _ : state) benchmark::DoNotOptimize(decode_image(bytes));
}
BENCHMARK(jpeg_read)->Arg(64)->Arg(640)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ovf
