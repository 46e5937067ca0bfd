// libmd4c, opened when the first Markdown text is written as a page. A program that writes none does
// not load libmd4c and runs without it. The build does not need libmd4c's headers.
//
// The numbers and structures belong to version 0 of its binary interface, which all its releases from
// 0.3 on have. See https://github.com/mity/md4c.
#ifndef CMD4C_H
#define CMD4C_H

// Opens the library. Returns NULL on success, else a description of the failure; after a failure no
// other function may be called. May be called from any thread, and more than once.
const char *cmd4c_open(void);

// Kinds of blocks.
enum {
  CMD4C_DOCUMENT,
  CMD4C_QUOTE,
  CMD4C_LIST,
  CMD4C_ORDERED_LIST,
  CMD4C_ITEM,
  CMD4C_RULE,
  CMD4C_HEADING,
  CMD4C_CODE_BLOCK,
  CMD4C_MARKUP_BLOCK,
  CMD4C_PARAGRAPH,
  CMD4C_TABLE,
  CMD4C_TABLE_HEAD,
  CMD4C_TABLE_BODY,
  CMD4C_TABLE_ROW,
  CMD4C_HEADER_CELL,
  CMD4C_CELL
};

// Kinds of spans.
enum { CMD4C_EMPHASIS, CMD4C_STRONG, CMD4C_LINK, CMD4C_IMAGE, CMD4C_CODE_SPAN, CMD4C_DELETED };

// Kinds of texts.
enum {
  CMD4C_NORMAL,
  CMD4C_NULL_CHARACTER,
  CMD4C_LINE_BREAK,
  CMD4C_SOFT_BREAK,
  CMD4C_ENTITY,
  CMD4C_CODE,
  CMD4C_MARKUP
};

// A text of an element, not terminated.
typedef struct {
  const char *text;
  unsigned size;
  const int *part_kinds;
  const unsigned *part_offsets;
} cmd4c_attribute;

// The details that callbacks receive for some kinds.
typedef struct {
  unsigned start;
  int is_tight;
  char delimiter;
} cmd4c_ordered_list;
typedef struct {
  unsigned level;
} cmd4c_heading;
typedef struct {
  cmd4c_attribute address;
  cmd4c_attribute title;
} cmd4c_link;

// Each callback returns 0 to go on.
typedef struct {
  int (*enter_block)(int kind, void *detail, void *context);
  int (*leave_block)(int kind, void *detail, void *context);
  int (*enter_span)(int kind, void *detail, void *context);
  int (*leave_span)(int kind, void *detail, void *context);
  int (*text)(int kind, const char *text, unsigned size, void *context);
} cmd4c_callbacks;

// Parses a text as CommonMark with tables, in which markup of HTML is text. Returns 0 on success.
int cmd4c_parse(const char *text, unsigned size, const cmd4c_callbacks *callbacks, void *context);

#endif
