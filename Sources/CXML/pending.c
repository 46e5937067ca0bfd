#include "pending.h"

static bool is_space(char byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

void pending_count(pending_tag *tag, bool is_html, const char *bytes, size_t length) {
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
    if ((byte == '"' || byte == '\'') && tag->last_word == '=') tag->quote = byte;
    bool starts_word = is_html && is_space(tag->last) && !is_space(byte);
    if (byte == '=' || starts_word) tag->attributes++;
    tag->last = byte;
    if (!is_space(byte)) tag->last_word = byte;
  }
}
