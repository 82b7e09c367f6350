#include "pipeline/plan/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/band/ink15.h"
#include "kernels/band/tone.h"
#include "kernels/halftoner.h"
#include "kernels/prepress/scale.h"
#include "kernels/registry.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/codecs.h"
#include "stages/tiff/plate/encode.h"

namespace mezzo::plan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kReadBytesPerSecond = 3e9;
/// Memory that is locked for a GPU does not stay in a processor's cache.
constexpr double kReadIntoLocked = 1.5;

/// The processor time of this thread, which does not grow while others have the processor.
double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Samples as pages have them: paper on one side, soft tones with a little grain on the other.
/// Noise alone would make codecs, G4 above all, look far slower than they are on a page.
void draw_page(uint32_t width_px, uint32_t rows, std::vector<std::byte>& samples) {
  std::mt19937 random(1);
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t x = 0; x < width_px; ++x) {
      const uint32_t tone = (x + y) / 8 % 224 + random() % 32;
      samples[size_t{y} * width_px + x] = static_cast<std::byte>(x < width_px / 3 ? 255 : tone);
    }
  }
}

/// Seconds a pixel of the plate, linear and eightfold.
double scaling_cost() {
  static const double kCost = [] {
    constexpr uint32_t kWidth = 2048, kRows = 64, kTimes = 8;
    const auto scaler =
        prepress::make_scaler(kWidth / kTimes,
                              kRows / kTimes,
                              {{kTimes, 1}, {kTimes, 1}, prepress::ScaleFilter::kLinear});
    const std::vector<uint16_t> page(size_t{kWidth / kTimes} * (kRows / kTimes), kInk15 / 3);
    std::vector<uint16_t> plate(size_t{kWidth} * kRows);
    SoloTeam solo;
    double best = 1;
    for (int round = 0; round < 3; ++round) {
      const double begin = processor_seconds();
      scaler->run(
          {reinterpret_cast<const std::byte*>(page.data()),
           kWidth / kTimes,
           kRows / kTimes,
           size_t{2} * (kWidth / kTimes),
           0,
           2},
          {reinterpret_cast<std::byte*>(plate.data()), kWidth, kRows, size_t{2} * kWidth, 0, 2},
          solo);
      best = std::min(best, (processor_seconds() - begin) / (double{kWidth} * kRows));
    }
    return best;
  }();
  return kCost;
}

constexpr uint32_t kStripRows = 8;  // of 16 strips, which are decoded together

/// The rows as strips of a plate.
std::vector<std::vector<std::byte>> encoded_strips(const BitBand& rows,
                                                   tiff::Compression compression) {
  if (compression == tiff::Compression::kAutomatic) compression = tiff::kLikelyCompression;
  std::vector<std::vector<std::byte>> strips;
  for (uint32_t row = 0; row < rows.rows; row += kStripRows) {
    strips.push_back(tiff::encode_strip(rows.slice(row, kStripRows), compression));
  }
  return strips;
}

/// Into `rows`; false, and nothing done, where a plate is read back by libtiff.
bool decode(const std::vector<std::vector<std::byte>>& coded,
            tiff::Compression compression,
            const BitBand& rows) {
  const auto decode_strips = tiff::decoder_of(compression, rows.bits_per_px, coded.size());
  if (decode_strips == nullptr) return false;
  std::vector<tiff::StripToDecode> strips(coded.size());
  for (uint32_t i = 0; i < strips.size(); ++i) {
    strips[i].rows = rows.slice(i * kStripRows, kStripRows);
    strips[i].coded = coded[i];
  }
  decode_strips(strips);
  return true;
}

CpuCosts measure_cpu_costs(const ChosenHalftoner& chosen,
                           uint32_t bits_per_px,
                           tiff::Compression compression) {
  constexpr uint32_t kWidth = 2048, kRows = 128;
  constexpr double kPixels = double{kWidth} * kRows;
  std::vector<std::byte> samples(size_t{kWidth} * kRows);
  draw_page(kWidth, kRows, samples);
  const size_t row_bytes = bit_row_bytes(kWidth, bits_per_px);
  std::vector<uint8_t> bits(row_bytes * kRows);
  const SampleBand in{samples.data(), kWidth, kRows, kWidth, 0, 1};
  const BitBand out{bits.data(), kWidth, kRows, row_bytes, 0, bits_per_px};
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  SoloTeam solo;
  CpuCosts best{.read = 1 / kReadBytesPerSecond,
                .scale = scaling_cost(),
                .halftone = 1,
                .encode = 1,
                .seal = 1,
                .spreads = chosen.schedule->uses_threads};
  // The best of several rounds, as caches are cold in the first and others may clear them.
  constexpr int kRounds = 6;
  constexpr double kBudgetSeconds = 0.03;
  const double first = processor_seconds();
  for (int round = 0; round < kRounds; ++round) {
    const double begin = processor_seconds();
    if (round >= 2 && begin - first > kBudgetSeconds) break;
    const auto state = chosen.halftoner->make_state(kWidth);
    chosen.halftoner->run(in, curve, out, state.get(), solo);
    const double halftoned = processor_seconds();
    const auto coded = encoded_strips(out, compression);
    const double encoded = processor_seconds();
    const bool is_decoded = decode(coded, compression, out);
    const double decoded = processor_seconds();
    best.halftone = std::min(best.halftone, (halftoned - begin) / kPixels);
    best.encode = std::min(best.encode, (encoded - halftoned) / kPixels);
    // libtiff's decoders are not tried here: most take half as long as encoding.
    const double seal = is_decoded ? decoded - encoded : 0.5 * (encoded - halftoned);
    best.seal = std::min(best.seal, seal / kPixels);
  }
  return best;
}

