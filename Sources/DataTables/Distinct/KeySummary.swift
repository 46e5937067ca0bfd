/// What a key holds over all rows, as `describe` tells it.
public struct KeySummary: Sendable {
  /// Rows in which the key is null or missing.
  public let nulls: Int
  /// The number of different values by equality, null apart.
  public let distinct: Int
  /// The least and the greatest value by `compare`, of equal ones the first; nil when all are null.
  public let least: Value?
  public let greatest: Value?
}

extension Table {
  /// - Complexity: O(rows), and O(strings log strings) where most of them differ; the column is decoded
  ///   when it was not.
  /// - Throws: what ``column(_:cancellation:)`` throws.
  public func summary(
    of keyPath: ObjectKeyPath, cancellation: Cancellation = Cancellation()
  ) throws -> KeySummary {
    let column = try column(keyPath, cancellation: cancellation)
    switch column {
    case .coded(.natural, let values):
      if case .texts(let texts) = values.storage {
        return try Self.summary(texts, cancellation: cancellation)
      }
      return Self.summary(.natural(values.count), values)
    case .coded(let codes, let values): return Self.summary(codes, values)
    case .keyed(let column):
      return try summary(of: keyPath, column, cancellation: cancellation)
    }
  }

  private static func summary(
    _ texts: TextHeap, cancellation: Cancellation
  ) throws -> KeySummary {
    let order = try texts.sorted(cancellation: cancellation)
    return KeySummary(
      nulls: texts.count - order.codes.count,
      distinct: order.codes.count - order.repeats.count,
      least: order.codes.first.map { texts.value(Int($0)) },
      greatest: order.codes.last.map { texts.value(Int($0)) })
  }

  private static func summary(_ codes: RowCodes, _ values: DistinctValues) -> KeySummary {
    // Values may stand in the dictionary that no row has.
    let counts = codes.counts(of: values.count)
    let isNull = values.nulls()
    let used = zip(values, counts).filter { $1 > 0 && !$0.isNull }.map(\.0)
    return KeySummary(
      nulls: zip(counts, isNull).reduce(0) { $1.1 ? $0 + $1.0 : $0 },
      distinct: EqualityGroups(used).count(used),
      least: used.min { $0.ordered(before: $1) },
      greatest: used.max { $0.ordered(before: $1) })
  }

  private func summary(
    of keyPath: ObjectKeyPath, _ column: NumericColumn, cancellation: Cancellation
  ) throws -> KeySummary {
    let extent = KeyExtent(column.keys)
    let distinct = try DistinctKeys(column.keys).count(cancellation: cancellation)
    let ends = [extent.least, extent.greatest].compactMap { $0?.row }
    let values = try values(of: keyPath, column: column, at: ends, cancellation: cancellation)
    return KeySummary(
      nulls: extent.nulls, distinct: distinct, least: values.first, greatest: values.last)
  }
}
