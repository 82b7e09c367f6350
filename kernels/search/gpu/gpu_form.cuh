// Searches with the tone form on a GPU: the kernels of gpu_form_start.cu and gpu_form_windows.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/search/cpu/window_grid.h"
#include "kernels/search/form.h"
#include "kernels/search/gpu/gpu_visits.cuh"

namespace mezzo::search::form {

/// An area in the memory of a GPU.
struct FormStart {
  const uint16_t* tones;
  const uint8_t* bits;
  int32_t* c;           ///< out, of the free rows
  dbs::Counts* counts;  ///< dbs::kCounts; E is added to the errors
  int width, rows, first_free;
};

/// Counts c and E from tones and bits. Throws Error.
void enqueue_form_start(const FormStart& start, cudaStream_t stream);

/// Q in a square about its centre, with zeros around it: the values that the pixels of a window
/// change reach kWindow - 1 further than those of one.
inline constexpr int kSpreadReach = kRadius + kWindow - 1;
inline constexpr int kSpreadSide = 2 * kSpreadReach + 1;

/// The windows of one group of cells, in the memory of a GPU.
struct WindowGroup {
  WindowGrid grid;
  uint32_t width_px, rows;
  int32_t* c;                        ///< of the free rows
  uint8_t* bits;                     ///< of all rows
  uint8_t* is_open;                  ///< by window, from the grid's first
  const int32_t* spread;             ///< kSpreadSide x kSpreadSide values
  uint32_t first_row, first_column;  ///< of the group's cells; every second one from there
  uint32_t cell_rows, cell_columns;  ///< of the group
  uint32_t step;                     ///< windows at each such row and column of the page: 1 or 2
  bool same_ink;                     ///< patterns with one pixel of ink more or less at most
  uint32_t* next_cell;               ///< 0
  dbs::Counts* counts;               ///< dbs::kCounts
};

/// Searches the open windows of the group. Throws Error.
void enqueue_windows(const WindowGroup& group, uint32_t multiprocessors, cudaStream_t stream);

}  // namespace mezzo::search::form
