// Events of XML and HTML documents, parsed with libxml2, which the first document loads. A program
// that reads no such document does not load libxml2 and runs without it. The build does not need
// libxml2's headers.
//
// A document is fed in pieces. The events of a piece are collected in an array, so that the caller
// handles many events per call. Memory: one piece, the names and the longest text; for HTML, the
// document, whose events all come with the last piece.
//
// External entities and external DTDs are never loaded: they read as empty. Entities of an internal
// DTD are expanded up to a limit.
#ifndef CXML_H
#define CXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens the library. Returns NULL on success, else a description of the failure; after a failure no
// other function may be called. May be called from any thread, and more than once.
const char *cxml_open(void);

typedef struct cxml_parser cxml_parser;

enum {
  // The start of an element. Its attributes follow immediately.
  CXML_START = 0,
  CXML_ATTRIBUTE = 1,
  // Character data, with entities and CDATA sections resolved; as long as possible within a piece.
  CXML_TEXT = 2,
  // The end of the innermost open element; it has no name.
  CXML_END = 3,
};

typedef struct {
  uint8_t kind;
  // Whether a text or the value of an attribute consists of white space alone, or is empty.
  bool is_blank;
  // The number of the name of an element or attribute, from 0.
  uint32_t name;
  // The line on which an element starts, from 1.
  uint32_t line;
  // The range of a text or of the value of an attribute in `cxml_text`.
  uint32_t start;
  uint32_t length;
} cxml_event;

typedef struct {
  // The maximum number of open elements.
  uint32_t depth;
  // The maximum size in bytes of a text or of the value of an attribute.
  uint32_t text;
} cxml_limits;

enum {
  CXML_OK = 0,
  CXML_MALFORMED = 1,
  // The input is not in the encoding; the offset of the first such byte is known.
  CXML_ENCODING = 2,
  CXML_MEMORY = 3,
  CXML_TOO_DEEP = 4,
  CXML_TEXT_TOO_LONG = 5,
  CXML_TOO_MANY_ATTRIBUTES = 6,
  CXML_TOO_MANY_NAMES = 7,
  CXML_EXPANSION = 8,
  CXML_DTD_TOO_LONG = 9,
  CXML_HTML_TOO_LONG = 10,
  // An XML document ends before its root element does, or without one.
  CXML_TRUNCATED = 11,
};

// The largest piece that `cxml_feed` accepts, in bytes.
enum { CXML_PIECE = 32 << 10 };
// The maximum number of attributes of an element, and of different names in a document. libxml2
// takes quadratic time for both.
enum { CXML_MAX_ATTRIBUTES = 10000, CXML_MAX_NAMES = 1 << 16 };

// The maximum size of an HTML document in bytes of UTF-8.
enum { CXML_MAX_HTML = 64 << 20 };

// Creates a parser. `encoding` is a name that iconv knows, or NULL for UTF-8; declarations in the
// document are ignored. Returns NULL if the encoding is unknown or memory is exhausted. HTML is
// repaired as libxml2 does; XML must be well-formed.
cxml_parser *cxml_new(bool is_html, const char *encoding, cxml_limits limits);
void cxml_free(cxml_parser *parser);

// Parses a piece and replaces the events by those of the piece. Returns a code from above; after a
// code other than CXML_OK, only the events and the failure may be accessed.
int cxml_feed(cxml_parser *parser, const void *bytes, size_t length, bool is_last);

// The events of the last piece, valid until the next call.
const cxml_event *cxml_events(const cxml_parser *parser, size_t *count);
const char *cxml_text(const cxml_parser *parser);

// The names met so far, as written (`prefix:name`), in UTF-8.
size_t cxml_name_count(const cxml_parser *parser);
const char *cxml_name(const cxml_parser *parser, size_t number, size_t *length);

// The number of references to external entities, which read as empty.
size_t cxml_external_references(const cxml_parser *parser);

typedef struct {
  // The place of the failure, from 1, the column in bytes; 0 if it is not known.
  uint32_t line;
  uint32_t column;
  // The offset in the input of the first byte that is not in the encoding.
  uint64_t offset;
  // The line on which the innermost open element starts, and the number of its name; the line is 0
  // if no element is open.
  uint32_t element_line;
  uint32_t element_name;
  const char *message;
} cxml_failure;
cxml_failure cxml_failed(const cxml_parser *parser);

#endif
