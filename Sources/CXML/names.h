// The names of a document, numbered in the order of their first appearance.
#ifndef CXML_NAMES_H
#define CXML_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  // The bytes of all names, and the place of each.
  char *bytes;
  size_t used, capacity;
  struct name_place {
    size_t start;
    uint32_t length, hash;
  } *places;
  size_t count, room;
  // Open addressing: the number of a name plus 1, or 0. The size is a power of two.
  uint32_t *slots;
  size_t slot_count;
} name_table;

void names_free(name_table *names);

enum { NAME_NO_MEMORY = -1, NAME_TOO_MANY = -2 };

// The number of the name `prefix:local`; `prefix` may be NULL.
int64_t names_number(name_table *names, const char *prefix, const char *local);

#endif
