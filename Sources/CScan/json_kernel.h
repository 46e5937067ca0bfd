// The members of a record, one after another, as long as they are written like those of a record
// before. Included by every level, which brings:
//
//   DS_STEP                  bytes that are looked at together, at most 16
//   stops(p)                 a bit for each of them that ends plain text: quote, backslash, control
//                            character, not ASCII
//   digits(p)                a bit for each of 16 bytes that is a digit
//   is_separator(p, known)   whether `known` stands at p

#include "utf8_sequence.h"

// Behind the closing quote of the string whose text begins at p; NULL where something stands in it
// that needs a closer look.
DS_TARGET static inline const uint8_t *string_end(const uint8_t *p) {
  for (;;) {
    uint32_t found = stops(p);
    if (found == 0) { p += DS_STEP; continue; }
    p += __builtin_ctz(found);
    if (*p == '"') return p + 1;
    if (*p >= 0x80) {
      do {
        // Text ends with a zero byte, which continues no sequence.
        size_t length = utf8_sequence(p, p + 4);
        if (length == 0) return NULL;
        p += length;
      } while (*p >= 0x80);
    } else if (*p == '\\') {
      switch (p[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
          p += 2;
          break;
        default: return NULL;
      }
    } else {
      return NULL;
    }
  }
}

// Behind the number at p; NULL where it is malformed, long or has an exponent.
DS_TARGET static inline const uint8_t *number_end(const uint8_t *p) {
  if (*p == '-') p++;
  uint32_t found = digits(p);
  unsigned whole = __builtin_ctz(~found);
  if (whole == 0 || (whole > 1 && *p == '0')) return NULL;
  unsigned length = whole;
  if (whole < 16 && p[whole] == '.') {
    unsigned fraction = __builtin_ctz(~(found >> (whole + 1)));
    if (fraction == 0) return NULL;
    length = whole + 1 + fraction;
  }
  // What stands behind the sixteenth was not looked at.
  if (length >= 16 || (p[length] | 0x20) == 'e') return NULL;
  return p + length;
}

DS_TARGET static inline const uint8_t *value_end(const uint8_t *p) {
  switch (*p) {
    case '"': return string_end(p + 1);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7':
    case '8': case '9':
      return number_end(p);
    case 'n': return memcmp(p, "null", 4) == 0 ? p + 4 : NULL;
    case 't': return memcmp(p, "true", 4) == 0 ? p + 4 : NULL;
    case 'f': return memcmp(p + 1, "alse", 4) == 0 ? p + 5 : NULL;
    default: return NULL;
  }
}

// The separator that stands at p after the value of the key `last`, or NULL. The key that mostly
// follows may be missing; then it is the one behind it.
DS_TARGET static inline const ds_json_separator *separator(
    const ds_json_record *record, const uint8_t *p, ptrdiff_t last) {
  if (last + 1 >= record->separator_count) return NULL;
  const ds_json_separator *known = record->separators + last + 1;
  if (is_separator(p, known)) return known;
  known = record->separators + known->key + 1;
  return last >= 0 && is_separator(p, known) ? known : NULL;
}

DS_TARGET static ds_json_stop json_members(ds_json_record *record, ds_json_stop place) {
  const uint8_t *p = record->bytes + record->position;
  ds_json_member *members = record->members;
  ptrdiff_t count = record->count, key = record->key, greatest = record->greatest_key;
  for (;;) {
    if (place == DS_JSON_AT_VALUE) {
      const uint8_t *end = value_end(p);
      if (end == NULL) break;
      p = end;
      place = DS_JSON_BEHIND_VALUE;
    }
    if (count > 0) members[count - 1].end = p - record->bytes;
    if (key == record->wanted_key || count == record->capacity) break;
    const ds_json_separator *next = separator(record, p, key);
    if (next == NULL) break;
    p += next->length;
    key = next->key;
    if (key <= greatest) record->may_repeat = 1; else greatest = key;
    members[count++] = (ds_json_member){key, p - record->bytes, p - record->bytes};
    place = DS_JSON_AT_VALUE;
  }
  record->position = p - record->bytes;
  record->count = count;
  record->key = key;
  record->greatest_key = greatest;
  return place;
}
