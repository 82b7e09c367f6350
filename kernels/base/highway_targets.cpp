// On x86, replaces Highway's shared library, which measures a clock when it is loaded: these are the functions that
// its headers call, for the SIMD targets that the processor has and the one in use. They return what the library's
// functions return, for the targets of Highway 1.0; a test compares them.
#include <hwy/targets.h>

#if HWY_ARCH_X86

#include <cpuid.h>

#include <atomic>
#include <cstdint>

namespace hwy {
namespace {

constexpr bool has(uint32_t bits, uint32_t wanted) {
  return (bits & wanted) == wanted;
}

constexpr uint32_t bit(int number) {
  return uint32_t{1} << number;
}

/// The registers of a leaf of CPUID; all are 0 when the processor does not have the leaf.
struct Leaf {
  explicit Leaf(uint32_t number) { __get_cpuid_count(number, 0, &a, &b, &c, &d); }
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// The registers that the operating system saves when it changes threads.
uint32_t saved_state(const Leaf& features) {
  if (!has(features.c, bit(27))) return 0;  // OSXSAVE
  uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

int64_t targets_of_processor() {
  const Leaf features(1), more(7), extended(0x80000001);
  const uint32_t state = saved_state(features);
  int64_t targets = HWY_SCALAR | HWY_EMU128;
  // SSE, SSE2, SSE3, SSSE3
  if (!has(features.d, bit(25) | bit(26)) || !has(features.c, bit(0) | bit(9))) return targets;
  targets |= HWY_SSSE3;
  // SSE4.1, SSE4.2, PCLMULQDQ, AES
  if (!has(features.c, bit(19) | bit(20) | bit(1) | bit(25))) return targets;
  targets |= HWY_SSE4;
  // AVX, FMA, F16C; AVX2, BMI, BMI2; LZCNT; saved: SSE, AVX
  if (!has(features.c, bit(28) | bit(12) | bit(29)) || !has(more.b, bit(5) | bit(3) | bit(8)) ||
      !has(extended.c, bit(5)) || !has(state, bit(1) | bit(2))) {
    return targets;
  }
  targets |= HWY_AVX2;
  // AVX-512 F, DQ, CD, BW, VL; saved: masks, high halves, upper registers
  if (!has(more.b, bit(16) | bit(17) | bit(28) | bit(30) | bit(31)) ||
      !has(state, bit(5) | bit(6) | bit(7))) {
    return targets;
  }
  targets |= HWY_AVX3;
  // AVX-512 VBMI, VBMI2, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
  if (has(more.c, bit(1) | bit(6) | bit(9) | bit(10) | bit(11) | bit(12) | bit(14))) {
    targets |= HWY_AVX3_DL;
  }
  return targets;
}

std::atomic<int64_t> for_test{0};

}  // namespace

int64_t SupportedTargets() {
  static const int64_t of_processor = targets_of_processor();
  const int64_t wanted = for_test;
  return wanted == 0 ? of_processor : wanted;
}

void SetSupportedTargetsForTest(int64_t targets) {
  for_test = targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy

#endif
