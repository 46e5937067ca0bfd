/// Evaluates predicates on the columns of a table, each comparison once per distinct value.
///
/// A part is evaluated only for the rows that the previous parts did not decide. Parts that cannot
/// fail are evaluated in the order of their cost, up to the next part that can. So a condition that
/// is neither true nor false throws here if and only if it throws when the objects are evaluated one
/// by one.
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
      for part in cheapestFirst(parts) { remaining = try mask(of: part, among: remaining) }
      return remaining
    case .or(let parts):
      var remaining = candidates
      var found = RowMask(none: candidates.count)
      for part in cheapestFirst(parts) {
        let matches = try mask(of: part, among: remaining)
        found.formUnion(matches)
        remaining.subtract(matches)
      }
      return found
    }
  }

  /// Parts of a conjunction or a disjunction in the order of evaluation.
  private func cheapestFirst(_ parts: [Predicate]) -> [Predicate] {
    var ordered: [Predicate] = []
    var run: [(part: Predicate, cost: Int)] = []
    func endRun() {
      // The sort is stable.
      ordered += run.sorted { $0.cost < $1.cost }.map(\.part)
      run = []
    }
    for part in parts {
      if let cost = table.cost(of: part) {
        run.append((part, cost))
      } else {
        endRun()
        ordered.append(part)
      }
    }
    endRun()
    return ordered
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
      mask = try column.mask(of: spans, among: candidates, cancellation: cancellation)
    }
    mask.formIntersection(candidates)
    return mask
  }

  /// Evaluates the leaf once per distinct value.
  private func codes(
    _ leaf: Predicate, _ codes: RowCodes, _ values: DistinctValues, among candidates: RowMask
  ) throws -> RowMask {
    if let comparison = TextComparison(leaf), case .texts(let texts) = values.storage {
      return try self.texts(comparison, codes, texts, among: candidates)
    }
    if let isNull = leaf.isNullTest {
      let matching = values.nulls().map { $0 == isNull ? UInt8(1) : 0 }
      return try CodedRows(codes, distinct: values.count, candidates)
        .mask(matching: matching, cancellation: cancellation)
    }
    let codes = CodedRows(codes, distinct: values.count, candidates)
    // For each value: 1 if the leaf holds, 0 if it does not, 2 if it is a condition that is neither
    // true nor false.
    let outcomes = try outcomes(of: leaf, for: values, codes)
    if outcomes.contains(2) {
      let nonBoolean = try codes.mask(
        matching: outcomes.map { $0 == 2 ? 1 : 0 }, cancellation: cancellation)
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

  /// Compares the texts of a heap by their bytes.
  private func texts(
    _ comparison: TextComparison, _ codes: RowCodes, _ texts: TextHeap, among candidates: RowMask
  ) throws -> RowMask {
    let coded = CodedRows(codes, distinct: texts.count, candidates)
    let mask = try texts.mask(
      of: comparison.pattern, among: coded.present, cancellation: cancellation)
    let matches = comparison.isNegated ? mask.inverse : mask
    if case .natural = codes { return matches }
    return try coded.mask(matching: matches.flags, cancellation: cancellation)
  }

  private func outcomes(
    of leaf: Predicate, for values: DistinctValues, _ codes: CodedRows
  ) throws -> [UInt8] {
    let size = 4_096
    let pieces = (values.count + size - 1) / size
    let slots = WorkerSlots<[UInt8]>(pieces)
    let comparison = TextComparison(leaf)
    let matchers = WorkerSlots<TextMatcher>(Parallel.workers)
    try Parallel.forEach(pieces) { piece, worker in
      try cancellation.check()
      // Taken out of its slot, so that it is not copied.
      var matcher = matchers[worker] ?? comparison.map { TextMatcher($0.pattern) }
      matchers[worker] = nil
      defer { matchers[worker] = matcher }
      slots[piece] = (piece * size..<min(values.count, (piece + 1) * size)).map { code in
        guard codes.present.contains(code) else { return 0 }
        let value = values[code]
        if let comparison, case .string(let text) = value, let isMatch = matcher?.matches(text) {
          return isMatch != comparison.isNegated ? 1 : 0
        }
        do { return try leaf.holds { _ in value } ? 1 : 0 } catch { return 2 }
      }
    }
    return (0..<pieces).flatMap { slots[$0] ?? [] }
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
}

extension Predicate {
  /// Whether the key must be null, for a comparison of a key with null; nil for another predicate.
  fileprivate var isNullTest: Bool? {
    guard case .comparison(let comparison) = self, comparison.operator.quantifier == nil,
      case .key = comparison.left, case .value(.null) = comparison.right
    else { return nil }
    return switch comparison.operator.kind {
    case .equal: true
    case .notEqual: false
    default: nil
    }
  }
}

/// A comparison of the strings of a key with a constant string.
private struct TextComparison {
  let pattern: TextPattern
  /// Whether strings that match do not satisfy the comparison.
  let isNegated: Bool

  /// nil for another leaf.
  init?(_ leaf: Predicate) {
    guard case .comparison(let comparison) = leaf, comparison.operator.quantifier == nil,
      case .key = comparison.left
    else { return nil }
    let kind = comparison.operator.kind
    switch kind {
    case .equal, .notEqual:
      guard case .value(.string(let text)) = comparison.right,
        let pattern = try? TextPattern(text, kind, comparison.operator.options)
      else { return nil }
      self.pattern = pattern
    default:
      guard let pattern = comparison.pattern else { return nil }
      self.pattern = pattern
    }
    isNegated = kind == .notEqual
  }
}
