#include "CMD4C.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

// Values of MD_FLAG_NOHTMLBLOCKS, MD_FLAG_NOHTMLSPANS and MD_FLAG_TABLES.
enum { WITHOUT_MARKUP_BLOCKS = 0x20, WITHOUT_MARKUP_SPANS = 0x40, TABLES = 0x100 };

// MD_PARSER.
typedef struct {
  unsigned version;
  unsigned flags;
  cmd4c_callbacks callbacks;
  void (*log)(const char *message, void *context);
  void (*syntax)(void);
} parser;

static int (*parse)(const char *text, unsigned size, const parser *parser, void *context);

#ifdef __APPLE__
static const char library_name[] = "libmd4c.0.dylib";
#else
static const char library_name[] = "libmd4c.so.0";
#endif

static char failure[512];

static void open_library(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library) *(void **)&parse = dlsym(library, "md_parse");
  if (!parse) snprintf(failure, sizeof failure, "%s", dlerror());
}

const char *cmd4c_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return failure[0] ? failure : NULL;
}

int cmd4c_parse(const char *text, unsigned size, const cmd4c_callbacks *callbacks, void *context) {
  parser parser = {0, WITHOUT_MARKUP_BLOCKS | WITHOUT_MARKUP_SPANS | TABLES, *callbacks, NULL, NULL};
  return parse(text, size, &parser, context);
}
