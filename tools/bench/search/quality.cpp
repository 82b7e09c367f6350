#include "tools/bench/search/quality.h"

#include <fmt/format.h>

#include <numeric>

#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "pipeline/text.h"

namespace mezzo::bench {
namespace {

constexpr double kEqual = 1.001;  ///< LES may be so much worse than PES, which is luck

/// The average error of a method on the images.
struct SearchQuality {
  SearchPoint point;
  std::vector<double> errors = {};  ///< of each image, of 255

  double mean() const {
    return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  }
};

/// The order of methods that the paper finds of searches from one start, and whether it is found
/// here: of the means, and of how many images.
struct QualityOrder {
  std::string start;
  bool les_is_least = false;  ///< LES <= 1.001 x PES
  bool in_order = false;      ///< 1.001 x PES < DBS < Floyd-Steinberg
  size_t images = 0, images_les_is_least = 0, images_in_order = 0;
};

/// Floyd-Steinberg and DBS first.
std::vector<SearchPoint> quality_points() {
  std::vector<SearchPoint> points = {{"floyd-steinberg"}, {"dbs", "floyd-steinberg"}};
  const auto local = local_points();
  points.insert(points.end(), local.begin(), local.end());
  return points;
}

/// The paper's average error (Report::average_error in kernels/quality).
double average_error(const SearchImage& image, PlaneBits& bits, Team& team) {
  const TestPage& page = image.page;
  quality::MemoryPair pair(
      page.samples(), page.max_sample, page.polarity, bits_of(bits, page.size));
  return quality::judge(pair, {}, team).average_error;
}

QualityOrder order_of(const std::string& start,
                      const SearchQuality& floyd_steinberg,
                      const SearchQuality& dbs,
                      const SearchQuality& les,
                      const SearchQuality& pes) {
  const auto is_least = [](double l, double p) { return l <= kEqual * p; };
  const auto is_in_order = [](double p, double d, double f) { return kEqual * p < d && d < f; };
  QualityOrder order{start,
                     is_least(les.mean(), pes.mean()),
                     is_in_order(pes.mean(), dbs.mean(), floyd_steinberg.mean()),
                     les.errors.size()};
  for (size_t i = 0; i < les.errors.size(); ++i) {
    order.images_les_is_least += is_least(les.errors[i], pes.errors[i]);
    order.images_in_order += is_in_order(pes.errors[i], dbs.errors[i], floyd_steinberg.errors[i]);
  }
  return order;
}

std::string answer(bool holds, size_t count, size_t images) {
  return images == 1 ? (holds ? "yes" : "no")
                     : fmt::format("{} ({} of {} images)", holds ? "yes" : "no", count, images);
}

/// Of each start; `all` begins with Floyd-Steinberg and DBS.
std::vector<QualityOrder> orders_of(const std::vector<SearchQuality>& all) {
  std::vector<QualityOrder> orders;
  for (const SearchQuality& les : all) {
    if (les.point.method != "les") continue;
    for (const SearchQuality& pes : all) {
      if (pes.point.method != "pes" || pes.point.start != les.point.start) continue;
      orders.push_back(order_of(les.point.start, all[0], all[1], les, pes));
    }
  }
  return orders;
}

/// `all` begins with Floyd-Steinberg and DBS, and has LES and PES from each start after these.
void print_quality(Results& results, const std::vector<SearchQuality>& all) {
  const double floyd_steinberg = all.front().mean();
  const double papers = kouge::errors("floyd-steinberg")->cpu;
  results.begin_table();
  for (const SearchQuality& quality : all) {
    const SearchPoint& point = quality.point;
    const auto share = [](double error, double of) {
      return fmt::format("{:.1f}%", 100 * error / of);
    };
    const kouge::Errors& paper = *kouge::errors(point.method);
    Record row("");
    row.show({"method", -17}, point.is_search() ? point.name().substr(0, 3) : point.name())
        .show({"start", -17}, point.is_search() ? point.start : "")
        .add("", quality.mean(), Column{quality.errors.size() == 1 ? "error" : "mean", 8, 3})
        .show({"of FS", 9}, share(quality.mean(), floyd_steinberg))
        .add("", paper.cpu, Column{"paper", 9, 2})
        .show({"of FS", 9}, share(paper.cpu, papers))
        .show({"its GPU", 9}, paper.gpu > 0 ? fmt::format("{:.2f}", paper.gpu) : "")
        .show({"of FS", 9}, paper.gpu > 0 ? share(paper.gpu, papers) : "");
    results.show(row);
  }
  for (const QualityOrder& order : orders_of(all)) {
    results.print("  from {:<17}LES <= {} x PES: {};  {} x PES < DBS < Floyd-Steinberg: {}\n",
                  order.start + ":",
                  kEqual,
                  answer(order.les_is_least, order.images_les_is_least, order.images),
                  kEqual,
                  answer(order.in_order, order.images_in_order, order.images));
  }
}

/// Of one image, or of "mean".
Record quality_record(const SearchPoint& point,
                      const std::string& image,
                      double error,
                      double floyd_steinberg_error) {
  const kouge::Errors& paper = *kouge::errors(point.method);
  return record_of("search-quality", point)
      .add("image", image)
      .add("average_error", error)
      .add("of_floyd_steinberg", error / floyd_steinberg_error)
      .add("paper_average_error", paper.cpu)
      .add("paper_gpu_average_error", paper.gpu > 0 ? std::optional(paper.gpu) : std::nullopt)
      .add("paper_of_floyd_steinberg", paper.cpu / kouge::errors("floyd-steinberg")->cpu);
}

Record order_record(const QualityOrder& order) {
  return Record("search-order")
      .add("start", order.start)
      .add("les_is_least", order.les_is_least)
      .add("in_order", order.in_order)
      .add("images", order.images)
      .add("images_les_is_least", order.images_les_is_least)
      .add("images_in_order", order.images_in_order);
}

}  // namespace

void measure_quality(SearchBench& bench) {
  bench.results.print(
      "\nTable II: average error of a pixel, of 255, as the paper defines it (dots blurred, the "
      "image not), {}.\n'of FS': of Floyd-Steinberg. DBS: the paper's eye, and the image itself "
      "as its target.\n",
      counted(bench.images().size(), "image"));
  std::vector<SearchQuality> all;
  for (const SearchPoint& point : quality_points()) {
    HalftoneSettings settings = point.settings();
    settings.engine = bench.has_gpu() && point.is_search() ? Engine::kGpu : Engine::kCpu;
    const auto halftoner = make_halftoner(settings).halftoner;
    std::vector<double>& errors = all.emplace_back(point).errors;
    const auto keep = [&](const std::string& image, double error, double floyd_steinberg) {
      bench.results.add(quality_record(point, image, error, floyd_steinberg), bench.quality_csv);
    };
    for (const SearchImage& image : bench.images()) {
      SearchOutcome outcome = run_search(*halftoner, image, bench.team());
      errors.push_back(average_error(image, outcome.bits, bench.team()));
      keep(image.name, errors.back(), all.front().errors[errors.size() - 1]);
    }
    keep("mean", all.back().mean(), all.front().mean());
  }
  if (!bench.results.json()) print_quality(bench.results, all);
  for (const QualityOrder& order : orders_of(all)) bench.results.show(order_record(order));
}

}  // namespace mezzo::bench
