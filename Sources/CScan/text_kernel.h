// Packs text prefixes and collects the bits worth packing. Included by every level, which defines
//   extract(word, mask, packing, which)   the bits of word selected by mask, in the lowest bits
//
// Method: big-endian words compare like the texts themselves, and still do after the bits that are
// equal in all texts are removed.

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
  // A copy, which the writes below cannot alias.
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
    // A null is empty, so it may end within the skipped bytes.
    const size_t rest = end > start ? end - start : 0;
    packed[i] = pack_text(bytes + (end > start ? start : end), rest, &known, secondBits);
  }
}

DS_TARGET static inline uint64_t any_bits(const uint8_t *p, size_t length) {
  uint64_t found = 0;
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, p + i, 8);
    found |= word;
  }
  for (; i < length; i++) found |= p[i];
  return found;
}

DS_TARGET static inline void add_text(ds_text_bits *bits, uint64_t first, uint64_t second) {
  bits->some[0] |= first;
  bits->some[1] |= second;
  bits->all[0] &= first;
  bits->all[1] &= second;
}

// Adds texts of equal length, which must be greater than `skipped`. The words of all texts are
// combined first; then their bytes are swapped, and the bytes after the end of a text are zeroed,
// only once.
DS_TARGET static inline void add_equally_long_texts(
    ds_text_bits *bits, const uint8_t *p, size_t length, size_t count, size_t skipped) {
  uint64_t some[2] = {0, 0}, all[2] = {~(uint64_t)0, ~(uint64_t)0};
  for (size_t i = 0; i < count; i++) {
    uint64_t words[2];
    memcpy(words, p + i * length + skipped, 16);
    for (int k = 0; k < 2; k++) {
      some[k] |= words[k];
      all[k] &= words[k];
    }
  }
  const size_t rest = length - skipped;
  const uint64_t fronts[2] = {front(rest), front(rest > 8 ? rest - 8 : 0)};
  for (int k = 0; k < 2; k++) {
    bits->some[k] |= big_endian((const uint8_t *)&some[k]) & fronts[k];
    bits->all[k] &= big_endian((const uint8_t *)&all[k]) & fronts[k];
  }
}

DS_TARGET static void add_text_bits(
    const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count, size_t skipped,
    ds_text_bits *bits) {
  // A copy that the compiler keeps in registers.
  ds_text_bits found = *bits;
  // Each step is small enough that the second read of its bytes hits the cache.
  const size_t step = 256;
  for (size_t from = 0; from < count; from += step) {
    const size_t to = count - from < step ? count : from + step;
    if (offsets == NULL) {
      const uint8_t *start = bytes + from * length;
      found.anywhere |= any_bits(start, (to - from) * length);
      if (length > skipped) add_equally_long_texts(&found, start, length, to - from, skipped);
      continue;
    }
    found.anywhere |= any_bits(bytes + offsets[from], offsets[to] - offsets[from]);
    for (size_t i = from; i < to; i++) {
      const size_t start = offsets[i] + skipped, end = offsets[i + 1];
      if (end <= start) continue;
      const size_t rest = end - start;
      add_text(
          &found, big_endian(bytes + start) & front(rest),
          big_endian(bytes + start + 8) & front(rest > 8 ? rest - 8 : 0));
    }
  }
  *bits = found;
}
