#include "CZstd.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} in_buffer;

typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} out_buffer;

// Values of ZSTD_cParameter and ZSTD_EndDirective.
enum { COMPRESSION_LEVEL = 100, CHECKSUM_FLAG = 201, CONTINUE = 0, END = 2 };

static struct {
  unsigned (*isError)(size_t result);
  const char *(*getErrorName)(size_t result);
  void *(*createDStream)(void);
  size_t (*freeDStream)(void *decoder);
  size_t (*decompressStream)(void *decoder, out_buffer *output, in_buffer *input);
  void *(*createCStream)(void);
  size_t (*freeCStream)(void *encoder);
  size_t (*CCtx_setParameter)(void *encoder, int parameter, int value);
  size_t (*compressStream2)(void *encoder, out_buffer *output, in_buffer *input, int directive);
} zstd;

#define SYMBOL(name) {"ZSTD_" #name, (void **)&zstd.name}
static const struct {
  const char *name;
  void **place;
} symbols[] = {
    SYMBOL(isError), SYMBOL(getErrorName), SYMBOL(createDStream), SYMBOL(freeDStream),
    SYMBOL(decompressStream), SYMBOL(createCStream), SYMBOL(freeCStream),
    SYMBOL(CCtx_setParameter), SYMBOL(compressStream2),
};

#ifdef __APPLE__
static const char library_name[] = "libzstd.1.dylib";
#else
static const char library_name[] = "libzstd.so.1";
#endif

static char failure[512];

static void open_library(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(failure, sizeof failure, "%s is missing: the library is older than 1.4",
               symbols[i].name);
      return;
    }
  }
}

const char *czstd_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return failure[0] ? failure : NULL;
}

int czstd_is_error(size_t result) { return (int)zstd.isError(result); }
const char *czstd_description(size_t result) { return zstd.getErrorName(result); }

void *czstd_decoder_new(void) { return zstd.createDStream(); }
void czstd_decoder_free(void *decoder) { zstd.freeDStream(decoder); }
size_t czstd_decode(void *decoder, const void *input, size_t input_size, size_t *consumed,
                    void *output, size_t output_size, size_t *written) {
  in_buffer in = {input, input_size, 0};
  out_buffer out = {output, output_size, 0};
  size_t result = zstd.decompressStream(decoder, &out, &in);
  *consumed = in.position;
  *written = out.position;
  return result;
}

void *czstd_encoder_new(int level) {
  void *encoder = zstd.createCStream();
  if (encoder) {
    zstd.CCtx_setParameter(encoder, COMPRESSION_LEVEL, level);
    zstd.CCtx_setParameter(encoder, CHECKSUM_FLAG, 1);
  }
  return encoder;
}
void czstd_encoder_free(void *encoder) { zstd.freeCStream(encoder); }
size_t czstd_encode(void *encoder, const void *input, size_t input_size, size_t *consumed,
                    void *output, size_t output_size, size_t *written, int ends) {
  in_buffer in = {input, input_size, 0};
  out_buffer out = {output, output_size, 0};
  size_t result = zstd.compressStream2(encoder, &out, &in, ends ? END : CONTINUE);
  *consumed = in.position;
  *written = out.position;
  return result;
}
