#include "manifests/curve/spectrum.h"

#include <algorithm>

#include "kernels/proof/cielab.h"

namespace mezzo::curve {
namespace {

/// Every 10 nm from 380 to 780: relative power of D50 and the colour-matching functions of CIE 1931
/// (CIE 15:2004, tables T.1 and T.4).
struct Wave {
  double power, x, y, z;
};
constexpr Wave kWaves[] = {
    {24.49, 0.001368, 0.000039, 0.006450},  {29.87, 0.004243, 0.000120, 0.020050},
    {49.31, 0.014310, 0.000396, 0.067850},  {56.51, 0.043510, 0.001210, 0.207400},
    {60.03, 0.134380, 0.004000, 0.645600},  {57.82, 0.283900, 0.011600, 1.385600},
    {74.82, 0.348280, 0.023000, 1.747060},  {87.25, 0.336200, 0.038000, 1.772110},
    {90.61, 0.290800, 0.060000, 1.669200},  {91.37, 0.195360, 0.090980, 1.287640},
    {95.11, 0.095640, 0.139020, 0.812950},  {91.96, 0.032010, 0.208020, 0.465180},
    {95.72, 0.004900, 0.323000, 0.272000},  {96.61, 0.009300, 0.503000, 0.158200},
    {97.13, 0.063270, 0.710000, 0.078250},  {102.10, 0.165500, 0.862000, 0.042160},
    {100.75, 0.290400, 0.954000, 0.020300}, {102.32, 0.433450, 0.994950, 0.008750},
    {100.00, 0.594500, 0.995000, 0.003900}, {97.74, 0.762100, 0.952000, 0.002100},
    {98.92, 0.916300, 0.870000, 0.001650},  {93.50, 1.026300, 0.757000, 0.001100},
    {97.69, 1.062200, 0.631000, 0.000800},  {99.27, 1.002600, 0.503000, 0.000340},
    {99.04, 0.854450, 0.381000, 0.000190},  {95.72, 0.642400, 0.265000, 0.000050},
    {98.86, 0.447900, 0.175000, 0.000020},  {95.67, 0.283500, 0.107000, 0.000000},
    {98.19, 0.164900, 0.061000, 0.000000},  {103.00, 0.087400, 0.032000, 0.000000},
    {99.13, 0.046770, 0.017000, 0.000000},  {87.38, 0.022700, 0.008210, 0.000000},
    {91.60, 0.011359, 0.004102, 0.000000},  {92.89, 0.005790, 0.002091, 0.000000},
    {76.85, 0.002899, 0.001047, 0.000000},  {86.51, 0.001440, 0.000520, 0.000000},
    {92.58, 0.000690, 0.000249, 0.000000},  {78.23, 0.000332, 0.000120, 0.000000},
    {57.69, 0.000166, 0.000060, 0.000000},  {82.92, 0.000083, 0.000030, 0.000000},
    {78.27, 0.000042, 0.000015, 0.000000},
};
constexpr size_t kCount = std::size(kWaves);

}  // namespace

double lightness_of(double value, double white) {
  return 116 * proof::cielab_root(value / white) - 16;
}

double value_of_lightness(double lightness, double white) {
  return white * proof::from_cielab_root((lightness + 16) / 116);
}

Xyz xyz_of(const Lab& lab) {
  const auto& [lightness, a, b] = lab;
  return {value_of_lightness(lightness + 116 * a / 500, kWhite[0]),
          value_of_lightness(lightness, kWhite[1]),
          value_of_lightness(lightness - 116 * b / 200, kWhite[2])};
}

std::optional<Xyz> xyz_of(std::span<const double> reflectances, uint32_t first_nm) {
  constexpr uint32_t kMustBegin = 420, kMustEnd = 680;
  if (reflectances.empty() || first_nm % 10 != 0 || first_nm > kMustBegin) return std::nullopt;
  const uint32_t last_nm = first_nm + 10 * static_cast<uint32_t>(reflectances.size() - 1);
  if (last_nm < kMustEnd) return std::nullopt;
  Xyz sum = {};
  double white = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const auto nm = std::clamp(static_cast<uint32_t>(kShortestWave + 10 * i), first_nm, last_nm);
    const Wave& wave = kWaves[i];
    const double light = wave.power * reflectances[(nm - first_nm) / 10];
    sum[0] += light * wave.x;
    sum[1] += light * wave.y;
    sum[2] += light * wave.z;
    white += wave.power * wave.y;
  }
  for (double& value : sum) value *= 100 / white;
  return sum;
}

}  // namespace mezzo::curve
