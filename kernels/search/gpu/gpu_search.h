// Searches on a GPU; gpu_random.cu makes the start image of some. No CUDA header. The context
// outlives all that is made with it.
#pragma once

#include <memory>

#include "kernels/search/cpu/dbs.h"
#include "kernels/search/cpu/local_search.h"
#include "kernels/search/form.h"
#include "kernels/search/search_settings.h"

namespace mezzo::gpu {
class Context;
struct MethodOnGpu;
}  // namespace mezzo::gpu

namespace mezzo::search {

/// make_local_search(), with the same bits. Throws Error: kDevice where this build or machine has no
/// GPU, kOutOfMemory where the GPU with the context's fewest planes, which it chooses, has no room.
std::unique_ptr<Search> make_local_search_on_gpu(const LocalSettings& settings,
                                                 const Area& area,
                                                 gpu::Context& context);

/// make_dbs(), with the same bits and errors; throws as make_local_search_on_gpu() does.
std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings& settings,
                                        const Area& area,
                                        gpu::Context& context);

/// make_form_search(), with the same bits and errors; throws as make_local_search_on_gpu() does.
std::unique_ptr<Search> make_form_search_on_gpu(const FormSettings& settings,
                                                const Area& area,
                                                gpu::Context& context);

/// How a GPU makes the bits of make_search_halftoner() with such a search (Halftoner::on_gpu()).
/// Throws Error kDevice where this build or machine has no GPU.
std::shared_ptr<const gpu::MethodOnGpu> local_method_on_gpu(const LocalSettings& settings,
                                                            const SearchSettings& search,
                                                            gpu::Context& context);
std::shared_ptr<const gpu::MethodOnGpu> dbs_method_on_gpu(const DbsSettings& settings,
                                                          const SearchSettings& search,
                                                          gpu::Context& context);
std::shared_ptr<const gpu::MethodOnGpu> form_method_on_gpu(const FormSettings& settings,
                                                           const SearchSettings& search,
                                                           gpu::Context& context);

}  // namespace mezzo::search
