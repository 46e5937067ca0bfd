/// The summary of a key over all rows, as `describe` shows it.
public struct KeySummary: Sendable {
  /// Rows in which the key is null or missing.
  public let nulls: Int
  /// The number of distinct values by equality, without null.
  public let distinct: Int
  /// The least and the greatest value by `compare`, the first one among equal values; nil if all
  /// are null.
  public let least: Value?
  public let greatest: Value?

  public init(nulls: Int, distinct: Int, least: Value?, greatest: Value?) {
    self.nulls = nulls
    self.distinct = distinct
    self.least = least
    self.greatest = greatest
  }
}

extension Table {
  /// Counts the distinct values of a key and finds the least and the greatest.
  ///
  /// - Complexity: O(rows), or O(rows log rows) if the values are mostly distinct strings; plus
  ///   decoding the column on first access.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  public func summary(
    of keyPath: ObjectKeyPath, cancellation: Cancellation = Cancellation()
  ) throws -> KeySummary {
    let column = try column(keyPath, cancellation: cancellation)
    switch column {
    case .coded(.natural, let values):
      if case .texts(let texts) = values.storage {
        return try Self.summary(texts, cancellation: cancellation)
      }
      return try Self.summary(.natural(values.count), values, cancellation: cancellation)
    case .coded(let codes, let values):
      return try Self.summary(codes, values, cancellation: cancellation)
    case .keyed(let column):
      return try summary(of: keyPath, column, cancellation: cancellation)
    }
  }

  /// The summary of a key over some rows.
  /// - Complexity: as of all rows, plus a copy of the values of the rows in `order` unless these are
  ///   all rows.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  public func summary(
    of keyPath: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> KeySummary {
    guard let rows = order.list else {
      return try summary(of: keyPath, cancellation: cancellation)
    }
    switch try column(keyPath, cancellation: cancellation) {
    case .coded(.natural, let values):
      if case .texts(let texts) = values.storage {
        let kept = try texts.selecting(rows, cancellation: cancellation)
        return try Self.summary(kept, cancellation: cancellation)
      }
      return try Self.summary(
        .natural(rows.count), DistinctValues(rows.map { values[Int($0)] }),
        cancellation: cancellation)
    case .coded(let codes, let values):
      return try Self.summary(
        RowCodes(rows.map { UInt32(truncatingIfNeeded: codes[Int($0)]) }, distinct: values.count),
        values, cancellation: cancellation)
    case .keyed(let column):
      let keys = rows.map { column.keys[Int($0)] }
      let kept = NumericColumn(kind: column.kind, keys: keys)
      let extent = KeyExtent(kept.keys)
      let distinct = try DistinctKeys(kept.keys).count(cancellation: cancellation)
      let ends = [extent.least, extent.greatest].compactMap { $0.map { Int(rows[$0.row]) } }
      let values = try values(of: keyPath, column: column, at: ends, cancellation: cancellation)
      return KeySummary(
        nulls: extent.nulls, distinct: distinct, least: values.first, greatest: values.last)
    }
  }

  private static func summary(
    _ texts: TextHeap, cancellation: Cancellation
  ) throws -> KeySummary {
    let order = try texts.sorted(cancellation: cancellation)
    // Equal texts are in the order of the rows.
    var greatest = order.codes.count - 1
    var repeats = order.repeats[...]
    while repeats.last == greatest {
      repeats.removeLast()
      greatest -= 1
    }
    return KeySummary(
      nulls: texts.count - order.codes.count,
      distinct: order.codes.count - order.repeats.count,
      least: order.codes.first.map { texts.value(Int($0)) },
      greatest: greatest < 0 ? nil : texts.value(Int(order.codes[greatest])))
  }

  private static func summary(
    _ codes: RowCodes, _ values: DistinctValues, cancellation: Cancellation
  ) throws -> KeySummary {
    // Some of the distinct values may not occur in any row.
    let counts = codes.counts(of: values.count)
    if case .texts(let texts) = values.storage {
      return try summary(codes, counts, texts, cancellation: cancellation)
    }
    let isNull = values.nulls()
    let used = zip(values, counts).filter { $1 > 0 && !$0.isNull }.map(\.0)
    return KeySummary(
      nulls: zip(counts, isNull).reduce(0) { $1.1 ? $0 + $1.0 : $0 },
      distinct: EqualityGroups(used).count(used),
      least: used.min { $0.ordered(before: $1) }.map { first(equalTo: $0, codes, values, counts) },
      greatest: used.max { $0.ordered(before: $1) }.map {
        first(equalTo: $0, codes, values, counts)
      })
  }

  private static func summary(
    _ codes: RowCodes, _ counts: [Int], _ texts: TextHeap, cancellation: Cancellation
  ) throws -> KeySummary {
    let order = try texts.sorted(cancellation: cancellation)
    // The positions of the least and of the greatest texts that occur; the texts of each are equal.
    var least = 0..<0
    var greatest = 0..<0
    var distinct = 0
    var rows = 0
    var repeats = order.repeats[...]
    var isNew = true
    for (position, code) in order.codes.enumerated() {
      if repeats.first == position { repeats = repeats.dropFirst() } else { isNew = true }
      if counts[Int(code)] == 0 { continue }
      rows += counts[Int(code)]
      greatest = (isNew ? position : greatest.lowerBound)..<position + 1
      if isNew { distinct += 1 }
      isNew = false
      if distinct == 1 { least = greatest }
    }
    /// The text of the first row that has one of the codes at some positions.
    func first(_ positions: Range<Int>) -> Value? {
      let equal = order.codes[positions]
      guard equal.count > 1 else { return equal.first.map { texts.value(Int($0)) } }
      let isEqual = RowMask(equal.map { Int($0) }, of: texts.count)
      return (0..<codes.count).first { isEqual.contains(codes[$0]) }.map { texts.value(codes[$0]) }
    }
    return KeySummary(
      nulls: codes.count - rows, distinct: distinct, least: first(least), greatest: first(greatest))
  }

  /// The first value of the rows that equals a value. Equal values with different texts, such as 1 and
  /// 1.0, are separate distinct values.
  private static func first(
    equalTo value: Value, _ codes: RowCodes, _ values: DistinctValues, _ counts: [Int]
  ) -> Value {
    let equal = zip(values, counts).enumerated()
      .filter { $0.element.1 > 0 && $0.element.0 == value }.map(\.offset)
    guard equal.count > 1 else { return value }
    let row = (0..<codes.count).first { equal.contains(Int(codes[$0])) }
    return row.map { values[Int(codes[$0])] } ?? value
  }

  private func summary(
    of keyPath: ObjectKeyPath, _ column: NumericColumn, cancellation: Cancellation
  ) throws -> KeySummary {
    let extent = column.keys.extent
    let distinct = try DistinctKeys(column.keys).count(cancellation: cancellation)
    let ends = [extent.least, extent.greatest].compactMap { $0?.row }
    let values = try values(of: keyPath, column: column, at: ends, cancellation: cancellation)
    return KeySummary(
      nulls: extent.nulls, distinct: distinct, least: values.first, greatest: values.last)
  }

  /// The rows in `order` whose value of a key equals the value of an earlier row; nil if all values
  /// differ. Nulls are equal to each other.
  ///
  /// - Parameter order: contains each row at most once.
  /// - Complexity: O(rows) expected, plus decoding the column on first access.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  package func repeatedValues(
    of keyPath: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> RepeatedValues? {
    let column = try column(keyPath, cancellation: cancellation)
    if case .keyed(let column) = column, column.keys.areStrictlyAscending { return nil }
    let classes = try ColumnClasses([column], cancellation: cancellation)
    guard let numbers = classes.numbers.first else { return nil }
    let order = order.withList
    // For each value, the position of its first row; -1 before.
    var firsts = [Int](repeating: -1, count: classes.bound)
    var rows = 0
    var first: (position: Int, earlier: Int)?
    for position in 0..<order.count {
      let number = Int(numbers[order[position]])
      if firsts[number] < 0 {
        firsts[number] = position
      } else {
        rows += 1
        first = first ?? (position, firsts[number])
      }
    }
    return try first.map { first in
      let value = keyPath.evaluate(on: try object(at: order[first.position]))
      return RepeatedValues(
        rows: rows, first: value, position: first.position, earlier: first.earlier)
    }
  }
}

/// Rows with the value of an earlier row.
package struct RepeatedValues: Sendable {
  package let rows: Int
  /// The value of the first such row.
  package let first: Value
  /// The position of the first such row in the order, and that of the row whose value it repeats.
  package let position: Int
  package let earlier: Int
}
