#include "tools/lab/bench/pages.h"

#include <fmt/format.h>

#include <cstring>

#include "kernels/base/error.h"
#include "kernels/halftoner.h"
#include "manifests/scalars.h"
#include "tools/synth/page.h"

namespace mezzo::bench {
namespace {

constexpr size_t kWordBytes = 4;
constexpr uint32_t kMaxSidePx = 100'000;

size_t row_bytes(const PlaneSize& size) {
  return (size_t{size.width_px} + 31) / 32 * kWordBytes;
}

synth::SynthOptions options_of(const PlaneSize& size) {
  return {.width_px = size.width_px, .height_px = size.height_px};
}

Team& calling_thread() {
  static SoloTeam team;
  return team;
}

}  // namespace

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

std::vector<PlaneSize> parse_plane_sizes(const std::vector<std::string>& texts) {
  std::vector<PlaneSize> sizes;
  for (const std::string& text : texts) sizes.push_back(parse_plane_size(text));
  return sizes;
}

std::string to_string(const PlaneSize& size) {
  return fmt::format("{} x {}", size.width_px, size.height_px);
}

PlaneBits make_bits(const PlaneSize& size) {
  return PlaneBits(row_bytes(size) * size.height_px);
}

BitBand bits_of(PlaneBits& bits, const PlaneSize& size) {
  return {bits.data(), size.width_px, size.height_px, row_bytes(size)};
}

SampleBand TestPage::samples() const {
  SampleBand band;
  band.data = bytes.data();
  band.width_px = size.width_px;
  band.rows = size.height_px;
  band.stride_bytes = size_t{size.width_px} * bytes_per_sample;
  band.bytes_per_sample = bytes_per_sample;
  return band;
}

TestPage draw_shapes(const PlaneSize& size, synth::ShapeList shapes) {
  const synth::SynthPage drawing(options_of(size), std::move(shapes));
  TestPage page{size};
  page.bytes.resize(drawing.row_bytes() * size.height_px);
  drawing.render_rows(0, size.height_px, page.bytes.data());
  return page;
}

void Comparison::add(std::span<const std::byte> bits, std::span<const std::byte> reference) {
  for (size_t at = 0; at < bits.size(); at += kWordBytes) {
    differing += std::memcmp(&bits[at], &reference[at], kWordBytes) != 0;
  }
  words += bits.size() / kWordBytes;
}

Comparison& Comparison::operator+=(const Comparison& other) {
  words += other.words;
  differing += other.differing;
  return *this;
}

std::string Comparison::text() const {
  return fmt::format("  {} of {}", differing, words);
}

BenchPlane::BenchPlane(const PlaneSize& size) : BenchPlane(size, {}, calling_thread()) {}

BenchPlane::BenchPlane(const PlaneSize& size, const HalftoneSettings& settings, Team& team)
    : size_(size),
      curve_(255, Polarity::kMaxIsPaper),
      samples_(size_t{size.width_px} * size.height_px),
      reference_(row_bytes(size) * size.height_px),
      out_(reference_.size()) {
  synth::SynthPage(options_of(size)).render_rows(0, size.height_px, samples_.data());
  // Padding beyond the last byte of a row is compared too, and never written.
  std::memset(reference_.data(), 0, reference_.size());
  std::memset(out_.data(), 0, out_.size());
  set_reference(settings, team);
}

void BenchPlane::set_reference(const HalftoneSettings& settings, Team& team) {
  const auto halftoner = make_reference(complete(settings));
  const auto state = halftoner->make_state(size_.width_px);
  halftoner->run(samples(), curve_, bits(reference_), state.get(), team);
}

SampleBand BenchPlane::samples() const {
  return {samples_.data(), size_.width_px, size_.height_px, size_.width_px};
}

BitBand BenchPlane::bits(const gpu::PinnedMemory& memory) const {
  return {
      reinterpret_cast<uint8_t*>(memory.data()), size_.width_px, size_.height_px, row_bytes(size_)};
}

void BenchPlane::spoil() const {
  for (uint32_t i = 0; i < size_.height_px; ++i) {
    std::memset(out().row(i), 0xa5, bit_row_bytes(size_.width_px));
  }
}

void BenchPlane::compare(Comparison& comparison) const {
  comparison.add({out_.data(), out_.size()}, {reference_.data(), reference_.size()});
}

}  // namespace mezzo::bench
