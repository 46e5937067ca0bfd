#include "parser.h"

#include <stdlib.h>
#include <string.h>

// The maximum size of an internal DTD.
enum { MAX_DTD = 256 << 10 };

uint32_t parser_line(const cxml_parser *parser) {
  int line = libxml.xmlSAX2GetLineNumber(parser->context);
  return line > 0 ? (uint32_t)line : 0;
}

void parser_fail(cxml_parser *parser, int code) {
  if (parser->code) return;
  parser->code = code;
  parser->failure.line = parser_line(parser);
}

// The number of bytes that libxml2 has parsed.
static uint64_t consumed(const cxml_parser *parser) {
  long consumed = libxml.xmlByteConsumed(parser->context);
  uint64_t bytes = consumed > 0 ? (uint64_t)consumed : 0;
  return bytes < parser->fed ? bytes : parser->fed;
}

// Whether an error means that the document ends before its root element does.
static bool ends_early(const cxml_parser *parser, const xml_error *error) {
  if (!parser->is_last || (parser->has_root && !parser->depth)) return false;
  if (error->code == CODE_DOCUMENT_END) return true;
  return error->code != CODE_TAG_MISMATCH && consumed(parser) == parser->fed;
}

static void failed(void *user, const xml_error *error) {
  cxml_parser *parser = user;
  if (parser->code || parser->is_html || error->level < LEVEL_FATAL) return;
  const char *message = error->message ? error->message : "";
  // Before 2.11, the code of an invalid encoding is that of an invalid character.
  bool is_encoding = error->code == CODE_INVALID_ENCODING || !strncmp(message, "Input is not proper", 19);
  parser->code = is_encoding            ? CXML_ENCODING
                 : ends_early(parser, error) ? CXML_TRUNCATED
                                             : CXML_MALFORMED;
  parser->failure.line = error->line > 0 ? (uint32_t)error->line : 0;
  parser->failure.column = error->column > 0 ? (uint32_t)error->column : 0;
  if (parser->code == CXML_ENCODING) {
    long consumed = libxml.xmlByteConsumed(parser->context);
    parser->failure.offset = consumed > 0 ? (uint64_t)consumed : 0;
  }
  size_t length = strcspn(message, "\n");
  if (length >= sizeof parser->message) length = sizeof parser->message - 1;
  memcpy(parser->message, message, length);
}

cxml_parser *cxml_new(bool is_html, const char *encoding, cxml_limits limits) {
  cxml_parser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  *parser = (cxml_parser){.is_html = is_html, .limits = limits, .line = 1};
  parser->decodes = encoding != NULL;
  if (encoding && !decoder_open(&parser->decoder, encoding)) {
    free(parser);
    return NULL;
  }
  xml_handler handler = {.failed = failed, .version = HANDLER_VERSION};
  handle_elements(&handler, is_html);
  if (!is_html) handle_entities(&handler);
  parser->context = is_html
                        ? libxml.htmlCreatePushParserCtxt(
                              &handler, parser, NULL, 0, NULL, ENCODING_UTF8)
                        : libxml.xmlCreatePushParserCtxt(&handler, parser, NULL, 0, NULL);
  xml_context *context = parser->context;
  if (context && !is_html) {
    // Holds the entities of the DTD; the elements are not kept.
    context->document = libxml.xmlNewDoc((const xml_char *)"1.0");
  }
  if (!context || (!is_html && !context->document)) {
    cxml_free(parser);
    return NULL;
  }
  if (is_html) {
    libxml.htmlCtxtUseOptions(
        context, OPTION_HTML_RECOVER | OPTION_NO_ERRORS | OPTION_NO_WARNINGS | OPTION_NO_NETWORK |
                     OPTION_IGNORE_ENCODING);
  } else {
    libxml.xmlCtxtUseOptions(
        context, OPTION_EXPAND_ENTITIES | OPTION_NO_NETWORK | OPTION_HUGE | OPTION_IGNORE_ENCODING);
  }
  return parser;
}

void cxml_free(cxml_parser *parser) {
  if (!parser) return;
  xml_context *context = parser->context;
  void *document = context ? context->document : NULL;
  if (context) {
    context->document = NULL;
    libxml.xmlFreeParserCtxt(context);
  }
  if (document) libxml.xmlFreeDoc(document);
  if (parser->decodes) decoder_close(&parser->decoder);
  tape_free(&parser->tape);
  names_free(&parser->names);
  names_free(&parser->entities);
  free(parser->open);
  free(parser->sizes);
  free(parser->held);
  free(parser);
}

static void check_limits(cxml_parser *parser) {
  if (parser->pending.attributes > CXML_MAX_ATTRIBUTES) {
    parser_fail(parser, CXML_TOO_MANY_ATTRIBUTES);
  }
  if (parser->dtd && parser->fed > parser->dtd + MAX_DTD) parser_fail(parser, CXML_DTD_TOO_LONG);
}

