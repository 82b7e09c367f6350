#include "stages/chain/chain.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace mezzo::chain {

std::vector<prepress::SampleRange> Chain::rows_needed(prepress::SampleRange rows) const {
  std::vector<prepress::SampleRange> needed(stages_.size());
  for (size_t i = stages_.size(); i-- > 0;) {
    rows = stages_[i]->rows_needed(rows.first, rows.count);
    needed[i] = rows;
  }
  return needed;
}

std::string Chain::digest() const {
  if (stages_.empty()) return {};
  std::string text;
  for (const auto& stage : stages_) text += stage->digest() + '\n';
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace mezzo::chain
