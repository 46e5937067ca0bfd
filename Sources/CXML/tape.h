// The events of a piece, in order.
#ifndef CXML_TAPE_H
#define CXML_TAPE_H

#include "CXML.h"

typedef struct {
  cxml_event *events;
  size_t count, room;
  char *text;
  size_t used, capacity;
} event_tape;

void tape_free(event_tape *tape);
static inline void tape_clear(event_tape *tape) { tape->count = tape->used = 0; }

// Appends an event with an empty text. Returns NULL if memory is exhausted.
cxml_event *tape_add(event_tape *tape, int kind, uint32_t name, uint32_t line);

// Appends to the text of the last event. Returns CXML_OK or the reason of the failure.
int tape_extend(event_tape *tape, const char *text, size_t length, uint32_t max);

#endif