static void hold(cxml_parser *parser, const char *bytes, size_t length, size_t spare) {
  size_t needed = parser->held_length + length;
  if (needed > parser->held_capacity) {
    char *held = realloc(parser->held, needed + spare);
    if (!held) {
      parser_fail(parser, CXML_MEMORY);
      return;
    }
    parser->held = held;
    parser->held_capacity = needed + spare;
  }
  if (length) memcpy(parser->held + parser->held_length, bytes, length);
  parser->held_length = needed;
}

static void parse(cxml_parser *parser, const char *bytes, size_t length, bool is_last) {
  uint64_t start = parser->fed;
  parser->fed += length;
  parser->is_last = is_last;
  int (*parse_chunk)(void *, const char *, int, int) =
      parser->is_html ? libxml.htmlParseChunk : libxml.xmlParseChunk;
  int result = parse_chunk(parser->context, bytes, (int)length, is_last);
  if (parser->code || is_last) {
    // A failure without a message, such as a lack of memory.
    if (result && !parser->is_html && parser->depth) parser_fail(parser, CXML_MALFORMED);
    return;
  }
  uint64_t parsed = consumed(parser);
  if (parsed >= start) {
    parser->pending = (pending_tag){0};
    bytes += parsed - start;
    length -= parsed - start;
  }
  // Held bytes are counted already, unless what was pending has ended.
  if (parsed >= start || !parser->held_length) {
    pending_count(&parser->pending, bytes, length);
  }
  check_limits(parser);
}

// libxml2 searches all pending bytes again for each piece, so a long text would take quadratic time.
// While much is pending, pieces are held until together they are half as long.
static void receive_xml(cxml_parser *parser, const char *bytes, size_t length, bool is_last) {
  size_t pending = (size_t)(parser->fed - consumed(parser));
  if (!parser->held_length && (is_last || pending < 4 * CXML_PIECE)) {
    parse(parser, bytes, length, is_last);
    return;
  }
  hold(parser, bytes, length, pending / 2);
  pending_count(&parser->pending, bytes, length);
  check_limits(parser);
  if (parser->code || (!is_last && parser->held_length < pending / 2)) return;
  parse(parser, parser->held, parser->held_length, is_last);
  parser->held_length = 0;
}

// libxml2 2.9 loses its place in HTML if a piece ends in the value of an attribute, so it gets all
// of the document at once.
static void receive_html(cxml_parser *parser, const char *bytes, size_t length, bool is_last) {
  if (parser->held_length + length > CXML_MAX_HTML) parser_fail(parser, CXML_HTML_TOO_LONG);
  if (!parser->code) hold(parser, bytes, length, parser->held_length);
  if (parser->code || !is_last) return;
  if (html_attributes(parser->held, parser->held_length) > CXML_MAX_ATTRIBUTES) {
    parser_fail(parser, CXML_TOO_MANY_ATTRIBUTES);
    return;
  }
  parse(parser, parser->held, parser->held_length, true);
}

static void receive(cxml_parser *parser, const char *bytes, size_t length, bool is_last) {
  static const char mark[] = "\xEF\xBB\xBF";
  bool is_first = !parser->fed && !parser->held_length;
  if (is_first && length >= 3 && !memcmp(bytes, mark, 3)) {
    bytes += 3;
    length -= 3;
  }
  if (parser->is_html) {
    receive_html(parser, bytes, length, is_last);
  } else {
    receive_xml(parser, bytes, length, is_last);
  }
}

int cxml_feed(cxml_parser *parser, const void *bytes, size_t length, bool is_last) {
  if (parser->code) return parser->code;
  tape_clear(&parser->tape);
  if (!parser->decodes) {
    receive(parser, bytes, length, is_last);
    return parser->code;
  }
  int code = decoder_convert(&parser->decoder, bytes, length, is_last);
  // The text before the fault may have a fault of its own.
  receive(parser, parser->decoder.output, parser->decoder.used, is_last && !code);
  if (code && !parser->code) {
    parser_fail(parser, code);
    parser->failure.offset = parser->decoder.converted;
  }
  return parser->code;
}

const cxml_event *cxml_events(const cxml_parser *parser, size_t *count) {
  *count = parser->tape.count;
  return parser->tape.events;
}

const char *cxml_text(const cxml_parser *parser) { return parser->tape.text; }

size_t cxml_name_count(const cxml_parser *parser) { return parser->names.count; }

const char *cxml_name(const cxml_parser *parser, size_t number, size_t *length) {
  const struct name_place *place = &parser->names.places[number];
  *length = place->length;
  return parser->names.bytes + place->start;
}

size_t cxml_external_references(const cxml_parser *parser) {
  return parser->external_references;
}

cxml_failure cxml_failed(const cxml_parser *parser) {
  cxml_failure failure = parser->failure;
  failure.message = parser->message;
  if (parser->depth) {
    failure.element_line = parser->open[parser->depth - 1].line;
    failure.element_name = parser->open[parser->depth - 1].name;
  }
  return failure;
}
