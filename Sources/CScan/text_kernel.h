// Packing of prefixes, included by every level, which defines
//   extract(word, mask, packing, which)   the bits of word at those of mask, gathered at the bottom
//
// Method: bytes in big-endian words compare as texts do, and keep doing so when the bits that are the
// same in all texts are left out.

#include <string.h>

static inline uint64_t big_endian(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// All ones in the first `length` bytes of a big-endian word.
static inline uint64_t front(size_t length) {
  return length >= 8 ? ~(uint64_t)0 : ~(~(uint64_t)0 >> (8 * length));
}

DS_TARGET static void pack_texts(
    const uint8_t *bytes, const uint32_t *offsets, size_t count, const ds_packing *packing,
    uint64_t *packed) {
  const size_t skipped = packing->skipped;
  const uint64_t first = packing->masks[0], second = packing->masks[1];
  const int secondBits = __builtin_popcountll(second);
  for (size_t i = 0; i < count; i++) {
    const size_t start = offsets[i] + skipped, end = offsets[i + 1];
    // Nulls are empty, whatever the others begin with.
    const size_t length = end > start ? end - start : 0;
    const uint8_t *p = bytes + (end > start ? start : end);
    uint64_t word = extract(big_endian(p) & front(length), first, packing, 0);
    if (secondBits > 0) {
      const uint64_t next = big_endian(p + 8) & front(length > 8 ? length - 8 : 0);
      word = word << secondBits | extract(next, second, packing, 1);
    }
    packed[i] = word;
  }
}
