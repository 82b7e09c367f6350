#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "pipeline/text.h"
#include "tools/lab/bench/search/parts.h"

namespace mezzo::bench {
namespace {

constexpr double kEqual = 1.001;  ///< LES may be so much worse than PES, which is luck

/// How near a method comes to each image, of 255, and last the mean.
struct SearchQuality {
  SearchPoint point;
  std::vector<double> errors = {};
};

/// The order of methods that the paper finds of searches from one start, and whether it is found
/// here: of each image, and last of the means.
struct QualityOrder {
  std::string start;
  std::vector<bool> les_is_least = {};  ///< LES <= 1.001 x PES
  std::vector<bool> in_order = {};      ///< 1.001 x PES < DBS < Floyd-Steinberg

  size_t images() const { return in_order.size() - 1; }
};

/// Of the images alone.
size_t count(const std::vector<bool>& holds) {
  return static_cast<size_t>(std::count(holds.begin(), holds.end() - 1, true));
}

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

std::string answer(const std::vector<bool>& holds) {
  const size_t images = holds.size() - 1;
  const std::string of_means = holds.back() ? "yes" : "no";
  return images == 1 ? of_means
                     : fmt::format("{} ({} of {} images)", of_means, count(holds), images);
}

/// Of each start; `all` begins with Floyd-Steinberg and DBS.
std::vector<QualityOrder> orders_of(const std::vector<SearchQuality>& all) {
  std::vector<QualityOrder> orders;
  for (const SearchQuality& les : all) {
    if (les.point.method != "les") continue;
    for (const SearchQuality& pes : all) {
      if (pes.point.method != "pes" || pes.point.start != les.point.start) continue;
      QualityOrder& order = orders.emplace_back(les.point.start);
      for (size_t i = 0; i < les.errors.size(); ++i) {
        const double most = kEqual * pes.errors[i], dbs = all[1].errors[i];
        order.les_is_least.push_back(les.errors[i] <= most);
        order.in_order.push_back(most < dbs && dbs < all[0].errors[i]);
      }
    }
  }
  return orders;
}

/// Of one image, or of "mean".
Record quality_record(const SearchPoint& point,
                      const std::string& image,
                      double error,
                      double floyd_steinberg_error) {
  const kouge::Errors& paper = *kouge::errors(point.method);
  const double papers = kouge::errors("floyd-steinberg")->cpu;
  std::optional<double> paper_gpu;
  if (paper.gpu > 0) paper_gpu = paper.gpu;
  const auto share = [](double of_all) { return fmt::format("{:.1f}%", 100 * of_all); };
  const double ours = error / floyd_steinberg_error;
  return record_of("search-quality", point)
      .show({"method", -17}, point.is_search() ? point.name().substr(0, 3) : point.name())
      .show({"start", -17}, point.is_search() ? point.start : "")
      .add("image", image, Column{"image", -17})
      .add("average_error", error, Column{"error", 8, 3})
      .add("of_floyd_steinberg", ours)
      .show({"of FS", 9}, share(ours))
      .add("paper_average_error", paper.cpu, Column{"paper", 9, 2})
      .show({"of FS", 9}, share(paper.cpu / papers))
      .add("paper_gpu_average_error", paper_gpu, Column{"its GPU", 9, 2})
      .add("paper_of_floyd_steinberg", paper.cpu / papers)
      .show({"of FS", 9}, paper_gpu ? share(*paper_gpu / papers) : "");
}

Record order_record(const QualityOrder& order) {
  return Record("search-order")
      .add("start", order.start)
      .add("les_is_least", bool{order.les_is_least.back()})
      .add("in_order", bool{order.in_order.back()})
      .add("images", order.images())
      .add("images_les_is_least", count(order.les_is_least))
      .add("images_in_order", count(order.in_order));
}

}  // namespace

void measure_quality(SearchBench& bench) {
  bench.results.print(
      "\nTable II: average error of a pixel, of 255, as the paper defines it (dots blurred, the "
      "image not), {}.\n'of FS': of Floyd-Steinberg. DBS: the paper's eye, and the image itself "
      "as its target.\n",
      counted(bench.images().size(), "image"));
  bench.results.begin_table();
  std::vector<SearchQuality> all;
  for (const SearchPoint& point : quality_points()) {
    HalftoneSettings settings = point.settings();
    settings.engine = bench.has_gpu() && point.is_search() ? Engine::kGpu : Engine::kCpu;
    const auto halftoner = make_halftoner(complete(settings)).halftoner;
    std::vector<double>& errors = all.emplace_back(point).errors;
    const auto keep = [&](const std::string& image, double error) {
      errors.push_back(error);
      const double floyd_steinberg = all.front().errors[errors.size() - 1];
      Record record = quality_record(point, image, error, floyd_steinberg);
      // The mean of one image is its own.
      if (image == "mean" && errors.size() == 2) record.without_row();
      bench.results.add(record, bench.quality_csv);
    };
    for (const SearchImage& image : bench.images()) {
      SearchOutcome outcome = run_search(*halftoner, image, bench.team());
      keep(image.name, average_error(image, outcome.bits, bench.team()));
    }
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    keep("mean", sum / static_cast<double>(errors.size()));
  }
  for (const QualityOrder& order : orders_of(all)) {
    bench.results.show(order_record(order));
    bench.results.print("  from {:<17}LES <= {} x PES: {};  {} x PES < DBS < Floyd-Steinberg: {}\n",
                        order.start + ":",
                        kEqual,
                        answer(order.les_is_least),
                        kEqual,
                        answer(order.in_order));
  }
}

}  // namespace mezzo::bench
