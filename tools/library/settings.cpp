#include "tools/library/settings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "kernels/band/ink_texture.h"
#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "kernels/screen/tile_values.h"
#include "manifests/parameters.h"
#include "manifests/settings/make_field.h"
#include "manifests/settings/member.h"
#include "pipeline/plan/plan.h"
#include "stages/ink_names.h"
#include "tools/library/guard.h"
#include "tools/library/rows.h"

namespace mezzo::library {
namespace {

using manifests::FieldType;
using manifests::SettingValue;
using S = mezzotint_settings;
using Row = manifests::Setting<S>;
constexpr auto kOptions = &S::options;
constexpr std::string_view kPaper[] = {"max", "min"};

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// An ink by its name, as pages have it, or by the number that tells its dots from others.
void set_ink(S& settings, const SettingValue& value) {
  const auto& text = std::get<std::string>(value);
  HalftoneOptions& options = settings.options;
  if (is_number(text)) {
    const manifests::Field number = manifests::whole(0, "ink", 0, UINT16_MAX, "");
    const SettingValue read = value_of("ink", manifests::read_value(number, text));
    options.ink = static_cast<uint32_t>(std::get<uint64_t>(read));
  } else {
    options.ink = text.empty() ? 0 : texture_of_ink(ink_file_names({text}).front());
  }
  options.ink_name = is_number(text) ? "" : text;
}

void set_plane(S& settings, const SettingValue& value) {
  const auto* plane = std::get_if<uint64_t>(&value);
  settings.plane = plane == nullptr ? std::nullopt : std::optional(static_cast<uint32_t>(*plane));
}

const manifests::Field& field_of_page(std::string_view key) {
  return manifests::field_of(*manifests::find_setting(key));
}

/// The settings of every method.
std::span<const Row> setting_rows() {
  using manifests::member;
  static const Row kRows[] = {
      {*manifests::find_field(manifests::kInHalftone, "method"),
       member<kOptions, &HalftoneOptions::method>()},
      {*manifests::find_field(manifests::kInHalftone, "engine"),
       {[](const S& s) -> SettingValue { return std::string(to_string(s.options.engine)); },
        [](S& s, const SettingValue& value) {
          s.options.engine = *engine_named(std::get<std::string>(value));
        }}},
      {manifests::one_of(0, "schedule", manifests::all_schedules, ""),
       member<kOptions, &HalftoneOptions::schedule>()},
      {*manifests::find_field(manifests::kInLimits, "threads"), member<&S::threads>()},
      {manifests::one_of(0, "paper", manifests::words<kPaper>, ""),
       manifests::word_of<kPaper, kOptions, &HalftoneOptions::polarity>()},
      {manifests::whole(0, "max_sample", 0, UINT16_MAX, ""),
       member<kOptions, &HalftoneOptions::max_sample>()},
      {manifests::make_field(FieldType::kText, 0, "ink", ""),
       {[](const S& s) -> SettingValue { return s.options.ink_name; }, set_ink}},
      {manifests::whole(0, "plane", 0, UINT16_MAX, ""),
       {[](const S&) { return SettingValue(); }, set_plane}},
      {field_of_page("tone.gamma"),
       member<kOptions, &HalftoneOptions::tone, &ToneSettings::gamma>()},
      {field_of_page("tone.invert"),
       member<kOptions, &HalftoneOptions::tone, &ToneSettings::invert>()},
  };
  return kRows;
}

bool is_parameter(std::string_view name) {
  return std::ranges::any_of(methods(), [&](const MethodInfo& method) {
    return std::ranges::find(method.parameters, name, &ParameterInfo::name) !=
           method.parameters.end();
  });
}

[[noreturn]] void refuse_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Row& row : setting_rows()) names.push_back(row.field.name);
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) names.push_back(parameter.name);
  }
  const std::string_view closest = closest_name(name, names);
  refuse("there is no setting '" + std::string(name) + "'" +
         (closest.empty() ? std::string() : "; did you mean '" + std::string(closest) + "'?"));
}

/// Refuses a value that no method takes; one that some take is checked with the method.
void check_value(std::string_view name, std::string_view value) {
  std::string problem;
  for (const MethodInfo& method : methods()) {
    const auto known = std::ranges::find(method.parameters, name, &ParameterInfo::name);
    if (known == method.parameters.end()) continue;
    const auto parsed = manifests::parse_parameter(*known, value);
    if (parsed.value && *parsed.value >= known->minimum && *parsed.value <= known->maximum) return;
    if (!problem.empty()) continue;
    problem = parsed.value ? "must be " + manifests::expected(*known) : parsed.problem;
    if (!parsed.hint.empty()) problem += "; " + parsed.hint;
  }
  refuse(std::string(name) + " " + problem);
}

void set(mezzotint_settings& settings, std::string_view name, std::string_view value) {
  if (set_row(setting_rows(), settings, name, std::string(value))) return;
  if (!is_parameter(name)) refuse_name(name);
  if (!value.empty()) check_value(name, value);
  if (value.empty()) {
    settings.texts.erase(std::string(name));
  } else {
    settings.texts.insert_or_assign(std::string(name), std::string(value));
  }
}

