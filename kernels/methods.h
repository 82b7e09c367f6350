// All methods.
#pragma once

#include "kernels/diffusion/floyd_steinberg_method.h"
#include "kernels/diffusion/green_noise_method.h"
#include "kernels/diffusion/table_methods.h"
#include "kernels/pinwheel/pinwheel_method.h"
#include "kernels/screen/am_method.h"
#include "kernels/screen/bayer.h"
#include "kernels/screen/fm_method.h"
#include "kernels/screen/threshold.h"
#include "kernels/screen/tile_method.h"
#include "kernels/search/search_methods.h"

namespace mezzo {

/// One line a method, in the order in which help lists them.
inline constexpr MethodInfo kMethods[] = {
    diffusion::kFloydSteinbergMethod,
    diffusion::diffusion_method<diffusion::Ostromoukhov>(),
    diffusion::diffusion_method<diffusion::ZhouFang>(),
    diffusion::diffusion_method<diffusion::ToneDependent>(),
    diffusion::diffusion_method<diffusion::GreenNoise>(),
    pinwheel::kPinwheelMethod,
    screen::screen_method<screen::Threshold>(),
    screen::screen_method<screen::Bayer>(),
    screen::screen_method<screen::Am>(),
    screen::screen_method<screen::Fm>(),
    screen::screen_method<screen::UserTile>(),
    search::kRandomMethod,
    search::kLesMethod,
    search::kPesMethod,
    search::kDbsMethod,
};

}  // namespace mezzo
