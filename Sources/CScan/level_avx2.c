#if defined(__x86_64__)
#include "CScan.h"
#include "json_sse2.h"
#include "levels.h"
#include <immintrin.h>
#include <string.h>

// AVX2 with BMI2, carry-less multiplication and population count: x86 processors since about 2013.

#define DS_TARGET __attribute__((target("avx2,bmi,bmi2,pclmul,popcnt")))

DS_TARGET static inline uint64_t block_equal(const uint8_t *p, uint8_t byte) {
  const __m256i pattern = _mm256_set1_epi8((char)byte);
  __m256i low = _mm256_loadu_si256((const __m256i *)p);
  __m256i high = _mm256_loadu_si256((const __m256i *)(p + 32));
  uint32_t lowMask = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, pattern));
  uint32_t highMask = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, pattern));
  return (uint64_t)highMask << 32 | lowMask;
}

DS_TARGET static inline uint64_t prefix_xor(uint64_t mask) {
  __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

DS_TARGET static inline unsigned nth_bit(uint64_t mask, unsigned n) {
  return (unsigned)_tzcnt_u64(_pdep_u64((uint64_t)1 << n, mask));
}

DS_TARGET static inline uint64_t extract(
    uint64_t word, uint64_t mask, const ds_packing *packing, int which) {
  return _pext_u64(word, mask);
}

DS_TARGET static inline int bit_count(uint64_t mask) { return (int)_mm_popcnt_u64(mask); }

#include "csv_kernel.h"
#include "json_kernel.h"
#include "search_kernel.h"
#include "text_kernel.h"

// UTF-8 validation by classification: every pair of adjacent bytes is looked up in three tables, by
// the high nibble of the first byte, by the low nibble of the first byte, and by the high nibble of
// the second byte. Each bit is a kind of error, which has occurred if all three entries have the
// bit. Third and fourth bytes are checked against the leads before them. (Keiser and Lemire,
// "Validating UTF-8 in less than one instruction per byte", 2021.)
enum {
  TOO_SHORT = 1 << 0,   // a lead, then no continuation
  TOO_LONG = 1 << 1,    // ASCII, then a continuation
  OVERLONG_3 = 1 << 2,  // E0, then 80...9F
  TOO_LARGE = 1 << 3,   // F4, then 90... or F5...
  SURROGATE = 1 << 4,   // ED, then A0...
  OVERLONG_2 = 1 << 5,  // C0 or C1
  TOO_LARGE_1000 = 1 << 6,  // F5..., then 80...8F; shares its bit with OVERLONG_4
  OVERLONG_4 = 1 << 6,      // F0, then 80...8F
  TWO_CONTINUATIONS = 1 << 7,
  CARRY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
};

#define ROW(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
#define B(x) ((char)(x))

DS_TARGET static inline __m256i lookup(__m256i table, __m256i index) {
  return _mm256_shuffle_epi8(table, index);
}

// The bytes `distance` positions before those of `input`.
#define SHIFTED(input, before, distance) \
  _mm256_alignr_epi8(input, _mm256_permute2x128_si256(before, input, 0x21), 16 - (distance))

DS_TARGET static inline __m256i utf8_errors(__m256i input, __m256i before) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  __m256i one = SHIFTED(input, before, 1);
  __m256i byFirstHigh = lookup(
      ROW(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
          B(TWO_CONTINUATIONS), B(TWO_CONTINUATIONS), B(TWO_CONTINUATIONS), B(TWO_CONTINUATIONS),
          TOO_SHORT | OVERLONG_2, TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE,
          TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4),
      _mm256_and_si256(_mm256_srli_epi16(one, 4), nibble));
  __m256i byFirstLow = lookup(
      ROW(B(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), B(CARRY | OVERLONG_2), B(CARRY), B(CARRY),
          B(CARRY | TOO_LARGE), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE),
          B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000)),
      _mm256_and_si256(one, nibble));
  __m256i bySecondHigh = lookup(
      ROW(TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
          B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
          B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE),
          B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE),
          B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE), TOO_SHORT,
          TOO_SHORT, TOO_SHORT, TOO_SHORT),
      _mm256_and_si256(_mm256_srli_epi16(input, 4), nibble));
  __m256i special =
      _mm256_and_si256(_mm256_and_si256(byFirstHigh, byFirstLow), bySecondHigh);
  __m256i two = SHIFTED(input, before, 2), three = SHIFTED(input, before, 3);
  __m256i isThird = _mm256_subs_epu8(two, _mm256_set1_epi8(B(0xE0 - 0x80)));
  __m256i isFourth = _mm256_subs_epu8(three, _mm256_set1_epi8(B(0xF0 - 0x80)));
  __m256i must = _mm256_and_si256(_mm256_or_si256(isThird, isFourth), _mm256_set1_epi8(B(0x80)));
  return _mm256_xor_si256(must, special);
}

