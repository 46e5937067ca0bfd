// Scans text in blocks of 64 bytes. Every level includes this file and defines
//   DS_TARGET             attributes of every function
//   block_equal(p, byte)  a bit for each of the 64 bytes at p that equals byte
//   prefix_xor(mask)      bit i is the parity of bits 0...i
//   nth_bit(mask, n)      the position of set bit n, counted from 0; mask has more than n set bits
//   bit_count(mask)       the number of set bits
//
// Method: every quote toggles between outside and inside, so the parity of the quotes up to a byte
// shows whether the byte is inside quotes. Separators inside quotes are removed. This is correct
// for rows that follow the quoting rules. A row with a quote that violates them (it opens in the
// middle of a field, or text follows the closing quote) is scanned byte by byte instead.

typedef struct {
  uint64_t quote, delimiter, terminator;
  // Spaces, if the dialect skips them at the start of a field; else 0.
  uint64_t space;
  // Quotes that violate the quoting rules.
  uint64_t broken;
} ds_block;

// State carried from one block to the next.
typedef struct {
  // All ones if the block starts inside quotes, else 0.
  uint64_t inside;
  // These use bit 0. `mayOpen`: a quote may open at the first byte of the block. `closed`: the last
  // byte of the previous block is a closing quote. `escaped`: it is an escape.
  uint64_t mayOpen, closed, escaped;
} ds_carry;

// The scans are compiled once for each kind, so that a scan only has the work of its kind.
enum ds_kind {
  // With quotes, without escapes; rows end at LF.
  DS_QUOTED_LINES,
  // Without quotes and escapes; rows end at LF.
  DS_PLAIN_LINES,
  DS_ANY_DIALECT,
};

static inline enum ds_kind kind_of(const ds_dialect *dialect) {
  if (dialect->ends != DS_ENDS_LF || dialect->escape >= 0 || dialect->skipsSpaces) {
    return DS_ANY_DIALECT;
  }
  return dialect->quote >= 0 ? DS_QUOTED_LINES : DS_PLAIN_LINES;
}

#define DS_KIND_INLINE static inline __attribute__((always_inline))

// Positions of the CR that end a line on their own, in a block of `count` bytes, at most 64. A CR
// belongs to a following LF, directly or after one more CR. A CR whose following bytes are beyond
// `count` is left out.
DS_TARGET static inline uint64_t lone_returns(const uint8_t *p, uint64_t lf, size_t count) {
  uint64_t cr = block_equal(p, '\r');
  if (count < 64) cr &= ((uint64_t)1 << count) - 1;
  if (cr == 0) return 0;
  const int has64 = count > 64, has65 = count > 65;
  const uint64_t lf64 = has64 && p[64] == '\n', cr64 = has64 && p[64] == '\r';
  const uint64_t lf65 = has65 && p[65] == '\n';
  const uint64_t beforeLF = lf >> 1 | lf64 << 63;
  const uint64_t beforeCR = cr >> 1 | cr64 << 63;
  const uint64_t twoBeforeLF = lf >> 2 | lf64 << 62 | lf65 << 63;
  uint64_t known = ~(uint64_t)0, twoKnown = ~(uint64_t)0;
  if (!has64) known = ((uint64_t)1 << (count - 1)) - 1;
  if (!has65) twoKnown = count < 2 ? 0 : ((uint64_t)1 << (count - 2)) - 1;
  return cr & known & ~beforeLF & ~(beforeCR & (twoBeforeLF | ~twoKnown));
}

// The bytes that follow an escape. An escaped escape escapes nothing.
DS_TARGET static inline uint64_t escaped_bytes(uint64_t escapes, ds_carry *carry) {
  uint64_t escaped = carry->escaped;
  escapes &= ~escaped;
  carry->escaped = 0;
  while (escapes != 0) {
    const uint64_t lowest = escapes & -escapes;
    const uint64_t next = lowest << 1;
    if (next == 0) carry->escaped = 1;
    escaped |= next;
    escapes &= ~(lowest | next);
  }
  return escaped;
}

// The special bytes of a block of `count` bytes; only the first 64 are in the block.
DS_TARGET DS_KIND_INLINE ds_block load_block(
    const uint8_t *p, size_t count, const ds_dialect *dialect, enum ds_kind kind,
    ds_carry *carry) {
  ds_block block;
  block.delimiter = block_equal(p, dialect->delimiter);
  block.terminator = block_equal(p, '\n');
  block.quote = block.space = 0;
  if (kind == DS_QUOTED_LINES || (kind == DS_ANY_DIALECT && dialect->quote >= 0)) {
    block.quote = block_equal(p, (uint8_t)dialect->quote);
  }
  if (kind == DS_ANY_DIALECT && dialect->skipsSpaces) block.space = block_equal(p, ' ');
  if (count < 64) {
    uint64_t valid = ((uint64_t)1 << count) - 1;
    block.quote &= valid, block.delimiter &= valid, block.terminator &= valid;
  }
  if (kind == DS_ANY_DIALECT) {
    if (dialect->ends == DS_ENDS_ANY) {
      block.terminator |= lone_returns(p, block.terminator, count);
    }
    if (dialect->escape >= 0) {
      uint64_t ordinary = ~escaped_bytes(block_equal(p, (uint8_t)dialect->escape), carry);
      block.quote &= ordinary, block.delimiter &= ordinary, block.terminator &= ordinary;
      block.space &= ordinary;
    }
  }
  return block;
}

