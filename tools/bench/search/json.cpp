// What bench search tells programs.

#include "tools/bench/search/kouge_table.h"
#include "tools/bench/search/search.h"

namespace mezzo::bench {
namespace {

using Json = nlohmann::ordered_json;

Json begin(std::string_view type, const SearchPoint& point) {
  Json object = {{"v", 1}, {"type", type}, {"method", point.method}};
  const bool is_dbs = point.method == "dbs";
  object["start"] = point.is_search() ? Json(point.start) : Json();
  object["eye"] = is_dbs ? Json(point.eye) : Json();
  object["target"] = is_dbs ? Json(point.target) : Json();
  return object;
}

}  // namespace

Json timing_json(const SearchTiming& timing, std::string_view type) {
  Json object = begin(type, timing.point);
  const bool is_papers = timing.side_px == kouge::kSide && timing.point.start == "random";
  const kouge::Times* paper = is_papers ? kouge::times(timing.point.method) : nullptr;
  object["image"] = timing.image;
  object["side_px"] = timing.side_px;
  object["engine"] = to_string(timing.engine);
  object["threads"] = timing.threads;
  object["s"] = timing.seconds;
  object["mpx_per_s"] = timing.seconds > 0 ? Json(timing.mpx_per_s()) : Json();
  object["rounds"] = timing.round_count();
  object["windows"] = timing.windows ? Json(*timing.windows) : Json();
  object["windows_per_s"] = timing.windows ? Json(*timing.windows_per_s()) : Json();
  object["start_error"] = timing.rounds.empty() ? Json() : Json(timing.rounds.front().error);
  object["error"] = timing.rounds.empty() ? Json() : Json(timing.rounds.back().error);
  object["words"] = timing.comparison.words;
  object["differing_words"] = timing.comparison.differing;
  object["paper_cpu_s"] = paper != nullptr ? Json(paper->cpu_s) : Json();
  object["paper_fpga_s"] = paper != nullptr ? Json(paper->fpga_s) : Json();
  object["paper_gpu_s"] = paper != nullptr ? Json(paper->gpu_s) : Json();
  return object;
}

Json round_json(const SearchTiming& timing, size_t round) {
  Json object = begin("search-round", timing.point);
  object["image"] = timing.image;
  object["side_px"] = timing.side_px;
  object["engine"] = to_string(timing.engine);
  object["threads"] = timing.threads;
  object["round"] = round;
  object["s"] = timing.rounds[round].seconds;
  object["changed_px"] = timing.rounds[round].changed;
  object["error"] = timing.rounds[round].error;
  return object;
}

Json cost_json(const SearchPoint& point, const SearchCost& cost) {
  Json object = begin("search-bounds", point);
  object["round"] = cost.round;
  object["windows"] = cost.windows;
  object["sampled"] = cost.sampled;
  object["differing"] = cost.differing;
  object["bounds_us"] = cost.bounds_us;
  object["literal_us"] = cost.literal_us;
  object["literal_over_bounds"] = cost.literal_us / cost.bounds_us;
  return object;
}

Json published_json(const SearchPoint& point, const PublishedCost& cost) {
  Json object = begin("search-published", point);
  object["rounds"] = cost.rounds;
  object["windows"] = cost.windows;
  object["literal_us"] = cost.literal_us;
  object["estimated_s"] = cost.seconds();
  return object;
}

Json misses_json(const SearchPoint& point, const SearchMisses& misses) {
  Json object = begin("search-misses", point);
  object["windows"] = misses.windows;
  object["missed"] = misses.missed;
  object["excess"] = misses.excess;
  object["error"] = misses.error;
  object["les_error"] = misses.les_error;
  object["differing_px"] = misses.differing_px;
  return object;
}

Json quality_json(const SearchPoint& point,
                  const std::string& image,
                  double error,
                  double floyd_steinberg_error) {
  Json object = begin("search-quality", point);
  const kouge::Errors& paper = *kouge::errors(point.method);
  object["image"] = image;
  object["average_error"] = error;
  object["of_floyd_steinberg"] = error / floyd_steinberg_error;
  object["paper_average_error"] = paper.cpu;
  object["paper_gpu_average_error"] = paper.gpu > 0 ? Json(paper.gpu) : Json();
  object["paper_of_floyd_steinberg"] = paper.cpu / kouge::errors("floyd-steinberg")->cpu;
  return object;
}

Json order_json(const QualityOrder& order) {
  return {{"v", 1},
          {"type", "search-order"},
          {"start", order.start},
          {"les_is_least", order.les_is_least},
          {"in_order", order.in_order},
          {"images", order.images},
          {"images_les_is_least", order.images_les_is_least},
          {"images_in_order", order.images_in_order}};
}

}  // namespace mezzo::bench
