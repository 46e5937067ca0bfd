#if defined(__x86_64__)
#include "CScan.h"
#include "bits_portable.h"
#include "json_sse2.h"
#include "levels.h"
#include <emmintrin.h>
#include <string.h>

// SSE2, which every 64-bit x86 processor supports.

#define DS_TARGET

static inline uint64_t block_equal(const uint8_t *p, uint8_t byte) {
  const __m128i pattern = _mm_set1_epi8((char)byte);
  uint64_t mask = 0;
  for (int i = 0; i < 4; i++) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 16 * i));
    mask |= (uint64_t)(uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, pattern)) << (16 * i);
  }
  return mask;
}

#include "csv_kernel.h"
#include "json_kernel.h"
#include "keys_kernel.h"
#include "search_kernel.h"
#include "text_kernel.h"

const ds_kernels ds_kernels_sse2 = {
    "sse2",     csv_rows,      csv_fields,   ds_utf8_valid_prefix,
    pack_texts, add_text_bits, json_members, find_text, keys_in,
};
#endif
