#include "decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "CXML.h"

bool decoder_open(text_decoder *decoder, const char *encoding) {
  *decoder = (text_decoder){.iconv = iconv_open("UTF-8", encoding)};
  return decoder->iconv != (iconv_t)-1;
}

void decoder_close(text_decoder *decoder) {
  if (decoder->iconv && decoder->iconv != (iconv_t)-1) iconv_close(decoder->iconv);
  free(decoder->input);
  free(decoder->output);
}

static bool reserve(char **bytes, size_t *capacity, size_t needed) {
  if (needed <= *capacity) return true;
  char *larger = realloc(*bytes, needed);
  if (!larger) return false;
  *bytes = larger;
  *capacity = needed;
  return true;
}

int decoder_convert(text_decoder *decoder, const char *bytes, size_t length, bool is_last) {
  decoder->used = 0;
  if (!reserve(&decoder->input, &decoder->room, decoder->kept + length)) return CXML_MEMORY;
  if (length) memcpy(decoder->input + decoder->kept, bytes, length);
  char *input = decoder->input;
  size_t left = decoder->kept + length;
  while (left) {
    if (!reserve(&decoder->output, &decoder->capacity, decoder->used + left * 3 + 64)) {
      return CXML_MEMORY;
    }
    char *output = decoder->output + decoder->used;
    size_t room = decoder->capacity - decoder->used;
    const char *start = input;
    size_t result = iconv(decoder->iconv, &input, &left, &output, &room);
    decoder->converted += (uint64_t)(input - start);
    decoder->used = (size_t)(output - decoder->output);
    if (result != (size_t)-1 || errno == E2BIG) continue;
    // A character that is cut by the end of the piece; no encoding has longer ones.
    if (errno == EINVAL && !is_last && left < 64) break;
    return CXML_ENCODING;
  }
  if (left) memmove(decoder->input, input, left);
  decoder->kept = left;
  return CXML_OK;
}
