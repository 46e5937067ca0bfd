#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "CXML.h"

xml_library libxml;

#define SYMBOL(name) {#name, (void **)&libxml.name}
static const struct {
  const char *name;
  void **place;
} symbols[] = {
    SYMBOL(xmlInitParser), SYMBOL(xmlSetExternalEntityLoader), SYMBOL(xmlCreatePushParserCtxt),
    SYMBOL(xmlParseChunk), SYMBOL(xmlCtxtUseOptions), SYMBOL(xmlFreeParserCtxt),
    SYMBOL(xmlByteConsumed), SYMBOL(xmlNewDoc), SYMBOL(xmlFreeDoc),
    SYMBOL(xmlSAX2GetLineNumber), SYMBOL(xmlSAX2InternalSubset), SYMBOL(xmlSAX2EntityDecl),
    SYMBOL(xmlSAX2GetEntity), SYMBOL(xmlSAX2GetParameterEntity), SYMBOL(htmlCreatePushParserCtxt),
    SYMBOL(htmlParseChunk), SYMBOL(htmlCtxtUseOptions),
};

// The last name is that of version 2.14 and later.
static const char *const libraries[] = {
#ifdef __APPLE__
    "libxml2.2.dylib",
#else
    "libxml2.so.2",
    "libxml2.so.16",
#endif
};

static char failure[512];

// Nothing outside of the document is ever loaded.
static void *refuse(const char *uri, const char *id, void *context) {
  (void)uri, (void)id, (void)context;
  return NULL;
}

static void open_library(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof libraries / sizeof *libraries; i++) {
    library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    // Report the failure of the first name.
    if (!library && !failure[0]) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (!library) return;
  failure[0] = 0;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(failure, sizeof failure, "%s is missing from libxml2", symbols[i].name);
      return;
    }
  }
  libxml.xmlInitParser();
  libxml.xmlSetExternalEntityLoader(refuse);
}

const char *cxml_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return failure[0] ? failure : NULL;
}
