// Counts the attributes of a start tag before libxml2 reads it, because libxml2 compares each
// attribute of an element with each other one.
#ifndef CXML_PENDING_H
#define CXML_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes that libxml2 has received but not parsed: a start tag, a comment or a declaration whose
// end is not known yet.
typedef struct {
  uint64_t seen;
  // The number of equals signs outside of values; 0 unless the bytes are a start tag.
  uint32_t attributes;
  bool is_tag;
  char quote;
  // The last byte that is not blank.
  char last;
} pending_tag;

void pending_count(pending_tag *tag, const char *bytes, size_t length);

// The largest number of attributes of a tag in an HTML document, possibly too high, since a word
// with a value may count twice.
size_t html_attributes(const char *bytes, size_t length);

#endif
