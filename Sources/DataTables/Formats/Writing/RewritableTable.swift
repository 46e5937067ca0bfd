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
  /// A new object replaces the row that it is said to replace, or else one that is missing where the
  /// object is, so that equal values keep their text.
  /// - Parameters:
  ///   - sources: rows of the table, and for new objects numbers from `count` on.
  ///   - count: the number of rows of the table.
  ///   - replaced: the row that a new object replaces, if it is known.
  ///   - object: a new object.
  /// - Complexity: O(rows).
  package static func parts(
    of sources: some Sequence<Int>, count: Int, replaced: (Int) -> Int? = { _ in nil },
    object: (Int) -> Value
  ) -> [RewrittenRow] {
    var parts: [RewrittenRow] = []
    var run = 0..<0
    var next = 0
    var pending: [Int] = []
    func endRun() {
      if !run.isEmpty { parts.append(.kept(run)) }
      run = 0..<0
    }
    /// - Parameter row: the next row of the table, or `count` at the end.
    func takePending(before row: Int) {
      let isAligned = row - next == pending.count
      for (index, source) in pending.enumerated() {
        let old = replaced(source) ?? (isAligned ? next + index : nil)
        let object = object(source)
        parts.append(old.map { .replaced($0, with: object) } ?? .inserted(object))
      }
      pending = []
    }
    for source in sources {
      if source >= count {
        endRun()
        pending.append(source)
      } else {
        takePending(before: source)
        if source == run.upperBound, !run.isEmpty {
          run = run.lowerBound..<source + 1
        } else {
          endRun()
          run = source..<source + 1
        }
        next = source + 1
      }
    }
    endRun()
    takePending(before: count)
    return parts
  }
}

extension EditedTable {
  /// The rows as parts of the text from which the base was read.
  package var rewrittenRows: [RewrittenRow] {
    RewrittenRow.parts(of: (0..<order.count).lazy.map { self.order[$0] }, count: base.count) {
      added[$0 - base.count]
    }
  }
}