/// The shortest text that is read as this number: digits alone, as numbers are written in manifests.
std::string text_of(double number) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed).ptr;
  return {text.begin(), end};
}

/// The parameter of that name that is a number of the plate, which may be said with any method; or null.
const ParameterInfo* plate_parameter(std::string_view name) {
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) {
      if (parameter.source == ParameterInfo::Source::kPlate && parameter.name == name)
        return &parameter;
    }
  }
  return nullptr;
}

/// The options with the parameters' texts as values of the method that they are for.
HalftoneOptions with_parameters(const mezzotint_settings& settings) {
  HalftoneOptions options = settings.options;
  const MethodInfo* method = find_method(options.method);
  for (const auto& [name, text] : settings.texts) {
    if (const ParameterInfo* of_plate = plate_parameter(name)) {
      options.dpi = value_of(name, manifests::parse_parameter(*of_plate, text));
      continue;
    }
    ParameterValue value(text);
    if (method != nullptr) {
      const auto known = std::ranges::find(method->parameters, name, &ParameterInfo::name);
      if (known != method->parameters.end() && known->choices.empty()) {
        value = ParameterValue(value_of(name, manifests::parse_parameter(*known, text)));
      }
    }
    options.parameters.insert_or_assign(name, std::move(value));
  }
  return options;
}

std::unique_ptr<Halftoner> halftoner_of(const mezzotint_settings& settings, Engine engine) {
  HalftoneOptions options = with_parameters(settings);
  if (engine != Engine::kAutomatic) options.engine = engine;
  return make_halftoner(options.settings()).halftoner;
}

template <typename Sample>
void gather_samples(const std::byte* row, size_t pixel_bytes, uint32_t width_px, std::byte* out) {
  for (uint32_t x = 0; x < width_px; ++x) {
    std::memcpy(out + x * sizeof(Sample), row + x * pixel_bytes, sizeof(Sample));
  }
}

/// Eight bits, the highest first, as eight bytes.
constexpr std::array<uint64_t, 256> kSpread = [] {
  std::array<uint64_t, 256> table = {};
  for (uint32_t bits = 0; bits < 256; ++bits) {
    for (uint32_t x = 0; x < 8; ++x) {
      const uint32_t place = std::endian::native == std::endian::little ? x : 7 - x;
      table[bits] |= uint64_t{bits >> (7 - x) & 1} << 8 * place;
    }
  }
  return table;
}();

}  // namespace

std::function<void(const RoundReport&)> pulse_of(const mezzotint_settings& settings) {
  if (settings.on_pulse == nullptr) return {};
  return [on_pulse = settings.on_pulse, context = settings.pulse_context](const RoundReport&) {
    if (on_pulse(context) != 0) throw Error(ErrorKind::kInterrupted, "the call was interrupted");
  };
}

Threads::Threads(const mezzotint_settings& settings)
    : arena_(std::min(
          static_cast<int>(settings.threads == 0 ? plan::available_threads() : settings.threads),
          // TBB has no more, and would say so on stderr.
          tbb::info::default_concurrency())) {}

Method::Method(const mezzotint_settings& settings, uint32_t bytes_per_sample, Engine engine)
    : curve(settings.options.curve(bytes_per_sample)), halftoner(halftoner_of(settings, engine)) {}

SampleBand band_of(const mezzotint_image& image, const mezzotint_settings& settings) {
  require(image.samples, "samples");
  require_zero(image.reserved);
  const auto is_side = [](uint32_t side) { return side > 0 && side <= kMostPixelsASide; };
  if (!is_side(image.width) || !is_side(image.height)) {
    refuse("width and height must be 1 to " + std::to_string(kMostPixelsASide) + ", not " +
           std::to_string(image.width) + " x " + std::to_string(image.height));
  }
  if (image.sample_bits != 8 && image.sample_bits != 16) {
    refuse("sample_bits must be 8 or 16, not " + std::to_string(image.sample_bits));
  }
  const uint32_t sample_bytes = image.sample_bits / 8;
  const size_t pixel_bytes = image.pixel_bytes == 0 ? sample_bytes : image.pixel_bytes;
  const size_t least = pixel_bytes * (image.width - 1) + sample_bytes;
  const size_t row_bytes = image.row_bytes == 0 ? pixel_bytes * image.width : image.row_bytes;
  if (pixel_bytes > kMostApart || row_bytes > kMostApart || row_bytes < least ||
      pixel_bytes < sample_bytes || pixel_bytes % sample_bytes != 0 ||
      row_bytes % sample_bytes != 0) {
    refuse("rows " + std::to_string(row_bytes) + " bytes and pixels " +
           std::to_string(pixel_bytes) + " bytes apart do not fit samples of " +
           std::to_string(sample_bytes) + " bytes and a width of " + std::to_string(image.width));
  }
  if (reinterpret_cast<uintptr_t>(image.samples) % sample_bytes != 0) {
    refuse("samples of 16 bits must begin at an even address");
  }
  return with_ink({.data = static_cast<const std::byte*>(image.samples),
                   .width_px = image.width,
                   .rows = image.height,
                   .stride_bytes = row_bytes,
                   .bytes_per_sample = sample_bytes},
                  settings);
}

