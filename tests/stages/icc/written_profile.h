// Profiles that tests write: presses of made-up inks, device links, and mistakes.
#pragma once

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace mezzo::test {

using ProfileBytes = std::vector<std::byte>;

/// What a profile is to have.
struct ProfileSpec {
  cmsColorSpaceSignature space = cmsSigCmykData;
  uint32_t channels = 4;
  cmsProfileClassSignature device_class = cmsSigOutputClass;
  cmsColorSpaceSignature pcs = cmsSigLabData;
  double version = 2.1;
  std::vector<std::string> ink_names = {};
  bool has_to_pcs = true;
  bool has_from_pcs = true;
  uint32_t grid = 5;
  double black = 0.8;  ///< what a solid of the last ink takes of the lightness
};

/// A table of 16 bits whose values a function gives.
using ColourRule = std::function<void(const uint16_t in[], uint16_t out[])>;

inline int call_rule(const cmsUInt16Number in[], cmsUInt16Number out[], void* rule) {
  (*static_cast<const ColourRule*>(rule))(in, out);
  return 1;
}

inline void write_rule(void* profile,
                       cmsTagSignature tag,
                       uint32_t grid,
                       uint32_t inputs,
                       uint32_t outputs,
                       ColourRule rule) {
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, inputs, outputs);
  cmsStage* nodes = cmsStageAllocCLut16bit(nullptr, grid, inputs, outputs, nullptr);
  cmsStageSampleCLut16bit(nodes, call_rule, &rule, 0);
  cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, cmsStageAllocToneCurves(nullptr, inputs, nullptr));
  cmsPipelineInsertStage(pipeline, cmsAT_END, nodes);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, outputs, nullptr));
  cmsWriteTag(profile, tag, pipeline);
  cmsPipelineFree(pipeline);
}

/// The same bytes whenever it is called: without the date of the profile.
inline ProfileBytes bytes_of(void* profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  ProfileBytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  constexpr size_t kDate = 24, kDateBytes = 12;
  std::fill_n(bytes.begin() + kDate, kDateBytes, std::byte{0});
  return bytes;
}

/// Version 2's CIELab of a lightness without colour.
inline void put_grey(double lightness, uint16_t out[]) {
  out[0] = static_cast<uint16_t>(std::lround(lightness * 652.8));
  out[1] = out[2] = 0x8000;
}

/// A press whose solids darken paper to 90 % of L*, for each ink but the last.
inline ProfileBytes written_profile(const ProfileSpec& spec) {
  void* profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, spec.version);
  cmsSetDeviceClass(profile, spec.device_class);
  cmsSetColorSpace(profile, spec.space);
  cmsSetPCS(profile, spec.pcs);
  cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ());
  cmsMLU* name = cmsMLUalloc(nullptr, 1);
  cmsMLUsetASCII(name, "en", "US", "a made-up press");
  cmsWriteTag(profile, cmsSigProfileDescriptionTag, name);
  cmsMLUfree(name);
  const uint32_t n = spec.channels;
  if (spec.has_to_pcs) {
    const ColourRule look = [n, black = spec.black](const uint16_t in[], uint16_t out[]) {
      double lightness = 100.0;
      for (uint32_t c = 0; c < n; ++c)
        lightness *= 1.0 - (c + 1 < n ? 0.1 : black) * in[c] / 65535.0;
      put_grey(lightness, out);
    };
    for (const auto tag : {cmsSigAToB0Tag, cmsSigAToB1Tag}) {
      write_rule(profile, tag, spec.grid, n, 3, look);
    }
  }
  if (spec.has_from_pcs) {
    const ColourRule print = [n](const uint16_t in[], uint16_t out[]) {
      for (uint32_t c = 0; c < n; ++c) {
        out[c] = static_cast<uint16_t>(std::max(0.0, 65535.0 - in[0] * 65535.0 / 65280.0));
      }
    };
    for (const auto tag : {cmsSigBToA0Tag, cmsSigBToA1Tag}) {
      write_rule(profile, tag, 9, 3, n, print);
    }
  }
  if (!spec.ink_names.empty()) {
    cmsNAMEDCOLORLIST* inks = cmsAllocNamedColorList(nullptr, n, 3, "", "");
    std::array<uint16_t, 3> pcs = {0x8000, 0x8000, 0x8000};
    for (const std::string& ink : spec.ink_names) {
      cmsAppendNamedColor(inks, ink.c_str(), pcs.data(), nullptr);
    }
    cmsWriteTag(profile, cmsSigColorantTableTag, inks);
    cmsFreeNamedColorList(inks);
  }
  return bytes_of(profile);
}

/// A device link that keeps all inks, as they are.
inline ProfileBytes written_link(cmsColorSpaceSignature space, uint32_t channels) {
  void* profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.1);
  cmsSetDeviceClass(profile, cmsSigLinkClass);
  cmsSetColorSpace(profile, space);
  cmsSetPCS(profile, space);
  const ColourRule keep = [channels](const uint16_t in[], uint16_t out[]) {
    std::copy_n(in, channels, out);
  };
  write_rule(profile, cmsSigAToB0Tag, 3, channels, channels, keep);
  return bytes_of(profile);
}

}  // namespace mezzo::test
