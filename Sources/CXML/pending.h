// The bytes that libxml2 has received but not parsed: a start tag, a comment or a declaration whose
// end is not known yet.
#ifndef CXML_PENDING_H
#define CXML_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts the attributes of a start tag that is not complete, because libxml2 compares each attribute
// of an element with each other one.
typedef struct {
  uint64_t seen;
  // At most twice the number for HTML.
  uint32_t attributes;
  bool is_tag;
  char quote;
  // The last byte, and the last one that is not blank.
  char last, last_word;
} pending_tag;

void pending_count(pending_tag *tag, bool is_html, const char *bytes, size_t length);

#endif
