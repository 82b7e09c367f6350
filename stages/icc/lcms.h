// lcms2 behind small owners. A context of one's own for each use: its errors are of that use alone, and
// nothing is shared between threads.
#pragma once

#include <lcms2.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace mezzo::icc {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using ProfileHandle = std::unique_ptr<void, CloseProfile>;

struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using TransformHandle = std::unique_ptr<void, DeleteTransform>;

class LcmsContext {
 public:
  /// Without plug-ins. Throws std::bad_alloc.
  LcmsContext();
  ~LcmsContext();
  LcmsContext(const LcmsContext&) = delete;
  LcmsContext& operator=(const LcmsContext&) = delete;

  cmsContext get() const { return context_; }

  /// A profile that parse() has taken, or takes now. Throws as check().
  ProfileHandle open(std::span<const std::byte> bytes, const std::string& place);

  /// Throws Error(kData) when lcms2 has reported an error, or `result` is not there.
  void check(const void* result, const std::string& place) const;

  /// Keeps the first report.
  void take_report(const char* text);

 private:
  std::string report_;  // before the context, which points to this
  cmsContext context_;
};

}  // namespace mezzo::icc