SampleBand with_ink(SampleBand band, const mezzotint_settings& settings) {
  band.texture = settings.options.ink;
  band.plane = settings.plane.value_or(settings.options.ink);
  return band;
}

size_t checked_row_bytes(std::string_view what, size_t row_bytes, size_t least, uint32_t width_px) {
  if (row_bytes == 0) return least;
  if (row_bytes >= least && row_bytes <= kMostApart) return row_bytes;
  refuse(std::string(what) + " " + std::to_string(row_bytes) + " bytes apart do not fit " +
         std::to_string(width_px) + " pixels, which take " + std::to_string(least));
}

size_t row_bytes_of(const mezzotint_dots& dots, uint32_t width_px) {
  require(dots.data, "data");
  require_zero(dots.reserved);
  if (dots.bits_per_pixel != 1 && dots.bits_per_pixel != 8) {
    refuse("bits_per_pixel must be 1 or 8, not " + std::to_string(dots.bits_per_pixel));
  }
  const size_t least = dots.bits_per_pixel == 8 ? width_px : bit_row_bytes(width_px);
  return checked_row_bytes("rows of dots", dots.row_bytes, least, width_px);
}

void gather(const std::byte* row,
            size_t pixel_bytes,
            uint32_t width_px,
            uint32_t bytes_per_sample,
            std::byte* out) {
  if (pixel_bytes == bytes_per_sample) {
    std::memcpy(out, row, size_t{width_px} * bytes_per_sample);
  } else if (bytes_per_sample == 1) {
    gather_samples<uint8_t>(row, pixel_bytes, width_px, out);
  } else {
    gather_samples<uint16_t>(row, pixel_bytes, width_px, out);
  }
}

void spread(const uint8_t* packed, uint32_t width_px, uint8_t* out) {
  const uint32_t whole = width_px / 8;
  for (uint32_t i = 0; i < whole; ++i) std::memcpy(out + size_t{i} * 8, &kSpread[packed[i]], 8);
  if (width_px % 8 != 0) {
    std::memcpy(out + size_t{whole} * 8, &kSpread[packed[whole]], width_px % 8);
  }
}

}  // namespace mezzo::library

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

mezzotint_settings* mezzotint_settings_new() {
  return make(nullptr, [] { return new mezzotint_settings; });
}

void mezzotint_settings_free(mezzotint_settings* settings) {
  delete settings;
}

int mezzotint_set(mezzotint_settings* settings,
                  const char* name,
                  const char* value,
                  mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    require(name, "name");
    require(value, "value");
    set(*settings, name, value);
  });
}

int mezzotint_set_number(mezzotint_settings* settings,
                         const char* name,
                         double value,
                         mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    require(name, "name");
    if (!std::isfinite(value)) refuse(std::string(name) + " must be a finite number");
    // As a text it would be the name of an ink.
    const bool is_ink = std::string_view(name) == "ink";
    if (is_ink && !(value >= 0 && value <= UINT16_MAX && value == std::floor(value))) {
      refuse("the number of an ink must be a whole one, 0 to 65535");
    }
    set(*settings, name, text_of(value));
  });
}

int mezzotint_set_curve(mezzotint_settings* settings,
                        const double* in_percent,
                        const double* out_percent,
                        size_t count,
                        mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    if (count > 0) {
      require(in_percent, "in_percent");
      require(out_percent, "out_percent");
    }
    ToneSettings tone = settings->options.tone;
    tone.points.clear();
    for (size_t i = 0; i < count; ++i) tone.points.push_back({in_percent[i], out_percent[i]});
    if (const std::string fault = check(tone); !fault.empty()) refuse(fault);
    settings->options.tone = std::move(tone);
  });
}

void mezzotint_set_pulse(mezzotint_settings* settings, mezzotint_on_pulse on_pulse, void* context) {
  if (settings == nullptr) return;
  settings->on_pulse = on_pulse;
  settings->pulse_context = context;
}

int mezzotint_set_tile(mezzotint_settings* settings,
                       const uint16_t* thresholds,
                       uint32_t width,
                       uint32_t height,
                       uint32_t bits,
                       mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    require(thresholds, "thresholds");
    if (width == 0 || height == 0 || size_t{width} * height > screen::kMostTile) {
      refuse("a tile of " + std::to_string(width) + " x " + std::to_string(height) +
             " thresholds is empty or larger than " + std::to_string(screen::kMostTile));
    }
    if (bits < 1 || bits > 16) refuse("thresholds must have 1 to 16 bits");
    screen::TileValues tile{.width = width, .height = height, .bits = bits};
    tile.values.assign(thresholds, thresholds + size_t{width} * height);
    const uint32_t limit = 1U << bits;
    const auto above = std::ranges::find_if(tile.values, [&](uint32_t v) { return v >= limit; });
    if (above != tile.values.end()) {
      refuse("a threshold of " + std::to_string(*above) + " does not fit " + std::to_string(bits) +
             " bits");
    }
    settings->options.tile = std::make_shared<const screen::TileValues>(std::move(tile));
  });
}
