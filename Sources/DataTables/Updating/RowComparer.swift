/// Compares rows with single other rows by sort descriptors; a sort of all rows orders them in the
/// same way.
struct RowComparer {
  private let levels: [Level]

  /// The values of a row by which it is compared with many others.
  struct RowKey {
    fileprivate let values: [LevelKey]
  }

  fileprivate struct LevelKey {
    let value: Value
    /// The place in the list of the descriptor; nil if the value is not listed.
    let place: Int?
    /// The key in a numeric column; nil for another column or value.
    let number: UInt64?
    /// Whether the value is a string that sorts by its bytes.
    let isCanonical: Bool
  }

  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that the base of the rows lacks.
  init(_ rows: EditedRows, by descriptors: [SortDescriptor], cancellation: Cancellation) throws {
    levels = try descriptors.map { descriptor in
      Level(
        descriptor, try EditedValues(descriptor.keyPath, of: rows, cancellation: cancellation),
        cancellation)
    }
  }

  /// - Throws: the errors of reading the row.
  func key(of row: Int) throws -> RowKey {
    RowKey(values: try levels.map { try $0.key(of: row) })
  }

  /// The order of a row and another one by the most significant level in which they differ.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist; the errors of reading
  ///   the row.
  func compare(_ row: Int, _ other: RowKey) throws -> Ordering {
    for (index, level) in levels.enumerated() {
      let order = try level.compare(row, other.values[index])
      if order != .same { return order }
    }
    return .same
  }
}

/// A sort descriptor and the values that it compares; a class, because each comparison reads it.
private final class Level {
  private let descriptor: SortDescriptor
  private let places: [Value: Int]
  private let values: EditedValues
  private let cancellation: Cancellation
  /// Whether values are compared as they are, without a list.
  private let isPlain: Bool

  init(_ descriptor: SortDescriptor, _ values: EditedValues, _ cancellation: Cancellation) {
    self.descriptor = descriptor
    self.values = values
    self.cancellation = cancellation
    places = Dictionary(zip(descriptor.list, 0...), uniquingKeysWith: { first, _ in first })
    isPlain = descriptor.comparison == .compare && descriptor.list.isEmpty
  }

  func key(of row: Int) throws -> RowComparer.LevelKey {
    let value = try values.value(at: row)
    var isCanonical = false
    if case .string(var text) = value {
      isCanonical = text.withUTF8 { UnsafeRawBufferPointer($0).isSurelyCanonical }
    }
    return RowComparer.LevelKey(
      value: value, place: places[value], number: values.number(of: value),
      isCanonical: isCanonical)
  }

  func compare(_ row: Int, _ other: RowComparer.LevelKey) throws -> Ordering {
    if isPlain, let order = quickOrder(row, other) { return directed(order) }
    let value = try values.value(at: row)
    if value.isNull || other.value.isNull {
      let order = Ordering(value.isNull ? 0 : 1, other.value.isNull ? 0 : 1)
      return descriptor.putsNullsFirst ? order : order.reversed
    }
    if !places.isEmpty {
      let place = places[value]
      if place != nil || other.place != nil {
        return directed(Ordering(place ?? .max, other.place ?? .max))
      }
    }
    if descriptor.comparison == .compare { return directed(value.compare(other.value)) }
    return directed(
      try ValueComparer([value, other.value], descriptor, cancellation: cancellation).compare(0, 1))
  }

  private func directed(_ order: Ordering) -> Ordering {
    descriptor.direction == .descending ? order.reversed : order
  }

  /// The ascending order, without making a value for the row; nil if that is not possible.
  private func quickOrder(_ row: Int, _ other: RowComparer.LevelKey) -> Ordering? {
    guard !other.value.isNull else { return nil }
    if let number = other.number {
      return values.number(at: row).map { Ordering($0, number) }
    }
    guard other.isCanonical, case .string(let text) = other.value,
      let bytes = values.canonicalText(at: row)
    else { return nil }
    return text.utf8.withContiguousStorageIfAvailable {
      bytes.byteOrder(UnsafeRawBufferPointer($0))
    }
  }
}
