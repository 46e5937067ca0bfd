#pragma once
#include <stddef.h>
#include <stdint.h>

// Kernels that find their way in text: the only code that looks at every byte of a file. They come
// at several levels of processor support that give the same answers; `ds_kernels_at` hands out the
// table of a level, so that tests can hold them against each other.
//
// Every buffer must have DS_PADDING readable bytes behind its end.

#define DS_PADDING 128

/// A row of a window: `start` is its first byte, `end` is behind its terminator.
typedef struct { uint32_t start, end; } ds_row;

/// A field without its quotes. The upper bits of `length` are flags.
typedef struct { uint32_t start, length; } ds_field;

#define DS_FIELD_QUOTED 0x80000000u
/// It holds doubled quotes.
#define DS_FIELD_ESCAPED 0x40000000u
#define DS_FIELD_LENGTH 0x3FFFFFFFu

typedef enum {
  /// The window ends inside the row at `position`.
  DS_PARTIAL,
  /// `rows` is full; the next row begins at `position`.
  DS_FULL,
  /// The row at `position` has `fields` fields and ends at `end`.
  DS_IRREGULAR,
  /// The line at `position` begins with `comment`.
  DS_COMMENT,
  /// The row at `position` breaks the rules of quotes at `end`.
  DS_BROKEN,
} ds_stop;

/// How rows are written, and how far a scan has come.
typedef struct {
  const uint8_t *bytes;
  size_t length;
  uint8_t delimiter, terminator;
  /// The first byte of comment lines, or -1.
  int16_t comment;
  /// The number of fields of a regular row.
  uint32_t expected;
  /// Where the first row not yet taken begins.
  size_t position;
  /// Regular rows are written here.
  ds_row *rows;
  size_t capacity;
  size_t count;
  /// About the row that stopped the scan.
  size_t end;
  uint32_t fields;
} ds_csv_scan;

/// Which bits of texts are packed into a number that ascends as the texts do: of the 16 bytes behind
/// `skipped` ones, as two big-endian words, those at `masks`, of which there are 64 at most.
typedef struct {
  size_t skipped;
  uint64_t masks[2];
  /// For each of the 16 bytes and each of its 256 values the bits it gives, where they stand among
  /// those of its word: for levels that cannot gather bits.
  const uint64_t *tables;
} ds_packing;

/// What is set in some of many texts, and what in all: bits of the 16 bytes behind some others, as two
/// big-endian words. Begins as zeros in `some`, and ones in `all`.
typedef struct {
  uint64_t some[2], all[2];
  /// Of whole texts, what is set in any of eight bytes at a time, and in the last ones alone.
  uint64_t anywhere;
} ds_text_bits;

/// What stood between two values of a record, from behind the one, or from the brace of the record,
/// to the other. Zeros fill `bytes`; `length` is 0 where nothing is known.
typedef struct {
  uint8_t bytes[48];
  ptrdiff_t length;
  /// Of the value behind it.
  ptrdiff_t key;
} ds_json_separator;

/// A key's number, and its value as offsets.
typedef struct { ptrdiff_t key, start, end; } ds_json_member;

typedef enum {
  /// `position` is at a value that is not plain: no string, number or word, or a malformed one.
  DS_JSON_AT_VALUE,
  /// `position` is behind a value, and what follows is no separator that is known, or the value was
  /// of the wanted key, or `members` is full.
  DS_JSON_BEHIND_VALUE,
} ds_json_stop;

/// A record, and how far its members have been found.
typedef struct {
  /// Ends with a zero byte, behind which 16 more can be read.
  const uint8_t *bytes;
  ptrdiff_t position;
  /// At `key + 1` what follows the value of a key.
  const ds_json_separator *separators;
  ptrdiff_t separator_count;
  /// The last of them, whose `end` is not set at a value, is that of `key`.
  ds_json_member *members;
  ptrdiff_t count, capacity;
  ptrdiff_t key, greatest_key;
  /// Set where a key is not greater than all before.
  int may_repeat;
  /// A key behind whose value the scan stops; less than -1 for none.
  ptrdiff_t wanted_key;
} ds_json_record;

typedef struct {
  const char *name;

  /// Takes regular rows from `position` on until something stops it. Rows end at a terminator
  /// outside of quotes; a quote opens only at the start of a field.
  ds_stop (*csv_rows)(ds_csv_scan *scan);

  /// Finds the `wanted` columns (ascending, from 0) of rows that `csv_rows` took; a column that the
  /// row lacks is an empty, unquoted field. `fields` takes `count * wantedCount`, row by row.
  void (*csv_fields)(
      const uint8_t *bytes, uint8_t delimiter, uint8_t terminator, const ds_row *rows, size_t count,
      const uint32_t *wanted, size_t wantedCount, ds_field *fields);

  /// The offset of the first byte that is not part of well-formed UTF-8, or `length` when all is.
  /// A sequence that is cut by the end counts as ill-formed, at its first byte. Needs no padding.
  size_t (*utf8_valid_prefix)(const uint8_t *bytes, size_t length);

  /// Packs `count` texts, which lie one behind the other: text i ends where text i + 1 begins. Without
  /// offsets they all have `length` bytes, the first of them from `bytes` on. What is behind the end of
  /// a text counts as zeros. 16 bytes behind the last can be read.
  void (*pack_texts)(
      const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count,
      const ds_packing *packing, uint64_t *packed);

  /// Adds texts, which lie as those of `pack_texts` do, to what is known of others; those that end
  /// within the first `skipped` bytes only to `anywhere`.
  void (*add_text_bits)(
      const uint8_t *bytes, const uint32_t *offsets, size_t length, size_t count, size_t skipped,
      ds_text_bits *bits);

  /// Takes members of a record, from a value or from behind one on, until something stops it.
  ds_json_stop (*json_members)(ds_json_record *record, ds_json_stop place);
} ds_kernels;

/// The kernels of a level: 0 is portable, higher ones are faster; NULL above what this processor has.
const ds_kernels *ds_kernels_at(int level);

/// The highest level this processor has, or the one of it that the variable DSSHELL_KERNELS names: for
/// measuring what a lesser processor would take.
const ds_kernels *ds_kernels_best(void);

size_t ds_utf8_valid_prefix(const uint8_t *bytes, size_t length);

/// One row, byte by byte: the slow path of `csv_rows`, and what it is tested against.
/// Returns 0 and sets `end` and `fields`; 1 when the row goes on behind `length`; 2 when its quotes
/// are broken at `end`.
int ds_csv_row(const ds_csv_scan *scan, size_t start, size_t *end, uint32_t *fields);

/// The start of the first row at or after `position`, guessed from the bytes that follow: quotes
/// there are read under both parities and the one with fewer illegal quotes is taken. `length` when
/// no row begins before it.
size_t ds_csv_guess_row_start(
    const uint8_t *bytes, size_t length, size_t position, uint8_t delimiter, uint8_t terminator);

/// How often `byte` comes.
size_t ds_count_byte(const uint8_t *bytes, size_t length, uint8_t byte);
