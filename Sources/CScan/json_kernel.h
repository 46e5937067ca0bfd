// Scans the members of an object as long as they are written like those of a previous object.
// Included by every level, which defines:
//
//   DS_STEP                  number of bytes examined together, at most 16
//   stops(p)                 a bit for each of these bytes that ends plain text: a quote, a
//                            backslash, a control character or a byte that is not ASCII
//   digits(p)                a bit for each of 16 bytes that is a digit
//   is_separator(p, known)   whether the bytes at p are `known`

#include "utf8_sequence.h"

// The end of the string whose content starts at p, after its closing quote; NULL if the caller's
// slow path must check the string.
DS_TARGET static inline const uint8_t *string_end(const uint8_t *p) {
  for (;;) {
    uint32_t found = stops(p);
    if (found == 0) { p += DS_STEP; continue; }
    p += __builtin_ctz(found);
    if (*p == '"') return p + 1;
    if (*p >= 0x80) {
      do {
        // The text ends with a zero byte, which does not continue a sequence.
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

// The end of the number at p; NULL if it is malformed, is long or has an exponent.
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
  // Bytes after the sixteenth were not examined.
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

// The known separator at p, after the value of the key `last`, or NULL. The key that usually
// follows may be missing, so the separator that usually follows that key's value is tried too.
DS_TARGET static inline const ds_json_separator *separator(
    const ds_json_object *object, const uint8_t *p, ptrdiff_t last) {
  if (last + 1 >= object->separator_count) return NULL;
  const ds_json_separator *known = object->separators + last + 1;
  if (is_separator(p, known)) return known;
  known = object->separators + known->key + 1;
  return last >= 0 && is_separator(p, known) ? known : NULL;
}

DS_TARGET static ds_json_stop json_members(ds_json_object *object, ds_json_stop place) {
  const uint8_t *p = object->bytes + object->position;
  ds_json_member *members = object->members;
  ptrdiff_t count = object->count, key = object->key, greatest = object->greatest_key;
  for (;;) {
    if (place == DS_JSON_AT_VALUE) {
      const uint8_t *end = value_end(p);
      if (end == NULL) break;
      p = end;
      place = DS_JSON_AFTER_VALUE;
    }
    if (count > 0) members[count - 1].end = p - object->bytes;
    if (key == object->stop_key || count == object->capacity) break;
    const ds_json_separator *next = separator(object, p, key);
    if (next == NULL) break;
    p += next->length;
    key = next->key;
    if (key <= greatest) object->may_repeat = 1; else greatest = key;
    members[count++] = (ds_json_member){key, p - object->bytes, p - object->bytes};
    place = DS_JSON_AT_VALUE;
  }
  object->position = p - object->bytes;
  object->count = count;
  object->key = key;
  object->greatest_key = greatest;
  return place;
}
