#include "CScan.h"
#include <string.h>

// The quoting rules, byte by byte. A quote opens only at the first byte of a field; inside quotes,
// a doubled quote stands for one quote; only a delimiter or the end of the row may follow the
// closing quote. The byte after an escape is an ordinary character. If the dialect skips spaces, the
// spaces at the start of a field are not part of it.

// The number of bytes of the line end at `i`; 0 if there is none. If the bytes after `length` decide
// it, returns 0 and sets `open`.
static size_t line_end_at(
    const uint8_t *b, size_t i, size_t length, uint8_t ends, int *open) {
  if (b[i] == '\n') return 1;
  if (b[i] != '\r') return 0;
  if (i + 1 >= length) { *open = 1; return 0; }
  if (b[i + 1] == '\n') return 2;
  if (b[i + 1] == '\r') {
    if (i + 2 >= length) { *open = 1; return 0; }
    if (b[i + 2] == '\n') return 3;
  }
  return ends == DS_ENDS_ANY;
}

int ds_csv_row(const ds_csv_scan *scan, size_t start, size_t *end, uint32_t *fields) {
  const uint8_t *b = scan->bytes;
  const size_t length = scan->length;
  const ds_dialect d = scan->dialect;
  uint32_t count = 1;
  size_t i = start;
  for (;;) {
    while (d.skipsSpaces && i < length && b[i] == ' ') i++;
    if (i < length && b[i] == d.quote) {
      for (i++;; i++) {
        if (d.escape < 0) {
          const uint8_t *quote = i < length ? memchr(b + i, d.quote, length - i) : NULL;
          if (quote == NULL) return 1;
          i = (size_t)(quote - b);
        } else {
          while (i < length && b[i] != d.quote) i += b[i] == d.escape ? 2 : 1;
        }
        if (++i >= length) return 1;
        if (b[i] != d.quote) break;
      }
      int open = 0;
      const size_t ending = line_end_at(b, i, length, d.ends, &open);
      if (open) return 1;
      if (ending > 0) { i += ending; break; }
      if (b[i] != d.delimiter) { *end = i; return 2; }
    } else {
      size_t ending = 0;
      for (; i < length && b[i] != d.delimiter; i += b[i] == d.escape ? 2 : 1) {
        if (b[i] != '\n' && (b[i] != '\r' || d.ends != DS_ENDS_ANY)) continue;
        int open = 0;
        ending = line_end_at(b, i, length, d.ends, &open);
        if (open) return 1;
        if (ending > 0) break;
      }
      if (i >= length) return 1;
      if (ending > 0) { i += ending; break; }
    }
    count++;
    i++;
    if (i >= length) return 1;
  }
  *end = i;
  *fields = count;
  return 0;
}

size_t ds_csv_content_end(const uint8_t *bytes, size_t start, size_t end) {
  if (end == start) return end;
  const int isLF = bytes[--end] == '\n';
  if (isLF && end > start && bytes[end - 1] == '\r') end--;
  if (isLF && end > start && bytes[end - 1] == '\r' && bytes[end] == '\r') end--;
  return end;
}

size_t ds_csv_next_line(
    const uint8_t *bytes, size_t length, size_t position, const ds_dialect *dialect) {
  if (position >= length) return 0;
  if (dialect->ends == DS_ENDS_LF) {
    const uint8_t *end = memchr(bytes + position, '\n', length - position);
    return end == NULL ? 0 : (size_t)(end - bytes) + 1;
  }
  for (size_t i = position; i < length; i++) {
    int open = 0;
    const size_t ending = line_end_at(bytes, i, length, dialect->ends, &open);
    if (open) return 0;
    if (ending > 0) return i + ending;
  }
  return 0;
}

size_t ds_csv_count_lines(
    const uint8_t *bytes, size_t length, size_t available, const ds_dialect *dialect) {
  size_t count = 0;
  if (dialect->ends == DS_ENDS_LF) {
    for (size_t i = 0; i < length; i++) count += bytes[i] == '\n';
    return count;
  }
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] != '\r') { count += bytes[i] == '\n'; continue; }
    int open = 0;
    // Longer line ends are counted at their LF.
    count += line_end_at(bytes, i, available, dialect->ends, &open) == 1 || open;
  }
  return count;
}

// Reads from `position`, which is inside quotes if `inside` is 1. Returns the number of illegal
// quotes, and sets `rowStart` to the start of the first row, or to `length` if no row starts.
static size_t read_with_parity(
    const uint8_t *b, size_t length, size_t position, int inside, const ds_dialect *dialect,
    size_t *rowStart) {
  const ds_dialect d = *dialect;
  size_t illegal = 0;
  *rowStart = length;
  // Whether a quote may open a field at this byte. This is unknown at `position`, so a quote there
  // counts as legal.
  int atStart = 1;
  for (size_t i = position; i < length; i++) {
    uint8_t c = b[i];
    if (c == d.escape) {
      i++;
      atStart = 0;
    } else if (inside) {
      if (c != d.quote) continue;
      if (i + 1 < length && b[i + 1] == d.quote) { i++; continue; }
      inside = 0;
      uint8_t next = i + 1 < length ? b[i + 1] : '\n';
      if (next != d.delimiter && next != '\n' && next != '\r') illegal++;
      atStart = 0;
    } else if (c == d.quote) {
      if (atStart) inside = 1; else illegal++;
      atStart = 0;
    } else {
      int open = 0;
      size_t ending = 0;
      if (c == '\n' || (c == '\r' && d.ends == DS_ENDS_ANY)) {
        ending = line_end_at(b, i, length, d.ends, &open);
      }
      if (ending > 0) {
        i += ending - 1;
        if (*rowStart == length) *rowStart = i + 1;
        atStart = 1;
      } else {
        atStart = c == d.delimiter || (atStart && c == ' ' && d.skipsSpaces);
      }
    }
  }
  return illegal;
}

size_t ds_csv_guess_row_start(
    const uint8_t *bytes, size_t length, size_t position, const ds_dialect *dialect) {
  if (position >= length) return length;
  if (dialect->escape < 0 &&
      (dialect->quote < 0 ||
       memchr(bytes + position, dialect->quote, length - position) == NULL)) {
    const size_t next = ds_csv_next_line(bytes, length, position, dialect);
    return next == 0 ? length : next;
  }
  size_t outside, inside;
  size_t illegalOutside = read_with_parity(bytes, length, position, 0, dialect, &outside);
  if (dialect->quote < 0) return outside;
  size_t illegalInside = read_with_parity(bytes, length, position, 1, dialect, &inside);
  return illegalInside < illegalOutside ? inside : outside;
}
