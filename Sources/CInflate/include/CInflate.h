// Decompression of deflate data (RFC 1951), two to three times as fast as zlib's.
//
// The state is at a symbol boundary whenever a call returns, so input and output may be divided
// anywhere. Checksums and the headers of gzip and zlib are the caller's.
#ifndef CINFLATE_H
#define CINFLATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct cinflate cinflate;

// The number of bytes of a state, which the caller allocates.
size_t cinflate_size(void);
// Prepares for the first bit of a new stream.
void cinflate_reset(cinflate *state);

enum {
  CINFLATE_NEEDS_INPUT = 0,
  CINFLATE_NEEDS_OUTPUT = 1,
  CINFLATE_END = 2,
  // Corrupt data:
  CINFLATE_BAD_BLOCK_TYPE = -1,
  CINFLATE_BAD_STORED_LENGTH = -2,
  CINFLATE_BAD_CODE_LENGTHS = -3,
  CINFLATE_BAD_SYMBOL = -4,
  CINFLATE_BAD_DISTANCE = -5,
};

// The least space, in bytes, that `output` must have for a call to make progress.
#define CINFLATE_OUTPUT_MARGIN 320
// The longest distance of a repetition.
#define CINFLATE_WINDOW 32768
// Input of this size is always enough to make progress.
#define CINFLATE_INPUT_MARGIN 600

// Decompresses until the input or the space for output is used up, or the stream ends.
//
// `*input` advances past the bytes that were read; the caller presents the rest again, with more
// bytes behind it. `*output` advances past the bytes that were written; the bytes between `history`
// and `*output` are those that repetitions may refer to, at least the last CINFLATE_WINDOW bytes of
// the stream, or all of them. Up to CINFLATE_OUTPUT_MARGIN bytes behind `*output`, but none from
// `output_end` on, may be overwritten.
int cinflate_run(cinflate *state, const uint8_t **input, const uint8_t *input_end,
                 const uint8_t *history, uint8_t **output, const uint8_t *output_end);

#endif
