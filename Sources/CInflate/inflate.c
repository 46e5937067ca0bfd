#include "CInflate.h"

#include <stdbool.h>
#include <string.h>

// An entry of a decoding table:
//   bits 0-7    bits to consume: of the code and, for a length or distance, its extra bits
//   bits 8-12   bits of the code alone; for a link, bits that index the second table
//   bit 13      the code continues in a second table
//   bit 14      end of the block, or an unassigned code
//   bit 15      a literal
//   bits 16-31  literal, base of a length or distance, or start of the second table
typedef uint32_t entry;
enum { LINK = 1 << 13, SPECIAL = 1 << 14, LITERAL = 1 << 15 };
static const entry unassigned = SPECIAL | 0xFFFF0000u;

enum {
  MAX_CODE_LENGTH = 15,
  LITERAL_SYMBOLS = 286,
  DISTANCE_SYMBOLS = 30,
  // With the symbols that complete the fixed codes but may not occur.
  FIXED_LITERAL_SYMBOLS = 288,
  FIXED_DISTANCE_SYMBOLS = 32,
  PRECODE_SYMBOLS = 19,
  // Most codes are within the first tables, which fit into the first-level cache.
  LITERAL_BITS = 11,
  DISTANCE_BITS = 8,
  PRECODE_BITS = 7,
  // The most entries that first and second tables have together, for 288 symbols and 11 bits and for
  // 32 symbols and 8 bits. zlib's program `enough` computes these numbers.
  LITERAL_ENTRIES = 2342,
  DISTANCE_ENTRIES = 402,
  END_OF_BLOCK = 256,
};

// Results of a step that do not leave `cinflate_run`.
enum { BLOCK_BEGAN = 3, BLOCK_ENDED = 4, NEAR_EDGE = 5 };

enum mode { BLOCK, STORED, SYMBOLS, DONE };

struct cinflate {
  uint64_t bits;
  unsigned bit_count;  // below 8 between two calls
  enum mode mode;
  bool is_last;
  bool has_fixed_tables;
  uint32_t stored_left;
  entry literals[LITERAL_ENTRIES];
  entry distances[DISTANCE_ENTRIES];
};

size_t cinflate_size(void) { return sizeof(cinflate); }

void cinflate_reset(cinflate *state) {
  state->bits = 0;
  state->bit_count = 0;
  state->mode = BLOCK;
  state->is_last = false;
  state->has_fixed_tables = false;
  state->stored_left = 0;
}