DS_TARGET static size_t utf8_valid_prefix(const uint8_t *bytes, size_t length) {
  __m256i before = _mm256_setzero_si256();
  int isOpen = 0;  // whether a sequence may continue from the previous bytes
  size_t i = 0;
  // Four blocks per step make the branch on ASCII predictable: in most languages, blocks with and
  // without other characters alternate irregularly.
  for (; i + 128 <= length; i += 128) {
    __m256i blocks[4], any = _mm256_setzero_si256();
    for (int k = 0; k < 4; k++) {
      blocks[k] = _mm256_loadu_si256((const __m256i *)(bytes + i + 32 * k));
      any = _mm256_or_si256(any, blocks[k]);
    }
    if (!isOpen && _mm256_movemask_epi8(any) == 0) { before = blocks[3]; continue; }
    __m256i errors = _mm256_setzero_si256();
    for (int k = 0; k < 4; k++) {
      errors = _mm256_or_si256(errors, utf8_errors(blocks[k], k == 0 ? before : blocks[k - 1]));
    }
    if (!_mm256_testz_si256(errors, errors)) break;
    isOpen = bytes[i + 127] >= 0xC0 || bytes[i + 126] >= 0xE0 || bytes[i + 125] >= 0xF0;
    before = blocks[3];
  }
  // Check the remaining bytes one by one, from the start of a sequence. This also finds the exact
  // position of an error.
  size_t from = i;
  for (int back = 0; back < 3 && from > 0 && (bytes[from - 1] & 0xC0) == 0x80; back++) from--;
  if (from > 0 && bytes[from - 1] >= 0xC0) from--;
  return from + ds_utf8_valid_prefix(bytes + from, length - from);
}

DS_TARGET static uint64_t keys_in(
    const uint64_t *keys, size_t count, const ds_interval *intervals, size_t intervalCount) {
  // The instruction compares signed numbers; with the other sign, their order is that of unsigned
  // ones.
  const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
  uint64_t found = 0;
  for (size_t k = 0; k < intervalCount; k++) {
    const ds_interval interval = intervals[k];
    const __m256i first = _mm256_set1_epi64x((int64_t)interval.first);
    const __m256i limit = _mm256_xor_si256(_mm256_set1_epi64x((int64_t)interval.distance), sign);
    uint64_t outside = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      // A key below the first one wraps around to a greater distance.
      __m256i distance =
          _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(keys + i)), first);
      __m256i isGreater = _mm256_cmpgt_epi64(_mm256_xor_si256(distance, sign), limit);
      outside |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(isGreater)) << i;
    }
    for (; i < count; i++) {
      outside |= (uint64_t)(keys[i] - interval.first > interval.distance) << i;
    }
    found |= ~outside;
  }
  return count == 64 ? found : found & (((uint64_t)1 << count) - 1);
}

const ds_kernels ds_kernels_avx2 = {
    "avx2",     csv_rows,      csv_fields,   utf8_valid_prefix,
    pack_texts, add_text_bits, json_members, find_text, keys_in,
};
#endif
