#include "CScan.h"
#include "bits_portable.h"
#include "json_portable.h"
#include "levels.h"
#include <string.h>

// Eight bytes at a time in a general-purpose register: works on every processor.

#define DS_TARGET

static inline uint64_t block_equal(const uint8_t *p, uint8_t byte) {
  const uint64_t low7 = 0x7F7F7F7F7F7F7F7Fu;
  const uint64_t pattern = 0x0101010101010101u * byte;
  uint64_t mask = 0;
  for (int i = 0; i < 8; i++) {
    uint64_t word;
    memcpy(&word, p + 8 * i, 8);
    word ^= pattern;
    // Set 0x80 in exactly the bytes that are zero, then gather these eight bits.
    uint64_t zero = ~(((word & low7) + low7) | word | low7);
    mask |= ((zero >> 7) * 0x0102040810204080u >> 56) << (8 * i);
  }
  return mask;
}

#include "csv_kernel.h"
#include "json_kernel.h"
#include "keys_kernel.h"
#include "search_kernel.h"
#include "text_kernel.h"

const ds_kernels ds_kernels_portable = {
    "portable",     csv_rows,      csv_fields,   ds_utf8_valid_prefix,
    pack_texts, add_text_bits, json_members, find_text, keys_in,
};
