// Finds a text in bytes. Included by every level after csv_kernel.h, which explains block_equal.
//
// Method: 64 positions at a time are compared with the first and the last byte of the needle; only
// positions at which both are equal are compared as a whole.

// `other` is the uppercase form of `byte` if `folds`.
#define DS_SEARCH_INLINE static inline __attribute__((always_inline))

DS_TARGET DS_SEARCH_INLINE uint64_t block_either(
    const uint8_t *p, uint8_t byte, uint8_t other, const int folds) {
  // Without a branch for equal bytes, with which clang does not compare whole vectors.
  return folds ? block_equal(p, byte) | block_equal(p, other) : block_equal(p, byte);
}

DS_TARGET DS_SEARCH_INLINE int is_at(
    const uint8_t *p, const uint8_t *needle, size_t length, const int folds) {
  if (!folds) return memcmp(p, needle, length) == 0;
  for (size_t i = 0; i < length; i++) {
    if (ds_lowercase(p[i]) != needle[i]) return 0;
  }
  return 1;
}

DS_TARGET DS_SEARCH_INLINE size_t find_as(
    const uint8_t *bytes, size_t count, const uint8_t *needle, size_t length, const int folds) {
  if (count < length) return count;
  const uint8_t first = needle[0], last = needle[length - 1];
  const uint8_t upperFirst = ds_uppercase(first), upperLast = ds_uppercase(last);
  const size_t positions = count - length + 1;
  size_t i = 0;
  while (positions >= 64 && i < positions) {
    // The last block overlaps the one before it, so that it does not read beyond the bytes.
    const size_t at = i + 64 <= positions ? i : positions - 64;
    uint64_t candidates = block_either(bytes + at, first, upperFirst, folds) &
                          block_either(bytes + at + length - 1, last, upperLast, folds);
    candidates &= ~(uint64_t)0 << (i - at);
    while (candidates != 0) {
      const size_t position = at + (size_t)__builtin_ctzll(candidates);
      if (is_at(bytes + position, needle, length, folds)) return position;
      candidates &= candidates - 1;
    }
    i = at + 64;
  }
  for (; i < positions; i++) {
    const uint8_t byte = bytes[i];
    if ((byte == first || (folds && byte == upperFirst)) &&
        is_at(bytes + i, needle, length, folds)) {
      return i;
    }
  }
  return count;
}

DS_TARGET static size_t find_text(
    const uint8_t *bytes, size_t count, const uint8_t *needle, size_t length, int folds) {
  if (folds) return find_as(bytes, count, needle, length, 1);
  // Comparing many bytes at each position would not be linear.
  if (length > DS_LONG_NEEDLE) return ds_find_long(bytes, count, needle, length);
  return find_as(bytes, count, needle, length, 0);
}
