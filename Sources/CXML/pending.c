#include "pending.h"

#include <string.h>

static bool is_space(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

void pending_count(pending_tag *tag, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char byte = bytes[i];
    uint64_t position = tag->seen++;
    if (position == 0) tag->is_tag = byte == '<';
    if (position == 1 && (byte == '!' || byte == '?' || byte == '/')) tag->is_tag = false;
    if (position > 0 && !tag->is_tag) return;
    if (tag->quote) {
      if (byte == tag->quote) tag->quote = 0;
      continue;
    }
    if ((byte == '"' || byte == '\'') && tag->last == '=') tag->quote = byte;
    if (byte == '=') tag->attributes++;
    if (!is_space(byte)) tag->last = byte;
  }
}

size_t html_attributes(const char *bytes, size_t length) {
  size_t most = 0;
  const char *end = bytes + length;
  while (bytes && bytes < end) {
    bytes = memchr(bytes, '<', (size_t)(end - bytes));
    if (!bytes) break;
    size_t words = 0, values = 0;
    char quote = 0, last = ' ', last_word = ' ';
    for (bytes++; bytes < end; bytes++) {
      char byte = *bytes;
      if (quote) {
        if (byte == quote) quote = 0;
        continue;
      }
      if (byte == '>') break;
      if ((byte == '"' || byte == '\'') && last_word == '=') quote = byte;
      if (byte == '=') values++;
      if (is_space(last) && !is_space(byte)) words++;
      last = byte;
      if (!is_space(byte)) last_word = byte;
    }
    size_t attributes = words > values ? words : values;
    if (attributes > most) most = attributes;
  }
  return most;
}
