// What bench search prints.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/bench/search/kouge_table.h"
#include "tools/bench/search/search.h"

namespace mezzo::bench {
namespace {

constexpr double kEqual = 1.001;  ///< LES may be so much worse than PES, which is luck

/// Three digits or a little more, without exponents.
std::string number(double value) {
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, digits);
}

std::string times(double ratio) {
  return number(ratio) + "x";
}

/// The paper's times, where they are of the same page.
const kouge::Times* paper_of(const SearchTiming& timing) {
  return timing.side_px == kouge::kSide ? kouge::times(timing.point.method) : nullptr;
}

void print_time_cells(std::string_view method,
                      std::string_view start,
                      std::string_view where,
                      const std::vector<std::string>& cells) {
  std::string line = fmt::format("  {:<7}{:<17}{:<12}", method, start, where);
  constexpr int kWidths[] = {9, 8, 11, 13, 13, 8, 8};
  for (size_t i = 0; i < cells.size(); ++i) line += fmt::format("{:>{}}", cells[i], kWidths[i]);
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
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

}  // namespace

std::string seconds_text(double seconds) {
  return seconds < 1 ? number(1000 * seconds) + " ms" : number(seconds) + " s";
}

void print_times_heading() {
  print_time_cells("method",
                   "start",
                   "where",
                   {"seconds", "rounds", "10^3 wnd.", "10^3 wnd./s", "paper's CPU", "FPGA", "GPU"});
  for (const kouge::Times& row : kouge::kTimes) {
    const std::string method = row.method == "les" ? "LES" : "PES";
    print_time_cells(method, "random", "paper CPU", {number(row.cpu_s)});
    print_time_cells(method, "random", "paper FPGA", {number(row.fpga_s)});
    print_time_cells(method, "random", "paper GPU", {number(row.gpu_s)});
  }
}

void print_timing(const SearchTiming& timing) {
  const auto& point = timing.point;
  if (timing.seconds <= 0) {
    print_time_cells(point.name(), point.start, timing.where(), {"failed"});
    return;
  }
  std::vector<std::string> cells = {number(timing.seconds), std::to_string(timing.round_count())};
  const auto rate = timing.windows_per_s();
  cells.push_back(rate ? number(static_cast<double>(*timing.windows) / 1e3) : "-");
  cells.push_back(rate ? number(*rate / 1e3) : "-");
  if (const kouge::Times* paper = paper_of(timing)) {
    for (const double seconds : {paper->cpu_s, paper->fpga_s, paper->gpu_s}) {
      cells.push_back(times(seconds / timing.seconds));
    }
  }
  print_time_cells(point.name(), point.start, timing.where(), cells);
}

void print_pages_heading() {
  fmt::print("  {:<14}{:<10}{:>9}{:>8}{:>9}  {}\n",
             "method",
             "where",
             "time",
             "rounds",
             "Mpx/s",
             "start, then rounds");
}

void print_page(const SearchTiming& timing) {
  if (timing.seconds <= 0) {
    fmt::print("  {:<14}{:<10}{:>9}\n", timing.point.name(), timing.where(), "failed");
    return;
  }
  std::string line = fmt::format("  {:<14}{:<10}{:>9}{:>8}{:>9}  ",
                                 timing.point.name(),
                                 timing.where(),
                                 seconds_text(timing.seconds),
                                 timing.round_count(),
                                 number(timing.mpx_per_s()));
  const size_t margin = line.size();
  constexpr size_t kWidth = 118;
  size_t column = margin;
  for (size_t i = 0; i < timing.rounds.size(); ++i) {
    const bool last = i + 1 == timing.rounds.size();
    std::string text =
        (i == 0 ? "" : " ") + seconds_text(timing.rounds[i].seconds) + (last ? "" : ",");
    if (column + text.size() > kWidth) {
      line += "\n" + std::string(margin, ' ');
      column = margin;
      text.erase(0, 1);
    }
    line += text;
    column += text.size();
  }
  fmt::print("{}\n", line);
}

void print_costs(const SearchPoint& point, const std::vector<SearchCost>& costs) {
  for (const SearchCost& cost : costs) {
    fmt::print("  {:<7}{:<17}{:>6}{:>10}{:>10}{:>13.2f}{:>13.1f}{:>9}{}\n",
               point.name(),
               point.start,
               cost.round,
               cost.windows,
               cost.sampled,
               cost.bounds_us,
               cost.literal_us,
               times(cost.literal_us / cost.bounds_us),
               cost.differing > 0 ? fmt::format("  {} DIFFER", cost.differing) : "");
  }
}

void print_published(const SearchPoint& point, const PublishedCost& cost, bool is_papers_size) {
  const bool is_papers = is_papers_size && point.start == "random";
  fmt::print(
      "  {:<7}{:<17}{:>6} rounds x {} windows x {} us = {}{}\n",
      point.name(),
      point.start,
      cost.rounds,
      cost.windows,
      number(cost.literal_us),
      seconds_text(cost.seconds()),
      is_papers ? fmt::format("; the paper's CPU: {} s", kouge::times(point.method)->cpu_s) : "");
}

void print_misses(const SearchPoint& point, const SearchMisses& misses) {
  const auto windows = static_cast<double>(std::max<uint64_t>(misses.windows, 1));
  fmt::print("  {:<17}{:>10}{:>9}{:>9.3f} %{:>11.5f}{:>9.4f}{:>9.4f}{:>10}\n",
             point.start,
             misses.windows,
             misses.missed,
             100 * static_cast<double>(misses.missed) / windows,
             misses.excess,
             misses.error,
             misses.les_error,
             misses.differing_px);
}

double SearchQuality::mean() const {
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

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

void print_quality(const std::vector<SearchQuality>& all) {
  const double floyd_steinberg = all.front().mean();
  const double papers = kouge::errors("floyd-steinberg")->cpu;
  fmt::print("  {:<17}{:<17}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
             "method",
             "start",
             all.front().errors.size() == 1 ? "error" : "mean",
             "of FS",
             "paper",
             "of FS",
             "its GPU",
             "of FS");
  for (const SearchQuality& quality : all) {
    const kouge::Errors& paper = *kouge::errors(quality.point.method);
    std::string line = fmt::format(
        "  {:<17}{:<17}{:>8.3f}{:>8.1f}%{:>9.2f}{:>8.1f}%",
        quality.point.is_search() ? quality.point.name().substr(0, 3) : quality.point.name(),
        quality.point.is_search() ? quality.point.start : "",
        quality.mean(),
        100 * quality.mean() / floyd_steinberg,
        paper.cpu,
        100 * paper.cpu / papers);
    if (paper.gpu > 0) {
      line += fmt::format("{:>9.2f}{:>8.1f}%", paper.gpu, 100 * paper.gpu / papers);
    }
    fmt::print("{}\n", line);
  }
  for (const QualityOrder& order : orders_of(all)) {
    fmt::print("  from {:<17}LES <= {} x PES: {};  {} x PES < DBS < Floyd-Steinberg: {}\n",
               order.start + ":",
               kEqual,
               answer(order.les_is_least, order.images_les_is_least, order.images),
               kEqual,
               answer(order.in_order, order.images_in_order, order.images));
  }
}

}  // namespace mezzo::bench
