#include "CScan.h"
#include <string.h>

// Members of records that are written like the ones before: a plain value, then bytes that stood there
// before. Eight bytes at a time in a general register; wider ones gain nothing, as keys and values are
// short.

#define EACH(byte) (0x0101010101010101u * (byte))

static inline uint64_t load(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

// The first quote, backslash, control character or byte that is not ASCII.
static inline const uint8_t *plain_end(const uint8_t *p) {
  for (;; p += 8) {
    const uint64_t word = load(p);
    const uint64_t quotes = (word ^ EACH(0x22)) - EACH(1);
    const uint64_t backslashes = (word ^ EACH(0x5C)) - EACH(1);
    const uint64_t controls = word - EACH(0x20);
    // Borrows make false finds, but only above the first true one.
    const uint64_t found = (quotes | backslashes | controls | word) & EACH(0x80);
    if (found != 0) return p + (__builtin_ctzll(found) >> 3);
  }
}

// How many digits there are at `p`, up to 8; found without a branch on how many.
static inline unsigned digits(const uint8_t *p) {
  const uint64_t word = load(p) ^ EACH(0x30);
  // Carries make false finds, but only above the first true one.
  const uint64_t others = ((word + EACH(0x76)) | word) & EACH(0x80);
  return others == 0 ? 8 : (unsigned)__builtin_ctzll(others) >> 3;
}

// Behind a number of up to seven digits before and behind the point; NULL when it is not certain that
// there is one.
static inline const uint8_t *short_number(const uint8_t *p) {
  if (*p == '-') p++;
  const unsigned whole = digits(p);
  if (whole == 0 || whole == 8 || (*p == '0' && whole > 1)) return NULL;
  p += whole;
  if (*p == '.') {
    const unsigned fraction = digits(p + 1);
    if (fraction == 0 || fraction == 8) return NULL;
    p += 1 + fraction;
  }
  return (*p | 0x20) == 'e' ? NULL : p;
}

static inline const uint8_t *word_end(const uint8_t *p, const char *word, size_t length) {
  return memcmp(p, word, length) == 0 ? p + length : NULL;
}

// Behind the value at `p`; NULL when it is not a plain one.
static inline const uint8_t *plain_value(const uint8_t *p) {
  if (*p == '"') {
    const uint8_t *end = plain_end(p + 1);
    return *end == '"' ? end + 1 : NULL;
  }
  if (*p == '-' || (uint8_t)(*p - '0') < 10) return short_number(p);
  switch (*p) {
  case 'n': return word_end(p, "null", 4);
  case 't': return word_end(p, "true", 4);
  case 'f': return word_end(p, "false", 5);
  default: return NULL;
  }
}

// A separator has no zero byte: none is found that is not all in the text.
static inline int is_separator(const ds_separator *separator, const uint8_t *p) {
  const uint8_t *known = (const uint8_t *)separator->bytes;
  ptrdiff_t rest = separator->length;
  if (rest == 0) return 0;
  for (; rest > 8; rest -= 8, p += 8, known += 8) {
    if (load(p) != load(known)) return 0;
  }
  return (load(p) ^ load(known)) << (64 - 8 * rest) == 0;
}

int ds_json_members(ds_json_run *run) {
  const uint8_t *const bytes = run->bytes;
  const ds_separator *const separators = run->separators;
  const ds_member *const full = run->members + run->capacity;
  const ptrdiff_t lastWanted = run->lastWanted;
  ds_member *member = run->members + run->count - 1;
  const uint8_t *p = bytes + run->index;
  ptrdiff_t last = run->lastKey, greatest = run->greatestKey;
  int isBehindValue = 0, mayRepeat = 0;
  while (last + 1 < run->separatorCount) {
    const uint8_t *end = plain_value(p);
    if (end == NULL) break;
    p = end;
    member->valueEnd = p - bytes;
    isBehindValue = 1;
    if (last == lastWanted || member + 1 == full) break;
    const ds_separator *next = separators + last + 1;
    if (!is_separator(next, p)) {
      // The key that mostly follows may be missing.
      next = separators + next->key + 1;
      if (!is_separator(next, p)) break;
    }
    p += next->length;
    last = next->key;
    mayRepeat |= last <= greatest;
    if (last > greatest) greatest = last;
    *++member = (ds_member){last, p - bytes, p - bytes};
    isBehindValue = 0;
  }
  run->index = p - bytes;
  run->count = member + 1 - run->members;
  run->lastKey = last;
  run->greatestKey = greatest;
  run->mayRepeatKeys |= mayRepeat;
  return isBehindValue;
}
