#include "kernels/prepress/scale.h"

#include "kernels/prepress/scale_area.h"
#include "kernels/prepress/scale_edges.h"
#include "kernels/prepress/scale_point.h"

namespace mezzo::prepress {

std::unique_ptr<Scaler> make_scaler(uint32_t page_width_px,
                                    uint32_t page_height_px,
                                    const Scaling& scaling) {
  if (scaling.filter == ScaleFilter::kArea) {
    return std::make_unique<AreaScaler>(page_width_px, page_height_px, scaling);
  }
  if (scaling.filter == ScaleFilter::kEdges) {
    return std::make_unique<EdgeScaler>(page_width_px, page_height_px, scaling);
  }
  return std::make_unique<PointScaler>(page_width_px, page_height_px, scaling);
}

}  // namespace mezzo::prepress
