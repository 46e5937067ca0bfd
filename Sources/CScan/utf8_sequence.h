#pragma once
#include <stddef.h>
#include <stdint.h>

// The length of the well-formed UTF-8 sequence at `p`, or 0 (Unicode 15, table 3-7).
static inline size_t utf8_sequence(const uint8_t *p, const uint8_t *end) {
  uint8_t lead = *p;
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return end - p >= 2 && (p[1] & 0xC0) == 0x80 ? 2 : 0;
  if (lead < 0xF0) {
    if (end - p < 3 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80) return 0;
    if (lead == 0xE0 && p[1] < 0xA0) return 0;
    if (lead == 0xED && p[1] > 0x9F) return 0;
    return 3;
  }
  if (lead > 0xF4 || end - p < 4) return 0;
  if ((p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80 || (p[3] & 0xC0) != 0x80) return 0;
  if (lead == 0xF0 && p[1] < 0x90) return 0;
  if (lead == 0xF4 && p[1] > 0x8F) return 0;
  return 4;
}
