/// Evaluates predicates on the columns of a table, each comparison once per distinct value.
///
/// A part is evaluated only for the rows that the previous parts did not decide. So a condition
/// that is neither true nor false throws here if and only if it throws when the objects are
/// evaluated one by one.
struct PredicateFilter {
  let table: any Table
  let cancellation: Cancellation

  /// The `candidates` that satisfy the predicate.
  func mask(of predicate: Predicate, among candidates: RowMask) throws -> RowMask {
    try cancellation.check()
    switch predicate {
    case .comparison, .boolean: return try leaf(predicate, among: candidates)
    case .not(let inner):
      var rest = candidates
      rest.subtract(try mask(of: inner, among: candidates))
      return rest
    case .and(let parts):
      var remaining = candidates
      for part in parts { remaining = try mask(of: part, among: remaining) }
      return remaining
    case .or(let parts):
      var remaining = candidates
      var found = RowMask(none: candidates.count)
      for part in parts {
        let matches = try mask(of: part, among: remaining)
        found.formUnion(matches)
        remaining.subtract(matches)
      }
      return found
    }
  }

  private func leaf(_ leaf: Predicate, among candidates: RowMask) throws -> RowMask {
    if candidates.isEmpty { return candidates }
    if leaf.needsObject { return try objects(leaf, among: candidates) }
    var columns: [ObjectKeyPath: KeyColumn] = [:]
    for path in leaf.keyPaths where columns[path] == nil {
      columns[path] = try table.column(path, cancellation: cancellation)
    }
    guard let column = columns.values.first else {
      return try leaf.holds { _ in .null } ? candidates : RowMask(none: candidates.count)
    }
    if columns.count > 1 { return try rows(leaf, columns, among: candidates) }
    var mask: RowMask
    switch column {
    case .coded(let codes, let values):
      mask = try self.codes(leaf, codes, values, among: candidates)
    case .keyed(let column):
      guard let spans = column.spans(of: leaf) else {
        return try rows(leaf, columns, among: candidates)
      }
      mask = try column.mask(of: spans, cancellation: cancellation)
    }
    mask.formIntersection(candidates)
    return mask
  }

  /// Evaluates the leaf once per distinct value.
  private func codes(
    _ leaf: Predicate, _ codes: RowCodes, _ values: DistinctValues, among candidates: RowMask
  ) throws -> RowMask {
    // For each value: 1 if the leaf holds, 0 if it does not, 2 if it is a condition that is neither
    // true nor false.
    let outcomes = try Self.outcomes(of: values.count, cancellation: cancellation) { code in
      let value = values[code]
      do { return try leaf.holds { _ in value } ? 1 : 0 } catch { return 2 }
    }
    if outcomes.contains(2) {
      var nonBoolean = try codes.mask(
        matching: outcomes.map { $0 == 2 ? 1 : 0 }, cancellation: cancellation)
      nonBoolean.formIntersection(candidates)
      if let word = nonBoolean.words.firstIndex(where: { $0 != 0 }),
        let row = nonBoolean.rows(in: word..<word + 1).first
      {
        let value = values[codes[row]]
        // Throws the error of the first such row.
        _ = try leaf.holds { _ in value }
      }
    }
    return try codes.mask(matching: outcomes.map { $0 & 1 }, cancellation: cancellation)
  }

  /// Evaluates the leaf once per row, with the values of its columns.
  private func rows(
    _ leaf: Predicate, _ columns: [ObjectKeyPath: KeyColumn], among candidates: RowMask
  ) throws -> RowMask {
    try RowMask.filled(candidates.count, cancellation: cancellation) { rows in
      var word: UInt64 = 0
      let first = rows.lowerBound
      for row in candidates.rows(in: first / 64..<first / 64 + 1) {
        let holds = try leaf.holds { path in
          path.flatMap { columns[$0] }?.value(at: row) ?? .null
        }
        if holds { word |= 1 << UInt64(row - first) }
      }
      return word
    }
  }

  /// Evaluates the leaf once per object.
  private func objects(_ leaf: Predicate, among candidates: RowMask) throws -> RowMask {
    // Reading the columns detects a key that no object has.
    for path in leaf.keyPaths { _ = try table.column(path, cancellation: cancellation) }
    var mask = RowMask(none: candidates.count)
    for start in stride(from: 0, to: candidates.words.count, by: 64) {
      try cancellation.check()
      let rows = candidates.rows(in: start..<min(candidates.words.count, start + 64))
      for (row, object) in zip(rows, try table.objects(at: rows)) {
        if try leaf.holds(on: object) { mask.insert(row) }
      }
    }
    return mask
  }

  private static func outcomes(
    of count: Int, cancellation: Cancellation, _ outcome: @Sendable (Int) -> UInt8
  ) throws -> [UInt8] {
    let size = 4_096
    let pieces = (count + size - 1) / size
    let slots = WorkerSlots<[UInt8]>(pieces)
    try withoutActuallyEscaping(outcome) { outcome in
      try Parallel.forEach(pieces) { piece, _ in
        try cancellation.check()
        slots[piece] = (piece * size..<min(count, (piece + 1) * size)).map(outcome)
      }
    }
    return (0..<pieces).flatMap { slots[$0] ?? [] }
  }
}

extension RowCodes {
  /// The rows whose code has a 1 in `matching`.
  fileprivate func mask(matching: [UInt8], cancellation: Cancellation) throws -> RowMask {
    switch self {
    case .narrow(let codes):
      try Self.mask(codes, matching: matching, cancellation: cancellation)
    case .wide(let codes): try Self.mask(codes, matching: matching, cancellation: cancellation)
    case .natural(let count):
      try RowMask.filled(count, cancellation: cancellation) { rows in
        rows.reversed().reduce(0) { $0 << 1 | UInt64(matching[$1]) }
      }
    }
  }

  private static func mask<Code: FixedWidthInteger & Sendable>(
    _ codes: [Code], matching: [UInt8], cancellation: Cancellation
  ) throws -> RowMask {
    try RowMask.filled(codes.count, cancellation: cancellation) { rows in
      codes.withUnsafeBufferPointer { codes in
        matching.withUnsafeBufferPointer { matching in
          var word: UInt64 = 0
          for bit in 0..<rows.count {
            let isMatch = matching[Int(codes[rows.lowerBound &+ bit])]
            word |= UInt64(isMatch) &<< UInt64(truncatingIfNeeded: bit)
          }
          return word
        }
      }
    }
  }
}
