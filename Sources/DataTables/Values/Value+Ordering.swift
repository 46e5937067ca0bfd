/// The position of one value relative to another in ascending order.
public enum Ordering: Int, Sendable {
  case before = -1
  case same = 0
  case after = 1

  init<Element: Comparable>(_ left: Element, _ right: Element) {
    self = left < right ? .before : right < left ? .after : .same
  }

  /// The opposite order.
  public var reversed: Ordering {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}

extension Value {
  /// Whether the value comes before `other` in the order of ``compare(_:)``.
  public func ordered(before other: Value) -> Bool { compare(other) == .before }

  /// The total order of all values, consistent with equality.
  ///
  /// Values of different types are ordered by type (``ValueType``). Within a type, false comes
  /// before true; numbers are ordered by decimal value, strings by the scalars of their canonical
  /// composition, dates by time, data and arrays element by element, records by their keys in
  /// ascending order, each key before its value.
  public func compare(_ other: Value) -> Ordering {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): Ordering(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): Ordering(left, right)
    case (.real(let left), .real(let right)): left.compare(right)
    case (.integer(let left), .real(let right)): right.compare(left).reversed
    case (.real(let left), .integer(let right)): left.compare(right)
    case (.string(let left), .string(let right)): left.canonicalOrder(right)
    case (.date(let left), .date(let right)): Ordering(left, right)
    case (.data(let left), .data(let right)):
      left == right ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
    case (.array(let left), .array(let right)): Self.compare(left, right)
    case (.record(let left), .record(let right)): left.compare(right)
    default: Ordering(type, other.type)
    }
  }

  private static func compare(_ left: [Value], _ right: [Value]) -> Ordering {
    for (left, right) in zip(left, right) {
      let ordering = left.compare(right)
      if ordering != .same { return ordering }
    }
    return Ordering(left.count, right.count)
  }
}

extension Record {
  fileprivate func compare(_ other: Record) -> Ordering {
    // Sorted, because equal records may have their keys in different orders.
    let left = keys.indices.sorted { keys[$0].canonicalOrder(keys[$1]) == .before }
    let right = other.keys.indices.sorted {
      other.keys[$0].canonicalOrder(other.keys[$1]) == .before
    }
    for (left, right) in zip(left, right) {
      let byKey = keys[left].canonicalOrder(other.keys[right])
      if byKey != .same { return byKey }
      let byValue = values[left].compare(other.values[right])
      if byValue != .same { return byValue }
    }
    return Ordering(count, other.count)
  }
}
