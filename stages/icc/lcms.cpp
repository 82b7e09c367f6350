#include "stages/icc/lcms.h"

#include <fmt/format.h>

#include <new>

#include "kernels/base/error.h"

namespace mezzo::icc {
namespace {

extern "C" void report(cmsContext context, cmsUInt32Number, const char* text) {
  static_cast<LcmsContext*>(cmsGetContextUserData(context))->take_report(text);
}

}  // namespace

LcmsContext::LcmsContext() : context_(cmsCreateContext(nullptr, this)) {
  if (context_ == nullptr) throw std::bad_alloc();
  cmsSetLogErrorHandlerTHR(context_, report);
}

LcmsContext::~LcmsContext() {
  cmsDeleteContext(context_);
}

ProfileHandle LcmsContext::open(std::span<const std::byte> bytes, const std::string& place) {
  ProfileHandle profile(
      cmsOpenProfileFromMemTHR(context_, bytes.data(), static_cast<uint32_t>(bytes.size())));
  check(profile.get(), place);
  return profile;
}

void LcmsContext::check(const void* result, const std::string& place) const {
  if (report_.empty() && result != nullptr) return;
  throw Error(ErrorKind::kData,
              fmt::format("{}: lcms2 cannot use the ICC profile: {}",
                          place,
                          report_.empty() ? "a part of it does not fit the others" : report_),
              "export it again");
}

void LcmsContext::take_report(const char* text) {
  if (report_.empty()) report_ = text;
}

}  // namespace mezzo::icc
