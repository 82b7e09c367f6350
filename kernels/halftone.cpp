#include "kernels/halftone.h"

#include <algorithm>
#include <memory>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/gpu/gpu.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"

namespace mezzo {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kUsage, message);
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

/// The index of the choice of that name.
double choice_index(const ParameterInfo& parameter, std::string_view name) {
  const auto found = std::ranges::find(parameter.choices, name);
  if (found != parameter.choices.end()) {
    return static_cast<double>(found - parameter.choices.begin());
  }
  std::string message = "parameter " + quoted(parameter.name) + " must be ";
  if (parameter.choices.empty()) refuse(message + "a number, not " + quoted(name));
  for (size_t i = 0; i < parameter.choices.size(); ++i) {
    message += (i == 0                              ? ""
                : i + 1 == parameter.choices.size() ? " or "
                                                    : ", ") +
               quoted(parameter.choices[i]);
  }
  refuse(message + ", not " + quoted(name));
}

/// Throws where the method does not run on the engine, or this machine has no GPU for it.
void check_engine(const HalftoneSettings& settings) {
  const MethodInfo* method = find_method(settings.method);
  if (method == nullptr || settings.engine == Engine::kAutomatic) return;
  const auto on_engine = [&](const ScheduleInfo& s) { return s.engine == settings.engine; };
  const std::string engine = "engine " + quoted(to_string(settings.engine));
  if (std::ranges::none_of(method->schedules, on_engine)) {
    refuse("method " + quoted(method->name) + " does not run on " + engine +
           "; engines 'auto' and 'cpu' run every method");
  }
  if (settings.engine == Engine::kCpu) return;
  if (const gpu::GpuList list = gpu::list_gpus(); list.gpus.empty()) {
    throw Error(ErrorKind::kDevice,
                engine + " needs a GPU, and there is none: " + list.why_none,
                "engines 'auto' and 'cpu' give the same bits without one");
  }
}

/// Refuses what only a plan of the page could honour.
void check_of_sheet(const MethodInfo& method, const HalftoneSettings& settings) {
  for (const ParameterInfo& parameter : method.parameters) {
    if (parameter.source != ParameterInfo::Source::kSheet) continue;
    const auto given = settings.parameters.find(parameter.name);
    if (given == settings.parameters.end() || given->second == parameter.default_value) continue;
    refuse("method " + quoted(method.name) + ": " + quoted(parameter.name) + " must be " +
           quoted(choice_name(parameter, parameter.default_value)) +
           " here, where each ink is halftoned by itself; a job halftones all inks of a page");
  }
  if (settings.tile.values != nullptr && !method.takes_tile) {
    refuse("method " + quoted(method.name) + " takes no tile; use method 'tile', or leave it out");
  }
}

template <typename Sample>
void check_rows(const SampleBand& in, uint32_t most) {
  for (uint32_t y = 0; y < in.rows; ++y) {
    const auto* row = reinterpret_cast<const Sample*>(in.row(y));
    const auto* above = std::find_if(row, row + in.width_px, [&](Sample s) { return s > most; });
    if (above == row + in.width_px) continue;
    refuse("the sample at x " + std::to_string(above - row) + ", y " +
           std::to_string(in.first_row + y) + " is " + std::to_string(*above) +
           ", and max_sample " + std::to_string(most));
  }
}

template <typename Sample>
SampleBand checked_band(std::span<const Sample> grey,
                        uint32_t width,
                        uint32_t height,
                        const HalftoneOptions& options) {
  const auto in_range = [](uint32_t side) { return side > 0 && side <= kMostPixelsASide; };
  if (!in_range(width) || !in_range(height)) {
    refuse("width and height of a picture must be 1 .. " + std::to_string(kMostPixelsASide) +
           ", not " + std::to_string(width) + " x " + std::to_string(height));
  }
  const size_t stride = options.stride == 0 ? width : options.stride;
  if (stride < width) {
    refuse("the stride of " + std::to_string(stride) + " samples is less than the width of " +
           std::to_string(width));
  }
  // Division, as a product of a size and a stride may not fit.
  if (grey.size() < width || (grey.size() - width) / stride < height - 1) {
    refuse(std::to_string(grey.size()) + " samples are too few for " + std::to_string(width) +
           " x " + std::to_string(height) + " with rows " + std::to_string(stride) + " apart");
  }
  return {.data = reinterpret_cast<const std::byte*>(grey.data()),
          .width_px = width,
          .rows = height,
          .stride_bytes = stride * sizeof(Sample),
          .bytes_per_sample = sizeof(Sample),
          .plane = options.ink,
          .texture = options.ink};
}

template <typename Sample>
Bits halftone_samples(std::span<const Sample> grey,
                      uint32_t width,
                      uint32_t height,
                      const HalftoneOptions& options) {
  const SampleBand in = checked_band(grey, width, height, options);
  const ToneCurve curve = options.curve(sizeof(Sample));
  options.check_samples(in);
  const std::unique_ptr<Halftoner> halftoner = make_halftoner(options.settings()).halftoner;
  Bits bits{std::vector<uint8_t>(bit_row_bytes(width) * height), width, height};
  SoloTeam solo;
  run_plane(*halftoner,
            in,
            curve,
            {bits.bytes.data(), width, height, bits.stride_bytes()},
            options.team == nullptr ? solo : *options.team);
  return bits;
}

}  // namespace

Bits halftone(std::span<const uint8_t> grey,
              uint32_t width,
              uint32_t height,
              const HalftoneOptions& options) {
  return halftone_samples(grey, width, height, options);
}

Bits halftone(std::span<const uint16_t> grey,
              uint32_t width,
              uint32_t height,
              const HalftoneOptions& options) {
  return halftone_samples(grey, width, height, options);
}

/// An unknown method or parameter is left to the registry, which names the closest one.
CompleteSettings HalftoneOptions::settings() const {
  HalftoneSettings settings{.method = method, .engine = engine, .schedule = schedule};
  settings.tile.values = tile;
  const MethodInfo* info = find_method(method);
  for (const auto& [name, value] : parameters) {
    double& number = settings.parameters[name];
    if (value.number() != nullptr) {
      number = *value.number();
    } else if (info != nullptr) {
      const auto known = std::ranges::find(info->parameters, name, &ParameterInfo::name);
      if (known != info->parameters.end()) number = choice_index(*known, *value.name());
    }
  }
  CompleteSettings whole = complete(settings, {.dpi = dpi, .ink = ink_name, .ink_number = ink});
  check_of_sheet(*info, settings);
  check_engine(settings);
  return whole;
}

ToneCurve HalftoneOptions::curve(uint32_t bytes_per_sample) const {
  const uint32_t largest = bytes_per_sample == 1 ? 255 : 65535;
  const uint32_t most = max_sample == 0 ? largest : max_sample;
  if (most > largest) {
    refuse("max_sample is " + std::to_string(most) + ", and samples of " +
           std::to_string(8 * bytes_per_sample) + " bits are at most " + std::to_string(largest));
  }
  if (const std::string fault = check(tone); !fault.empty()) refuse(fault);
  return ToneCurve(most, polarity, tone);
}

void HalftoneOptions::check_samples(const SampleBand& in) const {
  if (max_sample == 0) return;
  if (in.bytes_per_sample == 1 && max_sample < 255) check_rows<uint8_t>(in, max_sample);
  if (in.bytes_per_sample == 2 && max_sample < 65535) check_rows<uint16_t>(in, max_sample);
}

}  // namespace mezzo
