#include "kernels/quality/window.h"

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::quality {

Window::Window(PagePair& pages)
    : pages_(pages), width_px_(pages.width_px()), height_px_(pages.height_px()) {
  for (uint32_t ink = 0; ink <= pages.max_ink(); ++ink) {
    coverage_.push_back(1.0 * ink / pages.max_ink());
  }
}

void Window::advance(uint32_t first, uint32_t end, Team& team) {
  MZ_ASSERT(first >= first_ && first <= end_ && end >= end_ && end <= height_px_);
  const size_t dropped = size_t{first - first_} * width_px_;
  const size_t kept = size_t{end_ - first} * width_px_;
  const size_t needed = size_t{end - first} * width_px_;
  std::copy_n(ink_.data() + dropped, kept, ink_.data());
  std::copy_n(bits_.data() + dropped, kept, bits_.data());
  if (ink_.size() < needed) {
    ink_.resize(needed);
    bits_.resize(needed);
  }
  const uint32_t rows = end - end_;
  if (rows > 0) {
    pages_.read({ink_.data() + kept, width_px_, rows, width_px_, end_},
                {bits_.data() + kept, width_px_, rows, width_px_, end_},
                team);
  }
  first_ = first;
  end_ = end;
}

size_t Window::offset(uint32_t y) const {
  MZ_ASSERT(y >= first_ && y < end_);
  return size_t{y - first_} * width_px_;
}

uint32_t mirrored(int64_t i, uint32_t size) {
  if (size == 1) return 0;
  const int64_t period = 2 * (int64_t{size} - 1);
  const int64_t phase = ((i % period) + period) % period;
  return static_cast<uint32_t>(std::min(phase, period - phase));
}

}  // namespace mezzo::quality
