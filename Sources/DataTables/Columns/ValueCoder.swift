/// Numbers distinct values in the order of their first appearance. Values that are written
/// differently are distinct here, even if they are equal (1.5 and 1.50).
struct ValueCoder {
  private(set) var values: [Value] = []
  private var codes: [UInt32] = []
  /// For each value, the first code of an equal value. Empty for up to ``few`` values.
  private var known: [Value: UInt32] = [:]
  /// For a code, the code of the next equal value that is written differently.
  private var alternatives: [UInt32: UInt32] = [:]

  mutating func reserve(_ rows: Int) { codes.reserveCapacity(rows) }

  mutating func append(_ value: Value) { codes.append(code(of: value)) }

  /// Appends a row with the value of a code that ``code(of:)`` returned.
  mutating func append(code: UInt32) { codes.append(code) }

  /// Up to this number of values, comparing with all of them is faster than hashing one.
  private static let few = 8

  /// The code of a value; a new one if the value is new.
  mutating func code(of value: Value) -> UInt32 {
    values.count <= Self.few ? codeAmongFew(of: value) : codeAmongMany(of: value)
  }

  private mutating func codeAmongFew(of value: Value) -> UInt32 {
    if let code = values.firstIndex(where: { $0 == value && $0.isWritten(like: value) }) {
      return UInt32(code)
    }
    if values.count < Self.few { return add(value) }
    let added = values
    values = []
    for value in added { _ = codeAmongMany(of: value) }
    return codeAmongMany(of: value)
  }

  private mutating func codeAmongMany(of value: Value) -> UInt32 {
    guard var code = known[value] else {
      known[value] = UInt32(values.count)
      return add(value)
    }
    while !values[Int(code)].isWritten(like: value) {
      guard let next = alternatives[code] else {
        alternatives[code] = UInt32(values.count)
        return add(value)
      }
      code = next
    }
    return code
  }

  private mutating func add(_ value: Value) -> UInt32 {
    values.append(value)
    return UInt32(values.count - 1)
  }

  func column() -> KeyColumn {
    .coded(RowCodes(codes, distinct: values.count), values: DistinctValues(values))
  }
}

extension Value {
  /// Whether two equal values also have the same text.
  package func isWritten(like other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.integer, .integer), (.data, .data): true
    case (.real(let left), .real(let right)): left.text == right.text
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.date(let left), .date(let right)): left.text == right.text
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isWritten(like: $1) }
    case (.record(let left), .record(let right)):
      left.keys == right.keys
        && zip(left.values, right.values).allSatisfy { $0.isWritten(like: $1) }
    default: false
    }
  }
}
