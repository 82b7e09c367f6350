// The steps that scale by edges on a GPU, one pixel after another on the host, against the CPU's scaling.

#include "kernels/prepress/gpu/edge_steps.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/prepress/scale_edges.h"
#include "tests/kernels/prepress/edge_pages.h"
#include "tests/kernels/prepress/scale_planes.h"

namespace mezzo::test::edge_steps_test {
namespace {

using namespace prepress;
using namespace edge_pages;

/// The tables of a direction on the host.
struct Axis {
  Axis(uint32_t page_samples, Ratio ratio)
      : axis(page_samples, ratio, ScaleFilter::kCubic),
        points(axis),
        edges({page_samples, axis.plate_samples(), ratio}, page_samples, axis.plate_samples()) {}

  DeviceAxis view() const {
    const auto [p, q] = axis.ratio();
    return {axis.page_samples(),
            axis.plate_samples(),
            p,
            q,
            points.first_taps.data(),
            points.weights.data()};
  }

  PointAxis axis;
  PointTable points;
  EdgeTable edges;
};

class Steps {
 public:
  Steps(const std::vector<Plane>& page, Ratio x, Ratio y)
      : page_(page),
        scaling_{x, y, ScaleFilter::kEdges},
        scaler_(width(), height(), scaling_),
        across_(width(), x),
        down_(height(), y) {}

  /// The plate of one plane, made from the rows that each band needs and no others.
  Plane plate(uint32_t plane, uint32_t band_rows) const {
    Plane plate = scaled_in_bands(
        page_[plane], {scaling_.x, scaling_.y, ScaleFilter::kCubic}, scaler_.plate_height_px(), 1);
    for (uint32_t y = 0; y < plate.height_px; y += band_rows) {
      const uint32_t rows = std::min(band_rows, plate.height_px - y);
      uint16_t* samples = plate.samples.data() + size_t{y} * plate.width_px;
      sharpen(plane, {samples, plate.width_px, y, rows});
    }
    return plate;
  }

 private:
  uint32_t width() const { return page_.front().width_px; }
  uint32_t height() const { return page_.front().height_px; }

  void sharpen(uint32_t plane, const DeviceRows<uint16_t>& plate) const {
    const SampleRange needed = scaler_.rows_needed(plate.first_row, plate.rows);
    std::vector<uint16_t> ink;
    for (const Plane& of_page : page_) {
      const auto begin = of_page.samples.begin() + std::ptrdiff_t{needed.first} * width();
      ink.insert(ink.end(), begin, begin + std::ptrdiff_t{needed.count} * width());
    }
    const auto planes = static_cast<uint32_t>(page_.size());
    const auto first_row = static_cast<int>(down_.edges.pixels[plate.first_row]);
    const int end_row = static_cast<int>(down_.edges.pixels[plate.first_row + plate.rows - 1]) + 1;
    const int rows = end_row - first_row;
    const size_t count = EdgeResults::count(width(), static_cast<size_t>(rows), planes);
    std::vector<EdgeCell> cells(count,
                                EdgeCell{-1, -1, -1, 0xffff});  // all that is read was written
    std::vector<uint8_t> marks(count, 0xff), kinds(count, 0xff);
    std::vector<EdgeLeader> leaders(size_t{width()} * static_cast<size_t>(rows + 2));
    const EdgeBand band{
        {ink.data(), width(), needed.first, needed.count, width(), height(), planes},
        {cells.data(), marks.data(), kinds.data(), leaders.data(), first_row, rows}};
    const auto each = [&](uint32_t of, int context, auto&& step) {
      for (int y = first_row - context; y < end_row + context; ++y) {
        for (uint32_t x = 0; x < width(); ++x) step(band, of, static_cast<int>(x), y);
      }
    };
    if (planes > 1) each(plane, 1, lead_edges);
    const auto find = [&](const EdgeBand& of, uint32_t i, int x, int y) {
      find_edges(of, i, plane, x, y);
    };
    for (uint32_t i = 0; i < planes; ++i) each(i, kEdgeContext, find);
    for (uint32_t i = 0; i < planes; ++i) each(i, 1, choose_edges);
    for (uint32_t i = 0; planes > 1 && i < planes; ++i) each(i, 1, join_edges);
    if (planes > 1) each(plane, 0, follow_edges);
    const EdgeAxes axes{across_.edges.pixels.data(),
                        across_.edges.offsets.data(),
                        down_.edges.firsts.data(),
                        down_.edges.offsets.data(),
                        across_.view(),
                        down_.view()};
    for (int y = first_row; y < end_row; ++y) {
      for (uint32_t x = 0; x < scaler_.plate_width_px(); ++x) {
        sharpen_edges(band, axes, plane, x, y, plate);
      }
    }
  }

