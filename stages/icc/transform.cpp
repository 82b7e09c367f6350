#include "stages/icc/transform.h"

#include "kernels/base/error.h"

namespace mezzo::icc {
namespace {

/// Doubles; of no space that lcms2 would count in percent.
uint32_t format_of(ColourSpace space, uint32_t channels) {
  if (space == ColourSpace::kLab) return TYPE_Lab_DBL;
  return FLOAT_SH(1) | CHANNELS_SH(channels) | BYTES_SH(0);
}

uint32_t outputs_of(const Profile& input, const Profile* output) {
  return output != nullptr ? output->channels() : input.facts().output_channels;
}

}  // namespace

Transform::Transform(const Profile& input,
                     const Profile* output,
                     uint32_t lcms_intent,
                     bool black_point)
    : lcms_(std::make_unique<LcmsContext>()),
      inputs_(input.channels()),
      outputs_(outputs_of(input, output)) {
  const std::string place =
      output != nullptr ? input.place() + " to " + output->place() : input.place();
  const ProfileHandle from = lcms_->open(input.bytes(), input.place());
  const ProfileHandle to =
      output != nullptr ? lcms_->open(output->bytes(), output->place()) : nullptr;
  const ColourSpace space = output != nullptr ? output->space() : input.facts().output_space;
  uint32_t flags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_HIGHRESPRECALC;
  if (black_point) flags |= cmsFLAGS_BLACKPOINTCOMPENSATION;
  handle_.reset(cmsCreateTransformTHR(lcms_->get(),
                                      from.get(),
                                      format_of(input.space(), inputs_),
                                      to.get(),
                                      format_of(space, outputs_),
                                      lcms_intent,
                                      flags));
  lcms_->check(handle_.get(), place);
}

Transform Transform::to_lab(const Profile& device) {
  return {device, &Profile::lab(), INTENT_RELATIVE_COLORIMETRIC, false};
}

void Transform::apply(std::span<const double> in, std::span<double> out) const {
  const size_t count = in.size() / inputs_;
  MZ_ASSERT(out.size() == count * outputs_);
  cmsDoTransform(handle_.get(), in.data(), out.data(), static_cast<uint32_t>(count));
}

}  // namespace mezzo::icc
