// MZ_HD marks a function that the CPU and the GPU both compile: one definition, the same bits.
#pragma once

#ifdef __CUDACC__
#define MZ_HD __host__ __device__
#else
#define MZ_HD
#endif
