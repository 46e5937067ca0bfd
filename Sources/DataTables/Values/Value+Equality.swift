extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.integer(let left), .real(let right)): right.compare(left) == .same
    case (.real(let left), .integer(let right)): left.compare(right) == .same
    case (.string(let left), .string(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.record(let left), .record(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let bool): hasher.combine(bool)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real)
    case .string(let string): hasher.combine(string)
    case .date(let date): hasher.combine(date)
    case .data(let bytes): hasher.combine(bytes)
    case .array(let elements): hasher.combine(elements)
    case .record(let record): hasher.combine(record)
    }
  }
}

extension Record: Hashable {
  /// Whether both records have the same keys with equal values, in any order.
  public static func == (left: Record, right: Record) -> Bool {
    guard left.count == right.count else { return false }
    if left.shape.storage === right.shape.storage || left.keys == right.keys {
      return left.values == right.values
    }
    return zip(left.keys, left.values).allSatisfy { key, value in right[key] == value }
  }

  public func hash(into hasher: inout Hasher) {
    // A sum, because the order of the keys must not matter.
    var sum = 0
    for (key, value) in zip(keys, values) {
      var pair = Hasher()
      pair.combine(key)
      pair.combine(value)
      sum &+= pair.finalize()
    }
    hasher.combine(sum)
  }
}