static const uint16_t length_bases[29] = {3,  4,  5,  6,  7,  8,  9,  10,  11,  13,
                                          15, 17, 19, 23, 27, 31, 35, 43,  51,  59,
                                          67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extras[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_bases[30] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_extras[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

static entry literal_entry(unsigned symbol) {
  if (symbol < END_OF_BLOCK) return symbol << 16 | LITERAL;
  if (symbol == END_OF_BLOCK) return SPECIAL;
  if (symbol >= LITERAL_SYMBOLS) return unassigned;
  symbol -= END_OF_BLOCK + 1;
  return (entry)length_bases[symbol] << 16 | length_extras[symbol];
}

static entry distance_entry(unsigned symbol) {
  if (symbol >= DISTANCE_SYMBOLS) return unassigned;
  return (entry)distance_bases[symbol] << 16 | distance_extras[symbol];
}

static entry precode_entry(unsigned symbol) { return symbol << 16; }

// An entry whose code has `length` bits: `value` with its extra bits in the low byte.
static entry with_length(entry value, unsigned length) {
  return value + length + (length << 8);
}

static unsigned reversed(unsigned code, unsigned length) {
  unsigned result = 0;
  for (unsigned i = 0; i < length; i++) result |= (code >> i & 1) << (length - 1 - i);
  return result;
}

// Fills a decoding table from the code lengths of its symbols; a length of 0 is a symbol that does
// not occur. As in zlib, an incomplete code is allowed only if its codes have one bit, or if there
// are none.
static bool build(entry *table, unsigned first_bits, unsigned capacity, const uint8_t *lengths,
                  unsigned symbols, entry (*value)(unsigned), bool may_be_incomplete) {
  unsigned counts[MAX_CODE_LENGTH + 1] = {0};
  for (unsigned i = 0; i < symbols; i++) counts[lengths[i]]++;
  counts[0] = 0;
  int left = 1;
  unsigned longest = 0;
  unsigned offsets[MAX_CODE_LENGTH + 2] = {0};
  for (unsigned length = 1; length <= MAX_CODE_LENGTH; length++) {
    left = (left << 1) - (int)counts[length];
    if (left < 0) return false;
    if (counts[length]) longest = length;
    offsets[length + 1] = offsets[length] + counts[length];
  }
  if (left > 0 && longest > (may_be_incomplete ? 1 : 0)) return false;
  if (!may_be_incomplete && longest == 0) return false;

  uint16_t sorted[FIXED_LITERAL_SYMBOLS];
  unsigned used = offsets[MAX_CODE_LENGTH + 1];
  for (unsigned i = 0; i < symbols; i++) {
    if (lengths[i]) sorted[offsets[lengths[i]]++] = (uint16_t)i;
  }

  const unsigned first_size = 1u << first_bits;
  if (left > 0) {
    for (unsigned i = 0; i < first_size; i++) table[i] = unassigned;
  }
  unsigned code = 0, length = 0, next_free = first_size;
  unsigned second_start = 0, second_bits = 0, second_prefix = ~0u;
  unsigned remaining[MAX_CODE_LENGTH + 1];
  memcpy(remaining, counts, sizeof remaining);
  for (unsigned i = 0; i < used; i++) {
    unsigned symbol = sorted[i];
    unsigned next_length = lengths[symbol];
    code <<= next_length - length;
    length = next_length;
    unsigned place = reversed(code, length);
    if (length <= first_bits) {
      entry filled = with_length(value(symbol), length);
      for (; place < first_size; place += 1u << length) table[place] = filled;
    } else {
      unsigned prefix = place & (first_size - 1);
      if (prefix != second_prefix) {
        // The second table has room for the longest code with this prefix: extend it until the
        // codes that follow fill it.
        second_prefix = prefix;
        second_bits = length - first_bits;
        int open = (1 << second_bits) - (int)remaining[length];
        while (open > 0 && first_bits + second_bits < MAX_CODE_LENGTH) {
          second_bits++;
          open = (open << 1) - (int)remaining[first_bits + second_bits];
        }
        second_start = next_free;
        next_free += 1u << second_bits;
        if (next_free > capacity) return false;
        table[prefix] = second_start << 16 | LINK | second_bits << 8 | first_bits;
      }
      // Bits of the first table have been consumed when the second is read.
      entry filled = with_length(value(symbol), length - first_bits);
      for (unsigned at = place >> first_bits; at < 1u << second_bits;
           at += 1u << (length - first_bits))
        table[second_start + at] = filled;
    }
    remaining[length]--;
    code++;
  }
  return true;
}

static void build_fixed(cinflate *state) {
  if (state->has_fixed_tables) return;
  uint8_t lengths[FIXED_LITERAL_SYMBOLS];
  memset(lengths, 8, 144);
  memset(lengths + 144, 9, 112);
  memset(lengths + 256, 7, 24);
  memset(lengths + 280, 8, 8);
  build(state->literals, LITERAL_BITS, LITERAL_ENTRIES, lengths, FIXED_LITERAL_SYMBOLS,
        literal_entry, false);
  memset(lengths, 5, FIXED_DISTANCE_SYMBOLS);
  build(state->distances, DISTANCE_BITS, DISTANCE_ENTRIES, lengths, FIXED_DISTANCE_SYMBOLS,
        distance_entry, false);
  state->has_fixed_tables = true;
}

// The bits of the input, the first in the lowest place. `needed` bits may be taken after `fill`
// returned true.
typedef struct {
  uint64_t bits;
  unsigned count;
  const uint8_t *next;
  const uint8_t *end;
} reader;

static inline bool fill(reader *input, unsigned needed) {
  while (input->count <= 56 && input->next < input->end) {
    input->bits |= (uint64_t)*input->next++ << input->count;
    input->count += 8;
  }
  return input->count >= needed;
}

static inline unsigned take(reader *input, unsigned count) {
  unsigned result = (unsigned)(input->bits & ((1ull << count) - 1));
  input->bits >>= count;
  input->count -= count;
  return result;
}

// Returns the bytes that were read but not used.
static void put_back(reader *input) {
  input->next -= input->count / 8;
  input->count %= 8;
  input->bits &= (1ull << input->count) - 1;
}

// Reads the code lengths of a block with codes of its own (RFC 1951, 3.2.7) and builds its tables.
// Returns BLOCK_BEGAN, CINFLATE_NEEDS_INPUT or an error.
static int read_codes(cinflate *state, reader *input) {
  static const uint8_t order[PRECODE_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                 11, 4,  12, 3, 13, 2, 14, 1, 15};
  if (!fill(input, 14)) return CINFLATE_NEEDS_INPUT;
  unsigned literals = take(input, 5) + 257;
  unsigned distances = take(input, 5) + 1;
  unsigned precodes = take(input, 4) + 4;
  if (literals > LITERAL_SYMBOLS || distances > DISTANCE_SYMBOLS) return CINFLATE_BAD_CODE_LENGTHS;

  uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS] = {0};
  for (unsigned i = 0; i < precodes; i++) {
    if (!fill(input, 3)) return CINFLATE_NEEDS_INPUT;
    lengths[order[i]] = (uint8_t)take(input, 3);
  }
  entry precode[1 << PRECODE_BITS];
  if (!build(precode, PRECODE_BITS, 1 << PRECODE_BITS, lengths, PRECODE_SYMBOLS, precode_entry,
             false))
    return CINFLATE_BAD_CODE_LENGTHS;

  memset(lengths, 0, sizeof lengths);
  unsigned at = 0;
  while (at < literals + distances) {
    fill(input, 14);
    entry found = precode[input->bits & ((1 << PRECODE_BITS) - 1)];
    unsigned length = found & 0xFF, symbol = found >> 16;
    unsigned extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (input->count < length + extra) return CINFLATE_NEEDS_INPUT;
    take(input, length);
    if (symbol < 16) {
      lengths[at++] = (uint8_t)symbol;
      continue;
    }
    unsigned count = take(input, extra) + (symbol == 18 ? 11 : 3);
    if (symbol == 16 && at == 0) return CINFLATE_BAD_CODE_LENGTHS;
    if (count > literals + distances - at) return CINFLATE_BAD_CODE_LENGTHS;
    memset(lengths + at, symbol == 16 ? lengths[at - 1] : 0, count);
    at += count;
  }
  if (lengths[END_OF_BLOCK] == 0) return CINFLATE_BAD_CODE_LENGTHS;
  state->has_fixed_tables = false;
  if (!build(state->literals, LITERAL_BITS, LITERAL_ENTRIES, lengths, literals, literal_entry,
             true) ||
      !build(state->distances, DISTANCE_BITS, DISTANCE_ENTRIES, lengths + literals, distances,
             distance_entry, true))
    return CINFLATE_BAD_CODE_LENGTHS;
  return BLOCK_BEGAN;
}

// Reads the header of a block. Returns BLOCK_BEGAN, CINFLATE_NEEDS_INPUT with nothing read, or an error.
static int read_block(cinflate *state, reader *input) {
  const reader start = *input;
  int result = CINFLATE_NEEDS_INPUT;
  if (fill(input, 3)) {
    bool is_last = take(input, 1);
    switch (take(input, 2)) {
      case 0:
        take(input, input->count % 8);
        if (!fill(input, 32)) break;
        state->stored_left = take(input, 16);
        if (take(input, 16) != (state->stored_left ^ 0xFFFF)) return CINFLATE_BAD_STORED_LENGTH;
        put_back(input);
        state->mode = STORED;
        result = BLOCK_BEGAN;
        break;
      case 1:
        build_fixed(state);
        state->mode = SYMBOLS;
        result = BLOCK_BEGAN;
        break;
      case 2:
        result = read_codes(state, input);
        if (result == BLOCK_BEGAN) state->mode = SYMBOLS;
        break;
      default: return CINFLATE_BAD_BLOCK_TYPE;
    }
    if (result == BLOCK_BEGAN) state->is_last = is_last;
  }
  if (result == CINFLATE_NEEDS_INPUT) *input = start;
  return result;
}

static inline uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// Repeats `length` bytes from `distance` bytes back. Writes up to 32 bytes too many.
static inline void repeat(uint8_t *output, unsigned distance, unsigned length) {
  const uint8_t *from = output - distance;
  uint8_t *end = output + length;
  if (distance >= 16) {
    do {
      memcpy(output, from, 16);
      output += 16;
      from += 16;
    } while (output < end);
  } else if (distance == 1) {
    memset(output, *from, length);
  } else if (distance >= 8) {
    do {
      memcpy(output, from, 8);
      output += 8;
      from += 8;
    } while (output < end);
  } else {
    do *output++ = *from++;
    while (output < end);
  }
}

static inline unsigned extra_bits(uint64_t bits, entry found) {
  unsigned code = found >> 8 & 0x1F;
  return (unsigned)((bits & ((1ull << (found & 0xFF)) - 1)) >> code);
}

#define FIRST(table, width) state->table[bits & ((1u << (width)) - 1)]
#define CONSUME(found) (bits >>= ((found) & 0xFF), count -= (found) & 0xFF)
#define SECOND(table, found) \
  state->table[((found) >> 16) + (bits & ((1u << ((found) >> 8 & 0x1F)) - 1))]

// Decodes symbols while both input and output are far from their ends, so that neither is checked
// for each bit.
static int decode_fast(const cinflate *state, reader *input, const uint8_t *history,
                       uint8_t **output_start, const uint8_t *output_end) {
  uint64_t bits = input->bits;
  unsigned count = input->count;
  const uint8_t *next = input->next;
  const uint8_t *const safe_end = input->end - 16;
  uint8_t *output = *output_start;
  const uint8_t *const safe_output = output_end - CINFLATE_OUTPUT_MARGIN;
  int result = NEAR_EDGE;

// At least 56 bits are present after this.
#define REFILL() (bits |= load(next) << count, next += (63 - count) >> 3, count |= 56)
  while (next <= safe_end && output <= safe_output) {
    REFILL();
    entry found = FIRST(literals, LITERAL_BITS);
    // Three literals of the first table take at most 33 bits.
    if (found & LITERAL) {
      CONSUME(found);
      *output++ = (uint8_t)(found >> 16);
      found = FIRST(literals, LITERAL_BITS);
      if (found & LITERAL) {
        CONSUME(found);
        *output++ = (uint8_t)(found >> 16);
        found = FIRST(literals, LITERAL_BITS);
        if (found & LITERAL) {
          CONSUME(found);
          *output++ = (uint8_t)(found >> 16);
          continue;
        }
      }
      REFILL();
    }
    if (found & LINK) {
      CONSUME(found);
      found = SECOND(literals, found);
      if (found & LITERAL) {
        CONSUME(found);
        *output++ = (uint8_t)(found >> 16);
        continue;
      }
    }
    if (found & SPECIAL) {
      CONSUME(found);
      result = found >> 16 ? CINFLATE_BAD_SYMBOL : BLOCK_ENDED;
      break;
    }
    // A length and a distance take at most 20 + 28 bits.
    unsigned length = (found >> 16) + extra_bits(bits, found);
    CONSUME(found);
    found = FIRST(distances, DISTANCE_BITS);
    if (found & LINK) {
      CONSUME(found);
      found = SECOND(distances, found);
    }
    if (found & SPECIAL) {
      result = CINFLATE_BAD_DISTANCE;
      break;
    }
    unsigned distance = (found >> 16) + extra_bits(bits, found);
    CONSUME(found);
    if (distance > (size_t)(output - history)) {
      result = CINFLATE_BAD_DISTANCE;
      break;
    }
    repeat(output, distance, length);
    output += length;
  }
#undef REFILL
  // The bits above `count` are those of bytes that `next` has not passed.
  input->bits = count < 64 ? bits & ((1ull << count) - 1) : bits;
  input->count = count;
  input->next = next;
  *output_start = output;
  return result;
}

// Decodes one symbol. Returns NEAR_EDGE if it was decoded.
static int decode_one(const cinflate *state, reader *input, const uint8_t *history,
                      uint8_t **output) {
  fill(input, 64);
  uint64_t bits = input->bits;
  // Bits after the end of the input are zeros; `count` becomes negative when they are used.
  int count = (int)input->count;
  entry found = FIRST(literals, LITERAL_BITS);
  if (found & LINK) {
    CONSUME(found);
    found = SECOND(literals, found);
  }
  unsigned length = 0, distance = 0;
  if (!(found & (LITERAL | SPECIAL))) length = (found >> 16) + extra_bits(bits, found);
  CONSUME(found);
  if (count < 0) return CINFLATE_NEEDS_INPUT;
  if (found & SPECIAL && found >> 16) return CINFLATE_BAD_SYMBOL;
  const entry symbol = found;
  if (length > 0) {
    found = FIRST(distances, DISTANCE_BITS);
    if (found & LINK) {
      CONSUME(found);
      found = SECOND(distances, found);
    }
    distance = (found >> 16) + extra_bits(bits, found);
    bool is_special = found & SPECIAL;
    CONSUME(found);
    if (count < 0) return CINFLATE_NEEDS_INPUT;
    if (is_special || distance > (size_t)(*output - history)) return CINFLATE_BAD_DISTANCE;
  }
  input->bits = bits;
  input->count = (unsigned)count;
  if (symbol & SPECIAL) return BLOCK_ENDED;
  if (symbol & LITERAL) {
    *(*output)++ = (uint8_t)(symbol >> 16);
  } else {
    repeat(*output, distance, length);
    *output += length;
  }
  return NEAR_EDGE;
}

static int copy_stored(cinflate *state, reader *input, uint8_t **output,
                       const uint8_t *output_end) {
  size_t count = state->stored_left;
  size_t present = (size_t)(input->end - input->next);
  size_t room = (size_t)(output_end - *output);
  if (count > present) count = present;
  if (count > room) count = room;
  memcpy(*output, input->next, count);
  *output += count;
  input->next += count;
  state->stored_left -= (uint32_t)count;
  if (state->stored_left == 0) return BLOCK_ENDED;
  return count == present ? CINFLATE_NEEDS_INPUT : CINFLATE_NEEDS_OUTPUT;
}

static int decode(cinflate *state, reader *input, const uint8_t *history, uint8_t **output,
                  const uint8_t *output_end) {
  while (true) {
    if (output_end - *output < CINFLATE_OUTPUT_MARGIN) return CINFLATE_NEEDS_OUTPUT;
    int result = NEAR_EDGE;
    if (input->end - input->next >= 16)
      result = decode_fast(state, input, history, output, output_end);
    else
      result = decode_one(state, input, history, output);
    if (result != NEAR_EDGE) return result;
  }
}

int cinflate_run(cinflate *state, const uint8_t **input, const uint8_t *input_end,
                 const uint8_t *history, uint8_t **output, const uint8_t *output_end) {
  reader in = {state->bits, state->bit_count, *input, input_end};
  int result = BLOCK_ENDED;
  while (true) {
    switch (state->mode) {
      case BLOCK: result = read_block(state, &in); break;
      case STORED: result = copy_stored(state, &in, output, output_end); break;
      case SYMBOLS: result = decode(state, &in, history, output, output_end); break;
      case DONE: result = CINFLATE_END; break;
    }
    if (result == BLOCK_ENDED) {
      state->mode = state->is_last ? DONE : BLOCK;
    } else if (result != BLOCK_BEGAN) {
      break;
    }
  }
  put_back(&in);
  *input = in.next;
  state->bits = in.bits;
  state->bit_count = in.count;
  return result;
}
