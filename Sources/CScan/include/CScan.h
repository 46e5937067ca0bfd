#pragma once
#include <stddef.h>
#include <stdint.h>

// Kernels that scan text. Each level of processor support has its own kernels, and all levels
// return the same results. `ds_kernels_at` returns the kernels of a level, so that tests can
// compare the levels.
//
// The bytes passed to `csv_rows` and `csv_fields` must be followed by DS_PADDING readable bytes.

#define DS_PADDING 128

/// A row in a window: `start` is its first byte, `end` follows its terminator.
typedef struct { uint32_t start, end; } ds_row;

/// A field without its quotes. The upper bits of `length` are flags.
typedef struct { uint32_t start, length; } ds_field;

#define DS_FIELD_QUOTED 0x80000000u
/// The field contains doubled quotes or escapes.
#define DS_FIELD_ESCAPED 0x40000000u
#define DS_FIELD_LENGTH 0x3FFFFFFFu

typedef enum {
  /// The window ends within the row at `position`.
  DS_PARTIAL,
  /// `rows` is full; the next row starts at `position`.
  DS_FULL,
  /// The row at `position` has `fields` fields and ends at `end`.
  DS_IRREGULAR,
  /// The line at `position` starts with `comment`.
  DS_COMMENT,
  /// The row at `position` violates the quoting rules at `end`.
  DS_BROKEN,
} ds_stop;

typedef enum {
  /// A row ends at LF; one or two CR before it belong to the line end.
  DS_ENDS_LF,
  /// A row ends at LF, CR, CR LF or CR CR LF.
  DS_ENDS_ANY,
} ds_line_ends;

/// The special bytes of rows.
typedef struct {
  uint8_t delimiter;
  /// A `ds_line_ends`.
  uint8_t ends;
  /// -1 if quotes are ordinary characters.
  int16_t quote;
  /// The byte that makes the following byte an ordinary character, inside and outside quotes; -1
  /// for none.
  int16_t escape;
  /// The first byte of comment lines, or -1.
  int16_t comment;
  /// Whether the spaces at the start of a field are not part of it, so that a quote may follow them.
  uint8_t skipsSpaces;
} ds_dialect;

/// The dialect of the rows, and the progress of a scan.
typedef struct {
  const uint8_t *bytes;
  size_t length;
  ds_dialect dialect;
  /// The number of fields of a regular row.
  uint32_t expected;
  /// Start of the first row that has not been scanned.
  size_t position;
  /// Receives the regular rows.
  ds_row *rows;
  size_t capacity;
  size_t count;
  /// End and number of fields of the row that stopped the scan.
  size_t end;
  uint32_t fields;
} ds_csv_scan;

/// Selects the bits of a text that are packed into an order-preserving number. The 16 bytes after
/// the first `skipped` bytes are read as two big-endian words, and `masks` selects bits of each
/// word, at most 64 in total.
typedef struct {
  size_t skipped;
  uint64_t masks[2];
  /// For each of the 16 bytes and each of its 256 values, the selected bits of the byte, at their
  /// positions in the packed bits of its word. Used by levels without an instruction that gathers
  /// bits.
  const uint64_t *tables;
} ds_packing;

/// The bits that are set in at least one text (`some`) and in every text (`all`). The bits are
/// taken from the 16 bytes after the first skipped bytes of a text, read as two big-endian words.
/// Initially, `some` is all zeros and `all` is all ones.
typedef struct {
  uint64_t some[2], all[2];
  /// The bitwise OR of the bytes of all texts, read in words of eight bytes. The bytes that remain
  /// after the last word are combined one by one into the lowest byte.
  uint64_t anywhere;
} ds_text_bits;

/// The bytes between two values of an object: from the end of the previous value, or from the
/// opening brace, to the start of the next. `bytes` is padded with zeros; `length` is 0 if no
/// separator is known.
typedef struct {
  uint8_t bytes[48];
  ptrdiff_t length;
  /// The number of the key of the value that follows.
  ptrdiff_t key;
} ds_json_separator;

/// The number of a key, and the offsets of its value.
typedef struct { ptrdiff_t key, start, end; } ds_json_member;

typedef enum {
  /// `position` is at a value that the kernel does not scan: an array, an object, a number that is
  /// long or has an exponent, a string with a `\u` escape, or a malformed value.
  DS_JSON_AT_VALUE,
  /// `position` is after a value, or at the opening brace if no member was scanned. The scan
  /// stopped because no known separator follows, the value belongs to `stop_key`, or `members` is
  /// full.
  DS_JSON_AFTER_VALUE,
} ds_json_stop;

