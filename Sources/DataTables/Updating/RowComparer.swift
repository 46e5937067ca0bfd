/// Compares single rows by sort descriptors; a sort of all rows orders them in the same way.
struct RowComparer {
  private struct Level {
    let descriptor: SortDescriptor
    let places: [Value: Int]
    let values: EditedValues
  }
  private let levels: [Level]
  private let cancellation: Cancellation

  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that the base of the rows lacks.
  init(_ rows: EditedRows, by descriptors: [SortDescriptor], cancellation: Cancellation) throws {
    self.cancellation = cancellation
    levels = try descriptors.map { descriptor in
      Level(
        descriptor: descriptor,
        places: Dictionary(zip(descriptor.list, 0...), uniquingKeysWith: { first, _ in first }),
        values: try rows.values(of: descriptor.keyPath, cancellation: cancellation))
    }
  }

  /// The order of two rows by the most significant level in which they differ.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist; the errors of reading
  ///   the rows.
  func compare(_ left: Int, _ right: Int) throws -> Ordering {
    for level in levels {
      let order = try compare(
        try level.values.value(at: left), try level.values.value(at: right), by: level)
      if order != .same { return order }
    }
    return .same
  }

  private func compare(_ left: Value, _ right: Value, by level: Level) throws -> Ordering {
    let descriptor = level.descriptor
    if left.isNull || right.isNull {
      let order = Ordering(left.isNull ? 0 : 1, right.isNull ? 0 : 1)
      return descriptor.putsNullsFirst ? order : order.reversed
    }
    let order = try ascending(left, right, by: level)
    return descriptor.direction == .descending ? order.reversed : order
  }

  private func ascending(_ left: Value, _ right: Value, by level: Level) throws -> Ordering {
    if !level.places.isEmpty {
      let (first, second) = (level.places[left], level.places[right])
      if first != nil || second != nil { return Ordering(first ?? .max, second ?? .max) }
    }
    if level.descriptor.comparison == .compare { return left.compare(right) }
    return try ValueComparer([left, right], level.descriptor, cancellation: cancellation)
      .compare(0, 1)
  }
}