  const std::vector<Plane>& page_;
  Scaling scaling_;
  EdgeScaler scaler_;
  Axis across_, down_;
};

/// Checks all planes in bands of several heights.
void expect_the_plates_of_the_cpu(const std::vector<Plane>& page, Ratio x, Ratio y) {
  SCOPED_TRACE(testing::Message() << page.front().width_px << " x " << page.front().height_px
                                  << " px, " << x.p << '/' << x.q << " and " << y.p << '/' << y.q);
  const EdgeScaler scaler(
      page.front().width_px, page.front().height_px, {x, y, ScaleFilter::kEdges});
  const uint32_t height = scaler.plate_height_px();
  const std::vector<Plane> expected = scaled_in_bands(page, scaler, height, 1);
  const Steps steps(page, x, y);
  for (uint32_t plane = 0; plane < page.size(); ++plane) {
    for (const uint32_t band_rows : {height, 19U}) {
      ASSERT_EQ(steps.plate(plane, band_rows).samples, expected[plane].samples)
          << "plane " << plane << ", bands of " << band_rows;
    }
  }
}

constexpr Ratio kRatios[] = {{8, 1}, {127, 15}, {3, 2}, {5, 2}, {4, 1}, {32, 1}, {9, 8}};

TEST(EdgeSteps, AreTheScalingOfTheCpu) {
  constexpr uint32_t kSizes[][2] = {{1, 1}, {2, 3}, {13, 7}, {40, 37}, {97, 21}};
  size_t turn = 0;
  for (const auto& [width, height] : kSizes) {
    for (const Plane& page : pages(width, height)) {
      for (const size_t other : {0, 1, 3}) {
        const Ratio x = kRatios[turn % std::size(kRatios)];
        const Ratio y = other == 1 ? Ratio{} : kRatios[(turn + other) % std::size(kRatios)];
        ++turn;
        expect_the_plates_of_the_cpu({page}, x, y);
      }
    }
  }
}

TEST(EdgeSteps, AreTheScalingOfTheCpuForPlanesThatBelongTogether) {
  for (uint32_t turn = 0; turn < 4; ++turn) {
    expect_the_plates_of_the_cpu(
        planes_of(70 + turn, 30, turn), kRatios[turn], kRatios[(turn + 1) % 4]);
    expect_the_plates_of_the_cpu(
        curved_planes_of(70 + turn, 50, turn), kRatios[turn], kRatios[(turn + 1) % 4]);
  }
}

/// Planes of any inks near to a border of the first one and near to straight lines.
TEST(EdgeSteps, AreTheScalingOfTheCpuForRandomPages) {
  std::mt19937 random(20);
  for (uint32_t turn = 0; turn < 40; ++turn) {
    const auto width = static_cast<uint32_t>(1 + random() % 60);
    const auto height = static_cast<uint32_t>(1 + random() % 30);
    const auto percent = [&] { return static_cast<int>(random() % 101); };
    const Plane type = type_page(width, height, turn);
    std::vector<Plane> page = {grained(type, static_cast<int>(random() % 1200), turn)};
    for (uint32_t plane = random() % 4; plane > 0; --plane) {
      const Plane other = in_proportion(type, percent(), percent());
      page.push_back(grained(other, static_cast<int>(random() % 700), plane + turn));
    }
    expect_the_plates_of_the_cpu(page, kRatios[turn % 7], kRatios[(turn + random() % 2) % 7]);
  }
}

}  // namespace
}  // namespace mezzo::test::edge_steps_test