/// An object whose members are being scanned.
typedef struct {
  /// The text must be followed by a zero byte and at least 15 more readable bytes.
  const uint8_t *bytes;
  ptrdiff_t position;
  /// At index `key + 1`, the separator after the value of `key`; at index 0, the separator at the
  /// start of an object.
  const ds_json_separator *separators;
  ptrdiff_t separator_count;
  /// The last one is the member of `key`; its `end` is not set while the scan is at its value.
  ds_json_member *members;
  ptrdiff_t count, capacity;
  ptrdiff_t key, greatest_key;
  /// Set if the number of a key is not greater than all previous ones; only then can a key repeat.
  int may_repeat;
  /// The scan stops after the value of this key; less than -1 for none.
  ptrdiff_t stop_key;
} ds_json_object;

/// The keys from `first` to `first + distance`.
typedef struct { uint64_t first, distance; } ds_interval;

typedef struct {
  const char *name;

  /// Scans regular rows from `position` until it has to stop. A row ends at a line end outside
  /// quotes; a quote opens only at the start of a field. A line end is found only if no byte after
  /// `length` could change it: the last row of a text must end with LF.
  ds_stop (*csv_rows)(ds_csv_scan *scan);

  /// Finds the `requested` columns (ascending, from 0) in rows that `csv_rows` found; a column
  /// missing from a row is an empty, unquoted field. `fields` receives `count * requestedCount`
  /// fields, row by row.
  void (*csv_fields)(
      const uint8_t *bytes, const ds_dialect *dialect, const ds_row *rows, size_t count,
      const uint32_t *requested, size_t requestedCount, ds_field *fields);

  /// The offset of the first byte that is not part of well-formed UTF-8, or `length`. A sequence
  /// that is cut off by the end of the bytes is ill-formed from its first byte. Needs no padding.
  size_t (*utf8_valid_prefix)(const uint8_t *bytes, size_t length);

  /// Packs `count` contiguous texts: text i ends where text i + 1 starts. If `offsets` is NULL,
  /// every text has `length` bytes, and the first text starts at `bytes`. Bytes after the end of a
  /// text count as zeros. 16 bytes after the last text must be readable.
  void (*pack_texts)(
      const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count,
      const ds_packing *packing, uint64_t *packed);

  /// Adds the bits of texts, laid out as for `pack_texts`, to `bits`; texts that end within the
  /// first `skipped` bytes are added only to `anywhere`.
  void (*add_text_bits)(
      const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count, size_t skipped,
      ds_text_bits *bits);

  /// Scans members of an object until it has to stop. Starts at a value, after a value, or at the
  /// opening brace.
  ds_json_stop (*json_members)(ds_json_object *object, ds_json_stop place);

  /// The offset of the first occurrence of `needle`, which has at least one byte; `count` if there is
  /// none. If `folds` is not 0, `needle` is in lowercase, and ASCII letters in `bytes` may be in
  /// either case. Needs no padding.
  size_t (*find_text)(
      const uint8_t *bytes, size_t count, const uint8_t *needle, size_t length, int folds);

  /// One bit for each of at most 64 keys, set if the key is in one of the intervals; the first key has
  /// the lowest bit. Needs no padding.
  uint64_t (*keys_in)(
      const uint64_t *keys, size_t count, const ds_interval *intervals, size_t intervalCount);
} ds_kernels;

/// Requests the memory at an address, which need not be valid, without waiting for it.
static inline void ds_prefetch(const void *address) { __builtin_prefetch(address); }

/// The kernels of a level: 0 is portable, higher levels are faster. NULL if the processor does not
/// support the level.
const ds_kernels *ds_kernels_at(int level);

/// The kernels of the highest level that this processor supports. The environment variable
/// DSSHELL_KERNELS selects another supported level by its name, to measure the speed of an older
/// processor.
const ds_kernels *ds_kernels_best(void);

/// The portable `utf8_valid_prefix`.
size_t ds_utf8_valid_prefix(const uint8_t *bytes, size_t length);

/// Scans one row byte by byte: the slow path of `csv_rows`, and the reference in its tests. Returns
/// 0 and sets `end` and `fields`; returns 1 if the row continues after `length`; returns 2 and sets
/// `end` if the row violates the quoting rules at `end`.
int ds_csv_row(const ds_csv_scan *scan, size_t start, size_t *end, uint32_t *fields);

/// The end of a row without its line end: `end` follows the line end.
size_t ds_csv_content_end(const uint8_t *bytes, size_t start, size_t end);

/// The start of the line after `position`, whatever the quotes; 0 if the line may continue after
/// `length`.
size_t ds_csv_next_line(
    const uint8_t *bytes, size_t length, size_t position, const ds_dialect *dialect);

/// The number of line ends that end within the first `length` bytes. `available` bytes can be read.
size_t ds_csv_count_lines(
    const uint8_t *bytes, size_t length, size_t available, const ds_dialect *dialect);

/// The start of the first row after `position`, guessed from the bytes that follow. They are read
/// twice, as if `position` were outside and inside quotes; the reading with fewer illegal quotes is
/// used. Returns `length` if no row starts before the end.
size_t ds_csv_guess_row_start(
    const uint8_t *bytes, size_t length, size_t position, const ds_dialect *dialect);
