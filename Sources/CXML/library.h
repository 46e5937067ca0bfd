// The functions of libxml2 that are used. The signatures and structures belong to the binary
// interface of libxml2 2.9; versions up to 2.14 have not changed them. See
// https://gnome.pages.gitlab.gnome.org/libxml2/.
#ifndef CXML_LIBRARY_H
#define CXML_LIBRARY_H

typedef unsigned char xml_char;

// The first members of xmlParserCtxt.
typedef struct {
  void *sax;
  void *user;
  void *document;
} xml_context;

// xmlError.
typedef struct {
  int domain;
  int code;
  const char *message;
  int level;
  const char *file;
  int line;
  const char *text[3];
  int number;
  int column;
} xml_error;

enum { LEVEL_FATAL = 3 };
// xmlParserErrors.
enum { CODE_DOCUMENT_END = 5, CODE_TAG_MISMATCH = 76, CODE_INVALID_ENCODING = 81 };

// xmlEntityType.
enum {
  ENTITY_INTERNAL = 1,
  ENTITY_EXTERNAL = 2,
  ENTITY_INTERNAL_PARAMETER = 4,
  ENTITY_EXTERNAL_PARAMETER = 5,
};

// xmlSAXHandler.
typedef struct {
  void (*internal_subset)(void *, const xml_char *name, const xml_char *id, const xml_char *uri);
  void *is_standalone, *has_internal_subset, *has_external_subset, *resolve_entity;
  void *(*get_entity)(void *, const xml_char *name);
  void (*entity)(
      void *, const xml_char *name, int type, const xml_char *id, const xml_char *uri,
      xml_char *content);
  void *notation, *attribute_declaration, *element_declaration, *unparsed_entity, *locator;
  void (*start_document)(void *);
  void *end_document;
  void (*start_html)(void *, const xml_char *name, const xml_char **attributes);
  void (*end_html)(void *, const xml_char *name);
  void *reference;
  void (*characters)(void *, const xml_char *text, int length);
  void (*ignorable_space)(void *, const xml_char *text, int length);
  void (*instruction)(void *, const xml_char *target, const xml_char *data);
  void (*comment)(void *, const xml_char *text);
  void *warning, *error, *fatal_error;
  void *(*get_parameter_entity)(void *, const xml_char *name);
  void (*cdata)(void *, const xml_char *text, int length);
  void *external_subset;
  unsigned version;
  void *reserved;
  void (*start)(
      void *, const xml_char *name, const xml_char *prefix, const xml_char *uri, int namespaces,
      const xml_char **namespace_pairs, int attributes, int defaulted, const xml_char **fields);
  void (*end)(void *, const xml_char *name, const xml_char *prefix, const xml_char *uri);
  void (*failed)(void *, const xml_error *error);
} xml_handler;

enum { HANDLER_VERSION = (int)0xDEEDBEAF };

// xmlParserOption and htmlParserOption.
enum {
  OPTION_EXPAND_ENTITIES = 1 << 1,
  OPTION_HTML_RECOVER = 1 << 0,
  OPTION_NO_ERRORS = 1 << 5,
  OPTION_NO_WARNINGS = 1 << 6,
  OPTION_NO_NETWORK = 1 << 11,
  OPTION_HUGE = 1 << 19,
  OPTION_IGNORE_ENCODING = 1 << 21,
};
enum { ENCODING_UTF8 = 1 };

typedef struct {
  void (*xmlInitParser)(void);
  void (*xmlSetExternalEntityLoader)(void *(*loader)(const char *, const char *, void *));
  void *(*xmlCreatePushParserCtxt)(
      xml_handler *, void *user, const char *bytes, int length, const char *name);
  int (*xmlParseChunk)(void *context, const char *bytes, int length, int is_last);
  int (*xmlCtxtUseOptions)(void *context, int options);
  void (*xmlFreeParserCtxt)(void *context);
  long (*xmlByteConsumed)(void *context);
  void *(*xmlNewDoc)(const xml_char *version);
  void (*xmlFreeDoc)(void *document);
  int (*xmlSAX2GetLineNumber)(void *context);
  void (*xmlSAX2InternalSubset)(
      void *context, const xml_char *name, const xml_char *id, const xml_char *uri);
  void (*xmlSAX2EntityDecl)(
      void *context, const xml_char *name, int type, const xml_char *id, const xml_char *uri,
      xml_char *content);
  void *(*xmlSAX2GetEntity)(void *context, const xml_char *name);
  void *(*xmlSAX2GetParameterEntity)(void *context, const xml_char *name);
  void *(*htmlCreatePushParserCtxt)(
      xml_handler *, void *user, const char *bytes, int length, const char *name, int encoding);
  int (*htmlParseChunk)(void *context, const char *bytes, int length, int is_last);
  int (*htmlCtxtUseOptions)(void *context, int options);
} xml_library;

extern xml_library libxml;

#endif