constexpr double kMostSearchSeconds = 0.1;
constexpr auto kLongestSearch = std::chrono::milliseconds(300);  // of which others may have a part

/// Thrown out of a search that takes too long to be measured.
struct TakesTooLong {};

/// Seconds a pixel of a search on a square patch of all tones; nothing when it does not end soon.
std::optional<double> measure_search(const Halftoner& halftoner, uint32_t side_px) {
  std::mt19937 random(1);
  std::vector<std::byte> samples(size_t{side_px} * side_px);
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t tone = (i % side_px + i / side_px) * 224 / (2 * side_px);
    samples[i] = static_cast<std::byte>(tone + random() % 32);
  }
  const size_t row_bytes = bit_row_bytes(side_px);
  std::vector<uint8_t> bits(row_bytes * side_px);
  SoloTeam solo;
  const double begin = processor_seconds();
  const auto seconds = [begin] { return processor_seconds() - begin; };
  const auto last = Clock::now() + kLongestSearch;
  const auto state = halftoner.make_state(side_px);
  if (state) {
    state->on_round = [&seconds, last](const RoundReport&) {
      if (seconds() > kMostSearchSeconds || Clock::now() > last) throw TakesTooLong{};
    };
  }
  try {
    halftoner.run({samples.data(), side_px, side_px, side_px, 0, 1},
                  ToneCurve(255, Polarity::kMaxIsPaper),
                  {bits.data(), side_px, side_px, row_bytes, 0},
                  state.get(),
                  solo);
  } catch (const TakesTooLong&) {
    return std::nullopt;
  }
  return seconds() / static_cast<double>(samples.size());
}

/// Not for a method that stops by the clock. Others are tried on a small patch, and then on one as
/// large as the time allows.
std::optional<double> measure_search(const Halftoner& halftoner) {
  if (halftoner.traits().by_the_clock) return std::nullopt;
  constexpr double kSmallSide = 16, kSide = 48;
  const auto rough = measure_search(halftoner, static_cast<uint32_t>(kSmallSide));
  if (!rough) return rough;
  const double side = std::min(std::sqrt(0.5 * kMostSearchSeconds / *rough), kSide);
  if (side < 1.5 * kSmallSide) return rough;
  const auto fine = measure_search(halftoner, static_cast<uint32_t>(side));
  return fine ? fine : rough;
}

/// Pixels a second.
double on_all_gpus(const MachineCosts& machine, const Work& work) {
  const GpuCosts& gpu = machine.gpu;
  // A plane whose samples go up at the page's resolution leaves the bus to others.
  const bool is_scaled_there = work.to_strips && work.scaled_pixels > 0;
  const double of_one = is_scaled_there ? gpu.strips_pixels_per_s : gpu.planes_pixels_per_s;
  return std::min(work.planes_at_once * gpu.plane_pixels_per_s, machine.gpus * of_one);
}

/// Seconds that reading plates back takes all threads together.
double seal_seconds(const CpuCosts& cpu, const Work& work) {
  return work.decoded ? work.pixels * cpu.seal : 0;
}

}  // namespace

double seconds_on_cpu(const CpuCosts& cpu, const Work& work) {
  const double all = (work.page_bytes * cpu.read + work.scaled_pixels * cpu.scale +
                      work.pixels * (cpu.halftone + cpu.encode) + seal_seconds(cpu, work)) /
                     work.threads;
  if (cpu.spreads) return all;
  const uint32_t lanes = std::max(std::min(work.threads, work.planes_at_once), 1U);
  return std::max(all, work.pixels * cpu.halftone / lanes);
}

double seconds_with_gpu(const MachineCosts& machine, const Work& work) {
  const GpuCosts& gpu = machine.gpu;
  const CpuCosts& cpu = machine.cpu;
  const double scaling = work.to_strips ? 0 : work.scaled_pixels * cpu.scale;
  const double encoding = work.coded_there ? 0 : work.pixels * cpu.encode;
  const double sealing = work.coded_there ? 0 : seal_seconds(cpu, work);
  const double reading = work.page_bytes * cpu.read * kReadIntoLocked;
  const double threads = (reading + scaling + encoding + sealing) / work.threads;
  const double sent = work.to_strips ? work.page_bytes : work.plate_bytes;
  const double upload = sent / (machine.gpus * gpu.upload_bytes_per_s);
  const double download = work.pixels / 8 / (machine.gpus * gpu.download_bytes_per_s);
  const double halftoning = work.pixels / on_all_gpus(machine, work);
  return gpu.start_seconds + std::max({threads, upload, download, halftoning});
}

