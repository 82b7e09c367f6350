#include "tools/lab/bench/search/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernels/search/search_methods.h"
#include "stages/band/contone_buffer.h"
#include "stages/tiff/read/reader.h"
#include "tools/lab/bench/search/kouge_table.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

constexpr uint64_t kReaderMemory = 1ULL << 30;  // for pages that lie on their side

}  // namespace

SearchImage load_search_image(const std::string& path, uint32_t side_px, Team& team) {
  const auto file = tiff::TiffFile::open(path);
  const PageInfo& info = file->page(0);
  if (info.width_px < side_px || info.height_px < side_px) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: is {} x {} px; --side must be at most its shorter side",
                            path,
                            info.width_px,
                            info.height_px));
  }
  SearchImage image{path,
                    {{side_px, side_px}, info.bytes_per_sample, info.max_sample, info.polarity}};
  std::vector<std::byte>& bytes = image.page.bytes;
  ContoneBuffer buffer(info, side_px);
  const auto planes = buffer.rows((info.height_px - side_px) / 2, side_px);
  file->open_page(0, kReaderMemory)->read(planes, team);
  const size_t row_bytes = size_t{side_px} * info.bytes_per_sample;
  const size_t left = size_t{(info.width_px - side_px) / 2} * info.bytes_per_sample;
  bytes.resize(row_bytes * side_px);
  for (uint32_t i = 0; i < side_px; ++i) {
    std::memcpy(bytes.data() + i * row_bytes, planes[0].row(i) + left, row_bytes);
  }
  return image;
}

SearchImage draw_search_image(uint32_t side_px) {
  const auto side = static_cast<int32_t>(side_px);
  synth::ShapeList shapes;
  shapes.push_back(synth::make_landscape({0, 0, side, side}, 1, kPhotoSeed));
  return {"synthetic photo", draw_shapes({side_px, side_px}, std::move(shapes))};
}

HalftoneSettings SearchPoint::settings() const {
  HalftoneSettings settings = {.method = method};
  if (!is_search()) return settings;
  auto& values = settings.parameters;
  values["start"] = index_of(search::kStarts, start);
  if (is_local()) {
    values["eye"] = index_of(search::kLocalEyes, std::string("published"));
    values["window"] = kouge::kWindow;
    values["cell"] = kouge::kCell;
  } else {
    values["eye"] = index_of(search::kEyes, eye);
    values["target"] = index_of(search::kTargets, target);
  }
  if (is_local() || eye == "gaussian") {
    values["sigma"] = kouge::kSigma;
    values["radius"] = kouge::kRadius;
  }
  return settings;
}

std::string SearchPoint::name() const {
  if (!is_search()) return "Floyd-Steinberg";
  if (is_local()) return method == "les" ? "LES" : "PES";
  return "DBS " + eye;
}

std::vector<SearchPoint> local_points() {
  return {
      {"les", "random"}, {"pes", "random"}, {"les", "floyd-steinberg"}, {"pes", "floyd-steinberg"}};
}

Record record_of(std::string_view type, const SearchPoint& point) {
  const auto if_any = [](bool any, const std::string& text) {
    return any ? std::optional(text) : std::nullopt;
  };
  const bool is_dbs = point.method == "dbs";
  return Record(type)
      .add("method", point.method)
      .add("start", if_any(point.is_search(), point.start))
      .add("eye", if_any(is_dbs, point.eye))
      .add("target", if_any(is_dbs, point.target));
}

SearchOutcome run_search(const Halftoner& halftoner,
                         const SearchImage& image,
                         Team& team,
                         const std::function<void(uint32_t)>& after_round) {
  using Clock = std::chrono::steady_clock;
  SearchOutcome outcome;
  outcome.bits = make_bits(image.page.size);
  const ToneCurve curve = image.page.curve();
  const auto state = halftoner.make_state(image.side_px());
  const auto begin = Clock::now();
  auto last = begin;
  if (state != nullptr) {
    state->on_round = [&](const RoundReport& report) {
      stop_if_requested();
      if (report.part < 1) return;
      if (after_round) after_round(report.round);
      const auto now = Clock::now();
      outcome.rounds.push_back({std::chrono::duration<double>(now - last).count(),
                                report.changed,
                                report.average_error});
      last = now;
    };
  }
  halftoner.run(
      image.page.samples(), curve, bits_of(outcome.bits, image.page.size), state.get(), team);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

std::string number_text(double value) {
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, digits);
}

std::string times_text(double ratio) {
  return number_text(ratio) + "x";
}

std::string seconds_text(double seconds) {
  return seconds < 1 ? number_text(1000 * seconds) + " ms" : number_text(seconds) + " s";
}

}  // namespace mezzo::bench
