#include "levels.h"

const ds_kernels *ds_kernels_at(int level) {
#if defined(__x86_64__)
  if (level == 1) return &ds_kernels_sse2;
  if (level == 2) {
    __builtin_cpu_init();
    int has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
              __builtin_cpu_supports("popcnt");
    return has ? &ds_kernels_avx2 : 0;
  }
#endif
  return level == 0 ? &ds_kernels_portable : 0;
}

const ds_kernels *ds_kernels_best(void) {
  for (int level = 2; level > 0; level--) {
    const ds_kernels *kernels = ds_kernels_at(level);
    if (kernels != 0) return kernels;
  }
  return &ds_kernels_portable;
}
