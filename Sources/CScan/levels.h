#pragma once
#include "CScan.h"

extern const ds_kernels ds_kernels_portable;
#if defined(__x86_64__)
extern const ds_kernels ds_kernels_sse2;
extern const ds_kernels ds_kernels_avx2;
#endif

// Needles longer than this are searched in linear time, by a method that reads one byte at a time.
#define DS_LONG_NEEDLE 64

size_t ds_find_long(const uint8_t *bytes, size_t count, const uint8_t *needle, size_t length);

static inline uint8_t ds_lowercase(uint8_t byte) {
  return (uint8_t)(byte - 'A') < 26 ? (uint8_t)(byte | 0x20) : byte;
}

static inline uint8_t ds_uppercase(uint8_t byte) {
  return (uint8_t)(byte - 'a') < 26 ? (uint8_t)(byte & ~0x20) : byte;
}