size_t sheets_beside_start(const CpuCosts& cpu,
                           std::span<const Work> sheets,
                           double start_seconds) {
  if (sheets.empty()) return 0;
  Work first = sheets.front();
  size_t count = 0;
  while (count + 1 < sheets.size() && seconds_on_cpu(cpu, first) <= start_seconds) {
    const Work& next = sheets[++count];
    first.pixels += next.pixels;
    first.page_bytes += next.page_bytes;
    first.scaled_pixels += next.scaled_pixels;
    first.planes_at_once += next.planes_at_once;
  }
  return count;
}

EngineChoice choose_engine(const MachineCosts& machine, const Work& work) {
  const double on_cpu = seconds_on_cpu(machine.cpu, work);
  const double with_gpu = seconds_with_gpu(machine, work);
  const bool gpu = on_cpu >= kTinySeconds && with_gpu < kClearlyFaster * on_cpu;
  const std::string threads = counted(work.threads, "thread");
  const std::string gpus = machine.gpus == 1 ? "a GPU" : fmt::format("{} GPUs", machine.gpus);
  const std::string rates =
      fmt::format("measured: a thread halftones {} and encodes {}, a GPU halftones {}",
                  rate_text(1 / machine.cpu.halftone),
                  rate_text(1 / machine.cpu.encode),
                  rate_text(on_all_gpus(machine, work) / machine.gpus));
  if (gpu) {
    return {Engine::kGpu,
            fmt::format("engine 'auto': GPU, as {} and {} would take about {} and the CPU alone "
                        "{} ({})",
                        gpus,
                        threads,
                        duration_text(with_gpu),
                        duration_text(on_cpu),
                        rates)};
  }
  return {Engine::kCpu,
          fmt::format("engine 'auto': CPU, as {} would take about {} and with {} it would be {} "
                      "({})",
                      threads,
                      duration_text(on_cpu),
                      gpus,
                      duration_text(with_gpu),
                      rates)};
}

EngineChoice choose_engine_of_search(const CpuCosts& cpu, const Work& work) {
  std::string reason =
      "engine 'auto': GPU, as a search is bound by arithmetic, which a GPU does far faster than "
      "threads";
  if (cpu.known) {
    reason += fmt::format("; {} would take about {}",
                          counted(work.threads, "thread"),
                          duration_text(seconds_on_cpu(cpu, work)));
  }
  return {Engine::kGpu, reason};
}

std::string speed_key(const HalftoneSettings& settings, const HalftonerTraits& traits) {
  const bool searches = traits.band_rows != 0;
  std::string key;
  if (settings.levels) {
    key =
        fmt::format("levels={}, {} bits;", settings.levels->drops.size(), bits_per_pixel(settings));
  }
  for (const auto& [name, value] : settings.parameters) {
    if (searches || name == kDotParameter.name) key += fmt::format("{}={};", name, value);
  }
  return key;
}

CpuCosts cpu_costs(const CompleteSettings& settings, tiff::Compression compression) {
  static std::mutex mutex;
  static std::map<std::string, CpuCosts> known;
  HalftoneSettings on_cpu = *settings;
  on_cpu.engine = Engine::kCpu;
  const MethodInfo& method = *find_method(on_cpu.method);
  if (find_schedule(method, on_cpu.schedule, Engine::kCpu) == nullptr) {
    on_cpu.schedule.clear();  // another engine's
  }
  const ChosenHalftoner chosen = make_halftoner(complete(on_cpu));
  const HalftonerTraits traits = chosen.halftoner->traits();
  const std::string key = fmt::format("{}/{}/{}/{}",
                                      on_cpu.method,
                                      chosen.schedule->name,
                                      static_cast<int>(compression),
                                      speed_key(on_cpu, traits));
  const bool searches = traits.band_rows != 0;
  // Bits of error diffusion are as hard to encode as those of a search, and sooner there.
  const CpuCosts diffused = searches ? cpu_costs(complete({}), compression) : CpuCosts();
  const std::lock_guard lock(mutex);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  if (!searches) {
    return known[key] = measure_cpu_costs(chosen, bits_per_pixel(on_cpu), compression);
  }
  const auto halftone = measure_search(*chosen.halftoner);
  return known[key] = {.read = diffused.read,
                       .scale = diffused.scale,
                       .halftone = halftone.value_or(0),
                       .encode = diffused.encode,
                       .seal = diffused.seal,
                       .spreads = chosen.schedule->uses_threads,
                       .known = halftone.has_value()};
}

}  // namespace mezzo::plan
