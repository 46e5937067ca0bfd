#include "CScan.h"
#include <string.h>

// The quoting rules, byte by byte. A quote opens only at the first byte of a field; inside quotes,
// a doubled quote stands for one quote; only a delimiter or the end of the row may follow the
// closing quote.

int ds_csv_row(const ds_csv_scan *scan, size_t start, size_t *end, uint32_t *fields) {
  const uint8_t *b = scan->bytes;
  const size_t length = scan->length;
  const uint8_t delimiter = scan->delimiter, terminator = scan->terminator;
  uint32_t count = 1;
  size_t i = start;
  for (;;) {
    if (i < length && b[i] == '"') {
      for (i++;; i++) {
        const uint8_t *quote = i < length ? memchr(b + i, '"', length - i) : NULL;
        if (quote == NULL) return 1;
        i = (size_t)(quote - b) + 1;
        if (i >= length) return 1;
        if (b[i] != '"') break;
      }
      if (b[i] == '\r' && terminator == '\n') {
        if (i + 1 >= length) return 1;
        if (b[i + 1] == '\n') i++;
      }
      if (b[i] != delimiter && b[i] != terminator) { *end = i; return 2; }
    } else {
      while (i < length && b[i] != delimiter && b[i] != terminator) i++;
      if (i >= length) return 1;
    }
    if (b[i] == terminator) break;
    count++;
    i++;
    if (i >= length) return 1;
  }
  *end = i + 1;
  *fields = count;
  return 0;
}

// Reads from `position`, which is inside quotes if `inside` is 1. Returns the number of illegal
// quotes, and sets `rowStart` to the start of the first row, or to `length` if no row starts.
static size_t read_with_parity(
    const uint8_t *b, size_t length, size_t position, int inside, uint8_t delimiter,
    uint8_t terminator, size_t *rowStart) {
  size_t illegal = 0;
  *rowStart = length;
  // Whether a quote may open a field at this byte. This is unknown at `position`, so a quote there
  // counts as legal.
  int atStart = 1;
  for (size_t i = position; i < length; i++) {
    uint8_t c = b[i];
    if (inside) {
      if (c != '"') continue;
      if (i + 1 < length && b[i + 1] == '"') { i++; continue; }
      inside = 0;
      uint8_t next = i + 1 < length ? b[i + 1] : terminator;
      if (next != delimiter && next != terminator && next != '\r') illegal++;
      atStart = 0;
    } else if (c == '"') {
      if (atStart) inside = 1; else illegal++;
      atStart = 0;
    } else if (c == terminator) {
      if (*rowStart == length) *rowStart = i + 1;
      atStart = 1;
    } else {
      atStart = c == delimiter;
    }
  }
  return illegal;
}

size_t ds_csv_guess_row_start(
    const uint8_t *bytes, size_t length, size_t position, uint8_t delimiter, uint8_t terminator) {
  if (position >= length) return length;
  if (memchr(bytes + position, '"', length - position) == NULL) {
    const uint8_t *end = memchr(bytes + position, terminator, length - position);
    return end == NULL ? length : (size_t)(end - bytes) + 1;
  }
  size_t outside, inside;
  size_t illegalOutside =
      read_with_parity(bytes, length, position, 0, delimiter, terminator, &outside);
  size_t illegalInside =
      read_with_parity(bytes, length, position, 1, delimiter, terminator, &inside);
  return illegalInside < illegalOutside ? inside : outside;
}

size_t ds_count_byte(const uint8_t *bytes, size_t length, uint8_t byte) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += bytes[i] == byte;
  return count;
}
