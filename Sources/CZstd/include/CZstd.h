// libzstd, opened when the first zstd data is read or written. A program that does neither does not
// load libzstd and runs without it. The build does not need libzstd's headers.
//
// The numbers and signatures belong to libzstd's stable interface. Version 1.4 is the oldest that
// has all of them. See https://facebook.github.io/zstd/zstd_manual.html.
#ifndef CZSTD_H
#define CZSTD_H

#include <stddef.h>

// Opens the library. Returns NULL on success, else a description of the failure; after a failure no
// other function may be called. May be called from any thread, and more than once.
const char *czstd_open(void);

// A result of the calls below: whether it is an error, and its description.
int czstd_is_error(size_t result);
const char *czstd_description(size_t result);

// One stream of frames. NULL if memory is exhausted.
void *czstd_decoder_new(void);
void czstd_decoder_free(void *decoder);
// Decompresses. `*consumed` and `*written` receive the number of bytes read and written. Returns 0
// at the end of a frame, else an error or the expected size of the next input.
size_t czstd_decode(void *decoder, const void *input, size_t input_size, size_t *consumed,
                    void *output, size_t output_size, size_t *written);

void *czstd_encoder_new(int level);
void czstd_encoder_free(void *encoder);
// Compresses. Returns an error or, when `ends` is not 0, the number of bytes that are still to be
// written.
size_t czstd_encode(void *encoder, const void *input, size_t input_size, size_t *consumed,
                    void *output, size_t output_size, size_t *written, int ends);

#endif
