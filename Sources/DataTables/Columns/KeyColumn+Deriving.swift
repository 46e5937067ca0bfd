extension KeyColumn {
  public var count: Int {
    switch self {
    case .coded(let codes, _): codes.count
    case .keyed(let column): column.keys.count
    }
  }

  /// The rest of a path applied to the column: each distinct value is evaluated once.
  ///
  /// - Parameter steps: what follows the key that the column was decoded for; none gives the column.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no value knows a step.
  /// - Complexity: O(rows), and O(distinct values) evaluations.
  func deriving(
    _ steps: ArraySlice<ObjectKeyPath.Step>, cancellation: Cancellation
  ) throws -> KeyColumn {
    guard !steps.isEmpty else { return self }
    switch self {
    case .coded(let codes, let values):
      try ObjectKeyPath.checkKnown(steps, to: values)
      if case .texts(let texts) = values.storage {
        let derived = try texts.deriving(steps, cancellation: cancellation)
        guard case .coded(let mapping, let results) = derived else { return derived }
        return .coded(codes.composed(with: mapping, distinct: results.count), values: results)
      }
      var coder = ValueCoder()
      var mapped: [UInt32] = []
      mapped.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        if index & 0xFFF == 0 { try cancellation.check() }
        mapped.append(coder.code(of: ObjectKeyPath.evaluate(steps, on: value)))
      }
      return .coded(
        codes.mapped(by: mapped, distinct: coder.values.count), values: DistinctValues(coder.values)
      )
    case .keyed(let column):
      if let key = column.keys.first(where: { $0 != NumericColumn.null }) {
        try ObjectKeyPath.checkKnown(steps, to: CollectionOfOne(column.value(of: key)))
      }
      var coder = ValueCoder()
      coder.reserve(column.keys.count)
      for (row, key) in column.keys.enumerated() {
        if row & 0xFFF == 0 { try cancellation.check() }
        coder.append(ObjectKeyPath.evaluate(steps, on: column.value(of: key)))
      }
      return coder.column()
    }
  }
}

extension RowCodes {
  /// The codes that `mapping` has for these.
  fileprivate func composed(with mapping: RowCodes, distinct: Int) -> RowCodes {
    if case .natural = self { return mapping }
    if case .natural = mapping { return self }
    return mapped(by: (0..<mapping.count).map { UInt32(mapping[$0]) }, distinct: distinct)
  }

  /// Every code replaced by what `codes` has for it.
  func mapped(by codes: [UInt32], distinct: Int) -> RowCodes {
    let isNarrow = distinct <= 1 << 16
    return switch self {
    case .narrow(let old) where isNarrow: .narrow(Self.mapped(old) { UInt16(codes[$0]) })
    case .narrow(let old): .wide(Self.mapped(old) { codes[$0] })
    case .wide(let old) where isNarrow: .narrow(Self.mapped(old) { UInt16(codes[$0]) })
    case .wide(let old): .wide(Self.mapped(old) { codes[$0] })
    case .natural: RowCodes(codes, distinct: distinct)
    }
  }

  @inline(__always)
  private static func mapped<Old: FixedWidthInteger, New>(
    _ old: [Old], _ new: (Int) -> New
  ) -> [New] {
    [New](unsafeUninitializedCapacity: old.count) { buffer, count in
      let target = buffer
      LargePages.advise(target)
      Parallel.forEachPart(of: old.count) { _, rows in
        for row in rows { target.initializeElement(at: row, to: new(Int(old[row]))) }
      }
      count = old.count
    }
  }
}

extension NumericColumn {
  /// A value equal to the one that the key was made of, in its shortest text.
  func value(of key: UInt64) -> Value {
    guard key != Self.null else { return .null }
    switch kind {
    case .integer: return .integer(Self.integer(key))
    case .real: return Real(Self.double(key)).map { .real($0) } ?? .null
    case .date:
      let ticks = Self.integer(key)
      let seconds = Gregorian.floorDivide(ticks, 10_000_000)
      let moment = Moment(
        seconds: seconds, nanoseconds: (ticks - seconds * 10_000_000) * 100, offset: 0,
        hasTime: true)
      return .date(Timestamp(moment, text: moment.text))
    }
  }
}

extension Moment {
  /// In GMT.
  fileprivate var text: String {
    let time = CivilTime(seconds: seconds)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = [padded(time.year, 4), padded(time.month, 2), padded(time.day, 2)]
    let clock = [padded(time.hour, 2), padded(time.minute, 2), padded(time.second, 2)]
    let fraction = nanoseconds == 0 ? "" : "." + padded(nanoseconds, 9)
    return day.joined(separator: "-") + "T" + clock.joined(separator: ":") + fraction + "Z"
  }
}
