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

  /// Packs `count` texts, which lie one behind the other: text i ends where text i + 1 begins. What is
  /// behind the end of a text counts as zeros. 16 bytes behind the last can be read.
  void (*pack_texts)(
      const uint8_t *bytes, const uint32_t *offsets, size_t count, const ds_packing *packing,
      uint64_t *packed);
} ds_kernels;

/// The kernels of a level: 0 is portable, higher ones are faster; NULL above what this processor has.
const ds_kernels *ds_kernels_at(int level);

/// The highest level this processor has.
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

/// What stands between the values of two members of JSON records: from behind the one to the other.
typedef struct {
  /// The first `length` bytes of these, which have no zero among them.
  uint64_t bytes[6];
  /// At most 48; 0 where nothing is known.
  ptrdiff_t length;
  /// The number of the key that it leads to.
  ptrdiff_t key;
} ds_separator;

/// A member of a record, with the offsets of its value.
typedef struct { ptrdiff_t key, valueStart, valueEnd; } ds_member;

typedef struct {
  /// A zero byte stands behind the text, and 16 bytes behind that can be read.
  const uint8_t *bytes;
  /// At `key + 1` what mostly follows the value of a key. All lead to keys that have a place here.
  const ds_separator *separators;
  ptrdiff_t separatorCount;
  /// There is one at least; the value of the last begins at `index`.
  ds_member *members;
  ptrdiff_t count, capacity;
  ptrdiff_t index;
  /// The key of the last member, and the greatest so far.
  ptrdiff_t lastKey, greatestKey;
  /// The run ends behind the value of this key.
  ptrdiff_t lastWanted;
  /// Set when keys do not ascend.
  int mayRepeatKeys;
} ds_json_run;

/// Takes members of a record as long as their values are plain (strings of ASCII without escapes,
/// short numbers without exponents, words) and what stands between them is known. Returns whether
/// `index` is behind the value of the last member, or else at its start.
int ds_json_members(ds_json_run *run);
