#include "CScan.h"
#include "utf8_sequence.h"
#include <string.h>

size_t ds_utf8_valid_prefix(const uint8_t *bytes, size_t length) {
  const uint8_t *p = bytes, *end = bytes + length;
  while (p < end) {
    uint64_t word;
    if (end - p >= 8) {
      memcpy(&word, p, 8);
      if ((word & 0x8080808080808080u) == 0) { p += 8; continue; }
    }
    size_t step = utf8_sequence(p, end);
    if (step == 0) break;
    p += step;
  }
  return (size_t)(p - bytes);
}