// CR that belong to a line end of the block.
DS_TARGET static inline uint64_t returns_of_ends(const uint8_t *p, uint64_t terminator) {
  const uint64_t cr = block_equal(p, '\r');
  const uint64_t last = cr & (terminator >> 1 | (uint64_t)(p[64] == '\n') << 63);
  return last | (cr & (last >> 1 | (uint64_t)(p[64] == '\r' && p[65] == '\n') << 63));
}

// The bytes at which a quote may open: the given starts of fields, and the bytes after spaces that
// follow these. Sets `mayOpen` for the next block.
DS_TARGET static inline uint64_t openings(uint64_t starts, uint64_t spaces, ds_carry *carry) {
  uint64_t after;
  // The carry of an addition runs through the spaces.
  const uint64_t runsOn = __builtin_add_overflow(spaces, starts & spaces, &after);
  carry->mayOpen |= runsOn;
  return starts | (after & ~spaces);
}

// Removes delimiters and terminators inside quotes from the block and sets `broken`.
// `hasReturns`: whether CR may precede the terminators.
DS_TARGET DS_KIND_INLINE void resolve_quotes(
    const uint8_t *p, int hasReturns, enum ds_kind kind, ds_block *block, ds_carry *carry) {
  uint64_t quote = block->quote;
  if (kind == DS_PLAIN_LINES ||
      __builtin_expect((quote | carry->inside | carry->closed) == 0, 1)) {
    block->broken = 0;
    if (kind == DS_PLAIN_LINES) return;
    const uint64_t ends = block->delimiter | block->terminator, first = carry->mayOpen;
    carry->mayOpen = ends >> 63;
    if (kind == DS_ANY_DIALECT) openings(ends << 1 | first, block->space, carry);
    return;
  }
  uint64_t inside = prefix_xor(quote) ^ carry->inside;
  uint64_t opens = quote & inside, closes = quote & ~inside;
  uint64_t after = closes << 1 | carry->closed;
  uint64_t junk = after & ~(block->delimiter | block->terminator | quote);
  block->delimiter &= ~inside;
  block->terminator &= ~inside;
  uint64_t starts = block->delimiter | block->terminator | closes;
  if (junk != 0 && hasReturns) junk &= ~returns_of_ends(p, block->terminator);
  uint64_t mayOpen = starts << 1 | carry->mayOpen;
  carry->mayOpen = starts >> 63;
  if (kind == DS_ANY_DIALECT) mayOpen = openings(mayOpen, block->space, carry);
  block->broken = (opens & ~mayOpen) | junk;
  carry->closed = closes >> 63;
  carry->inside = (uint64_t)((int64_t)inside >> 63);
}

DS_TARGET DS_KIND_INLINE ds_stop csv_rows_of_kind(ds_csv_scan *scan, enum ds_kind kind) {
  const uint8_t *bytes = scan->bytes;
  const size_t length = scan->length;
  const ds_dialect dialect = scan->dialect;
  const int comment = dialect.comment;
  const uint32_t expected = scan->expected;
  ds_row *rows = scan->rows;
  const size_t capacity = scan->capacity;
  size_t count = scan->count, row = scan->position;
  ds_stop stop = DS_PARTIAL;

restart:
  if (row < length && bytes[row] == comment) { stop = DS_COMMENT; goto done; }
  ds_carry carry = {0, 1, 0, 0};
  uint32_t fields = 1;
  for (size_t base = row; base < length; base += 64) {
    const uint8_t *p = bytes + base;
    ds_block block = load_block(p, length - base, &dialect, kind, &carry);
    resolve_quotes(p, 1, kind, &block, &carry);
    uint64_t ends = block.terminator, delimiters = block.delimiter;
    if (__builtin_expect(block.broken != 0, 0)) {
      // Rows that end before the violation are accepted; the row that contains it is scanned
      // bytewise.
      ends &= (block.broken & -block.broken) - 1;
    }
    while (ends != 0) {
      size_t end = (size_t)__builtin_ctzll(ends);
      uint64_t below = ((uint64_t)1 << end) - 1;
      fields += (uint32_t)bit_count(delimiters & below);
      delimiters &= ~below;
      if (__builtin_expect(fields != expected, 0)) {
        scan->end = base + end + 1;
        scan->fields = fields;
        stop = DS_IRREGULAR;
        goto done;
      }
      rows[count].start = (uint32_t)row;
      row = base + end + 1;
      rows[count].end = (uint32_t)row;
      fields = 1;
      ends &= ends - 1;
      if (++count == capacity) { stop = DS_FULL; goto done; }
      if (__builtin_expect(row < length && bytes[row] == comment, 0)) {
        stop = DS_COMMENT;
        goto done;
      }
    }
    if (__builtin_expect(block.broken != 0, 0)) {
      size_t end;
      int outcome = ds_csv_row(scan, row, &end, &fields);
      if (outcome == 1) break;
      if (outcome == 2 || fields != expected) {
        scan->end = end;
        scan->fields = fields;
        stop = outcome == 2 ? DS_BROKEN : DS_IRREGULAR;
        goto done;
      }
      rows[count].start = (uint32_t)row;
      rows[count].end = (uint32_t)end;
      row = end;
      if (++count == capacity) { stop = DS_FULL; goto done; }
      goto restart;
    }
    fields += (uint32_t)bit_count(delimiters);
  }
done:
  scan->position = row;
  scan->count = count;
  return stop;
}

