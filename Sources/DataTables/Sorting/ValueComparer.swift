/// Compares the values of a column by index. The form to compare is computed once per value.
struct ValueComparer {
  private let values: [Value]
  /// The parts of each string, for `numeric`.
  private let parts: [NumericText]
  /// The rank of each string, for localized comparisons.
  private let ranks: [UInt32]
  /// Whether the first bytes of strings never contradict their order.
  private let hasPrefixes: Bool

  init(_ values: [Value], _ descriptor: SortDescriptor, cancellation: Cancellation) throws {
    switch descriptor.comparison {
    case .compare:
      self.values = values
      parts = []
      ranks = []
    case .caseInsensitive:
      self.values = values.map(Self.lowercased)
      parts = []
      ranks = []
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      self.values = values
      parts = []
      ranks = try Self.ranks(of: values, by: descriptor, cancellation: cancellation)
    case .numeric:
      ranks = []
      self.values = values
      parts = values.map { if case .string(let text) = $0 { NumericText(text) } else { .empty } }
    }
    hasPrefixes = parts.isEmpty && ranks.isEmpty && self.values.allSatisfy(Self.ordersByBytes)
  }

  func compare(_ left: UInt32, _ right: UInt32) -> Ordering {
    let left = Int(left)
    let right = Int(right)
    if !hasPrefixes, case .string = values[left], case .string = values[right] {
      if !parts.isEmpty { return parts[left].compare(parts[right]) }
      if !ranks.isEmpty { return Ordering(ranks[left], ranks[right]) }
    }
    return values[left].compare(values[right])
  }

  /// The indexes of all values except nulls, with keys whose order never contradicts the order of
  /// the values.
  func entries() -> [KeyedIndex] {
    var entries: [KeyedIndex] = []
    entries.reserveCapacity(values.count)
    for (index, value) in values.enumerated() where !value.isNull {
      // Three bits hold the type, the other bits the first bits of the value.
      let key = UInt64(value.type.rawValue) << 61 | prefix(of: value, index) >> 3
      entries.append(KeyedIndex(key: key, index: UInt32(index)))
    }
    return entries
  }

  private func prefix(of value: Value, _ index: Int) -> UInt64 {
    switch value {
    case .bool(let bool): bool ? .max : 0
    case .integer(let integer): NumericColumn.key(Double(integer))
    case .real(let real): NumericColumn.key(real.value)
    case .date(let date): UInt64(bitPattern: Int64(date.secondsFromGMT)) ^ (1 << 63)
    case .string(let string):
      hasPrefixes ? Self.firstBytes(of: string) : ranks.isEmpty ? 0 : UInt64(ranks[index]) << 32
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

  private static func ordersByBytes(_ value: Value) -> Bool {
    guard case .string(var string) = value else { return true }
    return string.withUTF8 { UnsafeRawBufferPointer($0).isSurelyCanonical }
  }

  private static func ranks(
    of values: [Value], by descriptor: SortDescriptor, cancellation: Cancellation
  ) throws -> [UInt32] {
    let texts = try TextHeap(strings: values)
    let order = try texts.sorted(by: descriptor, cancellation: cancellation)
    return order.ranks(of: values.count).ranks
  }
}

extension ValueComparer {
  /// The codes of all values except nulls, in ascending order.
  func order(cancellation: Cancellation) throws -> CodeOrder {
    var entries = entries()
    try cancellation.check()
    KeyedIndex.sort(&entries)
    var repeats: [Int] = []
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      // The keys are equal, so the values themselves have to be compared.
      if end - start > 1 {
        try sort(&entries[start..<end], cancellation: cancellation)
        for position in start + 1..<end
        where compare(entries[position - 1].index, entries[position].index) == .same {
          repeats.append(position)
        }
      }
      start = end
    }
    return CodeOrder(codes: entries.map(\.index), repeats: repeats)
  }

  private func sort(
    _ entries: inout ArraySlice<KeyedIndex>, cancellation: Cancellation
  ) throws {
    var comparisons = 0
    try entries.sort { left, right in
      comparisons &+= 1
      if comparisons & 0xFFF == 0 { try cancellation.check() }
      switch compare(left.index, right.index) {
      case .before: return true
      case .after: return false
      case .same: return left.index < right.index
      }
    }
  }
}
