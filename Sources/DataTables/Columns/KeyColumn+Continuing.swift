extension KeyColumn {
  /// The first rows of this column, followed by the rows of another one; nil if the two have forms
  /// whose join is not cheap.
  ///
  /// - Parameter count: the number of rows to keep.
  /// - Complexity: O(distinct values + rows of `tail`), and a copy of the codes or keys.
  func continued(after count: Int, by tail: KeyColumn) -> KeyColumn? {
    switch (self, tail) {
    case (.keyed(let column), _):
      guard let added = column.keys(of: tail) else { return nil }
      return .keyed(NumericColumn(kind: column.kind, keys: Array(column.keys[..<count]) + added))
    case (.coded(let codes, let values), .coded(let tailCodes, let tailValues)):
      guard !values.areStrings, !tailValues.areStrings else { return nil }
      var coder = ValueCoder()
      let old = values.map { coder.code(of: $0) }
      let new = tailValues.map { coder.code(of: $0) }
      let isUnchanged = old.indices.allSatisfy { Int(old[$0]) == $0 }
      let added = (0..<tailCodes.count).map { new[tailCodes[$0]] }
      guard isUnchanged, let codes = codes.continued(after: count, by: added) else { return nil }
      return .coded(codes, values: DistinctValues(coder.values))
    case (.coded, .keyed): return nil
    }
  }
}

extension NumericColumn {
  /// The keys of the rows of another column; nil if its values cannot all have keys of this kind.
  fileprivate func keys(of column: KeyColumn) -> [UInt64]? {
    switch column {
    case .keyed(let other): return other.kind == kind ? Array(other.keys) : nil
    case .coded(let codes, let values):
      let isFitting = values.allSatisfy {
        switch ($0, kind) {
        // An integer is written as its key, so that `1.0` would become `1`.
        case (.null, _), (.integer, .integer), (.integer, .real), (.real, .real), (.date, .date):
          true
        default: false
        }
      }
      guard isFitting else { return nil }
      var keys: [UInt64] = []
      for value in values {
        guard let key = key(of: value) else { return nil }
        keys.append(key)
      }
      return (0..<codes.count).map { keys[codes[$0]] }
    }
  }
}

extension RowCodes {
  /// nil if the codes are not stored, or if wider ones are needed.
  fileprivate func continued(after count: Int, by added: [UInt32]) -> RowCodes? {
    switch self {
    case .narrow(let codes):
      guard added.allSatisfy({ $0 <= UInt16.max }) else { return nil }
      return .narrow(Array(codes[..<count]) + added.map { UInt16(truncatingIfNeeded: $0) })
    case .wide(let codes): return .wide(Array(codes[..<count]) + added)
    case .natural: return nil
    }
  }
}
