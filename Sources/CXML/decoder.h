// Converts pieces of text to UTF-8 with iconv.
#ifndef CXML_DECODER_H
#define CXML_DECODER_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  iconv_t iconv;
  // A character whose end is in the next piece, then the current piece.
  char *input;
  size_t kept, room;
  char *output;
  size_t used, capacity;
  // The number of input bytes that were converted.
  uint64_t converted;
} text_decoder;

// Returns false for an unknown encoding.
bool decoder_open(text_decoder *decoder, const char *encoding);
void decoder_close(text_decoder *decoder);

// Converts a piece to `output`. Returns CXML_OK, CXML_ENCODING or CXML_MEMORY.
int decoder_convert(text_decoder *decoder, const char *bytes, size_t length, bool is_last);

#endif
