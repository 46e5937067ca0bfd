/// A column of which rows are hashed and compared by the equality of their values.
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

  /// Whether rows that are told to be equal are: the keys of real numbers leave digits out.
  var isExact: Bool {
    if case .keys(let column) = self { column.kind != .real } else { true }
  }

  /// Joins the hashes of the rows at all positions to those in `hashes`.
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
  /// A value that is looked for, as the column has it.
  enum Sought {
    case number(UInt64)
    case text([UInt8])
    case null
  }

  /// nil when no row can have the value.
  func sought(_ value: Value) -> Sought? {
    switch (self, value) {
    case (.keys(let column), _): column.key(of: value).map(Sought.number)
    case (.values(_, let groups), _): groups.group(of: value).map { .number(UInt64($0)) }
    case (.texts, .string(let string)): .text(Array(string.utf8))
    case (.texts, .null), (.nulls, .null): .null
    case (.texts, _), (.nulls, _): nil
    }
  }

  /// Joins the hash of a value that is looked for as ``combine(into:_:)`` does those of rows.
  func combine(_ sought: Sought, into hash: UInt64) -> UInt64 {
    switch (self, sought) {
    case (.nulls, _): hash
    case (_, .number(let number)): Hash.mix(hash, number)
    case (_, .text(let bytes)): Hash.mix(hash, bytes.withUnsafeBytes { CanonicalTexts.hash($0) })
    case (_, .null): Hash.mix(hash, 0)
    }
  }

  func has(_ sought: Sought, at row: Int) -> Bool {
    switch (self, sought) {
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
