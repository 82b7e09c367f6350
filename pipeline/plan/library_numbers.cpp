#include "pipeline/plan/library_numbers.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/registry.h"
#include "stages/files/xxh3.h"

namespace mezzo::plan {
namespace {

using SampleKind = std::pair<uint32_t, Polarity>;  // the largest sample, and its meaning

std::string digest_of(const ToneSettings& tone, const std::vector<SampleKind>& kinds) {
  files::Xxh3 digest;
  for (const auto& [max_sample, polarity] : kinds) {
    const ToneCurve curve(max_sample, polarity, tone);
    digest.add(curve.table().data(), curve.table().size_bytes());
  }
  return digest.hex128();
}

/// Tables take a millisecond, and those of one plate after the other are most often the same.
class ToneDigests {
 public:
  std::string of(const ToneSettings& tone, const std::vector<SampleKind>& kinds) {
    constexpr size_t kMost = 16;
    const std::lock_guard lock(mutex_);
    for (const Known& one : known_) {
      if (one.tone == tone && one.kinds == kinds) return one.digest;
    }
    if (known_.size() == kMost) known_.erase(known_.begin());
    known_.push_back({tone, kinds, digest_of(tone, kinds)});
    return known_.back().digest;
  }

 private:
  struct Known {
    ToneSettings tone;
    std::vector<SampleKind> kinds;
    std::string digest;
  };
  std::mutex mutex_;
  std::vector<Known> known_;
};

std::string digest_of_tones(const SheetPlan& sheet, const ToneSettings& tone) {
  static ToneDigests digests;
  std::vector<SampleKind> kinds;
  for (const PageInfo& page : sheet.infos) {
    const SampleKind kind(page.max_sample, page.polarity);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return digests.of(tone, kinds);
}

}  // namespace

LibraryNumbers library_numbers(const SheetPlan& sheet, const PlatePlan& plate) {
  const manifests::PlateSettings settings = settings_of(sheet, plate);
  LibraryNumbers numbers;
  const bool has_curves = settings.tone.gamma != 1.0 || !settings.tone.curves.empty();
  if (has_curves) numbers.tones = digest_of_tones(sheet, settings.tone);
  const MethodInfo* method = find_method(settings.halftone.method);
  if (method == nullptr || method->library_numbers == nullptr) return numbers;
  const std::vector<int32_t> weights = method->library_numbers(with_defaults(settings.halftone));
  files::Xxh3 digest;
  digest.add(weights.data(), weights.size() * sizeof weights[0]);
  numbers.method = digest.hex128();
  return numbers;
}

}  // namespace mezzo::plan
