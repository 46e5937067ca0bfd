#include <stdlib.h>
#include <string.h>

#include "parser.h"

static bool add(cxml_parser *parser, int kind, const char *prefix, const char *name) {
  int64_t number = names_number(&parser->names, prefix, name);
  if (number < 0) {
    parser_fail(parser, number == NAME_TOO_MANY ? CXML_TOO_MANY_NAMES : CXML_MEMORY);
    return false;
  }
  if (tape_add(&parser->tape, kind, (uint32_t)number, parser->line)) return true;
  parser_fail(parser, CXML_MEMORY);
  return false;
}

static void extend(cxml_parser *parser, const char *text, size_t length) {
  int code = tape_extend(&parser->tape, text, length, parser->limits.text);
  if (code) parser_fail(parser, code);
}

static bool open_element(cxml_parser *parser, const char *prefix, const char *name) {
  if (parser->code) return false;
  parser->dtd = 0;
  // The root follows the prolog, which has no events.
  if (!parser->depth && !parser->is_html) parser->line = parser_line(parser);
  if (parser->depth == parser->limits.depth) {
    parser_fail(parser, CXML_TOO_DEEP);
    return false;
  }
  if (!add(parser, CXML_START, prefix, name)) return false;
  if (parser->depth == parser->open_capacity) {
    uint32_t capacity = parser->depth * 2 + 64;
    struct open_element *open = realloc(parser->open, capacity * sizeof *open);
    if (!open) {
      parser_fail(parser, CXML_MEMORY);
      return false;
    }
    parser->open = open;
    parser->open_capacity = capacity;
  }
  const cxml_event *event = &parser->tape.events[parser->tape.count - 1];
  parser->open[parser->depth++] = (struct open_element){event->name, event->line};
  parser->has_root = true;
  return true;
}

static void start(
    void *user, const xml_char *name, const xml_char *prefix, const xml_char *uri, int namespaces,
    const xml_char **pairs, int attributes, int defaulted, const xml_char **fields) {
  (void)uri, (void)namespaces, (void)pairs;
  cxml_parser *parser = user;
  if (!open_element(parser, (const char *)prefix, (const char *)name)) return;
  if (attributes > CXML_MAX_ATTRIBUTES) parser_fail(parser, CXML_TOO_MANY_ATTRIBUTES);
  for (int i = 0; i < attributes && !parser->code; i++) {
    const char *const *field = (const char *const *)fields + 5 * (size_t)i;
    size_t length = (size_t)(field[4] - field[3]);
    // The defaulted attributes are the last ones.
    if (i >= attributes - defaulted) parser_expand(parser, length + 16);
    if (add(parser, CXML_ATTRIBUTE, field[1], field[0])) extend(parser, field[3], length);
  }
  parser->line = parser_line(parser);
}

static void start_html(void *user, const xml_char *name, const xml_char **attributes) {
  cxml_parser *parser = user;
  if (!open_element(parser, NULL, (const char *)name)) return;
  for (; attributes && attributes[0] && !parser->code; attributes += 2) {
    const char *value = attributes[1] ? (const char *)attributes[1] : "";
    if (add(parser, CXML_ATTRIBUTE, NULL, (const char *)attributes[0])) {
      extend(parser, value, strlen(value));
    }
  }
  parser->line = parser_line(parser);
}

static void end(
    void *user, const xml_char *name, const xml_char *prefix, const xml_char *uri) {
  (void)name, (void)prefix, (void)uri;
  cxml_parser *parser = user;
  if (parser->code) return;
  if (parser->depth) parser->depth--;
  if (!tape_add(&parser->tape, CXML_END, 0, 0)) parser_fail(parser, CXML_MEMORY);
  parser->line = parser_line(parser);
}

static void end_html(void *user, const xml_char *name) { end(user, name, NULL, NULL); }

static void characters(void *user, const xml_char *text, int length) {
  cxml_parser *parser = user;
  if (parser->code || length <= 0) return;
  event_tape *tape = &parser->tape;
  bool continues = tape->count && tape->events[tape->count - 1].kind == CXML_TEXT;
  if (!continues && !tape_add(tape, CXML_TEXT, 0, 0)) {
    parser_fail(parser, CXML_MEMORY);
    return;
  }
  extend(parser, (const char *)text, (size_t)length);
  parser->line = parser_line(parser);
}

static void comment(void *user, const xml_char *text) {
  (void)text;
  cxml_parser *parser = user;
  parser->line = parser_line(parser);
}

static void instruction(void *user, const xml_char *target, const xml_char *data) {
  (void)data;
  comment(user, target);
}

void handle_elements(xml_handler *handler, bool is_html) {
  handler->characters = handler->ignorable_space = handler->cdata = characters;
  handler->comment = comment;
  handler->instruction = instruction;
  if (is_html) {
    handler->start_html = start_html;
    handler->end_html = end_html;
  } else {
    handler->start = start;
    handler->end = end;
  }
}
