#include "tape.h"

#include <stdlib.h>
#include <string.h>

void tape_free(event_tape *tape) {
  free(tape->events);
  free(tape->text);
}

cxml_event *tape_add(event_tape *tape, int kind, uint32_t name, uint32_t line) {
  if (tape->count == tape->room) {
    size_t room = tape->room ? tape->room * 2 : 1024;
    cxml_event *events = realloc(tape->events, room * sizeof *events);
    if (!events) return NULL;
    tape->events = events;
    tape->room = room;
  }
  cxml_event *event = &tape->events[tape->count++];
  *event = (cxml_event){
      .kind = (uint8_t)kind, .is_blank = true, .name = name, .line = line,
      .start = (uint32_t)tape->used,
  };
  return event;
}

static bool is_blank(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] != ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r') return false;
  }
  return true;
}

int tape_extend(event_tape *tape, const char *text, size_t length, uint32_t max) {
  if (!length) return CXML_OK;
  cxml_event *event = &tape->events[tape->count - 1];
  if (length > max || event->length > max - length) return CXML_TEXT_TOO_LONG;
  // Offsets have 32 bits.
  if (length > UINT32_MAX - tape->used) return CXML_MEMORY;
  if (tape->used + length > tape->capacity) {
    size_t capacity = tape->capacity ? tape->capacity : 64 << 10;
    while (capacity < tape->used + length) capacity *= 2;
    char *bytes = realloc(tape->text, capacity);
    if (!bytes) return CXML_MEMORY;
    tape->text = bytes;
    tape->capacity = capacity;
  }
  memcpy(tape->text + tape->used, text, length);
  tape->used += length;
  event->length += (uint32_t)length;
  event->is_blank = event->is_blank && is_blank(text, length);
  return CXML_OK;
}
