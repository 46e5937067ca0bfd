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
  uint64_t quote, inside, delimiter, terminator;
  // Quotes that violate the quoting rules.
  uint64_t broken;
} ds_block;

// State carried from one block to the next.
typedef struct {
  // All ones if the block starts inside quotes, else 0.
  uint64_t inside;
  // Both use bit 0. `mayOpen`: a quote may open at the first byte of the block. `closed`: the last
  // byte of the previous block is a closing quote.
  uint64_t mayOpen, closed;
} ds_carry;

// Removes delimiters and terminators inside quotes from the block and sets `broken`.
DS_TARGET static inline void resolve_quotes(
    const uint8_t *p, uint8_t terminator, ds_block *block, ds_carry *carry) {
  uint64_t quote = block->quote;
  if (__builtin_expect((quote | carry->inside | carry->closed) == 0, 1)) {
    block->broken = 0;
    carry->mayOpen = (block->delimiter | block->terminator) >> 63;
    return;
  }
  uint64_t inside = prefix_xor(quote) ^ carry->inside;
  uint64_t opens = quote & inside, closes = quote & ~inside;
  uint64_t after = closes << 1 | carry->closed;
  uint64_t junk = after & ~(block->delimiter | block->terminator | quote);
  block->delimiter &= ~inside;
  block->terminator &= ~inside;
  uint64_t starts = block->delimiter | block->terminator | closes;
  if (junk != 0 && terminator == '\n') {
    // A carriage return belongs to the terminator that follows it.
    uint64_t ends = block->terminator >> 1 | (uint64_t)(p[64] == '\n') << 63;
    junk &= ~(block_equal(p, '\r') & ends);
  }
  block->broken = (opens & ~(starts << 1 | carry->mayOpen)) | junk;
  carry->mayOpen = starts >> 63;
  carry->closed = closes >> 63;
  carry->inside = (uint64_t)((int64_t)inside >> 63);
}

DS_TARGET static ds_stop csv_rows(ds_csv_scan *scan) {
  const uint8_t *bytes = scan->bytes;
  const size_t length = scan->length;
  const uint8_t delimiter = scan->delimiter, terminator = scan->terminator;
  const int comment = scan->comment;
  const uint32_t expected = scan->expected;
  ds_row *rows = scan->rows;
  const size_t capacity = scan->capacity;
  size_t count = scan->count, row = scan->position;
  ds_stop stop = DS_PARTIAL;

restart:
  if (row < length && bytes[row] == comment) { stop = DS_COMMENT; goto done; }
  ds_carry carry = {0, 1, 0};
  uint32_t fields = 1;
  for (size_t base = row; base < length; base += 64) {
    const uint8_t *p = bytes + base;
    ds_block block;
    block.quote = block_equal(p, '"');
    block.delimiter = block_equal(p, delimiter);
    block.terminator = block_equal(p, terminator);
    if (length - base < 64) {
      uint64_t valid = ((uint64_t)1 << (length - base)) - 1;
      block.quote &= valid, block.delimiter &= valid, block.terminator &= valid;
    }
    resolve_quotes(p, terminator, &block, &carry);
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

// The field between `start` and `end`, without its quotes.
DS_TARGET static inline ds_field make_field(const uint8_t *bytes, size_t start, size_t end) {
  ds_field field = {(uint32_t)start, (uint32_t)(end - start)};
  if (end - start >= 2 && bytes[start] == '"') {
    field.start += 1;
    field.length = (uint32_t)(end - start - 2) | DS_FIELD_QUOTED;
    if (memchr(bytes + start + 1, '"', end - start - 2) != NULL) field.length |= DS_FIELD_ESCAPED;
  }
  return field;
}

// Finds the requested fields of a row that has a quote in the middle of a field.
static void fields_bytewise(
    const uint8_t *bytes, uint8_t delimiter, size_t start, size_t end, const uint32_t *requested,
    size_t requestedCount, ds_field *fields) {
  size_t column = 0, next = 0;
  for (size_t i = start;; column++) {
    size_t first = i;
    if (i < end && bytes[i] == '"') {
      for (i++; i < end; i++) {
        if (bytes[i] != '"') continue;
        if (i + 1 < end && bytes[i + 1] == '"') { i++; continue; }
        break;
      }
    }
    while (i < end && bytes[i] != delimiter) i++;
    if (requested[next] == column) {
      fields[next++] = make_field(bytes, first, i);
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

DS_TARGET static void csv_fields(
    const uint8_t *bytes, uint8_t delimiter, uint8_t terminator, const ds_row *rows, size_t count,
    const uint32_t *requested, size_t requestedCount, ds_field *fields) {
  for (size_t r = 0; r < count; r++, fields += requestedCount) {
    const size_t start = rows[r].start;
    size_t end = rows[r].end - 1;
    if (terminator == '\n' && end > start && bytes[end - 1] == '\r') end--;
    ds_carry carry = {0, 1, 0};
    size_t seen = 0, next = 0, fieldStart = start;
    int hasStart = requested[0] == 0;
    for (size_t base = start;; base += 64) {
      const uint8_t *p = bytes + base;
      ds_block block;
      block.quote = block_equal(p, '"');
      block.delimiter = block_equal(p, delimiter);
      block.terminator = 0;
      if (base == start &&
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
      resolve_quotes(p, 0, &block, &carry);
      if (__builtin_expect(block.broken != 0, 0)) {
        for (size_t i = next; i < requestedCount; i++) fields[i] = (ds_field){0, 0};
        fields_bytewise(bytes, delimiter, start, end, requested, requestedCount, fields);
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
        fields[next++] = make_field(bytes, fieldStart, fieldEnd);
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
