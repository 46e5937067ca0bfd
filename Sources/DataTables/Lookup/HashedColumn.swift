/// A column whose rows are hashed and compared by the equality of their values.
enum HashedColumn: Sendable {
  case keys(NumericColumn)
  case values(RowCodes, ValueGroups)
  case texts(RowCodes, CanonicalTexts)
  /// No object has the key.
  case nulls

  init(_ column: KeyColumn?) {
    switch column {
    case nil: self = .nulls
    case .keyed(let column)?: self = .keys(column)
    case .coded(let codes, let values)?:
      switch values.storage {
      case .values(let values): self = .values(codes, ValueGroups(values))
      case .texts(let heap): self = .texts(codes, CanonicalTexts(heap))
      }
    }
  }

  /// Whether rows that compare as equal always have equal values. Real numbers with many digits can
  /// share a key.
  var isExact: Bool {
    if case .keys(let column) = self { column.kind != .real } else { true }
  }

  /// Combines the hash of the row at each position with the hash in `hashes`.
  func combine(into hashes: inout [UInt64], _ order: RowOrder) {
    switch self {
    case .keys(let column):
      column.keys.withUnsafeBufferPointer { keys in
        Self.combine(into: &hashes, order) { keys[$0] }
      }
    case .values(let codes, let groups):
      Self.combine(into: &hashes, order) { UInt64(groups[codes[$0]]) }
    case .texts(let codes, let texts):
      Self.combine(into: &hashes, order) { texts.hash(codes[$0]) }
    case .nulls: break
    }
  }

  @inline(__always)
  private static func combine(
    into hashes: inout [UInt64], _ order: RowOrder, _ hash: (_ row: Int) -> UInt64
  ) {
    hashes.withUnsafeMutableBufferPointer { hashes in
      order.forEachRow(at: 0..<order.count) { position, row in
        hashes[position] = Hash.mix(hashes[position], hash(Int(row)))
      }
    }
  }

  /// Whether two rows compare as equal.
  func areEqual(_ row: Int, _ other: Int) -> Bool {
    switch self {
    case .keys(let column): column.keys[row] == column.keys[other]
    case .values(let codes, let groups): groups[codes[row]] == groups[codes[other]]
    case .texts(let codes, let texts): texts.areEqual(codes[row], codes[other])
    case .nulls: true
    }
  }
}

extension HashedColumn {
  /// A search value in the form of the column.
  enum SearchValue {
    case number(UInt64)
    case text([UInt8])
    case null
  }

  /// The search value in the form of the column; nil if no row can have the value.
  func searchValue(_ value: Value) -> SearchValue? {
    switch (self, value) {
    case (.keys(let column), _): column.key(of: value).map(SearchValue.number)
    case (.values(_, let groups), _): groups.group(of: value).map { .number(UInt64($0)) }
    case (.texts, .string(let string)): .text(Array(string.utf8))
    case (.texts, .null), (.nulls, .null): .null
    case (.texts, _), (.nulls, _): nil
    }
  }

  /// Combines the hash of a search value with `hash`, in the same way as ``combine(into:_:)``.
  func combine(_ target: SearchValue, into hash: UInt64) -> UInt64 {
    switch (self, target) {
    case (.nulls, _): hash
    case (_, .number(let number)): Hash.mix(hash, number)
    case (_, .text(let bytes)): Hash.mix(hash, bytes.withUnsafeBytes { CanonicalTexts.hash($0) })
    case (_, .null): Hash.mix(hash, 0)
    }
  }

  /// Whether a row has a search value.
  func has(_ target: SearchValue, at row: Int) -> Bool {
    switch (self, target) {
    case (.keys(let column), .number(let key)): column.keys[row] == key
    case (.values(let codes, let groups), .number(let group)):
      UInt64(groups[codes[row]]) == group
    case (.texts(let codes, let texts), .text(let bytes)):
      !texts.isNull(codes[row]) && bytes.withUnsafeBytes { texts.equals(codes[row], $0) }
    case (.texts(let codes, let texts), .null): texts.isNull(codes[row])
    case (.nulls, .null): true
    default: false
    }
  }
}

/// Distinct values of a column, grouped by equality.
struct ValueGroups: Sendable {
  private let values: [Value]
  /// For each code, the first code of an equal value. Equal values may be written differently.
  private let groups: [UInt32]
  private let codes: HashSlots

  /// - Complexity: O(values) expected.
  init(_ values: [Value]) {
    self.values = values
    var groups: [UInt32] = []
    groups.reserveCapacity(values.count)
    var codes = HashSlots()
    for (code, value) in values.enumerated() {
      let slot = codes.place(of: Self.hash(value)) { values[$0] == value }
      let first = codes[slot]
      if first == nil { codes.insert(code, at: slot) { Self.hash(values[$0]) } }
      groups.append(UInt32(truncatingIfNeeded: first ?? code))
    }
    self.groups = groups
    self.codes = codes
  }

  /// The number of codes, greater than every group.
  var count: Int { groups.count }

  @inline(__always) subscript(code: Int) -> UInt32 { groups[code] }

  /// The group of a value; nil if no value equals it.
  func group(of value: Value) -> UInt32? {
    codes[codes.place(of: Self.hash(value)) { values[$0] == value }]
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func hash(_ value: Value) -> UInt64 {
    UInt64(truncatingIfNeeded: value.hashValue)
  }
}

/// The texts of a column, hashed and compared by canonical equivalence.
struct CanonicalTexts: Sendable {
  private let heap: TextHeap
  private let places: TextPlaces
  private let hasNulls: Bool

  init(_ heap: TextHeap) {
    self.heap = heap
    places = TextPlaces(heap)
    hasNulls = heap.blocks.contains { !$0.nulls.isEmpty }
  }

  @inline(__always)
  private func text(_ number: Int) -> UnsafeRawBufferPointer {
    let (start, count) = places.text(UInt32(truncatingIfNeeded: number))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Whether a text is null. The bytes of a null are empty, so only empty texts need a search in
  /// the heap.
  @inline(__always)
  func isNull(_ number: Int) -> Bool {
    hasNulls && text(number).isEmpty && heap.isNull(number)
  }

  @inline(__always)
  func hash(_ number: Int) -> UInt64 { isNull(number) ? 0 : Self.hash(text(number)) }

  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    if text.isSurelyCanonical { return Hash.bytes(text) }
    return CanonicalForm.bytes(of: text).withUnsafeBytes { Hash.bytes($0) }
  }

  /// Whether two texts, which may be null, are equal.
  func areEqual(_ number: Int, _ other: Int) -> Bool {
    let isNull = isNull(number)
    return isNull == self.isNull(other) && (isNull || equals(number, text(other)))
  }

  /// Whether a text other than null is canonically equivalent to `other`.
  func equals(_ number: Int, _ other: UnsafeRawBufferPointer) -> Bool {
    let text = text(number)
    if text.count == other.count, text.byteOrder(other) == .same { return true }
    if text.isSurelyCanonical && other.isSurelyCanonical { return false }
    return CanonicalForm.bytes(of: text) == CanonicalForm.bytes(of: other)
  }
}
