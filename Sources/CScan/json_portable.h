#pragma once
#include "CScan.h"
#include <string.h>

// Eight bytes at a time in a general-purpose register.

#define DS_STEP 8

// The top bit of each byte, gathered in the lowest eight bits of the result.
static inline uint32_t gathered(uint64_t tops) {
  return (uint32_t)(((tops >> 7) & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

static inline uint64_t eight_bytes(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return word;
}

// 0x80 in exactly the bytes below `limit`. All bytes must be below 0x80, and `limit` at most 0x80.
static inline uint64_t below(uint64_t word, uint8_t limit) {
  const uint64_t ones = 0x0101010101010101u;
  return ~((word | 0x80 * ones) - limit * ones) & 0x80 * ones;
}

static inline uint64_t equal(uint64_t word, uint8_t byte) {
  return below((word ^ 0x0101010101010101u * byte) & 0x7F7F7F7F7F7F7F7Fu, 1);
}

static inline uint32_t stops(const uint8_t *p) {
  uint64_t word = eight_bytes(p);
  uint64_t high = word & 0x8080808080808080u, low = word & 0x7F7F7F7F7F7F7F7Fu;
  return gathered(high | below(low, 0x20) | equal(low, '"') | equal(low, '\\'));
}

static inline uint32_t eight_digits(const uint8_t *p) {
  uint64_t word = eight_bytes(p);
  uint64_t low = word & 0x7F7F7F7F7F7F7F7Fu;
  return gathered(below(low, '9' + 1) & ~below(low, '0') & ~word);
}

static inline uint32_t digits(const uint8_t *p) {
  return eight_digits(p) | eight_digits(p + 8) << 8;
}

static inline int is_separator(const uint8_t *p, const ds_json_separator *known) {
  ptrdiff_t rest = known->length;
  if (rest == 0) return 0;
  for (const uint8_t *bytes = known->bytes;; p += 8, bytes += 8, rest -= 8) {
    uint64_t difference = eight_bytes(p) ^ eight_bytes(bytes);
    if (rest <= 8) return difference << (64 - 8 * rest) == 0;
    if (difference != 0) return 0;
  }
}
