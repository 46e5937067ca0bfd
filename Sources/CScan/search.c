// For memmem.
#define _GNU_SOURCE
#include "levels.h"
#include <string.h>

size_t ds_find_long(
    const uint8_t *bytes, size_t count, const uint8_t *needle, size_t length) {
  const uint8_t *found = memmem(bytes, count, needle, length);
  return found == NULL ? count : (size_t)(found - bytes);
}
