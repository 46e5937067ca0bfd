/// Distinct values of a column, found by equality.
struct ValueGroups: Sendable {
  private let values: [Value]
  /// For every code, the first code of an equal value: values may be written differently.
  private let groups: [UInt32]
  private let codes: HashSlots

  /// - Complexity: O(values) expected.
  init(_ values: [Value]) {
    self.values = values
    var groups: [UInt32] = []
    groups.reserveCapacity(values.count)
    var codes = HashSlots()
    for (code, value) in values.enumerated() {
      let place = codes.place(of: Self.hash(value)) { values[$0] == value }
      let first = codes[place]
      if first == nil { codes.insert(code, at: place) { Self.hash(values[$0]) } }
      groups.append(UInt32(truncatingIfNeeded: first ?? code))
    }
    self.groups = groups
    self.codes = codes
  }

  /// The number of codes; groups are below it.
  var count: Int { groups.count }

  @inline(__always) subscript(code: Int) -> UInt32 { groups[code] }

  /// The group of a value; nil when none of the values equals it.
  func group(of value: Value) -> UInt32? {
    codes[codes.place(of: Self.hash(value)) { values[$0] == value }]
      .map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func hash(_ value: Value) -> UInt64 {
    UInt64(truncatingIfNeeded: value.hashValue)
  }
}
