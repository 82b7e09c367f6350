#include "stages/chain/chain.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace mezzo::chain {
namespace {

uint32_t degrees(Rotation rotation) {
  return static_cast<uint32_t>(rotation);
}

}  // namespace

const prepress::Scaling* Chain::scaling_on_gpu() const {
  return stages_.empty() ? nullptr : stages_.back()->scaling();
}

const std::vector<uint16_t>* Chain::levels_on_gpu() const {
  if (scaling_on_gpu() == nullptr || stages_.size() < 2) return nullptr;
  const bool is_first = stages_.size() == 2;
  const PageInfo& before = is_first ? source_ : stages_[stages_.size() - 3]->page();
  return before.bytes_per_sample == 1 ? stages_[stages_.size() - 2]->levels() : nullptr;
}

Chain Chain::without_gpu() const {
  Chain chain = *this;
  const size_t on_gpu = levels_on_gpu() != nullptr ? 2 : scaling_on_gpu() != nullptr ? 1 : 0;
  chain.stages_.resize(stages_.size() - on_gpu);
  return chain;
}

bool Chain::scales_on_cpu() const {
  const auto scales = [](const auto& stage) { return stage->scaling() != nullptr; };
  return scaling_on_gpu() == nullptr && std::ranges::any_of(stages_, scales);
}

std::vector<prepress::SampleRange> Chain::rows_needed(prepress::SampleRange rows) const {
  std::vector<prepress::SampleRange> needed(stages_.size());
  for (size_t i = stages_.size(); i-- > 0;) {
    rows = stages_[i]->rows_needed(rows.first, rows.count);
    needed[i] = rows;
  }
  return needed;
}

std::string Chain::digest() const {
  std::string text;
  if (rotation_ != Rotation::kNone) text = fmt::format("rotate {}\n", degrees(rotation_));
  for (const auto& stage : stages_) text += stage->digest() + '\n';
  if (text.empty()) return {};
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::vector<std::string> Chain::describe() const {
  std::vector<std::string> lines;
  if (rotation_ != Rotation::kNone) {
    lines.push_back(fmt::format("rotate by {} degrees clockwise", degrees(rotation_)));
  }
  for (const auto& stage : stages_) lines.push_back(stage->describe());
  return lines;
}

}  // namespace mezzo::chain
