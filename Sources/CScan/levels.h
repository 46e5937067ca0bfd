#pragma once
#include "CScan.h"

extern const ds_kernels ds_kernels_portable;
#if defined(__x86_64__)
extern const ds_kernels ds_kernels_sse2;
extern const ds_kernels ds_kernels_avx2;
#endif
