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

DS_TARGET static inline uint64_t pack_text(
    const uint8_t *p, size_t length, const ds_packing *packing, int secondBits) {
  uint64_t word = extract(big_endian(p) & front(length), packing->masks[0], packing, 0);
  if (secondBits > 0) {
    const uint64_t next = big_endian(p + 8) & front(length > 8 ? length - 8 : 0);
    word = word << secondBits | extract(next, packing->masks[1], packing, 1);
  }
  return word;
}

DS_TARGET static void pack_texts(
    const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count,
    const ds_packing *packing, uint64_t *packed) {
  // A copy, which what is written cannot change.
  const ds_packing known = *packing;
  const int secondBits = __builtin_popcountll(known.masks[1]);
  if (offsets == NULL) {
    const size_t skipped = known.skipped < length ? known.skipped : length;
    for (size_t i = 0; i < count; i++) {
      packed[i] = pack_text(bytes + i * length + skipped, length - skipped, &known, secondBits);
    }
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t start = offsets[i] + known.skipped, end = offsets[i + 1];
    // Nulls are empty, whatever the others begin with.
    const size_t behind = end > start ? end - start : 0;
    packed[i] = pack_text(bytes + (end > start ? start : end), behind, &known, secondBits);
  }
}
