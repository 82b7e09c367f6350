// What the measuring subcommands of bench share: test planes, repeated runs, results in files.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kernels/base/repeat.h"
#include "manifests/scalars.h"
#include "tools/bench/bench.h"
#include "tools/cli/interrupt.h"
#include "tools/synth/page.h"

namespace mezzo::bench {
namespace {

constexpr size_t kWordBytes = 4;
constexpr uint32_t kMaxSidePx = 100'000;

Team& calling_thread() {
  static SoloTeam team;
  return team;
}

}  // namespace

void draw_test_samples(uint32_t width_px, uint32_t height_px, std::byte* samples) {
  synth::SynthOptions options;
  options.width_px = width_px;
  options.height_px = height_px;
  synth::SynthPage(options).render_rows(0, height_px, samples);
}

void add_measure_options(cli::Command& command, MeasureOptions& options) {
  command.option("--repetitions", options.repetitions, "The median of these counts")
      .range(1, 1000)
      .shows_default();
  command.option("--seconds", options.seconds, "No repetition begins after this time in one row")
      .range(0.0, 3600.0)
      .shows_default();
  command.option("--csv", options.csv, "A file for the results, a row a measurement").takes("FILE");
  command.option("--svg", options.svg, "A file for a plot of the results").takes("FILE");
}

PlaneSize parse_plane_size(const std::string& text) {
  const size_t cross = text.find('x');
  const auto width = manifests::parse_integer(text.substr(0, cross)).value;
  const auto height =
      cross == std::string::npos ? width : manifests::parse_integer(text.substr(cross + 1)).value;
  const auto good = [](const auto& side) { return side && *side >= 1 && *side <= kMaxSidePx; };
  if (!good(width) || !good(height)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--sizes: '{}' is no size; write a side or WIDTHxHEIGHT in pixels, up "
                            "to {} each, e.g. 1024 or 1024x768",
                            text,
                            kMaxSidePx));
  }
  return {static_cast<uint32_t>(*width), static_cast<uint32_t>(*height)};
}

std::string to_string(const PlaneSize& size) {
  return fmt::format("{} x {}", size.width_px, size.height_px);
}

BenchPlane::BenchPlane(const PlaneSize& size) : BenchPlane(size, {}, calling_thread()) {}

BenchPlane::BenchPlane(const PlaneSize& size, const HalftoneSettings& settings, Team& team)
    : size_(size),
      curve_(255, Polarity::kMaxIsPaper),
      samples_(size_t{size.width_px} * size.height_px),
      reference_(row_bytes() * size.height_px),
      out_(reference_.size()) {
  draw_test_samples(size.width_px, size.height_px, samples_.data());
  // Padding beyond the last byte of a row is compared too, and never written.
  std::memset(reference_.data(), 0, reference_.size());
  std::memset(out_.data(), 0, out_.size());
  set_reference(settings, team);
}

void BenchPlane::set_reference(const HalftoneSettings& settings, Team& team) {
  const auto halftoner = make_reference(settings);
  const auto state = halftoner->make_state(size_.width_px);
  halftoner->run(samples(), curve_, bits(reference_), state.get(), team);
}

size_t BenchPlane::row_bytes() const {
  return (size_t{size_.width_px} + 31) / 32 * kWordBytes;
}

SampleBand BenchPlane::samples() const {
  return {samples_.data(), size_.width_px, size_.height_px, size_.width_px};
}

BitBand BenchPlane::bits(const gpu::PinnedMemory& memory) const {
  return {reinterpret_cast<uint8_t*>(memory.data()), size_.width_px, size_.height_px, row_bytes()};
}

void BenchPlane::spoil() const {
  for (uint32_t i = 0; i < size_.height_px; ++i) {
    std::memset(out().row(i), 0xa5, bit_row_bytes(size_.width_px));
  }
}

uint64_t BenchPlane::words() const {
  return out_.size() / kWordBytes;
}

uint64_t BenchPlane::differing_words() const {
  uint64_t differing = 0;
  for (size_t at = 0; at < out_.size(); at += kWordBytes) {
    differing += std::memcmp(out_.data() + at, reference_.data() + at, kWordBytes) != 0;
  }
  return differing;
}

void Comparison::add(const BenchPlane& plane) {
  words += plane.words();
  differing += plane.differing_words();
}

std::optional<DeviceCeilings> show_ceilings(const gpu::GpuList& list, bool json) {
  if (list.gpus.empty()) {
    if (!json) fmt::print("GPU rows are left out: {}.\n", list.why_none);
    return std::nullopt;
  }
  const DeviceCeilings ceilings = measure_device_ceilings();
  if (json) {
    const nlohmann::ordered_json object = {{"v", 1},
                                           {"type", "ceilings"},
                                           {"gpu", list.gpus.front().name},
                                           {"copy_gbps", ceilings.copy_gbps},
                                           {"upload_gbps", ceilings.upload_gbps},
                                           {"download_gbps", ceilings.download_gbps}};
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print(
        "{}: copies inside its memory {:.0f} GB/s (read and written), upload {:.1f} GB/s, "
        "download {:.1f} GB/s.\n",
        list.gpus.front().name,
        ceilings.copy_gbps,
        ceilings.upload_gbps,
        ceilings.download_gbps);
  }
  return ceilings;
}

double time_run(const Halftoner& halftoner,
                const BenchPlane& plane,
                Team& team,
                const MeasureOptions& options,
                Comparison& comparison) {
  std::vector<double> times;
  repeat(options.repetitions, options.seconds, [&] {
    stop_if_requested();
    plane.spoil();
    const auto state = halftoner.make_state(plane.size().width_px);
    const auto begin = std::chrono::steady_clock::now();
    halftoner.run(plane.samples(), plane.curve(), plane.out(), state.get(), team);
    const auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
    comparison.add(plane);
  });
  return warm_median(times);
}

CsvFile::CsvFile(const std::string& path, const std::string& header) : path_(path) {
  if (path_.empty()) return;
  file_.open(path_, std::ios::trunc);
  if (!file_) throw Error(ErrorKind::kCannotCreate, path_ + ": cannot be created");
  add(header);
}

void CsvFile::add(const std::string& row) {
  if (path_.empty()) return;
  file_ << row << std::endl;
  if (!file_) throw Error(ErrorKind::kIo, path_ + ": cannot be written to");
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  if (!file) throw Error(ErrorKind::kCannotCreate, path + ": cannot be created");
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::kIo, path + ": cannot be written to");
}

void stop_if_requested() {
  if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "the benchmark was stopped");
}

void require_same_bits(const Comparison& all) {
  if (all.differing == 0) return;
  throw Error(ErrorKind::kBug,
              fmt::format("{} of {} words differ from the reference; please report this",
                          all.differing,
                          all.words));
}

}  // namespace mezzo::bench
