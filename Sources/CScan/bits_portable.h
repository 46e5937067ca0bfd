#pragma once
#include "CScan.h"

// The mask operations of the wide scans, without special processor instructions.

static inline uint64_t prefix_xor(uint64_t mask) {
  for (int shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

static inline unsigned nth_bit(uint64_t mask, unsigned n) {
  while (n-- > 0) mask &= mask - 1;
  return (unsigned)__builtin_ctzll(mask);
}

static inline int bit_count(uint64_t mask) { return __builtin_popcountll(mask); }

static inline uint64_t extract(uint64_t word, uint64_t mask, const ds_packing *packing, int which) {
  uint64_t bits = 0;
  for (int place = 0; place < 8; place++) {
    if ((uint8_t)(mask >> (56 - 8 * place)) == 0) continue;
    const uint64_t *table = packing->tables + 256 * (8 * which + place);
    bits |= table[(uint8_t)(word >> (56 - 8 * place))];
  }
  return bits;
}
