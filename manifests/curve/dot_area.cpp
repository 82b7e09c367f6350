#include "manifests/curve/dot_area.h"

#include <algorithm>
#include <cmath>

namespace mezzo::curve {

double area_by_density(double tint, double paper, double solid, double n) {
  const auto absorbed = [&](double density) { return 1 - std::pow(10, (paper - density) / n); };
  return absorbed(tint) / absorbed(solid);
}

double area_by_reflectance(double tint, double paper, double solid, double n) {
  const auto spread = [n](double value) { return std::pow(std::max(value, 0.0), 1 / n); };
  return (spread(paper) - spread(tint)) / (spread(paper) - spread(solid));
}

double area_by_lightness(double tint, double paper, double solid) {
  return (paper - tint) / (paper - solid);
}

double area_by_sctv(const Xyz& tint, const Xyz& paper, const Xyz& solid) {
  double of_tint = 0, of_solid = 0;
  for (size_t i = 0; i < tint.size(); ++i) {
    const auto from_paper = [&](const Xyz& colour) {
      return lightness_of(colour[i], kWhite[i]) - lightness_of(paper[i], kWhite[i]);
    };
    of_tint += from_paper(tint) * from_paper(tint);
    of_solid += from_paper(solid) * from_paper(solid);
  }
  return std::sqrt(of_tint / of_solid);
}

}  // namespace mezzo::curve
