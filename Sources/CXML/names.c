#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "CXML.h"

void names_free(name_table *names) {
  free(names->bytes);
  free(names->places);
  free(names->slots);
}

static uint32_t hash_bytes(uint32_t hash, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)bytes[i]) * 16777619u;
  return hash;
}

static bool grow_slots(name_table *names) {
  size_t count = names->slot_count ? names->slot_count * 2 : 256;
  uint32_t *slots = calloc(count, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < names->count; i++) {
    size_t slot = names->places[i].hash & (count - 1);
    while (slots[slot]) slot = (slot + 1) & (count - 1);
    slots[slot] = (uint32_t)i + 1;
  }
  free(names->slots);
  names->slots = slots;
  names->slot_count = count;
  return true;
}

static bool grow(void **memory, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return true;
  size_t larger = *capacity ? *capacity * 2 : 64;
  while (larger < needed) larger *= 2;
  void *moved = realloc(*memory, larger * size);
  if (!moved) return false;
  *memory = moved;
  *capacity = larger;
  return true;
}

static bool is_same(
    const char *name, const char *prefix, size_t before, const char *local, size_t after) {
  if (before && (memcmp(name, prefix, before) || name[before] != ':')) return false;
  return !memcmp(name + (before ? before + 1 : 0), local, after);
}

int64_t names_number(name_table *names, const char *prefix, const char *local) {
  size_t before = prefix ? strlen(prefix) : 0;
  size_t after = strlen(local);
  size_t length = before + (before > 0) + after;
  if (length > UINT32_MAX / 2) return NAME_NO_MEMORY;
  uint32_t hash = 2166136261u;
  if (before) hash = hash_bytes(hash_bytes(hash, prefix, before), ":", 1);
  hash = hash_bytes(hash, local, after);
  // A fold, because the last byte mostly affects the low bits.
  hash ^= hash >> 15;
  if (names->count * 2 >= names->slot_count && !grow_slots(names)) return NAME_NO_MEMORY;
  size_t slot = hash & (names->slot_count - 1);
  for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1)) {
    const struct name_place *place = &names->places[names->slots[slot] - 1];
    if (place->hash != hash || place->length != length) continue;
    if (is_same(names->bytes + place->start, prefix, before, local, after)) {
      return names->slots[slot] - 1;
    }
  }
  if (names->count >= CXML_MAX_NAMES) return NAME_TOO_MANY;
  if (!grow((void **)&names->places, &names->room, names->count + 1, sizeof *names->places) ||
      !grow((void **)&names->bytes, &names->capacity, names->used + length, 1)) {
    return NAME_NO_MEMORY;
  }
  char *name = names->bytes + names->used;
  if (before) {
    memcpy(name, prefix, before);
    name[before] = ':';
    name += before + 1;
  }
  memcpy(name, local, after);
  names->places[names->count] =
      (struct name_place){.start = names->used, .length = (uint32_t)length, .hash = hash};
  names->used += length;
  names->slots[slot] = (uint32_t)++names->count;
  return (int64_t)names->count - 1;
}
