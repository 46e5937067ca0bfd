/// Compares the values of a column by index, what they are compared by made once for each.
struct ValueComparer {
  private let values: [Value]
  /// For `numeric`: the parts of each string.
  private let parts: [NumericText]
  private let hasPrefixes: Bool

  init(_ values: [Value], _ comparison: SortDescriptor.Comparison) {
    switch comparison {
    case .compare:
      self.values = values
      parts = []
    case .caseInsensitive:
      self.values = values.map(Self.lowercased)
      parts = []
    case .numeric:
      self.values = values
      parts = values.map { if case .string(let text) = $0 { NumericText(text) } else { .empty } }
    }
    hasPrefixes = comparison != .numeric && self.values.allSatisfy(Self.ordersByBytes)
  }

  func compare(_ left: UInt32, _ right: UInt32) -> Ordering {
    let left = Int(left)
    let right = Int(right)
    if !parts.isEmpty, case .string = values[left], case .string = values[right] {
      return parts[left].compare(parts[right])
    }
    return values[left].compare(values[right])
  }

  /// The indexes of all values but nulls, with keys that never contradict their order.
  func entries() -> [KeyedIndex] {
    var entries: [KeyedIndex] = []
    entries.reserveCapacity(values.count)
    for (index, value) in values.enumerated() where !value.isNull {
      // Three bits tell the type, the others begin the value.
      let key = UInt64(value.type.rawValue) << 61 | prefix(of: value) >> 3
      entries.append(KeyedIndex(key: key, index: UInt32(index)))
    }
    return entries
  }

  private func prefix(of value: Value) -> UInt64 {
    switch value {
    case .bool(let bool): bool ? .max : 0
    case .integer(let integer): NumericColumn.key(Double(integer))
    case .real(let real): NumericColumn.key(real.value)
    case .date(let date): UInt64(bitPattern: Int64(date.secondsFromGMT)) ^ (1 << 63)
    case .string(let string): hasPrefixes ? Self.firstBytes(of: string) : 0
    case .null, .data, .array, .record: 0
    }
  }

  private static func lowercased(_ value: Value) -> Value {
    if case .string(let string) = value { .string(string.lowercased()) } else { value }
  }

  private static func firstBytes(of string: String) -> UInt64 {
    var bytes: UInt64 = 0
    var shift: UInt64 = 64
    for byte in string.utf8.prefix(8) {
      shift -= 8
      bytes |= UInt64(byte) << shift
    }
    return bytes
  }

  /// Whether a string is its own canonical composition for sure, so that its bytes stand as its
  /// scalars do: Latin, Cyrillic, Han and Hangul syllables, without combining marks.
  private static func ordersByBytes(_ value: Value) -> Bool {
    guard case .string(let string) = value else { return true }
    return string.utf8.allSatisfy { byte in
      byte < 0xCC || byte == 0xD0 || byte == 0xD1 || (byte >= 0xE4 && byte <= 0xE9)
        || byte == 0xEB || byte == 0xEC
    }
  }
}
