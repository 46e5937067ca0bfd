#pragma once
#include "CScan.h"
#include <emmintrin.h>

// Sixteen bytes at a time: members are short, so wider vectors gain nothing.

#define DS_STEP 16

static inline uint32_t stops(const uint8_t *p) {
  __m128i bytes = _mm_loadu_si128((const __m128i *)p);
  __m128i marks = _mm_or_si128(
      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
  // The comparison is signed, so bytes that are not ASCII are also below 0x20.
  __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(marks, others));
}

static inline uint32_t digits(const uint8_t *p) {
  __m128i values = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8('0'));
  __m128i found = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
  return (uint32_t)_mm_movemask_epi8(found);
}

static inline int is_separator(const uint8_t *p, const ds_json_separator *known) {
  ptrdiff_t rest = known->length;
  if (rest == 0) return 0;
  for (const uint8_t *bytes = known->bytes;; p += 16, bytes += 16, rest -= 16) {
    uint32_t same = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(
        _mm_loadu_si128((const __m128i *)p), _mm_loadu_si128((const __m128i *)bytes)));
    if (rest <= 16) return (~same & (((uint32_t)1 << rest) - 1)) == 0;
    if (same != 0xFFFF) return 0;
  }
}
