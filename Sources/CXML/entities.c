#include <stdlib.h>
#include <string.h>

#include "parser.h"

// Expansions may add this many bytes, and as many as the document has.
enum { MAX_FREE_EXPANSION = 1 << 20 };

void parser_expand(cxml_parser *parser, size_t size) {
  parser->expanded += size;
  if (parser->expanded > MAX_FREE_EXPANSION + parser->fed) parser_fail(parser, CXML_EXPANSION);
}

static void internal_subset(
    void *user, const xml_char *name, const xml_char *id, const xml_char *uri) {
  cxml_parser *parser = user;
  parser->dtd = parser->fed ? parser->fed : 1;
  libxml.xmlSAX2InternalSubset(parser->context, name, id, uri);
}

// External entities are declared as empty internal ones, so that nothing can load them.
static void entity(
    void *user, const xml_char *name, int type, const xml_char *id, const xml_char *uri,
    xml_char *content) {
  (void)id, (void)uri;
  cxml_parser *parser = user;
  if (parser->code) return;
  bool is_parameter = type == ENTITY_INTERNAL_PARAMETER || type == ENTITY_EXTERNAL_PARAMETER;
  bool is_internal = type == ENTITY_INTERNAL || type == ENTITY_INTERNAL_PARAMETER;
  static xml_char nothing[] = "";
  if (!is_internal || !content) content = nothing;
  int64_t number =
      names_number(&parser->entities, is_parameter ? "%" : NULL, (const char *)name);
  if (number < 0) {
    parser_fail(parser, CXML_MEMORY);
    return;
  }
  if ((size_t)number >= parser->size_count) {
    size_t count = (size_t)number * 2 + 16;
    struct entity_size *sizes = realloc(parser->sizes, count * sizeof *sizes);
    if (!sizes) {
      parser_fail(parser, CXML_MEMORY);
      return;
    }
    memset(sizes + parser->size_count, 0, (count - parser->size_count) * sizeof *sizes);
    parser->sizes = sizes;
    parser->size_count = count;
  }
  parser->sizes[number] = (struct entity_size){
      .size = (uint32_t)strlen((const char *)content), .is_external = !is_internal};
  libxml.xmlSAX2EntityDecl(
      parser->context, name, is_parameter ? ENTITY_INTERNAL_PARAMETER : ENTITY_INTERNAL, NULL, NULL,
      content);
}

static void count_reference(cxml_parser *parser, const char *prefix, const char *name) {
  int64_t number = names_number(&parser->entities, prefix, name);
  if (number < 0 || (size_t)number >= parser->size_count) return;
  if (parser->sizes[number].is_external) parser->external_references++;
  parser_expand(parser, parser->sizes[number].size + 1);
}

static void *get_entity(void *user, const xml_char *name) {
  cxml_parser *parser = user;
  if (!parser->code) count_reference(parser, NULL, (const char *)name);
  if (parser->code) return NULL;
  void *entity = libxml.xmlSAX2GetEntity(parser->context, name);
  // Without a declaration, it may be declared outside of the document; otherwise parsing fails.
  // libxml2 also looks for an entity when it is declared.
  if (!entity && !parser->dtd) parser->external_references++;
  return entity;
}

static void *get_parameter_entity(void *user, const xml_char *name) {
  cxml_parser *parser = user;
  if (!parser->code) count_reference(parser, "%", (const char *)name);
  return parser->code ? NULL : libxml.xmlSAX2GetParameterEntity(parser->context, name);
}

void handle_entities(xml_handler *handler) {
  handler->internal_subset = internal_subset;
  handler->entity = entity;
  handler->get_entity = get_entity;
  handler->get_parameter_entity = get_parameter_entity;
}
