extension EditedRows {
  /// The rows with one of some values under a key path; rows of the base may have similar values.
  /// - Complexity: O(rows), on all processors.
  func rows(
    with values: Set<Value>, of path: ObjectKeyPath, cancellation: Cancellation
  ) throws -> RowMask {
    let test = ValueTest(values, in: try base.column(path, cancellation: cancellation))
    let (base, added) = (base.count, added)
    return try .filled(count, cancellation: cancellation) { rows in
      var word: UInt64 = 0
      for row in rows {
        let passes =
          row < base ? test.passes(row) : values.contains(path.evaluate(on: added[row - base]))
        if passes { word |= 1 << UInt64(row - rows.lowerBound) }
      }
      return word
    }
  }
}

/// A test whether a row has one of some values, by its code or key.
private enum ValueTest: Sendable {
  case codes(RowCodes, matching: [Bool])
  case texts(RowCodes, TextHeap, HashFilter, Set<Value>)
  case keys(NumericKeys, HashFilter, Set<UInt64>)

  init(_ values: Set<Value>, in column: KeyColumn) {
    switch column {
    case .keyed(let column):
      let keys = Set(values.compactMap { column.key(of: $0) })
      self = .keys(column.keys, HashFilter(keys), keys)
    case .coded(let codes, let distinct):
      if case .texts(let texts) = distinct.storage {
        self = .texts(codes, texts, HashFilter(values.map(Self.hash)), values)
      } else {
        let isFew = values.count <= 8
        let few = Array(values)
        self = .codes(
          codes, matching: distinct.map { isFew ? few.contains($0) : values.contains($0) })
      }
    }
  }

  @inline(__always)
  func passes(_ row: Int) -> Bool {
    switch self {
    case .codes(let codes, let matching): return matching[codes[row]]
    case .keys(let keys, let filter, let wanted):
      let key = keys[row]
      return filter.mayContain(key) && wanted.contains(key)
    case .texts(let codes, let texts, let filter, let wanted):
      let (block, index) = texts.place(of: codes[row])
      if block.isNull(index) { return wanted.contains(.null) }
      let text = block.text(index)
      // ASCII has only one form.
      if block.isASCII || text.isSurelyCanonical, !filter.mayContain(Self.hash(text)) {
        return false
      }
      return wanted.contains(.string(String(decoding: text, as: UTF8.self)))
    }
  }

  /// A hash of the canonical form of a string.
  private static func hash(_ value: Value) -> UInt64 {
    guard case .string(var string) = value else { return 0 }
    return string.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if bytes.isSurelyCanonical { return hash(bytes) }
      return CanonicalForm.bytes(of: bytes).withUnsafeBytes { hash($0) }
    }
  }

  /// A hash of the length and of the first and the last bytes.
  @inline(__always)
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    guard text.count >= 8 else {
      return text.reduce(UInt64(text.count)) { $0 << 8 | UInt64($1) }
    }
    let head = text.loadUnaligned(as: UInt64.self)
    let tail = text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    return (head &* 3 &+ tail) ^ (UInt64(text.count) << 56)
  }
}

/// A set of numbers that may contain more than it should.
private struct HashFilter: Sendable {
  private var bits = [UInt64](repeating: 0, count: 1 << 10)

  init(_ numbers: some Sequence<UInt64>) {
    for number in numbers {
      let place = Self.place(number)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// A number in `0..<65_536`.
  @inline(__always)
  private static func place(_ number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }

  @inline(__always)
  func mayContain(_ number: UInt64) -> Bool {
    let place = Self.place(number)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}
