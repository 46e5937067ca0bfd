#pragma once
#include <stdint.h>

// What the wide scans do with masks, without help of the processor.

static inline uint64_t prefix_xor(uint64_t mask) {
  for (int shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

static inline unsigned nth_bit(uint64_t mask, unsigned n) {
  while (n-- > 0) mask &= mask - 1;
  return (unsigned)__builtin_ctzll(mask);
}

static inline int bit_count(uint64_t mask) { return __builtin_popcountll(mask); }
