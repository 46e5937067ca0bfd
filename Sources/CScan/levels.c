#include "levels.h"
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
// Excludes the first two generations of AMD's Zen, where pdep and pext run in microcode and take
// dozens of cycles each.
static int has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
         __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
}
#endif

const ds_kernels *ds_kernels_at(int level) {
#if defined(__x86_64__)
  if (level == 1) return &ds_kernels_sse2;
  if (level == 2) return has_avx2() ? &ds_kernels_avx2 : 0;
#endif
  return level == 0 ? &ds_kernels_portable : 0;
}

const ds_kernels *ds_kernels_best(void) {
  const char *requested = getenv("DSSHELL_KERNELS");
  const ds_kernels *best = 0;
  for (int level = 2; level >= 0; level--) {
    const ds_kernels *kernels = ds_kernels_at(level);
    if (kernels == 0) continue;
    if (requested == 0 || strcmp(requested, kernels->name) == 0) return kernels;
    if (best == 0) best = kernels;
  }
  return best;
}
