#ifndef CXML_PARSER_H
#define CXML_PARSER_H

#include "CXML.h"
#include "decoder.h"
#include "library.h"
#include "names.h"
#include "pending.h"
#include "tape.h"

struct cxml_parser {
  void *context;
  bool is_html;
  cxml_limits limits;
  event_tape tape;
  name_table names;
  bool decodes;
  text_decoder decoder;
  // The number of open elements, and their names and lines, the innermost last.
  uint32_t depth;
  struct open_element {
    uint32_t name, line;
  } *open;
  uint32_t open_capacity;
  bool has_root;
  // The line on which the previous event ended.
  uint32_t line;
  // Bytes of UTF-8 passed to libxml2.
  uint64_t fed;
  // Whether libxml2 has received the end of the document.
  bool is_last;
  pending_tag pending;
  // Bytes that are kept until libxml2 gets them.
  char *held;
  size_t held_length, held_capacity;
  // The size of each entity of the DTD by the number of its name, and of all expansions so far.
  name_table entities;
  struct entity_size {
    uint32_t size;
    bool is_external;
  } *sizes;
  size_t size_count;
  uint64_t expanded;
  size_t external_references;
  // Where the DTD started; 0 outside of it.
  uint64_t dtd;
  int code;
  cxml_failure failure;
  char message[256];
};

// Keeps the first failure. libxml2 finishes the piece, but no callback does anything more.
void parser_fail(cxml_parser *parser, int code);
uint32_t parser_line(const cxml_parser *parser);

// Adds the callbacks for elements and text, in elements.c.
void handle_elements(xml_handler *handler, bool is_html);
// Adds the callbacks for the DTD, in entities.c.
void handle_entities(xml_handler *handler);
// Counts bytes that entities and default attributes add to the document.
void parser_expand(cxml_parser *parser, size_t size);

#endif