DS_TARGET static ds_stop csv_rows(ds_csv_scan *scan) {
  switch (kind_of(&scan->dialect)) {
    case DS_QUOTED_LINES: return csv_rows_of_kind(scan, DS_QUOTED_LINES);
    case DS_PLAIN_LINES: return csv_rows_of_kind(scan, DS_PLAIN_LINES);
    default: return csv_rows_of_kind(scan, DS_ANY_DIALECT);
  }
}

// The field between `start` and `end`, without its quotes.
DS_TARGET DS_KIND_INLINE ds_field make_field(
    const uint8_t *bytes, size_t start, size_t end, const ds_dialect *dialect, enum ds_kind kind) {
  if (kind == DS_ANY_DIALECT && dialect->skipsSpaces) {
    while (start < end && bytes[start] == ' ') start++;
  }
  ds_field field = {(uint32_t)start, (uint32_t)(end - start)};
  if (kind == DS_PLAIN_LINES) return field;
  if (end - start >= 2 && bytes[start] == dialect->quote) {
    field.start += 1;
    field.length = (uint32_t)(end - start - 2) | DS_FIELD_QUOTED;
    if (memchr(bytes + start + 1, dialect->quote, end - start - 2) != NULL) {
      field.length |= DS_FIELD_ESCAPED;
    }
  }
  if (kind == DS_ANY_DIALECT && dialect->escape >= 0 &&
      memchr(bytes + start, dialect->escape, end - start) != NULL) {
    field.length |= DS_FIELD_ESCAPED;
  }
  return field;
}

// Finds the requested fields of a row that has a quote in the middle of a field.
DS_TARGET static void fields_bytewise(
    const uint8_t *bytes, const ds_dialect *dialect, enum ds_kind kind, size_t start, size_t end,
    const uint32_t *requested, size_t requestedCount, ds_field *fields) {
  const ds_dialect d = *dialect;
  size_t column = 0, next = 0;
  for (size_t i = start;; column++) {
    size_t first = i;
    while (d.skipsSpaces && i < end && bytes[i] == ' ') i++;
    if (i < end && bytes[i] == d.quote) {
      for (i++; i < end; i++) {
        if (bytes[i] == d.escape) { i++; continue; }
        if (bytes[i] != d.quote) continue;
        if (i + 1 < end && bytes[i + 1] == d.quote) { i++; continue; }
        break;
      }
    }
    while (i < end && bytes[i] != d.delimiter) i += bytes[i] == d.escape ? 2 : 1;
    if (i > end) i = end;
    if (requested[next] == column) {
      fields[next++] = make_field(bytes, first, i, dialect, kind);
      if (next == requestedCount) return;
    }
    if (i >= end) return;
    i++;
  }
}

// Finds the requested fields of a row if all of them end in its first block, before any quote; this
// is typical of the first columns. Returns 0 otherwise.
DS_TARGET static inline int fields_in_front(
    const ds_block *block, size_t start, size_t end, const uint32_t *requested,
    size_t requestedCount, ds_field *fields) {
  const uint64_t delimiters = block->delimiter;
  const uint32_t last = requested[requestedCount - 1];
  if ((uint32_t)bit_count(delimiters) <= last) return 0;
  const unsigned lastEnd = nth_bit(delimiters, last);
  const uint64_t before = ((uint64_t)1 << lastEnd) - 1;
  if (lastEnd >= end - start || (block->quote & before) != 0) return 0;
  for (size_t i = 0; i < requestedCount; i++) {
    const unsigned column = requested[i];
    const unsigned first = column == 0 ? 0 : nth_bit(delimiters, column - 1) + 1;
    const unsigned fieldEnd = nth_bit(delimiters, column);
    fields[i] = (ds_field){(uint32_t)(start + first), fieldEnd - first};
  }
  return 1;
}

