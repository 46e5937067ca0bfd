/// Groups of values that are equal but written differently, among the distinct values of a column.
struct EqualityGroups {
  /// For each code, the first code of an equal value; nil if all values are known to be unequal.
  let firstCodes: [UInt32]?

  /// - Complexity: O(values) expected, plus a sort of texts that mostly differ. Values are hashed only if the type or
  ///   the bytes of one of them allow an equal value that is written differently.
  init(_ values: DistinctValues) throws {
    switch values.storage {
    case .values(let values): self.init(values)
    case .texts(let texts): try self.init(texts)
    }
  }

  init(_ values: [Value]) {
    guard values.contains(where: Self.canBeWrittenDifferently) else {
      firstCodes = nil
      return
    }
    var known: [Value: UInt32] = [:]
    var firstCodes: [UInt32] = []
    firstCodes.reserveCapacity(values.count)
    for (code, value) in values.enumerated() {
      let next = UInt32(truncatingIfNeeded: code)
      let first = known[value] ?? next
      if first == next { known[value] = next }
      firstCodes.append(first)
    }
    self.firstCodes = firstCodes
  }

  private init(_ texts: TextHeap) throws {
    if texts.areDifferent, texts.blocks.allSatisfy(\.isSurelyCanonical), texts.nulls().count < 2 {
      firstCodes = nil
      return
    }
    if let first = try texts.firstEqualTexts(cancellation: Cancellation()) {
      firstCodes = first.indices.contains { first[$0] != $0 } ? first : nil
      return
    }
    let order = try texts.sorted(cancellation: Cancellation())
    let nulls = texts.nulls()
    guard !order.repeats.isEmpty || nulls.count > 1 else {
      firstCodes = nil
      return
    }
    var firstCodes = (0..<UInt32(texts.count)).map { $0 }
    for position in order.repeats {
      firstCodes[Int(order.codes[position])] = firstCodes[Int(order.codes[position - 1])]
    }
    if let first = nulls.first { for null in nulls { firstCodes[Int(null)] = first } }
    self.firstCodes = firstCodes
  }

  /// The number of distinct values, without null. `values` are the values that were grouped.
  func count(_ values: some RandomAccessCollection<Value>) -> Int {
    zip(values, 0...).count { value, code in
      !value.isNull && firstCodes.map { Int($0[code]) == code } ?? true
    }
  }

  private static func canBeWrittenDifferently(_ value: Value) -> Bool {
    switch value {
    case .null, .bool, .integer, .data: false
    // Below U+0300 no two strings are canonically equivalent.
    case .string(let string): string.utf8.contains { $0 >= 0xCC }
    case .real, .date, .array, .record: true
    }
  }
}
