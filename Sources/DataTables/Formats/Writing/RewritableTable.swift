/// A table that can write changed rows between the bytes of the unchanged ones.
package protocol RewritableTable: Table {
  /// The text of the table, in UTF-8 without a byte order mark.
  var store: any ByteStore { get }

  /// The text with other rows.
  ///
  /// - Complexity: O(changed rows), and O(removed rows) where rows are removed.
  /// - Throws: ``TableError/badArgument(_:)`` for an object that the text cannot hold, and errors of
  ///   the store.
  func rewritten(
    _ rows: [RewrittenRow], cancellation: Cancellation
  ) throws -> [RewrittenText]

  /// The first new value of each column that makes a load read the column as strings.
  func typeLosses(in rows: [RewrittenRow]) throws -> [TypeLoss]
}

extension RewritableTable {
  // For texts whose values have types of their own.
  package func typeLosses(in rows: [RewrittenRow]) throws -> [TypeLoss] { [] }
}

/// A new value that does not fit the inferred type of its column.
package struct TypeLoss: Sendable {
  package let key: String
  package let type: ColumnType
  package let value: Value

  /// `"abc" is not a number, so that a load reads the column `price` as strings`
  package var message: String {
    let noun =
      switch type {
      case .integer, .real: "a number"
      case .date: "a date in the notation of the column"
      case .bool: "true or false"
      case .string, .value: "a string"
      }
    return "\(value.excerpt) is not \(noun), so that a load reads the column `\(key)` as strings"
  }
}

/// Some rows of a rewritten text.
package enum RewrittenRow: Sendable {
  /// Rows of the table; they may follow rows that come after them in the table.
  case kept(Range<Int>)
  /// A row of the table with other values.
  case replaced(Int, with: Value)
  case inserted(Value)
}

/// A part of a rewritten text.
package enum RewrittenText: Hashable, Sendable {
  /// Bytes of the text from which the table was read.
  case copied(Range<Int>)
  case written([UInt8])
}

/// The parts of a rewritten text; adjacent copies are joined.
struct RewrittenParts {
  private(set) var parts: [RewrittenText] = []

  mutating func copy(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if case .copied(let last)? = parts.last, last.upperBound == range.lowerBound {
      parts[parts.count - 1] = .copied(last.lowerBound..<range.upperBound)
    } else {
      parts.append(.copied(range))
    }
  }

  mutating func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    parts.append(.written(bytes))
  }

  /// Removes bytes from the end of the last part, if it was written and ends with them.
  mutating func removeSuffix(_ suffix: [UInt8]) {
    guard case .written(let bytes)? = parts.last, bytes.suffix(suffix.count) == suffix[...] else {
      return
    }
    parts[parts.count - 1] = .written(bytes.dropLast(suffix.count))
  }
}

extension RewrittenRow {
  /// Rows of a table and new objects as parts of a rewritten text.
  ///
  /// - Parameters:
  ///   - rows: ranges of rows of the table, and for new objects of numbers from `count` on.
  ///   - count: the number of rows of the table.
  ///   - original: the row of the table that became a new object; nil for an inserted one.
  ///   - object: a new object.
  /// - Complexity: O(ranges), and O(new objects).
  static func parts(
    of rows: [Range<Int>], count: Int, original: (Int) -> Int?, object: (Int) -> Value
  ) -> [RewrittenRow] {
    var parts: [RewrittenRow] = []
    for range in rows {
      let kept = range.clamped(to: 0..<count)
      if case .kept(let last)? = parts.last, last.upperBound == kept.lowerBound {
        parts[parts.count - 1] = .kept(last.lowerBound..<kept.upperBound)
      } else if !kept.isEmpty {
        parts.append(.kept(kept))
      }
      for row in range.clamped(to: count..<max(count, range.upperBound)) {
        let object = object(row)
        parts.append(original(row).map { .replaced($0, with: object) } ?? .inserted(object))
      }
    }
    return parts
  }
}

extension EditPool {
  /// Rows as parts of the text from which the base was read.
  package func rewritten(_ rows: RowList) -> [RewrittenRow] {
    RewrittenRow.parts(
      of: rows.pieces, count: base.count, original: original(of:),
      object: { added[$0 - base.count] })
  }
}