DS_TARGET DS_KIND_INLINE void csv_fields_of_kind(
    const uint8_t *bytes, const ds_dialect *given, const ds_row *rows, size_t count,
    const uint32_t *requested, size_t requestedCount, ds_field *fields, enum ds_kind kind) {
  const ds_dialect dialect = *given;
  for (size_t r = 0; r < count; r++, fields += requestedCount) {
    const size_t start = rows[r].start;
    size_t end = rows[r].end - 1;
    // Two CR before LF are rare.
    if (end > start && bytes[end - 1] == '\r' && bytes[end] == '\n') {
      end--;
      if (__builtin_expect(end > start && bytes[end - 1] == '\r', 0)) end--;
    }
    ds_carry carry = {0, 1, 0, 0};
    size_t seen = 0, next = 0, fieldStart = start;
    int hasStart = requested[0] == 0;
    for (size_t base = start;; base += 64) {
      const uint8_t *p = bytes + base;
      ds_block block;
      block.quote = block.space = 0;
      if (kind == DS_QUOTED_LINES || (kind == DS_ANY_DIALECT && dialect.quote >= 0)) {
        block.quote = block_equal(p, (uint8_t)dialect.quote);
      }
      if (kind == DS_ANY_DIALECT && dialect.skipsSpaces) block.space = block_equal(p, ' ');
      block.delimiter = block_equal(p, dialect.delimiter);
      block.terminator = 0;
      if (kind == DS_ANY_DIALECT && dialect.escape >= 0) {
        uint64_t ordinary = ~escaped_bytes(block_equal(p, (uint8_t)dialect.escape), &carry);
        block.quote &= ordinary, block.delimiter &= ordinary, block.space &= ordinary;
      } else if (base == start && !(kind == DS_ANY_DIALECT && dialect.skipsSpaces) &&
                 fields_in_front(&block, start, end, requested, requestedCount, fields)) {
        break;
      }
      int isLast = end - base <= 64;
      if (isLast) {
        uint64_t valid = end - base == 64 ? ~(uint64_t)0 : ((uint64_t)1 << (end - base)) - 1;
        block.quote &= valid, block.delimiter &= valid;
        // Mark the end of the row as a terminator, because it may follow a closing quote.
        if (end - base < 64) block.terminator = (uint64_t)1 << (end - base);
      }
      resolve_quotes(p, 0, kind, &block, &carry);
      if (__builtin_expect(block.broken != 0, 0)) {
        for (size_t i = next; i < requestedCount; i++) fields[i] = (ds_field){0, 0};
        fields_bytewise(
            bytes, &dialect, kind, start, end, requested, requestedCount, fields);
        break;
      }
      const uint64_t delimiters = block.delimiter;
      const size_t here = (size_t)bit_count(delimiters);
      while (next < requestedCount) {
        const size_t column = requested[next];
        if (!hasStart) {
          if (seen + here < column) break;
          fieldStart = base + nth_bit(delimiters, (unsigned)(column - 1 - seen)) + 1;
          hasStart = 1;
        }
        size_t fieldEnd;
        if (seen + here > column) {
          fieldEnd = base + nth_bit(delimiters, (unsigned)(column - seen));
        } else if (isLast) {
          fieldEnd = end;
        } else {
          break;
        }
        fields[next++] = make_field(bytes, fieldStart, fieldEnd, &dialect, kind);
        hasStart = 0;
        // If the next requested column is adjacent, it starts after the delimiter of this field.
        // The last field of a row has none.
        if (next < requestedCount && requested[next] == column + 1) {
          fieldStart = fieldEnd + 1;
          hasStart = seen + here > column;
        }
      }
      if (next == requestedCount) break;
      if (isLast) {
        for (; next < requestedCount; next++) fields[next] = (ds_field){0, 0};
        break;
      }
      seen += here;
    }
  }
}

DS_TARGET static void csv_fields(
    const uint8_t *bytes, const ds_dialect *dialect, const ds_row *rows, size_t count,
    const uint32_t *requested, size_t requestedCount, ds_field *fields) {
  switch (kind_of(dialect)) {
    case DS_QUOTED_LINES:
      csv_fields_of_kind(
          bytes, dialect, rows, count, requested, requestedCount, fields, DS_QUOTED_LINES);
      break;
    case DS_PLAIN_LINES:
      csv_fields_of_kind(
          bytes, dialect, rows, count, requested, requestedCount, fields, DS_PLAIN_LINES);
      break;
    default:
      csv_fields_of_kind(
          bytes, dialect, rows, count, requested, requestedCount, fields, DS_ANY_DIALECT);
  }
}
